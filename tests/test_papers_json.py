"""JSON and the shapes of its publishers."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from papers_reading import reading_text

from kg.errors import InputError
from kg.papers import Severity
from kg.papers.markup import without_tags
from kg.papers.shapes import SHAPES, authors_of, guessed, uninverted


@pytest.mark.parametrize(
    "document",
    [
        '[{"abstract": "One."}, {"abstract": "Two."}]',
        '{"meta": {"count": 2, "pages": [1, 2]}, "results": [{"abstract": "One."}, {"abstract": "Two."}]}',
        '{"status": "ok", "message": {"facets": {}, "items": [{"abstract": "One."}, {"abstract": "Two."}]}}',
        '{"a": {"abstract": "One."}, "b": {"abstract": "Two."}}',
        '{"abstract": "One."}\n{"abstract": "Two."}\n',
        '\ufeff[{"abstract": "One."},\n{"abstract": "Two."}]',
        '{"padding": "' + "x" * 70_000 + '", "papers": {"a": 1}, "a": {"abstract": "One."}, "b": {"abstract": "Two."}}',
    ],
)
def test_documents_of_every_build_are_read(tmp_path: Path, document: str) -> None:
    papers, told = reading_text(tmp_path, "a.json", document)
    assert [paper.text for paper in papers] == ["One.", "Two."]
    assert told == []


def test_one_record_alone_is_a_paper(tmp_path: Path) -> None:
    for record in (
        {"title": "T", "abstract": "One.", "tags": ["a"]},
        {"message": {"DOI": "10.1000/x", "title": ["T"], "abstract": "<jats:p>One.</jats:p>"}},
        {"id": "n", "content": {"title": {"value": "T"}, "abstract": {"value": "One."}}},
    ):
        papers, _ = reading_text(tmp_path, "a.json", json.dumps(record, indent=1))
        assert [(paper.text, paper.title) for paper in papers] == [("One.", "T")]


def test_a_damaged_document_keeps_what_came_before(tmp_path: Path) -> None:
    papers, told = reading_text(tmp_path, "a.json", '[{"abstract": "One."}, {"abstract": "Two."}, {"abstr')
    assert [(paper.text, paper.origin.rpartition("/")[2]) for paper in papers] == [
        ("One.", "a.json#1"),
        ("Two.", "a.json#2"),
    ]
    assert [(p.severity, p.origin) for p in told] == [(Severity.ERROR, "a.json:1")]
    assert told[0].message.endswith("; the 2 records before that were read")


def test_a_record_that_is_no_json_costs_no_other(tmp_path: Path) -> None:
    document = '[{"abstract": "One."},\n{"abstract": "}{]", "year": 20 24},\n{"abstract": "Two {[ \\"."}]'
    papers, told = reading_text(tmp_path, "a.json", document)
    assert [paper.text for paper in papers] == ["One.", 'Two {[ ".']
    assert [str(p) for p in told] == [
        "a.json#2: is not JSON (column 32: Expecting ',' delimiter); write one object for each paper"
    ]


@pytest.mark.parametrize(
    "document",
    ["[" * 200_000, '{"a":' * 200_000, '[{"a":' * 100_000, '["' + "x" * 200_000, "[" * 100_000 + "]" * 100_000],
    ids=["lists", "objects", "both", "string", "closed"],
)
def test_brackets_without_end_are_told_at_once(tmp_path: Path, document: str) -> None:
    begin = time.process_time()
    with pytest.raises(InputError, match="not JSON"):
        reading_text(tmp_path, "a.json", document)
    assert time.process_time() - begin < 2


def test_a_record_that_no_memory_bears_is_passed_over(tmp_path: Path) -> None:
    pad = '"x' + "y" * 1000 + '"'
    document = f'[{{"abstract": "One."}}, [{", ".join([f"[{pad}]"] * 17_000)}], {{"abstract": "Two."}}]'
    papers, told = reading_text(tmp_path, "a.json", document)
    assert [paper.text for paper in papers] == ["One.", "Two."]
    assert [str(p) for p in told] == ["a.json#2: is longer than 16 MB, and was passed over; split it into papers"]


@pytest.mark.parametrize(("name", "place"), [("a.jsonl", "a.jsonl:2"), ("a.json", "a.json#2")])
def test_null_is_told(tmp_path: Path, name: str, place: str) -> None:
    records = ['{"abstract": "One."}', "null", '{"abstract": "Two."}']
    papers, told = reading_text(tmp_path, name, "\n".join(records) if name.endswith("l") else f"[{', '.join(records)}]")
    assert [paper.text for paper in papers] == ["One.", "Two."]
    assert [str(one) for one in told] == [f"{place}: is null instead of an object of fields; give title and abstract"]


def test_a_bad_record_of_a_document_is_told_by_its_number(tmp_path: Path) -> None:
    papers, told = reading_text(tmp_path, "a.json", '[{"abstract": "One."}, 7, {"title": "T"}, {"abstract": "Two."}]')
    assert [paper.text for paper in papers] == ["One.", "Two."]
    assert [str(p) for p in told] == [
        "a.json#2: is int instead of an object of fields; give title and abstract",
        "a.json#3: has no abstract (T); give it one, or leave it out",
    ]


@pytest.mark.parametrize("name", SHAPES)
def test_a_forced_shape_bears_records_of_any_kind(name: str, tmp_path: Path) -> None:
    strange: list[object] = [
        {},
        {"id": None, "authors": 3, "content": {}, "title": 5, "abstract": {"a": 1}},
        {"abstract_inverted_index": {"a": 1}},
    ]
    lines = "".join(json.dumps(record) + "\n" for record in [*strange, {"content": "none"}, []])
    with pytest.raises(Exception, match="no paper could be read"):
        reading_text(tmp_path, "a.jsonl", lines, format=name)


@pytest.mark.parametrize(
    ("index", "text"),
    [
        ({"the": [0, 2, 4], "cat": [1], "dog.": [3]}, "the cat the dog. the"),
        ({"$x.y$": [1], "of": [0]}, "of $x.y$"),
        ({"late": [9], "early": [2]}, "early late"),
        ({}, None),
        (None, None),
    ],
)
def test_an_inverted_index_becomes_the_abstract(index: object, text: str | None) -> None:
    assert uninverted(index) == text


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ("<jats:title>Abstract</jats:title><jats:p>One.</jats:p>\n<jats:p>Two.</jats:p>", "One.\nTwo."),
        ("a<b, c>d and x < y > z", "a<b, c>d and x < y > z"),
        ("if p<i and i>q", "if p<i and i>q"),
        ("<jats:p>H<jats:sub>2</jats:sub>O &amp;lt; &amp; 5&#177;1</jats:p>", "H2O &lt; & 5±1"),
        ("<p>See <a href=\"https://example.org/?a=1\" target='x'>here</a>.<br/>End</p>", "See here.\nEnd"),
        (
            "<jats:inline-formula><jats:alternatives><jats:tex-math>$k$</jats:tex-math><mml:math><mml:mi>k</mml:mi>"
            "</mml:math></jats:alternatives></jats:inline-formula>-means",
            "$k$-means",
        ),
        ("x<mml:math><mml:mi>k</mml:mi></mml:math>y", "xky"),
        ("<unknown>tag</unknown>", "<unknown>tag</unknown>"),
        ("<" * 50_000, "<" * 50_000),
        ("<b x" * 50_000, "<b x" * 50_000),
        ("<mml:math>" * 5_000, ""),
    ],
)
def test_tags_are_read_away_and_nothing_else(given: str, text: str) -> None:
    assert without_tags(given) == text


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ("Berg, Ada and Ng, Cleo", ("Ada Berg", "Cleo Ng")),
        ("Ada Berg; Cleo Ng", ("Ada Berg", "Cleo Ng")),
        ("Ada Berg, Cleo Ng, Bo Li", ("Ada Berg", "Cleo Ng", "Bo Li")),
        ("Berg, Ada", ("Ada Berg",)),
        ("Plato", ("Plato",)),
        (["Berg, Ada", {"name": "Cleo Ng"}, {"first": "Bo", "last": "Li"}, None, 3], ("Ada Berg", "Cleo Ng", "Bo Li")),
        ({"name": "Ada Berg"}, ("Ada Berg",)),
        (7, ()),
    ],
)
def test_authors_of_any_form(given: object, names: tuple[str, ...]) -> None:
    assert authors_of(given) == names


def test_guesses_take_the_best_of_several_names() -> None:
    record = {
        "summary": "Short.",
        "Abstract": "Long.",
        "journal": {"name": "J"},
        "pdf_url": "https://example.org/x.pdf",
    }
    assert guessed(record, {}) == {"text": "Long.", "venue": "J", "url": "https://example.org/x.pdf"}
