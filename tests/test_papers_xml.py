"""Atom, the ACL Anthology, EndNote's XML, and XML that attacks."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from papers_reading import reading_text

from kg.errors import InputError
from kg.papers import Severity

BOMB = (
    '<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY a "lol">'
    + "".join(f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(12))
    + "]><feed><entry><summary>&m;</summary></entry></feed>"
)


@pytest.mark.parametrize(
    "document",
    [
        BOMB,
        f'<!DOCTYPE feed [<!ENTITY x "{"a" * 50_000}">]><feed><entry><summary>{"&x;" * 50_000}</summary>',
        '<!DOCTYPE feed [<!ENTITY x SYSTEM "file:///etc/hostname">]><feed><entry><summary>&x;</summary></entry></feed>',
    ],
    ids=["exponential", "quadratic", "external"],
)
def test_entities_are_refused_at_once(tmp_path: Path, document: str) -> None:
    begin = time.process_time()
    with pytest.raises(InputError, match=r"a\.xml: declares XML entities, which may expand without end"):
        reading_text(tmp_path, "a.xml", document)
    assert time.process_time() - begin < 2


def test_elements_without_end_are_refused(tmp_path: Path) -> None:
    document = "<feed><entry><summary>" + "<b>" * 100_000
    with pytest.raises(InputError, match="nests elements more than 100 deep"):
        reading_text(tmp_path, "a.xml", document)


def test_what_is_no_xml_is_told_with_line_and_column_after_what_came_before(tmp_path: Path) -> None:
    document = "<feed>\n<entry><summary>One.</summary></entry>\n<entry><summary>Two & three.</summary></entry>\n</feed>"
    papers, told = reading_text(tmp_path, "a.xml", document)
    assert [paper.text for paper in papers] == ["One."]
    assert [(p.severity, str(p)) for p in told] == [
        (
            Severity.ERROR,
            "a.xml:3: is not XML at column 22 (not well-formed (invalid token)); what came before was read",
        )
    ]


def test_a_document_cut_short_keeps_what_came_before(tmp_path: Path) -> None:
    papers, told = reading_text(tmp_path, "a.xml", "<feed><entry><summary>One.</summary></entry><entry><summary>Tw")
    assert [paper.text for paper in papers] == ["One."]
    assert "is not XML" in told[0].message


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1", "windows-1252"])
def test_a_declared_encoding_is_kept(tmp_path: Path, encoding: str) -> None:
    document = f'<?xml version="1.0" encoding="{encoding}"?><feed><entry><summary>Naïve café.</summary></entry></feed>'
    papers, _ = reading_text(tmp_path, "a.xml", document.encode(encoding))
    assert [paper.text for paper in papers] == ["Naïve café."]


def test_the_anthology_keeps_formulas_and_the_venue_of_each_volume(tmp_path: Path) -> None:
    paper = "<paper id='1'><title>{0}</title><abstract>{0} of <tex-math>k^2</tex-math> <url>x</url>.</abstract></paper>"
    document = (
        "<collection id='2020.acl'>"
        f"<volume id='main'><meta><year>2020</year><venue>acl</venue></meta>{paper.format('One')}</volume>"
        f"<volume id='demo'><meta><year>2021</year><venue>findings</venue></meta>{paper.format('Two')}</volume>"
        "</collection>"
    )
    papers, _ = reading_text(tmp_path, "a.xml", document)
    assert [(p.id, p.venue, p.year, p.text) for p in papers] == [
        ("2020.acl-main.1", "ACL", 2020, "One of $k^2$ x."),
        ("2020.acl-demo.1", "Findings", 2021, "Two of $k^2$ x."),
    ]


def test_xml_of_another_kind_holds_no_paper(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        reading_text(tmp_path, "a.xml", "<?xml version='1.0'?><html><p>Text</p></html>")
