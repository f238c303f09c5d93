"""What the served page asks for: the store and a few records answer as the whole build in memory does."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import networkx as nx
import pytest
from graph_sample import by_name, seeds
from kitchen import MAP

from kg import cache, codec, graph
from kg.errors import InputError
from kg.flow import Options, rebuild
from kg.graph import Provenance
from kg.records import Entity, EntityType, Extraction, Mention, Paper, Role
from kg.serve.names import found, index
from kg.serve.near import near
from kg.store import open_store
from kg.view.choose import around
from kg.view.model import graph as drawn
from kg.view.model import read_build
from kg.vocab import DEFAULT_BASE


def build(folder: Path, extractions: list[Extraction], provenance: Provenance = Provenance.FULL) -> list[Extraction]:
    """Make a build's store and records in a folder; gives the records as a build reads them."""
    lines = sorted((x.paper.id, codec.dumps(x)) for x in extractions)
    (folder / "extractions.jsonl").write_text("".join(f"{line}\n" for _, line in lines), encoding="utf-8")
    records = list(cache.read(folder))
    graph.write(folder, records, by_name(records), provenance=provenance)
    return records


def plain(view: nx.MultiDiGraph) -> tuple[dict[str, dict[str, object]], set[tuple[object, ...]]]:
    """Nodes and edges, to be compared; the store has more spellings of a name than the records."""
    edges = {(s, t, r, tuple(sorted(e.items()))) for s, t, r, e in view.edges(keys=True, data=True)}
    nodes = {key: {k: v for k, v in node.items() if k != "alternatives"} for key, node in view.nodes(data=True)}
    return nodes, edges


@pytest.mark.parametrize("provenance", [Provenance.FULL, Provenance.NONE])
def test_the_surroundings_are_those_of_the_whole_graph(tmp_path: Path, provenance: Provenance) -> None:
    records = build(tmp_path, seeds(), provenance)
    whole, store = drawn(records, by_name(records)), open_store(tmp_path)
    for key in sorted(whole)[::23]:
        counted = {c: len(set(whole.predecessors(c))) for c in whole}
        _, expected = around(whole, key, depth=1)
        got = near(tmp_path, store, DEFAULT_BASE + key)
        assert plain(got.graph) == plain(expected), key
        assert not got.left_out
        for c, n in got.graph.nodes(data="papers"):
            assert n is None or n == counted[c]
        papers = {k for k, kind in expected.nodes(data="type") if kind == "Paper"}
        assert {x.paper.id for x in got.extractions} == {whole.nodes[p]["paper_id"] for p in papers}


def test_what_is_broader_comes_along_and_can_be_drawn_around_though_no_paper_names_it(tmp_path: Path) -> None:
    names = {"p0": "SoupNet", "p1": "BrothFormer", "p2": "TeaNet"}
    papers = [
        Extraction(
            Paper(p, f"{n} works."), (Entity(n, EntityType.MODEL, Role.USES, 0.9, (Mention(0, len(n), n, 0.9),)),)
        )
        for p, n in names.items()
    ]
    (tmp_path / "extractions.jsonl").write_text("".join(f"{codec.dumps(x)}\n" for x in papers), encoding="utf-8")
    rebuild(tmp_path, options=Options(field_map=MAP))
    store = open_store(tmp_path)
    whole = read_build(tmp_path)
    got = near(tmp_path, store, f"{DEFAULT_BASE}model/soupnet").graph
    chain = ["model/soupnet", "model/cooking-network", "area/kitchen-science"]
    assert set(got) == {"paper/p0", *chain}
    for narrow, broad in pairwise(chain):
        assert got[narrow][broad]["broader"] == whole[narrow][broad]["broader"]
    assert got.nodes["model/cooking-network"]["within"] == 2
    for iri, count in (("model/cooking-network", 2), ("area/kitchen-science", 2)):
        around_it = near(tmp_path, store, DEFAULT_BASE + iri)
        assert {x.paper.id for x in around_it.extractions} == {"p0", "p1"}
        assert around_it.graph.nodes[iri]["within"] == count


def test_of_many_papers_the_telling_and_the_newest_are_drawn(tmp_path: Path) -> None:
    like = next(x for x in seeds() if x.entities)
    papers = [replace(like, paper=replace(like.paper, id=f"p{i}", year=2000 + i)) for i in range(6)]
    [concept] = [c for c in by_name(build(tmp_path, papers)) if ("p0", 0) in c.members]
    got = near(tmp_path, open_store(tmp_path), f"{DEFAULT_BASE}{concept.type.lower()}/{concept.slug}", most=2)
    assert [x.paper.id for x in got.extractions] == ["p5", "p4"]
    assert "2 of the 6 papers" in got.left_out[0]
    assert got.graph.nodes[f"{concept.type.lower()}/{concept.slug}"]["papers"] == 6


@pytest.mark.parametrize("iri", ["", "no iri", "http://example.org/x", f"{DEFAULT_BASE}graph/facts"])
def test_what_is_not_there_has_no_surroundings(tmp_path: Path, iri: str) -> None:
    build(tmp_path, seeds()[:2])
    with pytest.raises(InputError, match="no paper and no concept"):
        near(tmp_path, open_store(tmp_path), iri)


@pytest.mark.parametrize(
    "asked", ["Imagenet", "LANGUAGE model", "  graph   neural", "nothing at all", '"\\', "seed-a01"]
)
def test_names_in_memory_find_what_the_store_finds(seeds_build: Path, asked: str) -> None:
    store = open_store(seeds_build)
    at_once, in_memory = found(store, asked), index(store).search(asked)
    assert set(at_once) == set(in_memory)
    assert bool(in_memory) == (asked[:2] not in ("no", '"\\'))


@pytest.mark.parametrize("asked", ["", "a", "e"])
def test_of_many_names_some_are_found(seeds_build: Path, asked: str) -> None:
    store = open_store(seeds_build)
    in_memory = index(store).search(asked)
    assert [t.type == "Paper" for t in in_memory] == [False] * 25 + [True] * 25
    assert len(found(store, asked)) == 50


def test_the_most_named_is_found_first(seeds_build: Path) -> None:
    things = index(open_store(seeds_build)).search("")
    assert {t.type for t in things} <= {"Paper", *EntityType}
    papers = [t.papers for t in things if t.type != "Paper"]
    assert papers == sorted(papers, reverse=True)
    assert papers[0] > 3


def test_records_are_found_without_reading_the_others(tmp_path: Path) -> None:
    like = seeds()[0]
    ids = ["10.1/a", '10.1/"quoted"', "10.1/\\back", "ümlaut", "z" * 300, "論文", "10.1/A"]
    papers = [replace(like, paper=replace(like.paper, id=name)) for name in ids]
    lines = {x.paper.id: codec.dumps(x) for x in papers}
    (tmp_path / "extractions.jsonl").write_text("".join(f"{lines[i]}\n" for i in sorted(ids)), encoding="utf-8")
    assert [x.paper.id for x in cache.find(tmp_path, ids)] == ids
    for missing in ("", "10.1/b", "zz", "\uffff"):
        with pytest.raises(InputError, match="build again"):
            list(cache.find(tmp_path, [missing]))
    with pytest.raises(InputError, match="build again"):
        list(cache.find(tmp_path / "none", ids))
