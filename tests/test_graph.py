"""The triples of the design, with their evidence, as files and as a store."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
import rdflib
from graph_sample import ABSTRACT, TITLE, by_name, seeds, swimmer
from pyoxigraph import NamedNode, RdfFormat, Store, parse, serialize

from kg import graph, vocab
from kg.errors import OutputError, UsageError
from kg.graph import Provenance, Run
from kg.graph.paper import label
from kg.records import Entity, EntityType, Extraction, Mention, Paper, Role

RUN = Run("0.1.0", "tagger 1")
BASE = vocab.DEFAULT_BASE
PAPER = r"paper:10.5555\/SWIM\(26\)1"


def store_of(*extractions: Extraction, **options: object) -> Store:
    """The quads of some extractions, in a store."""
    store = Store()
    store.extend(graph.quads(extractions, by_name(extractions), **options))  # type: ignore[arg-type]
    return store


def ask(store: Store, pattern: str) -> bool:
    query = f"ASK {{ {pattern} }}"
    return bool(store.query(query, prefixes=vocab.prefixes(), use_default_graph_as_union=True))


def select(store: Store, names: str, pattern: str) -> list[tuple[str, ...]]:
    query = f"SELECT {names} {{ {pattern} }} ORDER BY {names}"
    rows = store.query(query, prefixes=vocab.prefixes(), use_default_graph_as_union=True)
    return [tuple("" if term is None else term.value for term in row) for row in rows]


@pytest.mark.parametrize(
    "pattern",
    [
        f"{PAPER} a fabio:ResearchPaper, schema:ScholarlyArticle ; rdfs:label '{TITLE}' ; dcterms:title '{TITLE}'",
        f"{PAPER} dcterms:identifier '10.5555/SWIM(26)1' ; prism:doi '10.5555/SWIM(26)1' ; fabio:hasArXivId ?id",
        f"{PAPER} schema:sameAs <https://doi.org/10.5555/swim%2826%291>, <https://arxiv.org/abs/2601.00001>",
        f"{PAPER} dcterms:creator 'Ada Wave', 'Bo Åström' ; fabio:hasPublicationYear '2026'^^xsd:gYear",
        f"{PAPER} dcterms:isPartOf collection:poolconf-2026 ; fabio:hasURL 'https://example.org/a b'",
        "collection:poolconf-2026 rdfs:label 'PoolConf 2026' ; schema:name 'PoolConf' ; dcterms:issued ?year",
        f"{PAPER} kg:proposes model:tidewater ; kg:uses method:lapnet ; kg:comparesWith model:lapnet-2",
        f"{PAPER} kg:evaluatesOn dataset:lake-9 ; kg:reports metric:accuracy ; kg:addresses task:pool-navigation",
        f"{PAPER} kg:mentions model:tidewater, method:lapnet, model:lapnet-2, dataset:lake-9, metric:accuracy",
        "model:tidewater a kg:Model, mls:Model, skos:Concept ; skos:prefLabel 'Tidewater'@en",
        "dataset:lake-9 a kg:Dataset, mls:Dataset, schema:Dataset",
        "metric:accuracy a kg:Metric, mls:EvaluationMeasure ; skos:inScheme <https://w3id.org/paperkg/concepts>",
        "task:pool-navigation a kg:Task, mls:Task",
    ],
)
def test_the_facts_of_the_design(pattern: str) -> None:
    assert ask(store_of(swimmer()), pattern)


def test_a_method_is_nothing_that_ml_schema_keeps_apart() -> None:
    classes = select(store_of(swimmer()), "?class", "method:lapnet a ?class")
    assert classes == [(f"{vocab.VOCABULARIES['skos']}Concept",), (f"{vocab.VOCABULARIES['kg']}Method",)]


def test_a_label_that_is_preferred_is_no_alternative() -> None:
    assert not ask(store_of(swimmer()), "?c skos:prefLabel ?l ; skos:altLabel ?l")


def test_words_are_where_their_offsets_say_by_code_points() -> None:
    spans = select(
        store_of(swimmer()),
        "?words ?begin ?end ?text ?sentence",
        "?m nif:anchorOf ?words ; nif:beginIndex ?begin ; nif:endIndex ?end ; nif:referenceContext ?c ."
        "?c nif:isString ?text OPTIONAL { ?m nif:sentence/nif:anchorOf ?sentence }",
    )
    assert {text for *_, text, _ in spans} == {TITLE, ABSTRACT}
    assert [words for words, begin, end, text, _ in spans if text[int(begin) : int(end)] != words] == []
    assert [words for words, *_, sentence in spans if words not in sentence and sentence] == []
    assert max(int(begin) for _, begin, *_ in spans) > ABSTRACT.index("🏊")


def test_offsets_and_confidences_have_the_types_of_nif() -> None:
    quads = list(graph.quads([swimmer()], by_name([swimmer()])))
    assert {q.object.datatype for q in quads if q.predicate in (vocab.NIF_BEGIN_INDEX, vocab.NIF_END_INDEX)} == {
        vocab.XSD_NON_NEGATIVE_INTEGER
    }
    sure = {q.object for q in quads if q.predicate in (vocab.ITSRDF_TA_CONFIDENCE, vocab.KG_CONFIDENCE)}
    assert {(s.value, s.datatype) for s in sure} >= {("0.97", vocab.XSD_DECIMAL), ("1.0", vocab.XSD_DECIMAL)}


def test_a_statement_leads_to_the_sentences_that_say_so() -> None:
    evidence = select(
        store_of(swimmer(), run=RUN),
        "?sentence ?confidence ?run",
        f"?s a rdf:Statement ; rdf:subject {PAPER} ; rdf:predicate kg:proposes ; rdf:object model:tidewater ;"
        "kg:confidence ?confidence ; prov:wasGeneratedBy ?run ;"
        "prov:wasDerivedFrom/nif:sentence/nif:anchorOf ?sentence",
    )
    assert {sentence[:12] for sentence, *_ in evidence} == {"Tidewater: s", "We propose *", "Tidewater is"}
    assert {(sure, run) for _, sure, run in evidence} == {("0.97", RUN.iri())}


def test_every_role_is_stated_and_is_a_mention() -> None:
    store = store_of(*seeds())
    assert not ask(store, "?s rdf:subject ?p ; rdf:predicate ?r ; rdf:object ?c FILTER NOT EXISTS { ?p ?r ?c }")
    assert not ask(store, "?s rdf:subject ?p ; rdf:object ?c FILTER NOT EXISTS { ?p kg:mentions ?c }")
    assert not ask(store, "?p kg:proposes ?c FILTER NOT EXISTS { ?s rdf:predicate kg:proposes ; rdf:object ?c }")


def test_a_result_keeps_the_digits_that_the_authors_wrote() -> None:
    quads = [q for q in graph.quads([swimmer()], by_name([swimmer()])) if q.subject.value.startswith(f"{BASE}result/")]
    of = {(q.subject, q.predicate): q.object for q in quads}
    by_text = {o.value: s for (s, p), o in of.items() if p == vocab.KG_VALUE_TEXT}
    node = by_text[r"92.10\%"]
    assert str(of[node, vocab.MLS_HAS_VALUE]) == '"92.10"^^<http://www.w3.org/2001/XMLSchema#decimal>'
    assert of[node, vocab.KG_BASELINE_VALUE].value == "88.4"
    assert of[node, vocab.KG_UNIT].value == "%"
    assert of[node, vocab.MLS_SPECIFIED_BY] == NamedNode(f"{BASE}metric/accuracy")
    assert of[node, vocab.KG_OF_SUBJECT] == NamedNode(f"{BASE}model/tidewater")
    assert of[node, vocab.KG_COMPARED_WITH] == NamedNode(f"{BASE}model/lapnet-2")
    assert of[node, vocab.KG_ON_DATASET] == NamedNode(f"{BASE}dataset/lake-9")
    assert of[by_text["10-15%"], vocab.KG_MEASURE_TEXT].value == "loss"
    assert (by_text["10-15%"], vocab.MLS_HAS_VALUE) not in of
    assert of[by_text[r"$28\times$"], vocab.KG_UNIT].value == "×"


@pytest.mark.parametrize("title", ["", TITLE])
def test_a_paper_is_called_by_its_title_or_by_what_it_proposes(title: str) -> None:
    assert label(swimmer(title=title)) == (title or "Tidewater")


def test_a_paper_that_proposes_nothing_is_called_by_its_first_words() -> None:
    text = r"Nobody knows \emph{how deep} the pool is, or how many lanes a swimmer of our days can cross before noon."
    assert label(Extraction(Paper("p", text))) == "Nobody knows how deep the pool is, or how many lanes a …"


def test_an_empty_paper_has_a_label_still() -> None:
    assert ask(store_of(Extraction(Paper("p", ""))), "paper:p rdfs:label 'p' ; dcterms:abstract ''")


def test_a_role_that_the_concept_cannot_play_is_a_mention() -> None:
    extraction = swimmer()
    merged = [
        replace(c, members=(*c.members, (extraction.paper.id, 1))) if c.slug == "lake-9" else c
        for c in by_name([extraction])
        if c.slug != "lapnet"
    ]
    store = Store()
    store.extend(graph.quads([extraction], merged))
    assert not ask(store, "?p kg:uses dataset:lake-9")
    assert ask(store, "?p kg:evaluatesOn dataset:lake-9 . ?s rdf:predicate kg:mentions ; rdf:object dataset:lake-9")


@pytest.mark.parametrize(
    ("provenance", "graphs"), [("none", {"facts"}), ("mentions", {"facts", "evidence", "run"}), ("full", None)]
)
def test_how_much_evidence_is_a_choice(provenance: str, graphs: set[str] | None) -> None:
    store = store_of(swimmer(), provenance=Provenance(provenance), run=RUN)
    found = {g.value.rpartition("/")[2] for g in store.named_graphs()}
    assert found == (graphs or {"facts", "evidence", "run"})
    assert ask(store, "?m itsrdf:taIdentRef ?c") == (provenance != "none")
    assert ask(store, "?s a rdf:Statement") == (provenance == "full")
    assert ask(store, "?p kg:proposes model:tidewater")


def test_the_base_moves_the_data_and_not_the_words() -> None:
    quads = list(graph.quads([swimmer()], by_name([swimmer()]), base="http://example.org/kg/", run=RUN))
    names = {t.value for q in quads for t in (q.subject, q.predicate, q.object) if isinstance(t, NamedNode)}
    assert {n for n in names if n.startswith(BASE) and not n.startswith(f"{BASE}ontology#")} == set()
    assert "https://w3id.org/paperkg/ontology#proposes" in names
    with pytest.raises(UsageError):
        next(graph.quads([], [], base="here"))


def test_each_quad_is_made_once() -> None:
    extractions = seeds()
    counts = Counter(graph.quads(extractions, by_name(extractions), run=RUN))
    assert [quad for quad, n in counts.items() if n > 1] == []


def test_the_run_tells_the_clock_in_a_file_of_its_own(tmp_path: Path) -> None:
    graph.write(tmp_path, [swimmer()], by_name([swimmer()]), run=RUN)
    assert "AtTime" not in (tmp_path / "graph.nq").read_text()
    at = datetime(2026, 5, 1, 12, tzinfo=UTC)
    told = rdflib.Graph().parse(data=graph.run_turtle(RUN, at, at), format="turtle")
    times = told.value(rdflib.URIRef(RUN.iri()), rdflib.PROV.startedAtTime)
    assert times.toPython() == at  # type: ignore[union-attr]


@pytest.mark.parametrize("pipes", [True, False])
def test_the_three_forms_hold_the_same_triples(tmp_path: Path, pipes: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not pipes:  # as on Windows
        monkeypatch.delattr("os.mkfifo")
    extractions = seeds()
    counts = graph.write(tmp_path, lambda: iter(extractions), by_name(extractions), run=RUN)
    turtle = {q.triple for q in parse(path=str(tmp_path / "graph.ttl"), format=RdfFormat.TURTLE)}
    quads = set(parse(path=str(tmp_path / "graph.nq"), format=RdfFormat.N_QUADS))
    assert turtle == {q.triple for q in quads}
    store = set(Store.read_only(str(tmp_path / "store")))
    assert len(quads) == sum(counts.values()) == len(store)
    subjects = ({(q.subject, q.predicate, q.graph_name) for q in some} for some in (quads, store))
    assert next(subjects) == next(subjects)  # Oxigraph keeps a nonNegativeInteger as an integer
    assert {g.value for g in {q.graph_name for q in quads}} == {f"{BASE}graph/{name}" for name in counts}


def test_rdflib_reads_the_turtle_as_oxigraph_does(tmp_path: Path) -> None:
    odd = [swimmer(), swimmer("10.1002/(SICI)1<1::AID>3.0.CO;2-#"), swimmer("a b/%zz/title"), swimmer("é.")]
    graph.write(tmp_path, odd, by_name(odd), run=RUN)
    ours = {q.triple for q in parse(path=str(tmp_path / "graph.nq"), format=RdfFormat.N_QUADS)}
    plain = serialize(ours, format=RdfFormat.N_TRIPLES) or b""
    assert set(rdflib.Graph().parse(tmp_path / "graph.ttl")) == set(rdflib.Graph().parse(data=plain, format="nt"))


def test_the_turtle_binds_every_prefix_and_writes_no_full_name_that_it_could_shorten(tmp_path: Path) -> None:
    graph.write(tmp_path, [swimmer()], by_name([swimmer()]), run=RUN)
    head, _, body = (tmp_path / "graph.ttl").read_text(encoding="utf-8").partition("\n\n\n")
    assert head.count("@prefix") == len(vocab.prefixes())
    assert "@prefix" not in body
    outside = {line.split("<")[1].split(">")[0] for line in body.splitlines() if " <" in line and '"' not in line}
    assert {iri for iri in outside if iri.startswith(BASE)} <= {f"{BASE}concepts"}


def test_the_same_bytes_whatever_the_hash_seed(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from graph_sample import *; from kg import graph\n"
        "ex = [*seeds()[:5], swimmer()]\n"
        "graph.write(Path(sys.argv[1]), ex, by_name(ex), run=graph.Run('0', 'x'))\n"
        "for f in ('trig', 'rdf', 'jsonld.gz'): graph.export(Path(sys.argv[1]), Path(sys.argv[1]) / f'x.{f}')"
    )
    for seed in ("1", "2"):
        env = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parent)}
        subprocess.run([sys.executable, "-c", script, str(tmp_path / seed)], env=env, check=True)
    for name in ("graph.ttl", "graph.nq", "x.trig", "x.rdf", "x.jsonld.gz"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()


def test_a_reader_keeps_the_store_that_it_has_open(tmp_path: Path) -> None:
    graph.write(tmp_path, [swimmer("one")], by_name([swimmer("one")]))
    reader = Store.read_only(str(tmp_path / "store"))
    graph.write(tmp_path, [swimmer("two")], by_name([swimmer("two")]))
    assert ask(reader, "paper:one kg:proposes ?c")
    assert ask(Store.read_only(str(tmp_path / "store")), "paper:two kg:proposes ?c")
    assert sorted(p.name for p in tmp_path.iterdir()) == [".store-1", ".store-2", "graph.nq", "graph.ttl", "store"]


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    graph.write(tmp_path, [swimmer("one")], by_name([swimmer("one")]))
    before = (tmp_path / "graph.nq").read_bytes()

    def broken() -> object:
        yield swimmer("two")
        raise RuntimeError("the disk of the extractions is gone")

    with pytest.raises(RuntimeError):
        graph.write(tmp_path, broken, by_name([swimmer("two")]))  # type: ignore[arg-type]
    assert (tmp_path / "graph.nq").read_bytes() == before
    assert ask(Store.read_only(str(tmp_path / "store")), "paper:one kg:proposes ?c")
    assert sorted(p.name for p in tmp_path.iterdir()) == [".store-1", "graph.nq", "graph.ttl", "store"]


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(OutputError, match=r"cannot write .*file"):
        graph.write(tmp_path / "file", [], [])


def test_no_character_breaks_a_writer(tmp_path: Path) -> None:
    text = 'A\x00B \ud800 \x0b ]]> \r\n\t """ \\ \u2028 \ufffe GAN 🏊 ends.'
    start = text.index("GAN")
    gan = Entity("GAN", EntityType.MODEL, Role.USES, 0.5, (Mention(start, start + 3, "GAN", 0.5),))
    odd = Extraction(Paper("odd\ud800", text, title="T\x01", venue="V\x02"), (gan,), sentences=((0, len(text)),))
    graph.write(tmp_path, [odd], by_name([odd]))
    store = Store.read_only(str(tmp_path / "store"))
    ((string, begin, end),) = select(
        store,
        "?s ?i ?j",
        "?m nif:anchorOf 'GAN' ; nif:beginIndex ?i ; nif:endIndex ?j ; nif:referenceContext/nif:isString ?s",
    )
    assert len(string) == len(text)
    assert string[int(begin) : int(end)] == "GAN"
    assert set(rdflib.Graph().parse(tmp_path / "graph.ttl"))


def test_the_links_can_be_read_as_the_scorer_of_concepts_reads_them(tmp_path: Path) -> None:
    graph.write(tmp_path, [swimmer()], by_name([swimmer()]))
    found = rdflib.Graph().parse(tmp_path / "graph.ttl")
    nif = rdflib.Namespace(vocab.VOCABULARIES["nif"])
    links = set()
    for mention, concept in found.subject_objects(rdflib.Namespace(vocab.VOCABULARIES["itsrdf"]).taIdentRef):
        paper = found.value(found.value(mention, nif.referenceContext), rdflib.DCTERMS.isPartOf)
        links.add(
            (str(found.value(paper, rdflib.DCTERMS.identifier)), str(found.value(mention, nif.anchorOf)), str(concept))
        )
    assert links == {
        ("10.5555/SWIM(26)1", m.text, vocab.iri(e.type.lower(), vocab.slug(e.name)))
        for e in swimmer().entities
        for m in e.mentions
    }
