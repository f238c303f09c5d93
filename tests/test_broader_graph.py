"""Links from narrow to broad in the graph: with their evidence, conforming, the same bytes whatever the order."""

from __future__ import annotations

from pathlib import Path

import pytest
from graph_sample import by_name, mentions
from pyoxigraph import Literal, NamedNode, Quad, Store

from kg import graph, vocab
from kg.check import check
from kg.errors import InputError
from kg.field import read_map
from kg.flow import Options, build
from kg.graph import Provenance, Run
from kg.records import Entity, EntityType, Extraction, Paper, Role
from kg.store import open_store, rows
from kg.structure import Said, structure

MAP = Path(__file__).parent / "data" / "kitchen-map.tsv"
BASE = vocab.DEFAULT_BASE
TEXTS = {
    "k1": "We try cooking networks such as SoupNet and StewNet. All stir soup on PotBench.",
    "k2": "SoupNet Small, a variant of SoupNet, stirs soup, too. Its taste score is low.",
}
TYPES = {
    "cooking networks": EntityType.MODEL,
    "SoupNet": EntityType.MODEL,
    "SoupNet Small": EntityType.MODEL,
    "StewNet": EntityType.MODEL,
    "PotBench": EntityType.DATASET,
    "taste score": EntityType.METRIC,
}
LINK = """
SELECT ?known ?confidence ?papers ?words {
  ?s rdf:subject ?n ; rdf:predicate skos:broader ; rdf:object ?b ; kg:knownFrom ?known ; kg:confidence ?confidence .
  ?n skos:prefLabel ?narrow . ?b skos:prefLabel ?broad . FILTER(STR(?narrow) = "StewNet")
  OPTIONAL { ?s kg:paperCount ?papers } OPTIONAL { ?s prov:wasDerivedFrom/nif:anchorOf ?words }
} ORDER BY ?known ?words"""


def papers() -> list[Extraction]:
    found = []
    for name, text in TEXTS.items():
        taken: set[int] = set()
        entities = []
        for form in sorted(TYPES, key=lambda form: -len(form)):
            free = [m for m in mentions(text, form) if taken.isdisjoint(range(m.start, m.end))]
            taken.update(i for m in free for i in range(m.start, m.end))
            entities += [Entity(form, TYPES[form], Role.MENTIONS, 0.9, tuple(free))] if free else []
        end = text.index(". ") + 1
        sentences = ((0, end), (end + 1, len(text)))
        found.append(Extraction(Paper(name, text, year=2026), tuple(entities), (), (), sentences))
    return found


def write(folder: Path, extractions: list[Extraction], provenance: Provenance = Provenance.FULL) -> Path:
    said = Said()
    read = list(said.passing(extractions))
    found = structure(by_name(read), said.of, field=read_map(MAP))
    graph.write(folder, sorted(read, key=lambda x: x.paper.id), found, provenance=provenance, run=Run("1", "by hand"))
    return folder


@pytest.mark.parametrize("provenance", Provenance)
def test_the_links_conform_with_any_amount_of_evidence(tmp_path: Path, provenance: Provenance) -> None:
    assert check(write(tmp_path, papers(), provenance)).violations == ()
    assert len(rows(open_store(tmp_path), "SELECT ?n ?b { ?n skos:broader ?b }")) == 8


def test_a_link_has_its_words(tmp_path: Path) -> None:
    answer = list(rows(open_store(write(tmp_path, papers())), LINK))
    assert [(row.known, row.papers, row.words) for row in answer] == [
        ("text", 1, "StewNet"),
        ("text", 1, "cooking networks"),
    ]
    assert all(0.5 < row.confidence < 1 for row in answer)


def test_the_map_gives_areas_tasks_and_directions(tmp_path: Path) -> None:
    store = open_store(write(tmp_path, papers()))
    asked = "ASK { area:kitchen-science skos:topConceptOf ?s . ?s skos:hasTopConcept area:kitchen-science . %s }"
    for triple in (
        "paper:k1 dcterms:subject area:kitchen-science",
        "dataset:potbench kg:forTask task:soup-stirring",
        "metric:taste-score kg:higherIsBetter true ; kg:unit '%'",
        "task:soup-stirring kg:paperCount 0 ; skos:broader/skos:broader area:kitchen-science",
        "model:soupnet kg:paperCount 2 ; kg:paperCountWithin 2",
        "area:kitchen-science kg:paperCountWithin 2",
    ):
        assert rows(store, asked % triple), triple


def test_the_order_of_papers_changes_no_byte(tmp_path: Path) -> None:
    one, other = write(tmp_path / "one", papers()), write(tmp_path / "other", papers()[::-1])
    for name in ("graph.ttl", "graph.nq"):
        assert (one / name).read_bytes() == (other / name).read_bytes()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("dataset/potbench", vocab.SKOS_BROADER, "model/soupnet"), "broader than a dataset is a dataset or an area"),
        (("area/kitchen-science", vocab.SKOS_BROADER, "task/soup-stirring"), "a concept is one of model"),
        (("paper/k1", vocab.DCTERMS_SUBJECT, "model/soupnet"), "the subject of a paper is an area"),
    ],
)
def test_a_link_that_cannot_be_is_told(tmp_path: Path, change: tuple[str, NamedNode, str], said: str) -> None:
    write(tmp_path, papers())
    subject, predicate, thing = change
    store = Store(str(tmp_path / "store"))
    graph_name = NamedNode(f"{BASE}graph/facts")
    store.add(Quad(NamedNode(BASE + subject), predicate, NamedNode(BASE + thing), graph_name))
    store.flush()
    del store
    assert any(said in violation for violation in check(tmp_path).violations)


def test_a_build_takes_the_map_it_is_told(tmp_path: Path) -> None:
    source, output = tmp_path / "one.txt", tmp_path / "out"
    source.write_text("We propose FooNet, a transformer for machine translation, and test it on ImageNet.", "utf-8")
    areas = "SELECT ?label { ?area skos:topConceptOf ?any ; skos:prefLabel ?label } ORDER BY ?label"

    def built(**options: object) -> list[str]:
        report = build([source], output, options=Options(**options))  # type: ignore[arg-type]
        assert not report.unchanged
        return [row.label for row in rows(open_store(output), areas)]

    assert "natural language processing" in built()
    assert built(with_map=False) == []
    own = tmp_path / "own.tsv"
    own.write_text("label\ttype\tbroader\nmy field\tArea\t\nmachine translation\tTask\tmy field\n", "utf-8")
    assert built(field_map=own) == ["my field"]
    before = (output / "graph.nq").read_bytes()
    own.write_text("label\ttype\tbroader\nx\tTask\ty\ny\tTask\tx\n", "utf-8")
    with pytest.raises(InputError, match=r"own\.tsv:2: broader goes in a circle"):
        built(field_map=own)
    assert (output / "graph.nq").read_bytes() == before


def test_a_statement_must_say_from_where_it_is_known(tmp_path: Path) -> None:
    write(tmp_path, papers())
    store = Store(str(tmp_path / "store"))
    for quad in list(store.quads_for_pattern(None, vocab.KG_KNOWN_FROM, Literal("field map"))):
        store.remove(quad)
    store.flush()
    del store
    assert any("derived from words, or says from where" in violation for violation in check(tmp_path).violations)
