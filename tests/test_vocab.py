"""IRIs are valid and don't collide; slugs say when they lose something; the ontology is what the code writes."""

from __future__ import annotations

from importlib.resources import files

import pytest
import rdflib
from hypothesis import assume, example, given
from hypothesis import strategies as st
from pyoxigraph import NamedNode, RdfFormat, Triple, serialize

from kg import vocab
from kg.errors import UsageError
from kg.records import Role

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=20) | st.text("./#title%~_- ", max_size=8)
KG = rdflib.Namespace(vocab.VOCABULARIES["kg"])


def test_the_paths_of_the_design() -> None:
    assert vocab.iri("paper", "10.5555/1") == "https://w3id.org/paperkg/paper/10.5555/1"
    assert vocab.iri("model", "bert", base="http://example.org/") == "http://example.org/model/bert"
    assert vocab.iri("mention", "p", "title", "0-9") == "https://w3id.org/paperkg/mention/p/title/0-9"


@given(ANY_TEXT)
@example("10.1002/(SICI)1099-1255(199601)11:1<1::AID>3.0.CO;2-#")
@example("[x] {y} %zz | ^ ` \\ \"'")
@example("\ud800")
@example("a.")
def test_every_iri_is_valid_for_both_libraries(key: str) -> None:
    iri = vocab.iri("paper", key)
    assert NamedNode(iri).value == iri
    assert rdflib.URIRef(iri).n3() == f"<{iri}>"
    turtle = serialize([Triple(*3 * [NamedNode(iri)])], format=RdfFormat.TURTLE, prefixes=vocab.prefixes()) or b""
    assert set(rdflib.Graph().parse(data=turtle)) == {tuple(3 * [rdflib.URIRef(iri)])}


@given(ANY_TEXT, ANY_TEXT)
@example(".", ".%5F")
@example("", "_")
@example("a/b", "a%2Fb")
def test_no_two_keys_share_an_iri(a: str, b: str) -> None:
    assume(a != b)
    assert vocab.iri("paper", a) != vocab.iri("paper", b)


@given(ANY_TEXT, ANY_TEXT)
@example("x", "x/title")
def test_a_mention_in_a_title_is_none_in_an_abstract(a: str, b: str) -> None:
    assert vocab.iri("mention", a, "title", "0-5") != vocab.iri("mention", b, "0-5")


@given(ANY_TEXT)
@example("..")
def test_nobody_folds_an_iri(key: str) -> None:
    path = vocab.iri("paper", key).removeprefix(vocab.DEFAULT_BASE).split("/")
    assert not {"", ".", ".."} & {*path}


@given(ANY_TEXT)
@example("C++")
def test_a_slug_is_one_plain_path_segment(label: str) -> None:
    slug = vocab.slug(label)
    assert vocab.iri("model", slug) == f"{vocab.DEFAULT_BASE}model/{slug}"
    assert slug
    assert "/" not in slug
    assert slug.isascii()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("C", "C++"),
        ("C", "C#"),
        ("GAN", "α-GAN"),
        ("CIFAR-10-100", "CIFAR-10/100"),
        ("F1", "F₁"),
        ("BERT", "BERT-base"),
    ],
)
def test_different_names_have_different_slugs(one: str, other: str) -> None:
    assert vocab.slug(one) != vocab.slug(other)


@pytest.mark.parametrize("variant", ["self-attention", "Self Attention", "self_attention", "self–attention"])
def test_case_and_spacing_are_no_loss(variant: str) -> None:
    assert vocab.slug(variant) == "self-attention"


def test_a_long_label_makes_no_endless_iri() -> None:
    assert len(vocab.slug("very " * 100)) < 100
    assert vocab.slug("very " * 100) != vocab.slug("very " * 101)


@pytest.mark.parametrize("base", ["", "papers/", "http://exa mple.org/", "http://example.org", "/graph/"])
def test_a_base_that_is_none_is_refused(base: str) -> None:
    with pytest.raises(UsageError, match="base IRI"):
        vocab.checked_base(base)


def ontology() -> rdflib.Graph:
    return rdflib.Graph().parse(data=(files("kg.data") / "ontology.ttl").read_text("utf-8"), format="turtle")


def shapes() -> rdflib.Graph:
    return rdflib.Graph().parse(data=(files("kg.data") / "shapes.ttl").read_text("utf-8"), format="turtle")


def terms_of(graph: rdflib.Graph) -> set[str]:
    """All terms of ours that occur anywhere in a graph."""
    return {str(node) for triple in graph for node in triple if str(node).startswith(KG) and str(node) != str(KG)}


def written() -> set[str]:
    """All terms of ours that the code writes."""
    ours = (value.value for name, value in vars(vocab).items() if name.startswith("KG_"))
    return {*ours, *(str(KG[role]) for role in Role)}


def test_every_term_is_defined_with_label_and_comment() -> None:
    graph = ontology()
    for term in sorted(written() | terms_of(shapes())):
        for predicate in (rdflib.RDFS.label, rdflib.RDFS.comment):
            found = list(graph.objects(rdflib.URIRef(term), predicate))
            assert [o.language for o in found] == ["en"], f"{term} has no single English {predicate}"


def test_every_defined_term_is_used_and_held_to_a_shape() -> None:
    assert terms_of(ontology()) == written()
    assert terms_of(shapes()) == written()


def test_every_role_is_a_kind_of_mention() -> None:
    graph = ontology()
    for role in set(Role) - {Role.MENTIONS}:
        assert (KG[role], rdflib.RDFS.subPropertyOf, KG.mentions) in graph
    assert (KG.mentions, rdflib.RDFS.subPropertyOf, rdflib.URIRef("https://schema.org/mentions")) in graph


def test_the_shapes_are_core_and_well_formed() -> None:
    import pyshacl

    conforms, _, text = pyshacl.validate(shapes(), shacl_graph=shapes(), meta_shacl=True)
    assert conforms, text
    assert not [p for p in shapes().predicates() if p in (rdflib.SH.sparql, rdflib.SH.js, rdflib.SH.rule)]


def test_prefixes_of_the_data_files_are_those_of_the_code() -> None:
    for graph in (ontology(), shapes()):
        bound = {prefix: str(namespace) for prefix, namespace in graph.namespaces()}
        assert {p: n for p, n in bound.items() if p in vocab.VOCABULARIES} == {
            p: vocab.VOCABULARIES[p] for p in bound if p in vocab.VOCABULARIES
        }
