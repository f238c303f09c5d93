"""Opening a store, asking it, and being told what is wrong: with the question, with the store, with a value."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kitchen import build
from pyoxigraph import Literal, NamedNode, Quad, Store

from kg.errors import InputError, QueryError, UsageError
from kg.parameters import with_values
from kg.queries import catalogue
from kg.sparql import check
from kg.store import base_of, open_store, reading, rows, within
from kg.vocab import DEFAULT_BASE, prefixes

EX = "http://example.org/"
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("kitchen"))


@pytest.fixture
def store() -> Store:
    """Two graphs: `a` says that x is 1, `b` that y is 2."""
    store = Store()
    for name, node, value in (("a", "x", 1), ("b", "y", 2)):
        graph = NamedNode(f"{EX}graph/{name}")
        store.add(Quad(NamedNode(EX + node), NamedNode(f"{EX}is"), Literal(value), graph))
    return store


def test_a_build_and_its_store_open_alike_and_nothing_in_them_changes(built: Path) -> None:
    before = {path.name: path.read_bytes() for path in (built / "store").iterdir()}
    assert len(open_store(built)) == len(open_store(built / "store")) > 200
    with pytest.raises(RuntimeError):
        open_store(built).add(Quad(NamedNode(EX), NamedNode(EX), NamedNode(EX)))
    assert {path.name: path.read_bytes() for path in (built / "store").iterdir()} == before


def test_where_there_is_no_store_the_way_to_one_is_told(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nothing"):
        with pytest.raises(InputError, match=r"has no store to ask; make one with `kg build`"):
            open_store(path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("damaged", ["CURRENT", "MANIFEST", ".sst"])
@pytest.mark.parametrize("data", [b"", b"damage" * 500], ids=["empty", "garbage"])
def test_a_damaged_store_is_one_sentence(tmp_path: Path, damaged: str, data: bytes) -> None:
    build(tmp_path)
    for path in (tmp_path / "store").iterdir():
        if damaged in path.name:
            path.write_bytes(data)
    with pytest.raises(InputError, match=r"cannot be read .*`kg build` makes it anew") as error:
        rows(open_store(tmp_path), "SELECT * { ?s ?p ?o }")
    assert "\n" not in str(error.value)


def test_damage_that_shows_while_an_answer_is_read_is_one_sentence() -> None:
    with pytest.raises(InputError, match="damaged"), reading():
        raise RuntimeError("Corruption: block checksum mismatch")


def test_the_base_is_read_off_the_store(store: Store, built: Path) -> None:
    assert base_of(store) == EX
    assert base_of(open_store(built)) == base_of(Store()) == DEFAULT_BASE


def test_a_query_sees_all_graphs_unless_it_chooses(store: Store) -> None:
    everything = "SELECT ?v {0} {{ ?s ?p ?v }} ORDER BY ?v"
    assert [row.v for row in rows(store, everything.format(""))] == [1, 2]
    assert [row.v for row in rows(store, everything.format(f"FROM <{EX}graph/b>"))] == [2]
    assert [row.v for row in rows(store, f"SELECT ?v {{ GRAPH <{EX}graph/a> {{ ?s ?p ?v }} }}")] == [1]


def test_every_form_of_query_gives_rows(store: Store) -> None:
    assert rows(store, "ASK { ?s ?p 1 }")[0].answer is True
    assert not rows(store, "ASK { ?s ?p 3 }")
    assert len(rows(store, "ASK { ?s ?p 3 }")) == 1
    made = rows(store, "CONSTRUCT { ?s a kg:Model } WHERE { ?s ?p 1 }")
    assert made.columns == ("subject", "predicate", "object")
    assert tuple(made[0]) == (f"{EX}x", prefixes()["rdf"] + "type", prefixes()["kg"] + "Model")
    assert [row.object for row in rows(store, f"DESCRIBE <{EX}y>")] == [2]
    assert not rows(store, "SELECT * { ?s ?p 3 }")


def test_values_become_python_values(store: Store) -> None:
    query = """SELECT (1.50 AS ?decimal) (1e0 AS ?double) (true AS ?boolean) ("2026"^^xsd:gYear AS ?year)
               ("é"@en AS ?text) ("x"^^xsd:integer AS ?wrong) (1/0 AS ?none) (<http://e.org/> AS ?class) {}"""
    (row,) = rows(store, query)
    assert tuple(row) == (Decimal("1.50"), 1.0, True, 2026, "é", "x", None, "http://e.org/")
    assert str(row.decimal) == "1.5"


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { SERVICE <URL> { ?s ?p ?o } }",
        "SELECT * { service silent <URL> { ?s ?p ?o } }",
        "SELECT * { { SELECT * { ?s ?p ?o . # \n SERVICE # SERVICE\n <URL> {} } } }",
        "SELECT * { FILTER(?a<?b)SERVICE<URL>{?s ?p ?o} }",
        "ASK { BIND('}' AS ?x) OPTIONAL { SERVICE ?x {} } }",
        "PREFIX service: <URL> SELECT * { SERVICE service: {} }",
    ],
)
def test_no_other_endpoint_is_asked(query: str, store: Store, endpoint: tuple[str, list[str]]) -> None:
    url, asked = endpoint
    with pytest.raises(QueryError, match=r"SERVICE"):
        rows(store, query.replace("URL", url))
    assert asked == []


