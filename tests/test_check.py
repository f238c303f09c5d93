"""A graph that is right passes; one that is wrong is told where and why."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from graph_sample import by_name, seeds, swimmer
from pyoxigraph import Literal, NamedNode, Quad, Store
from typer.testing import CliRunner

from kg import codec, graph, vocab
from kg.check import check
from kg.cli import app
from kg.errors import InputError, ServiceError
from kg.graph import Provenance, Run
from kg.records import Entity, Extraction, Paper, Role

BASE = vocab.DEFAULT_BASE
PAPER = NamedNode(f"{BASE}paper/p")
NINE = Literal("9", datatype=vocab.XSD_DECIMAL)
TIDEWATER = NamedNode(f"{BASE}model/tidewater")
RUN = Run("0.1.0", "tagger 1")


def build(folder: Path, *extractions: Extraction, **options: object) -> Path:
    """Write the graph of some extractions into a folder."""
    graph.write(folder, extractions, by_name(extractions), **options)  # type: ignore[arg-type]
    return folder


def test_the_seeds_conform_in_time(tmp_path: Path) -> None:
    build(tmp_path, *seeds(), run=RUN)
    started = time.process_time()
    report = check(tmp_path)
    assert report.violations == ()
    assert (report.papers, report.conforms) == (38, True)
    assert time.process_time() - started < 20


@pytest.mark.parametrize("provenance", Provenance)
def test_every_amount_of_evidence_conforms(tmp_path: Path, provenance: Provenance) -> None:
    assert check(build(tmp_path, swimmer(), run=RUN, provenance=provenance)).violations == ()


def test_odd_papers_conform(tmp_path: Path) -> None:
    bare = replace(swimmer("a b/%zz", title="", venue="", year=None, doi="", arxiv=""), entities=())
    empty = Extraction(Paper("empty", ""))
    assert check(build(tmp_path, bare, empty, base="http://example.org/")).violations == ()


def spoil(folder: Path, change: Callable[[Store], None]) -> tuple[str, ...]:
    """Build the graph of one paper, change its store, and check it: what is said, but for the files that differ now."""
    build(folder, swimmer("p"), run=RUN)
    store = Store(str(folder / "store"))
    change(store)
    store.flush()
    del store
    return tuple(v for v in check(folder).violations if not v.startswith("graph."))


def without(s: NamedNode | None, p: NamedNode | None, o: NamedNode | Literal | None) -> Callable[[Store], None]:
    def change(store: Store) -> None:
        for quad in list(store.quads_for_pattern(s, p, o)):
            store.remove(quad)

    return change


def instead(s: NamedNode, p: NamedNode, o: NamedNode | Literal) -> Callable[[Store], None]:
    def change(store: Store) -> None:
        for quad in list(store.quads_for_pattern(s, p, None)):
            store.remove(quad)
        store.add(Quad(s, p, o, NamedNode(f"{BASE}graph/facts")))

    return change


def also(s: NamedNode, p: NamedNode, o: NamedNode | Literal) -> Callable[[Store], None]:
    return lambda store: store.add(Quad(s, p, o, NamedNode(f"{BASE}graph/facts")))


def everywhere(p: NamedNode, o: NamedNode | Literal) -> Callable[[Store], None]:
    """Say this of each result."""

    def change(store: Store) -> None:
        for quad in list(store.quads_for_pattern(None, vocab.RDF_TYPE, vocab.KG_RESULT)):
            store.add(Quad(quad.subject, p, o, quad.graph_name))

    return change


def mention() -> NamedNode:
    (m, *_) = swimmer().entities[1].mentions
    return NamedNode(f"{BASE}mention/p/{m.start}-{m.end}")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (without(PAPER, vocab.RDFS_LABEL, None), "paper:p: a paper has one label"),
        (without(TIDEWATER, vocab.SKOS_PREF_LABEL, None), "model:tidewater: a concept has one preferred English label"),
        (without(TIDEWATER, vocab.RDF_TYPE, vocab.MLS_MODEL), "model:tidewater: a concept is one of model"),
        (also(PAPER, vocab.KG_EVALUATES_ON, TIDEWATER), "paper:p: what a paper evaluates on is a dataset, not https"),
        (also(PAPER, vocab.KG_USES, NamedNode(f"{BASE}model/x")), "paper:p: gives a role to <https://w3id.org/paperkg"),
        (instead(mention(), vocab.NIF_ANCHOR_OF, Literal("Lap")), "says 'Lap' where its text has 'LapNet'"),
        (instead(mention(), vocab.NIF_BEGIN_INDEX, Literal(-1)), "says 'LapNet' where its text has None"),
        (instead(mention(), vocab.NIF_BEGIN_INDEX, Literal(9999)), "begin at one offset, before they end, not 9999"),
        (also(mention(), vocab.ITSRDF_TA_CONFIDENCE, Literal("2", datatype=vocab.XSD_DECIMAL)), "decimal from 0 to 1"),
        (without(PAPER, vocab.KG_PROPOSES, None), "states a triple that is not there"),
        (without(PAPER, vocab.KG_MENTIONS, TIDEWATER), "gives a role to <https://w3id.org/paperkg/model/tidewater>"),
        (without(None, vocab.PROV_WAS_DERIVED_FROM, mention()), "a statement is derived from words"),
        (without(None, vocab.KG_VALUE_TEXT, None), "a result has one value as written"),
        (without(None, vocab.KG_VALUE_KIND, None), "a result has kinds of value, of the eight there are"),
        (everywhere(vocab.KG_VALUE_KIND, vocab.KG_RATIO), "a value is a level, a difference or a ratio, and only one"),
        (everywhere(vocab.KG_UPPER_VALUE, Literal(9)), "a result has at most one upper end, a decimal"),
        (everywhere(vocab.KG_LOWER_VALUE, NINE), "a result has one value, or ends, not both"),
        (everywhere(vocab.KG_RELATION, Literal("about")), "how a value stands to its number is one of"),
        (without(NamedNode(RUN.iri()), vocab.RDFS_LABEL, None), "a run has one label"),
        (without(None, vocab.DCTERMS_IS_PART_OF, PAPER), "nothing leads to it"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, change: Callable[[Store], None], said: str) -> None:
    found = spoil(tmp_path, change)
    assert any(said in line for line in found), found


def test_files_that_differ_from_the_store_are_told(tmp_path: Path) -> None:
    build(tmp_path, swimmer())
    lines = (tmp_path / "graph.nq").read_text("utf-8").splitlines(keepends=True)
    (tmp_path / "graph.nq").write_text("".join(lines[1:]), "utf-8")
    (tmp_path / "graph.ttl").write_text("no Turtle", "utf-8")
    turtle, quads = check(tmp_path).violations
    assert turtle.startswith("graph.ttl: can't be read")
    assert quads == f"graph.nq: holds {len(lines) - 1} triples where the store holds {len(lines)}; build again"
    (tmp_path / "graph.nq").unlink()
    assert check(tmp_path).violations[1] == "graph.nq: is missing; build again"


def test_a_store_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="kg build"):
        check(tmp_path)


@pytest.mark.parametrize("damaged", ["CURRENT", "MANIFEST", ".sst"])
def test_a_damaged_store_is_one_sentence(tmp_path: Path, damaged: str) -> None:
    build(tmp_path, swimmer())
    for path in (tmp_path / "store").iterdir():
        if damaged in path.name:
            path.write_bytes(b"damage" * 200)
    with pytest.raises(InputError, match=r"cannot be read .*kg build"):
        check(tmp_path)


def test_without_pyshacl_its_installation_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build(tmp_path, swimmer())
    monkeypatch.setitem(sys.modules, "pyshacl", None)
    with pytest.raises(ServiceError, match=r"pip install 'paperkg\[check\]'"):
        check(tmp_path)


def test_the_command_tells_the_faults_and_exits_with_1(tmp_path: Path) -> None:
    build(tmp_path, swimmer("p"))
    well = CliRunner().invoke(app, ["check", "--from", str(tmp_path)])
    assert (well.exit_code, well.stdout) == (0, "papers: 1, concepts: 6, triples: 290; all well\n")
    spoil(tmp_path, without(PAPER, None, None))
    bad = CliRunner().invoke(app, ["check", "--from", str(tmp_path), "--most", "2"])
    assert bad.exit_code == 1
    assert bad.stdout.count("\n") == 4
    assert "; faults: " in bad.stdout


def recorded(folder: Path, *records: Extraction) -> Path:
    """A build with these records, as they are."""
    build(folder, *{x.paper.id: x for x in records}.values())
    (folder / "extractions.jsonl").write_text("".join(f"{codec.dumps(x)}\n" for x in records), encoding="utf-8")
    return folder


def test_right_records_pass(tmp_path: Path) -> None:
    records = sorted([*seeds(), swimmer("10.1/ü 論")], key=lambda x: x.paper.id)
    assert check(recorded(tmp_path, *records), sample=1).violations == ()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda e: replace(e, role=Role.REPORTS), "paper p: Tidewater is a Model that it reports"),
        (lambda e: replace(e, confidence=1.5), "paper p: Tidewater has a confidence of 1.5"),
        (lambda e: replace(e, mentions=()), "paper p: Tidewater is mentioned nowhere"),
        (
            lambda e: replace(e, mentions=(replace(e.mentions[1], start=12, end=21),)),
            "paper p: says 'Tidewater' at 12-21 where its abstract has '*Tidewate'",
        ),
        (
            lambda e: replace(e, mentions=(replace(e.mentions[0], end=10),)),
            "paper p: says 'Tidewater' at 0-10 where its title has 'Tidewater:'",
        ),
    ],
)
def test_a_wrong_entity_of_a_record_is_told(tmp_path: Path, change: Callable[[Entity], Entity], said: str) -> None:
    right = swimmer("p")
    build(tmp_path, right)
    wrong = replace(right, entities=(change(right.entities[0]), *right.entities[1:]))
    (tmp_path / "extractions.jsonl").write_text(f"{codec.dumps(wrong)}\n", encoding="utf-8")
    assert check(tmp_path, sample=1).violations == (said,)


def test_wrong_results_sentences_and_files_of_records_are_told(tmp_path: Path) -> None:
    right = swimmer("b")
    wrong = replace(right, results=(replace(right.results[0], start=3),), sentences=((0, 9), (5, 9999)))
    recorded(tmp_path, right, swimmer("a"), swimmer("c"))
    path = tmp_path / "extractions.jsonl"
    b, a, c = path.read_text(encoding="utf-8").splitlines()
    for lines, said in (
        ([a, codec.dumps(wrong), c], ("paper b: says the value", "paper b: has sentences that overlap")),
        ([b, a, c], ("extractions.jsonl:2: paper a is there twice or not in its place",)),
        ([a, b], ("paper c: is in the graph and has no record",)),
        ([a, b, c, codec.dumps(swimmer("d"))], ("paper d: has a record in extractions.jsonl and is not in the graph",)),
        ([a, b[:90], c], ("extractions.jsonl:2 is not an extraction record", "paper b: is in the graph")),
    ):
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        found = check(tmp_path, sample=1).violations
        assert len(found) == len(said)
        assert all(one.startswith(begins) for one, begins in zip(found, said, strict=True)), found


def test_a_sample_is_spread_and_said(tmp_path: Path) -> None:
    build(tmp_path, *(swimmer(f"p{n}") for n in range(10)))
    store = Store(str(tmp_path / "store"))
    node = NamedNode(f"{BASE}paper/p5")
    store.add(Quad(node, vocab.RDFS_LABEL, Literal("two labels"), NamedNode(f"{BASE}graph/facts")))
    store.flush()
    del store
    stages: list[tuple[str, int]] = []
    few = check(tmp_path, sample=5, on_progress=lambda stage, done: stages.append((stage, done)))
    assert (few.papers, few.sample) == (10, 5)
    assert "papers: 10 (a sample: 5 of them checked)" in few.summary
    assert any("p5" in one for one in few.violations)
    assert stages == [("files", 0), ("papers", 5)]
    assert check(tmp_path, sample=10).sample is None
    assert not any("p5" in one for one in check(tmp_path, sample=2).violations)
    told = CliRunner().invoke(app, ["check", "--from", str(tmp_path), "--sample", "2", "-q"])
    assert told.exit_code == 1
    assert "a sample: 2 of them" in told.stdout
