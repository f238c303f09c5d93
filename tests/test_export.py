"""Every format says the same, to rdflib and to Oxigraph, whatever stands in an abstract."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
import rdflib
from graph_sample import by_name, seeds, swimmer
from pyoxigraph import RdfFormat, parse
from typer.testing import CliRunner

from kg import graph
from kg.cli import app
from kg.errors import InputError, OutputError, UsageError
from kg.graph import Run
from kg.records import Entity, EntityType, Extraction, Mention, Paper, Role

# rdflib's own parsers still use what rdflib has deprecated
pytestmark = pytest.mark.filterwarnings("ignore:.*is deprecated, use Dataset:DeprecationWarning")

FORMATS = {"ttl": "turtle", "nt": "nt", "nq": "nquads", "trig": "trig", "rdf": "xml", "jsonld": "json-ld"}
TRIPLES = ("ttl", "nt", "rdf", "jsonld")
MEDIA_TYPES = (
    "text/turtle",
    "application/n-triples",
    "application/n-quads",
    "application/trig",
    "application/rdf+xml",
    "application/ld+json",
)
ODD = "A\x00B \ud800 \x0b ]]> <i>&amp;</i> \r\n \r\t \"\"\" ''' \\ \\u0041 \u2028 \ufffe GAN 🏊 ends."


def odd() -> Extraction:
    """A paper whose text and id hold all that some writer gets wrong."""
    start = ODD.index("GAN")
    gan = Entity("G\\A'N\"<>", EntityType.MODEL, Role.USES, 0.5, (Mention(start, start + 3, "GAN", 0.5),))
    return Extraction(Paper("//odd/<a> (b)#é.", ODD, title="1\x01"), (gan,), sentences=((0, len(ODD)),))


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The graph of the seeds and two papers in which everything occurs."""
    folder = tmp_path_factory.mktemp("build")
    extractions = [*seeds(), swimmer(), odd()]
    graph.write(folder, extractions, by_name(extractions), run=Run("0.1.0", "tagger 1"))
    return folder


def by_oxigraph(path: Path, extension: str) -> set[str]:
    """The triples that Oxigraph reads from a file, whatever graph they are in."""
    quads = parse(path=str(path), format=RdfFormat.from_extension(extension))
    return {str(quad.triple) for quad in quads}


def by_rdflib(path: Path, extension: str) -> set[tuple[str, ...]]:
    """The triples that rdflib reads from a file, whatever graph they are in, by their lexical forms."""
    if extension in TRIPLES:
        found = [(s, p, o) for s, p, o in rdflib.Graph().parse(data=path.read_bytes(), format=FORMATS[extension])]
    else:
        dataset = rdflib.Dataset().parse(data=path.read_text("utf-8"), format=FORMATS[extension])
        found = [(s, p, o) for s, p, o, _ in dataset.quads()]
    return {(s.n3(), p.n3(), o.n3()) for s, p, o in found}


@pytest.mark.parametrize("extension", FORMATS)
def test_oxigraph_reads_the_same_from_every_format(build: Path, tmp_path: Path, extension: str) -> None:
    graph.export(build, tmp_path / f"x.{extension}")
    expected = by_oxigraph(build / "graph.nq", "nq")
    assert len(expected) > 10_000
    assert by_oxigraph(tmp_path / f"x.{extension}", extension) == expected


@pytest.fixture(scope="module")
def plain(build: Path) -> set[tuple[str, ...]]:
    """What rdflib reads from N-Triples, in which nothing can be abbreviated wrongly."""
    graph.export(build, build / "plain.nt")
    return by_rdflib(build / "plain.nt", "nt")


@pytest.mark.parametrize("extension", FORMATS)
def test_rdflib_reads_the_same_from_every_format(
    build: Path, plain: set[tuple[str, ...]], tmp_path: Path, extension: str
) -> None:
    graph.export(build, tmp_path / f"x.{extension}")
    assert by_rdflib(tmp_path / f"x.{extension}", extension) == plain