@pytest.fixture
def endpoint() -> Iterator[tuple[str, list[str]]]:
    """A real server that notes who asks it."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(500)

        do_POST = do_GET

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/", asked
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?service { VALUES ?service { 'SERVICE' } } # SERVICE <http://127.0.0.1/> {}",
        'SELECT * { ?s <http://e.org/SERVICE> """ SERVICE \'" """ }',
        "PREFIX service: <http://e.org/> SELECT * { ?s service:SERVICE service:insert }",
        "PREFIX load: <http://e.org/> ASK { ?insert load:delete 'INSERT' }",
    ],
)
def test_words_that_are_only_named_are_not_refused(query: str, store: Store) -> None:
    rows(store, query)


@pytest.mark.parametrize(
    "update",
    [
        "INSERT DATA { <a:b> <a:b> <a:b> }",
        "PREFIX kg: <a:b> DELETE WHERE { ?s ?p ?o }",
        "LOAD <http://127.0.0.1/x.ttl>",
        "drop all",
        "WITH <a:b> DELETE { ?s ?p ?o } WHERE { SELECT * { ?s ?p ?o } }",
    ],
)
def test_updates_are_refused(update: str, store: Store) -> None:
    with pytest.raises(QueryError, match=r"is an update \([A-Z]+\), and queries only read"):
        rows(store, update)


@pytest.mark.parametrize(
    ("query", "line", "column", "what"),
    [
        ("SELEC * { ?s ?p ?o }", 1, 1, "SELEC is not expected here; did you mean SELECT?"),
        ("SELECT * { ?s ?p ?o . FILTR(?o > 3) }", 1, 23, "FILTR is not expected here; did you mean FILTER?"),
        ("SELECT ?s, ?p { ?s ?p ?o }", 1, 10, ", is not expected here"),
        ("SELECT * {\n  ?s ?p ?o ;\n} ORDER ?s", 3, 9, "?s is not expected here"),
        ("SELECT * { ?s ?p ?o } LIMIT ten", 1, 29, "ten is not expected here"),
        ("SELECT * { ?s ?p ?o }}", 1, 22, "} is not expected here"),
        (
            "SELECT * { ?s a kgg:Model }",
            1,
            17,
            "the prefix kgg: is not declared, add PREFIX kgg: <…>; did you mean kg:?",
        ),
        ("SELECT * { ?s <rel> ?o }", 1, 15, "this is not an absolute, well-formed IRI"),
        ("SELECT * { ?s ?p ?o", 1, 20, "it ends before it is complete; a } is missing"),
        ("SELECT * { ?s ?p (1 2 }", 1, 23, "} is not expected here"),
        ("SELECT * { ?s ?p 'abc }", 1, 24, "it ends before it is complete; a quotation mark is missing"),
        (
            "SELECT (COUNT(?s) AS ?n) ?p { ?s ?p ?o }",
            1,
            41,
            "SELECT has a variable that is neither grouped nor aggregated",
        ),
        ("SELECT * {} VALUES (?x ?y) { (1) }", 1, 34, "a row of VALUES has too few or too many values"),
        ("# only a comment", 1, 17, "it ends before it is complete"),
        ("SELECT *\r\n{ ?s ?p\t}", 2, 9, "} is not expected here"),
    ],
)
def test_a_wrong_query_is_told_with_its_place(query: str, line: int, column: int, what: str) -> None:
    with pytest.raises(QueryError) as error:
        check(query, prefixes=prefixes(), name="mine.rq")
    said, shown, caret = str(error.value).split("\n")
    assert said == f"mine.rq is wrong at line {line}, column {column}: {what}"
    assert shown == f"  {query.splitlines()[line - 1]}".replace("\t", " ").rstrip()
    assert caret == " " * (column + 1) + "^"


@pytest.mark.parametrize("query", ["", " \n\t"])
def test_an_empty_query_is_told(query: str) -> None:
    with pytest.raises(QueryError, match="the query is empty; write SELECT"):
        check(query)


def test_a_query_that_is_not_unicode_is_told() -> None:
    with pytest.raises(QueryError, match="is not Unicode text at character 8"):
        check("SELECT \udcff {}")


