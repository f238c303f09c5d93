"""The catalogue: each file is documented, plain SPARQL that any endpoint reads, and gives the rows expected of it."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
import rdflib
from graph_sample import by_name, seeds
from kitchen import build, corpus
from pyoxigraph import QuerySolutions, Store
from rdflib.plugins.sparql import prepareQuery

from kg.answers import python, write
from kg.called import nearest, remarks
from kg.errors import QueryError, UsageError
from kg.field import read_map
from kg.graph import Run, quads
from kg.graphs import Graph
from kg.parameters import parameters
from kg.queries import NAMED, Query, catalogue, find, folder, read
from kg.records import Extraction, Paper
from kg.store import evaluate, rows
from kg.structure import structure
from kg.vocab import KG_PAPER_COUNT

ANSWERS = Path(__file__).parent / "data" / "answers"
KINDS = NAMED | {"text", "number", "year", "class"}
NAMES = f"""PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
SELECT ?c ?l {{ ?c skos:prefLabel|skos:altLabel ?l ; <{KG_PAPER_COUNT.value}> ?n FILTER(?n > 0) }}"""
WITHOUT_SEEDS = {"papers-by-author"}  # the seeds name no authors

every_query = pytest.mark.parametrize("query", catalogue(), ids=lambda q: q.name)


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return Graph(build(tmp_path_factory.mktemp("kitchen")))


@pytest.fixture(scope="module")
def seeds_store() -> Store:
    store, papers = Store(), seeds()
    store.extend(quads(papers, structure(by_name(papers), field=read_map()), run=Run("0", "gold")))
    return store


def expected(query: Query) -> tuple[dict[str, str], str]:
    """The values and the answer of a file `NAME.tsv`: `# name=value; …`, then the lines."""
    head, _, lines = (ANSWERS / f"{query.name}.tsv").read_text("utf-8").partition("\n")
    return dict(pair.split("=") for pair in head.strip("# ").split("; ") if pair), lines


def test_there_are_the_questions_that_researchers_ask() -> None:
    assert len(catalogue()) >= 16
    assert [q.name for q in catalogue()] == sorted(q.name for q in catalogue())
    assert {path.stem for path in ANSWERS.iterdir()} == {q.name for q in catalogue()}


@every_query
def test_the_head_is_complete_and_true(query: Query) -> None:
    assert query.title
    assert query.question.endswith("?")
    assert [item.name for item in query.parameters] == list(parameters(query.text))
    assert {item.kind for item in query.parameters} <= KINDS
    assert all(item.meaning for item in (*query.parameters, *query.columns))
    assert query.example.split()[:3] == ["kg", "query", query.name]
    assert set(re.findall(r"--set (\w+)=", query.example)) <= {item.name for item in query.parameters}


@every_query
def test_the_text_is_plain_sparql_with_a_stable_order(query: Query) -> None:
    prepared = prepareQuery(query.text)  # another parser, which knows no prefixes of ours
    results = Store().query(query.text)
    columns = [v.value for v in results.variables] if isinstance(results, QuerySolutions) else None
    assert columns is None or columns == [item.name for item in query.columns]
    declared = set(re.findall(r"PREFIX (\w+):", query.text))
    assert declared == set(re.findall(r"(?<![\w?<])(\w+):\w", body(query)))
    assert re.search(r"\nORDER BY .+(\nLIMIT \d+)?\n$", query.text)
    assert max(map(len, query.text.splitlines())) <= 120
    assert prepared.algebra is not None


def body(query: Query) -> str:
    """The text after the prefixes."""
    return query.text.rpartition("PREFIX ")[2].partition("\n")[2]


@every_query
def test_the_rows_are_those_expected(query: Query, kitchen: Graph) -> None:
    values, lines = expected(query)
    file = io.BytesIO()
    write(evaluate(kitchen.store, query.with_values(values)), file, "plain", kitchen.prefixes)
    assert file.getvalue().decode() == lines


@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib.*")
@every_query
def test_another_engine_gives_the_same_rows(query: Query, kitchen: Graph) -> None:
    values, _ = expected(query)
    text = query.with_values(values)
    theirs = [tuple(rdf_value(term) for term in row) for row in kitchen.rdflib.query(text)]
    ours = [tuple(plain_value(python(term)) for term in row) for row in rows(kitchen.store, text).terms]
    assert sorted(theirs, key=str) == sorted(ours, key=str)


def rdf_value(term: rdflib.term.Node | None) -> str | None:
    return None if term is None else plain_value(str(term))


def plain_value(value: object) -> str | None:
    """A value as both engines have it: numbers to three places."""
    try:
        return None if value is None else f"{float(str(value)):.3f}"
    except ValueError:
        return str(value)


@every_query
def test_it_answers_on_the_seeds_with_its_defaults(query: Query, seeds_store: Store) -> None:
    answer = rows(seeds_store, query.text, name=query.name)
    assert len(answer) > 0 or query.name in WITHOUT_SEEDS


@pytest.mark.parametrize(("name", "near"), [("paper-by-dataset", "papers-by-dataset"), ("serach", "search")])
def test_an_unknown_name_is_answered_with_the_nearest(name: str, near: str) -> None:
    with pytest.raises(QueryError, match=f"no query is called {name}; did you mean {near}?"):
        find(name)


@pytest.mark.parametrize("name", ["../pyproject", "zzz", "", "a/b"])
def test_a_name_like_no_other_is_told_where_the_names_are(name: str) -> None:
    with pytest.raises(QueryError, match="`kg query` lists them all"):
        find(name)


def test_any_file_is_a_query_even_without_a_head(tmp_path: Path) -> None:
    path = tmp_path / "mine.rq"
    path.write_bytes(b"\xef\xbb\xbfSELECT ?x { VALUES ?x { 1 } }")
    assert (find(str(path)).defaults, read(path).question) == ({"x": "1"}, "")


@pytest.mark.parametrize(("data", "reason"), [(None, "No such file"), (b"\xff\xfe\x00", "it is not UTF-8")])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, data: bytes | None, reason: str) -> None:
    path = tmp_path / "mine.rq"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(QueryError, match=rf"mine.rq cannot be read as a query: {reason}"):
        find(str(path))


def test_the_catalogue_of_the_package_is_found_before_that_of_the_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.queries.PACKAGE", tmp_path / "kg")
    assert folder() == tmp_path / "queries"
    (tmp_path / "kg" / "data" / "queries").mkdir(parents=True)
    assert folder() == tmp_path / "kg" / "data" / "queries"


@pytest.mark.parametrize(
    ("query", "values", "said"),
    [
        ("paper", {"papers": "x"}, "paper has no parameter papers; its parameters are paper; did you mean paper?"),
        ("search", {"limit": "ten"}, "limit cannot be 'ten'; its default is 25"),
        ("search", {"limit": "-1"}, "limit cannot be '-1'"),
        ("doubtful", {"below": "NaN"}, "below cannot be 'NaN'"),
        ("venue", {"type": "Modell"}, "type cannot be Modell; choose Model, Dataset, Method, Metric, Task"),
        ("venue", {"year": "20x5"}, "year cannot be 20x5; give four digits"),
    ],
)
def test_a_value_that_cannot_be_is_one_sentence(query: str, values: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError) as error:
        find(query).with_values(values)
    assert str(error.value).startswith(said)


@pytest.mark.parametrize(
    "value", ["PotBench", " potbench ", "dataset:potbench", "<https://w3id.org/paperkg/dataset/potbench>"]
)
def test_a_name_is_found_in_any_case_and_as_answers_show_it(value: str, kitchen: Graph) -> None:
    assert [row.paper.rpartition("/")[2] for row in kitchen.query("papers-by-dataset", dataset=value)] == ["k2", "k1"]


@pytest.mark.parametrize("value", ["k1", "10.5555/kitchen.1", "SoupNet: a net that stirs", "soupnet", "paper:k1"])
def test_a_paper_is_found_by_id_doi_title_and_what_it_proposes(value: str, kitchen: Graph) -> None:
    assert {row.name for row in kitchen.query("paper-proposes", paper=value)} == {"SoupNet"}


@pytest.mark.parametrize(
    ("query", "values", "said"),
    [
        ("papers-by-dataset", {"dataset": "PotBenches"}, ["no Dataset is called 'PotBenches'; the nearest: potbench"]),
        ("papers-by-dataset", {"dataset": "SoupNet"}, ["no Dataset is called 'SoupNet', only a Model and a paper"]),
        ("papers-by-dataset", {"dataset": "§§§§"}, ["no Dataset is called '§§§§'; nothing is near it"]),
        ("papers-by-concept", {"concept": "k3"}, ["no concept is called 'k3', only a paper"]),
        ("paper", {}, ["paper was not set, and no paper is called 'transcoda'; nothing is near it; --set paper=…"]),
        ("evidence", {"paper": "k1", "concept": "PANSET"}, []),
        ("search", {"text": "nothing of the kind"}, []),
    ],
)
def test_a_name_that_nothing_bears_is_remarked_upon(
    query: str, values: dict[str, str], said: list[str], kitchen: Graph
) -> None:
    assert list(remarks(kitchen.store, find(query), values)) == said


def test_a_name_that_two_papers_bear_is_remarked_upon() -> None:
    again = Extraction(Paper("k7", "Nothing.", title="StirBase"))
    twice = (*corpus(), again)
    store = Store()
    store.extend(quads(twice, by_name(twice)))
    said = list(remarks(store, find("paper"), {"paper": "stirbase"}))
    assert said == ["2 papers are called 'stirbase'; give the id of one: k6, k7"]


def test_the_nearest_names_are_of_the_kind_that_was_asked_for(kitchen: Graph) -> None:
    assert nearest(kitchen.store, "Task", "stirring of soup")[0] == "soup stirring"
    assert "soup stirring" not in nearest(kitchen.store, "Model", "stirring of soup")


@pytest.mark.parametrize(
    "letters", ["O", "er n", "net", "Model", "-", "of ", " net", "n n", "a of b", " ", "(", "zzz z"]
)
def test_a_search_finds_every_name_that_has_the_letters(letters: str, kitchen: Graph, seeds_store: Store) -> None:
    for store in (kitchen.store, seeds_store):
        names = [[term.value for term in row] for row in evaluate(store, NAMES)]
        expected = {concept for concept, name in names if letters.strip().lower() in name.lower()}
        query = find("search").with_values({"text": letters, "limit": "2000"})
        assert {found["concept"].value for found in evaluate(store, query)} == expected
