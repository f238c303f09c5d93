"""CSV and TSV."""

from __future__ import annotations

from pathlib import Path

import pytest
from papers_reading import reading_text

from kg.errors import InputError
from kg.papers import Severity


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_any_delimiter_and_line_end(tmp_path: Path, delimiter: str, end: str) -> None:
    rows = [["id", "title", "abstract"], ["1", "T", '"One, two; three | four\n""five"" six."'], ["2", "", "Seven."]]
    table = end.join(delimiter.join(row) for row in rows) + end
    papers, told = reading_text(tmp_path, "a.csv", table)
    assert [(p.id, p.title, p.text) for p in papers] == [
        ("1", "T", 'One, two; three | four\n"five" six.'),
        ("2", "", "Seven."),
    ]
    assert [paper.origin.rpartition("/")[2] for paper in papers] == ["a.csv:2", "a.csv:4"]
    assert told == []


def test_a_byte_order_mark_is_no_part_of_the_first_column(tmp_path: Path) -> None:
    papers, _ = reading_text(tmp_path, "a.csv", b"\xef\xbb\xbfid,abstract\nx1,Text.\n")
    assert [paper.id for paper in papers] == ["x1"]


def test_cp1252_is_read_and_told(tmp_path: Path) -> None:
    table = "id,abstract\n1,A “naïve” café – and more.\n2,Plain.\n3,Ångström.\n".encode("cp1252")
    papers, told = reading_text(tmp_path, "a.csv", table)
    assert [paper.text for paper in papers] == ["A “naïve” café – and more.", "Plain.", "Ångström."]
    assert [(p.severity, str(p)) for p in told] == [
        (
            Severity.NOTE,
            "a.csv: is not UTF-8 and was read as cp1252; convert it to UTF-8 if a character looks wrong "
            "(2 lines; line 2 is the first)",
        )
    ]


def test_a_row_with_too_many_cells_is_told_with_line_and_column(tmp_path: Path) -> None:
    papers, told = reading_text(tmp_path, "a.csv", "id,abstract\n1,One, not quoted.\n2,Two.\n3\n\n4,Four.\n")
    assert [paper.id for paper in papers] == ["2", "4"]
    assert [str(p) for p in told] == [
        "a.csv:2: has more cells than the header (column 3 of a row whose header has 2); quote cells that hold ','",
        "a.csv:4: has no abstract (3); give it one, or leave it out",
    ]


def test_a_table_without_abstracts_names_its_columns(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        reading_text(tmp_path, "a.csv", "id,resumen\n1,Uno.\n")
    assert str(caught.value).endswith(
        "a.csv: has no column of abstracts in its header (id, resumen); call one 'abstract', or say which it is"
    )
    papers, _ = reading_text(tmp_path, "a.csv", "id,resumen\n1,Uno.\n", fields={"text": "resumen"})
    assert [paper.text for paper in papers] == ["Uno."]


@pytest.mark.parametrize("end", ["\n", ""])
def test_a_quote_that_never_closes_is_told_with_its_line(tmp_path: Path, end: str) -> None:
    papers, told = reading_text(tmp_path, "a.csv", 'id,abstract\n1,One.\n2,"Two\n' + "3,Three.\n" * 4 + "4,Four" + end)
    assert [paper.text for paper in papers] == ["One."]
    assert [str(one) for one in told] == [
        "a.csv:3: has a quote that never closes; it is lost with the 5 lines after it: close it"
    ]


def test_a_quote_that_closes_in_the_last_row_is_no_fault(tmp_path: Path) -> None:
    papers, told = reading_text(tmp_path, "a.csv", 'id,abstract\n1,A 5" disk.\n2,"Two\nlines."')
    assert [paper.text for paper in papers] == ['A 5" disk.', "Two\nlines."]
    assert told == []
