"""`kg link`: concepts of a build to a vocabulary's terms, exactly where names make a pair, closely elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
import rdflib
from concept_corpus import paper
from typer.testing import CliRunner

from kg import graph
from kg.cli import app
from kg.concepts import concepts
from kg.errors import InputError
from kg.graph import Run
from kg.link import link, links, read

SKOS = rdflib.Namespace("http://www.w3.org/2004/02/skos/core#")
PAPERS = [
    paper("a", "m: Convolutional Neural Networks", "t: image labelling", "x: accuracy", "m: GAN", text="It."),
    paper("b", "t: detection of outliers", "m: convolutional neural network", text="It."),
]
TURTLE = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix t: <http://example.org/topics/> .
t:cnn skos:prefLabel "convolutional neural network"@en ; skos:altLabel "Faltungsnetz"@de .
t:labeling skos:prefLabel "image labeling" .
t:outliers skos:prefLabel "outlier detection" .
t:accuracy1 skos:prefLabel "accuracy" . t:accuracy2 skos:prefLabel "accuracies" .
t:gan skos:altLabel "GAN" .
t:other skos:prefLabel "quantum computing" .
"""


@pytest.fixture
def build(tmp_path: Path) -> Path:
    folder = tmp_path / "build"
    graph.write(folder, PAPERS, concepts(PAPERS), run=Run("0.1.0", "tagger"))
    return folder


def _vocabulary(tmp_path: Path, text: str, name: str = "topics.ttl") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_names_that_make_a_pair_match_exactly_and_others_closely(build: Path, tmp_path: Path) -> None:
    output = tmp_path / "links.ttl"
    result = CliRunner().invoke(
        app, ["link", "--with", str(_vocabulary(tmp_path, TURTLE)), "--from", str(build), "-o", str(output)]
    )
    assert result.exit_code == 0, result.output
    assert "7 terms: 2 exact and 4 close matches" in result.output
    found = rdflib.Graph().parse(output)
    kinds = {(str(o).rpartition("/")[2], p == SKOS.exactMatch) for _, p, o in found}
    assert kinds == {
        ("cnn", True),
        ("labeling", True),
        ("outliers", False),
        ("accuracy1", False),
        ("accuracy2", False),
        ("gan", False),
    }


def test_the_concepts_are_those_of_the_build(build: Path, tmp_path: Path) -> None:
    report = link(build, _vocabulary(tmp_path, TURTLE), tmp_path / "links.ttl")
    cnn = next(found for found in report.links if found.term.endswith("/cnn"))
    assert cnn.concept == "https://w3id.org/paperkg/model/convolutional-neural-network"
    assert report.concepts == len(concepts(PAPERS))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "label,iri\nneural network,http://e.org/nn\n"),
        ("b.csv", "http://e.org/nn;neural network\n"),
        ("c.tsv", "neural network\t<http://e.org/nn>\n"),
        ("d.nt", '<http://e.org/nn> <http://www.w3.org/2000/01/rdf-schema#label> "neural network" .\n'),
    ],
)
def test_vocabularies_are_read_in_many_forms(tmp_path: Path, name: str, text: str) -> None:
    assert read(_vocabulary(tmp_path, text, name)) == {"http://e.org/nn": {"neural network"}}


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.ttl", "<http://e.org/a> a", "a.ttl:1 is not RDF"),
        ("b.ttl", "<http://e.org/a> a <http://e.org/b> .", "has no labels"),
        ("c.csv", "label,iri\nneural network\n", "c.csv:2 has no IRI"),
        ("d.csv", "nn,http://e.org/a b\n", "d.csv:1: .* is not an IRI"),
        ("e.csv", "", "has no labels"),
    ],
)
def test_a_vocabulary_that_is_wrong_is_explained(tmp_path: Path, name: str, text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        read(_vocabulary(tmp_path, text, name))


def test_a_missing_vocabulary_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read the vocabulary"):
        read(tmp_path / "none.ttl")


def test_two_concepts_of_one_name_match_closely() -> None:
    found = list(links({"c:1": {"search"}, "c:2": {"search"}}, {"t:1": {"search"}}))
    assert [(m.concept, m.exact) for m in found] == [("c:1", False), ("c:2", False)]