@pytest.mark.parametrize("extension", ["nq", "trig"])
def test_the_named_graphs_are_kept_where_the_format_has_them(build: Path, tmp_path: Path, extension: str) -> None:
    graph.export(build, tmp_path / f"x.{extension}")
    quads = parse(path=str(tmp_path / f"x.{extension}"), format=RdfFormat.from_extension(extension))
    assert set(quads) == set(parse(path=str(build / "graph.nq"), format=RdfFormat.N_QUADS))


@pytest.mark.parametrize("media_type", MEDIA_TYPES)
def test_a_media_type_names_a_format(build: Path, tmp_path: Path, media_type: str) -> None:
    graph.export(build, tmp_path / "x", format=media_type)
    read = RdfFormat.from_media_type(media_type)
    assert read is not None
    assert len(list(parse(path=str(tmp_path / "x"), format=read))) > 10_000


def test_gz_is_the_same_compressed(build: Path, tmp_path: Path) -> None:
    for name in ("x.nt", "x.nt.gz"):
        graph.export(build, tmp_path / name)
    assert gzip.decompress((tmp_path / "x.nt.gz").read_bytes()) == (tmp_path / "x.nt").read_bytes()


def test_json_ld_fetches_nothing_and_has_a_line_for_each_node(build: Path, tmp_path: Path) -> None:
    graph.export(build, tmp_path / "x.jsonld")
    text = (tmp_path / "x.jsonld").read_text("utf-8")
    assert text.startswith('{"@context": {"')
    assert re.search(r'^{"@id": "paper:seed-a01", "@type": \["fabio:ResearchPaper"', text, re.MULTILINE)


def test_xml_names_are_all_in_our_namespaces(build: Path, tmp_path: Path) -> None:
    graph.export(build, tmp_path / "x.rdf")
    names = {name.partition(":")[0] for name in re.findall(r"<([\w:]+)[ />]", (tmp_path / "x.rdf").read_text("utf-8"))}
    assert names == {
        "rdf",
        "rdfs",
        "kg",
        "fabio",
        "schema",
        "dcterms",
        "dcmitype",
        "prism",
        "skos",
        "mls",
        "nif",
        "itsrdf",
        "prov",
    }


def test_another_base_has_its_own_prefixes(tmp_path: Path) -> None:
    graph.write(tmp_path, [swimmer()], by_name([swimmer()]), base="http://example.org/")
    graph.export(tmp_path, tmp_path / "x.trig")
    text = (tmp_path / "x.trig").read_text("utf-8")
    assert "@prefix model:      <http://example.org/model/> ." in text
    assert "kg:proposes model:tidewater ;" in text


@pytest.mark.parametrize("name", ["x.foo", "x", "x.gz"])
def test_an_unknown_format_is_answered_by_the_known_ones(build: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=r"format"):
        graph.export(build, tmp_path / name)
    with pytest.raises(
        UsageError, match=r"'foo'; use one of ttl \(text/turtle\), nt .*jsonld \(application/ld\+json\)"
    ):
        graph.export(build, tmp_path / name, format="foo")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_without_a_graph_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no graph.nq in .*kg build"):
        graph.export(tmp_path, tmp_path / "x.ttl")


def test_a_damaged_graph_leaves_the_old_file(build: Path, tmp_path: Path) -> None:
    (tmp_path / "graph.nq").write_bytes((build / "graph.nq").read_bytes()[:5000])
    (tmp_path / "x.nt").write_text("old")
    with pytest.raises(InputError, match=r"graph.nq is damaged .*build again"):
        graph.export(tmp_path, tmp_path / "x.nt")
    assert (tmp_path / "x.nt").read_text() == "old"


def test_a_place_that_cannot_be_written_is_named(build: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(OutputError, match=r"cannot write .*x\.nt"):
        graph.export(build, tmp_path / "file" / "x.nt")


def test_the_command_writes_to_standard_output(build: Path) -> None:
    done = CliRunner().invoke(app, ["export", "--from", str(build), "-o", "-", "--format", "nt"])
    assert done.exit_code == 0
    assert done.stdout_bytes.count(b"\n") == (build / "graph.nq").read_bytes().count(b"\n")
