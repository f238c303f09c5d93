"""The graph as a Python object: rows, pandas, networkx, rdflib."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import rdflib
from graph_sample import by_name
from kitchen import build, corpus

from kg.errors import InputError, QueryError, ServiceError
from kg.graph import Provenance, write
from kg.graphs import Graph
from kg.vocab import KG_MODEL, iri

SOUPNET, K2 = iri("model", "soupnet"), iri("paper", "k2")


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return Graph(build(tmp_path_factory.mktemp("kitchen")))


def test_rows_are_named_counted_and_gone_through_again(graph: Graph) -> None:
    answer = graph.query("compared")
    assert answer.columns == ("baseline", "papers", "proposed", "concept")
    assert [(row.baseline, row.papers) for row in answer] == [(name, n) for name, n, *_ in answer]
    assert (len(answer), answer[0].baseline, answer[-1].concept) == (2, "StirBase", SOUPNET)
    assert repr(answer) == "Rows(2 × baseline, papers, proposed, concept)"


def test_sparql_needs_no_prefixes_and_takes_values(graph: Graph) -> None:
    query = 'SELECT ?paper { VALUES ?year { "2024"^^xsd:gYear } ?paper fabio:hasPublicationYear ?year }'
    assert [row.paper for row in graph.query(query)] == [iri("paper", "k1")]
    assert [row.paper for row in graph.query(query, year=2022)] == [iri("paper", "k6")]
    assert graph.query("ASK{?s?p?o}")


def test_what_cannot_be_asked_is_told(graph: Graph, tmp_path: Path) -> None:
    with pytest.raises(QueryError, match="did you mean compared"):
        graph.query("compare")
    with pytest.raises(InputError, match="kg build"):
        Graph(tmp_path)


def test_rows_become_a_data_frame(graph: Graph) -> None:
    frame = graph.query("papers-by-dataset", dataset="PotBench").to_pandas()
    assert list(frame.columns) == ["paper", "title", "year", "name", "confidence"]
    assert frame["year"].tolist() == [2025, 2024]
    assert graph.query("SELECT ?x { ?x a kg:Nothing }").to_pandas().empty


def test_without_pandas_its_installation_is_told(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ServiceError, match=r"pip install 'paperkg\[pandas\]'"):
        graph.query("counts").to_pandas()


def test_papers_and_concepts_become_a_network(graph: Graph) -> None:
    network = graph.to_networkx()
    assert network.nodes[SOUPNET] == {"kind": "Model", "label": "SoupNet"}
    assert network.nodes[K2] == {"kind": "Paper", "label": "BrothFormer"}
    assert network.get_edge_data(K2, SOUPNET) == {"comparesWith": {"role": "comparesWith", "confidence": 0.9}}
    assert (network.number_of_nodes(), network.number_of_edges()) == (17, 24)
    mentioned = network.get_edge_data(iri("paper", "k3"), iri("method", "gentle-attention"))
    assert mentioned == {"mentions": {"role": "mentions", "confidence": 0.45}}
    assert list(network.edges) == list(graph.to_networkx().edges)


def test_without_evidence_questions_are_answered_without_confidence(tmp_path: Path) -> None:
    papers = corpus()
    write(tmp_path, papers, by_name(papers), provenance=Provenance.NONE)
    graph = Graph(tmp_path)
    assert graph.to_networkx().get_edge_data(K2, SOUPNET)["comparesWith"]["confidence"] is None
    assert {(row.name, row.confidence) for row in graph.query("paper", paper="k6")} == {("StirBase", None)}
    assert [tuple(row) for row in graph.query("paper-proposes", paper="k6")] == [
        ("StirBase", KG_MODEL.value, None, None)
    ]


@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib.*")
def test_rdflib_has_all_triples_with_their_graphs_and_prefixes(graph: Graph) -> None:
    dataset = graph.rdflib
    assert dataset is graph.rdflib
    assert len(list(dataset.quads())) == len(graph)
    assert (rdflib.URIRef(K2), rdflib.RDFS.label, rdflib.Literal("BrothFormer")) in dataset
    assert dataset.qname(SOUPNET) == "model:soupnet"
