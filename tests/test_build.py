"""The whole flow on real files: what a build makes, makes again, takes over, and survives."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyoxigraph
import pytest
from builds import STABLE, contents, papers_file, triples

import kg
from kg.errors import InputError, OutputError, UsageError
from kg.files import locked
from kg.flow import Options, build
from kg.papers import Problem, Severity
from kg.report import Report

SEEDS = Path(__file__).parent.parent / "seeds"


@pytest.fixture(scope="module")
def ten(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Report]:
    """A file of ten papers, its build, and the report."""
    folder = tmp_path_factory.mktemp("ten")
    source = papers_file(folder / "ten.jsonl", range(10))
    return source, folder / "out", build([source], folder / "out")


def test_a_build_makes_all_that_it_promises(ten: tuple[Path, Path, Report]) -> None:
    _, output, report = ten
    for name in (*STABLE, "report.json", "run.ttl"):
        assert (output / name).stat().st_size > 0, name
    told = json.loads((output / "report.json").read_text(encoding="utf-8"))
    assert told["papers"] == report.papers == 10
    assert sum(told["triples"].values()) == len(triples(output))
    assert told["versions"]["model"]
    assert told["seconds"].keys() == {"extract", "concepts", "structure", "graph", "page"}
    assert told["failed"] == []


def test_the_store_the_quads_and_the_turtle_hold_the_same(ten: tuple[Path, Path, Report]) -> None:
    _, output, _ = ten
    quads = list(pyoxigraph.parse(path=str(output / "graph.nq")))
    turtle = {str(q.triple) for q in pyoxigraph.parse(path=str(output / "graph.ttl"))}
    assert turtle == {str(q.triple) for q in quads}
    store = pyoxigraph.Store()
    store.extend(quads)  # what Oxigraph makes of them: it keeps 92.10 as 92.1
    assert triples(output) == {str(q) for q in store}


def test_a_second_run_changes_no_byte(ten: tuple[Path, Path, Report]) -> None:
    source, output, _ = ten
    before = contents(output) | {n: (output / n).read_bytes() for n in ("report.json", "run.ttl")}
    again = build([source], output)
    assert again.unchanged
    assert again.extracted == 0
    assert contents(output) | {n: (output / n).read_bytes() for n in ("report.json", "run.ttl")} == before


def test_a_fresh_build_is_the_same_bytes_whatever_the_hash_seed(ten: tuple[Path, Path, Report], tmp_path: Path) -> None:
    source, output, _ = ten
    command = [sys.executable, "-m", "kg", "build", str(source), "-o", str(tmp_path / "out"), "-q"]
    subprocess.run(command, check=True, env=os.environ | {"PYTHONHASHSEED": "7"})
    assert contents(tmp_path / "out") == contents(output)


def test_adding_papers_is_the_same_as_building_at_once(ten: tuple[Path, Path, Report], tmp_path: Path) -> None:
    source, output, _ = ten
    first, second = papers_file(tmp_path / "b.jsonl", range(5, 10)), papers_file(tmp_path / "a.jsonl", range(5))
    build([first], tmp_path / "out")
    added = build([first, second], tmp_path / "out")
    assert added.extracted == 5
    assert contents(tmp_path / "out") == contents(output)
    assert build([source], tmp_path / "out").unchanged


def test_a_paper_that_is_gone_or_changed_is_followed(ten: tuple[Path, Path, Report], tmp_path: Path) -> None:
    _, output, _ = ten
    shutil.copytree(output, tmp_path / "out")
    source = papers_file(tmp_path / "few.jsonl", range(3))
    source.write_text(source.read_text(encoding="utf-8").replace("BERT", "RoBERTa", 1), encoding="utf-8")
    report = build([source], tmp_path / "out")
    assert (report.papers, report.extracted) == (3, 1)
    build([source], tmp_path / "fresh")
    assert contents(tmp_path / "out") == contents(tmp_path / "fresh")


@pytest.mark.parametrize("name", ["extractions.jsonl", "graph.ttl", "store"])
def test_what_was_damaged_is_made_again(ten: tuple[Path, Path, Report], tmp_path: Path, name: str) -> None:
    source, output, _ = ten
    shutil.copytree(output, tmp_path / "out")
    damaged = tmp_path / "out" / name
    if damaged.is_dir():
        for file in damaged.iterdir():
            file.unlink()
    else:
        damaged.write_bytes(damaged.read_bytes()[:1000] + b"\xff\x00{")
    told: list[Problem] = []
    report = build([source], tmp_path / "out", on_problem=told.append)
    assert contents(tmp_path / "out") == contents(output)
    assert triples(tmp_path / "out") == triples(output)
    assert report.unchanged == (name == "extractions.jsonl")  # which is mended before the graph is looked at
    if name == "extractions.jsonl":
        assert any("damaged records" in p.message for p in told)


@pytest.mark.parametrize("how", ["removed", "cut"])
def test_a_store_that_opens_no_more_is_made_again(ten: tuple[Path, Path, Report], tmp_path: Path, how: str) -> None:
    source, output, _ = ten
    shutil.copytree(output, tmp_path / "out")
    (manifest,) = (tmp_path / "out" / "store").glob("MANIFEST-*")
    if how == "removed":
        manifest.unlink()
    else:
        manifest.write_bytes(manifest.read_bytes()[:1000])
    with pytest.raises(InputError, match="kg build"):
        kg.open(tmp_path / "out").query("counts")
    assert not build([source], tmp_path / "out").unchanged
    assert triples(tmp_path / "out") == triples(output)


def test_a_file_name_need_not_be_unicode(tmp_path: Path) -> None:
    source = papers_file(tmp_path / "in.jsonl", range(1))
    (tmp_path / "caf\udce9.txt").write_bytes(b"")
    report = build([tmp_path / "caf\udce9.txt", source], tmp_path / "out")
    assert report.papers == 1
    assert json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))["failed"]


def test_missing_aliases_are_told_before_anything_is_done(tmp_path: Path) -> None:
    source = papers_file(tmp_path / "in.jsonl", range(1))
    with pytest.raises(InputError, match="mine"):
        build([source], tmp_path / "out", options=Options(aliases=tmp_path / "mine.tsv"))
    assert not (tmp_path / "out").exists()


def test_a_build_below_the_input_is_no_input(tmp_path: Path) -> None:
    papers_file(tmp_path / "in.jsonl", range(2))
    assert build([tmp_path], tmp_path / "out").failed == ()
    assert build([tmp_path], tmp_path / "out").unchanged
    with pytest.raises(UsageError, match="empty text"):
        build([""], tmp_path / "out")


def test_bad_papers_are_told_and_the_others_are_built(tmp_path: Path) -> None:
    source = papers_file(tmp_path / "in.jsonl", range(2))
    with source.open("a", encoding="utf-8") as file:
        file.write('{"id": "x"}\n{broken\n' + json.dumps({"id": "fr", "abstract": FRENCH}) + "\n")
    told: list[Problem] = []
    report = build([source, tmp_path / "missing.jsonl"], tmp_path / "out", on_problem=told.append)
    assert report.papers == 3
    assert len(report.failed) == 3
    assert {p.origin for p in told if p.severity is Severity.ERROR} >= {f"{source}:3", f"{source}:4"}
    assert any("another language (fr)" in note for note in report.notes)


FRENCH = (
    "Nous proposons une nouvelle méthode pour la reconnaissance des images dans les réseaux de neurones, et nous "
    "montrons que les résultats sont meilleurs que ceux des méthodes existantes sur plusieurs jeux de données."
)


def test_nothing_to_build_is_told_and_loses_nothing(ten: tuple[Path, Path, Report], tmp_path: Path) -> None:
    _, output, _ = ten
    shutil.copytree(output, tmp_path / "out")
    before = contents(tmp_path / "out")
    with pytest.raises(InputError, match=r"nowhere\.txt"):
        build([tmp_path / "nowhere.txt"], tmp_path / "out")
    assert contents(tmp_path / "out") == before


def test_two_builds_at_once_are_refused(ten: tuple[Path, Path, Report], tmp_path: Path) -> None:
    source, _, _ = ten
    with locked(tmp_path / "out"), pytest.raises(OutputError, match="another build is writing"):
        build([source], tmp_path / "out")


def test_an_output_that_is_a_file_is_told(ten: tuple[Path, Path, Report], tmp_path: Path) -> None:
    source, _, _ = ten
    (tmp_path / "out").write_text("mine", encoding="utf-8")
    with pytest.raises(OutputError, match="cannot write"):
        build([source], tmp_path / "out")
    assert (tmp_path / "out").read_text(encoding="utf-8") == "mine"


def test_a_killed_build_goes_on_to_the_same_bytes(ten: tuple[Path, Path, Report], tmp_path: Path) -> None:
    source, output, _ = ten
    command = [sys.executable, "-m", "kg", "build", str(source), "-o", str(tmp_path / "out"), "-q"]
    draw = random.Random(0)
    for _ in range(4):
        process = subprocess.Popen(command)
        time.sleep(draw.uniform(0.5, 4))
        process.send_signal(signal.SIGKILL)
        process.wait()
    build([source], tmp_path / "out")
    assert contents(tmp_path / "out") == contents(output)
    assert triples(tmp_path / "out") == triples(output)
    assert not [p.name for p in (tmp_path / "out").iterdir() if "partial" in p.name]


def test_less_evidence_is_fewer_triples(ten: tuple[Path, Path, Report], tmp_path: Path) -> None:
    from kg.graph import Provenance

    source, _, full = ten
    none = build([source], tmp_path / "out", options=Options(provenance=Provenance.NONE))
    assert sum(none.triples.values()) < sum(full.triples.values()) / 2


def test_a_merge_leaves_behind_what_stands_for_the_name_that_went(tmp_path: Path) -> None:
    source = papers_file(tmp_path / "in.jsonl", range(3))
    build([source], tmp_path / "out")
    (tmp_path / "mine.tsv").write_text("same\tBERT\tImageNet\n", encoding="utf-8")
    report = build([source], tmp_path / "out", options=Options(aliases=tmp_path / "mine.tsv"))
    assert report.replaced == 1
    (triple,) = pyoxigraph.parse(path=str(tmp_path / "out" / "replaced.ttl"))
    assert triple.predicate.value == "http://purl.org/dc/terms/isReplacedBy"
    gone, now = triple.subject.value, triple.object.value
    graph = (tmp_path / "out" / "graph.nq").read_text(encoding="utf-8")
    assert f"<{gone}>" not in graph
    assert f"<{now}>" in graph
    assert build([source], tmp_path / "out", options=Options(aliases=tmp_path / "mine.tsv")).unchanged


def test_the_seeds_are_38_papers_of_neurips_2026(tmp_path: Path) -> None:
    report = build([SEEDS], tmp_path / "out")
    assert (report.papers, report.failed) == (38, ())
    assert sum(report.entities.values()) > 250
    store = pyoxigraph.Store.read_only(str(tmp_path / "out" / "store"))
    venue = """
        PREFIX dcterms: <http://purl.org/dc/terms/>
        PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
        SELECT (COUNT(?paper) AS ?n) { ?paper dcterms:isPartOf/rdfs:label "NeurIPS 2026" }
    """
    (row,) = store.query(venue, use_default_graph_as_union=True)
    assert row["n"].value == "38"