def test_a_function_that_is_not_there_is_told(store: Store) -> None:
    with pytest.raises(QueryError, match=r"cannot be answered: .*http://e.org/f"):
        rows(store, "SELECT (<http://e.org/f>(1) AS ?x) {}")


@given(st.data())
def test_any_damage_to_a_query_is_told_in_its_place_or_does_none(data: st.DataObject) -> None:
    query = data.draw(st.sampled_from([q.text for q in catalogue()]))
    start = data.draw(st.integers(0, len(query)))
    cut = (
        query[:start]
        + data.draw(st.text("{}()<>\"'?:;.,#\\ aS\n^|@€", max_size=3))
        + query[start + data.draw(st.integers(0, 5)) :]
    )
    try:
        check(cut, prefixes=prefixes())
    except QueryError as error:
        if place := re.search(r"at line (\d+), column (\d+)", str(error)):
            line = [*cut.split("\n"), ""][int(place[1]) - 1]
            assert 1 <= int(place[2]) <= len(line) + 1


@given(TEXT)
def test_a_value_is_never_read_as_sparql(value: str) -> None:
    query = 'SELECT ?x { VALUES ?x { "default" } FILTER(true) }'
    assert [row.x for row in rows(Store(), query, values={"x": value})] == [value]


@given(TEXT)
def test_a_value_with_a_language_or_type_keeps_it(value: str) -> None:
    for suffix in ("@en-GB", "^^xsd:gYear"):
        query = f'PREFIX xsd: <{prefixes()["xsd"]}> SELECT ?x {{ VALUES ?x {{ "2026"{suffix} }} }}'
        ((term,),) = rows(Store(), query, values={"x": value}).terms
        assert isinstance(term, Literal)
        assert (term.value, term.language or term.datatype.value) in (
            (value, "en-gb"),
            (value, f"{prefixes()['xsd']}gYear"),
        )


@given(TEXT, st.sampled_from(["1", "0.5", "<http://e.org/a>"]))
def test_a_value_for_a_number_or_an_iri_is_one_or_is_refused(value: str, default: str) -> None:
    try:
        answer = rows(Store(), f"SELECT ?x {{ VALUES ?x {{ {default} }} }}", values={"x": value})
    except UsageError:
        return
    assert len(answer) == 1


@given(TEXT)
def test_a_limit_is_a_number_or_is_refused(value: str) -> None:
    try:
        assert not rows(Store(), "SELECT * { ?s ?p ?o } LIMIT 7", values={"limit": value})
    except UsageError:
        return


@pytest.mark.parametrize(
    ("default", "value", "term"),
    [
        ("1", "007", "7"),
        ("0.5", " 1e-3 ", "0.001"),
        ("0.5", Decimal("0.75"), "0.75"),
        ("<http://e.org/a>", "http://e.org/b", "<http://e.org/b>"),
        ("kg:Model", "Task", "kg:Task"),
        ("kg:Model", "mls:Task", "mls:Task"),
        ("kg:Model", "http://e.org/b", "<http://e.org/b>"),
        ('"a"', NamedNode("http://e.org/b"), "<http://e.org/b>"),
        ('"a"', 5, '"5"'),
        ("UNDEF", "x", '"x"'),
        ('"a" "b"', "x", '"x"'),
    ],
)
def test_a_value_is_put_in_as_the_default_is(default: str, value: object, term: str) -> None:
    assert (
        with_values(f"SELECT * {{ VALUES ?x {{ {default} }} }}", {"x": value})
        == f"SELECT * {{ VALUES ?x {{ {term} }} }}"
    )


def test_a_parameter_that_is_used_twice_is_set_twice() -> None:
    query = "SELECT ?x { VALUES ?x { 1 } { SELECT ?x { VALUES ?x { 1 } } LIMIT 3 } } LIMIT 5"
    assert [row.x for row in rows(Store(), query, values={"x": 4, "limit": 1})] == [4]


def test_what_takes_too_long_is_given_up() -> None:
    store = Store()
    store.extend(Quad(NamedNode(f"{EX}{i}"), NamedNode(EX), NamedNode(EX)) for i in range(3000))
    endless = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
    begun = time.monotonic()
    with pytest.raises(QueryError, match=r"endless took more than 0.2 s and was given up"):
        within(0.2, lambda: rows(store, endless), name="endless")
    assert time.monotonic() - begun < 10


def test_what_is_done_in_time_is_given_back_or_raised() -> None:
    assert within(60, lambda: 5) == within(None, lambda: 5) == 5
    with pytest.raises(QueryError, match="it ends before it is complete"):
        within(60, lambda: rows(Store(), "SELECT"))
