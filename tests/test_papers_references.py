"""BibTeX, RIS, MEDLINE and EndNote."""

from __future__ import annotations

from pathlib import Path

import pytest
from papers_reading import reading_text

from kg.errors import InputError
from kg.papers import Severity


@pytest.mark.parametrize(
    ("written", "title"),
    [
        (r"{Na{\"\i}ve Schr{\"o}dinger}", "Naïve Schrödinger"),
        (r"{{\'{\i}} and {\v s} and {\c{c}} and {\L}{\'o}d{\'z}}", "í and š and ç and Łódź"),
        (r'"\"uber {"}quoted{"}"', 'über "quoted"'),
        ("{{BERT}: {P}re-training of {\\emph{Deep}} Models}", "BERT: Pre-training of Deep Models"),
        ("{Learning $k$-means \\& more -- fast}", "Learning k-means & more – fast"),
        ("{Two\n   lines}", "Two lines"),
        ('"One " # two # { Three}', "One TWO Three"),
    ],
)
def test_bibtex_titles_are_read_as_latex(tmp_path: Path, written: str, title: str) -> None:
    bib = f'@string{{two = "TWO"}}\n@article{{k, title = {written}, abstract = {{Text {{\\"a}}.}}}}\n'
    papers, told = reading_text(tmp_path, "a.bib", bib)
    assert [(paper.title, paper.text, paper.id) for paper in papers] == [(title, 'Text {\\"a}.', "k")]
    assert told == []


def test_bibtex_names_turn_and_stop_at_others(tmp_path: Path) -> None:
    names = r"Berg, Ada and {Aviary and Sons} and van der Vogel, Bo and King, Jr., Cy and Ng, Cleo and others"
    [paper], _ = reading_text(tmp_path, "a.bib", f"@misc{{k, author = {{{names}}}, abstract = {{Text.}}}}")
    assert paper.authors == ("Ada Berg", "Aviary and Sons", "Bo van der Vogel", "Cy King, Jr.", "Cleo Ng")


@pytest.mark.parametrize(
    ("fields", "venue", "arxiv", "year"),
    [
        ("journal = {arXiv preprint arXiv:2101.00001}, year = 2021", "arXiv", "2101.00001", 2021),
        (
            "journal = {CoRR}, volume = {abs/2101.00001}, eprint = {2101.00001}, eprinttype = {arXiv}",
            "CoRR",
            "2101.00001",
            None,
        ),
        ("booktitle = {Proceedings of {ICML} 2020}", "Proceedings of ICML", "", 2020),
        ("eprint = {12345}, eprinttype = {pubmed}, date = {2019-03}", "", "", 2019),
        ("url = {https://arxiv.org/abs/2101.00001v4}", "", "2101.00001", None),
    ],
)
def test_bibtex_venue_arxiv_and_year(tmp_path: Path, fields: str, venue: str, arxiv: str, year: int | None) -> None:
    [paper], _ = reading_text(tmp_path, "a.bib", f"@misc{{k, {fields}, abstract = {{Text.}}}}")
    assert (paper.venue, paper.arxiv, paper.year) == (venue, arxiv, year)


def test_bibtex_that_is_a_bit_wrong_costs_only_what_is_wrong(tmp_path: Path) -> None:
    bib = """Comments stand anywhere, also a@b.org.
@article{a, abstract = {One.}, note = {50\\% {off}}} @article{b, abstract = "Two."}
@article{c, abstract = {Never closed,
@ARTICLE { d , Abstract={Three.} , }
@article{e, title = {No abstract}}
@article{f, title = , year = 2020 abstract = {Four.}}
@comment{g, abstract = {Not this.}}
@article{h, abstract = {Open
"""
    papers, told = reading_text(tmp_path, "a.bib", bib)
    assert [(paper.id, paper.text) for paper in papers] == [
        ("a", "One."),
        ("b", "Two."),
        ("d", "Three."),
        ("f", "Four."),
    ]
    assert [(p.severity, str(p)) for p in told] == [
        (Severity.ERROR, "a.bib:3: is an @article whose braces never close; close them"),
        (Severity.ERROR, "a.bib:8: is an @article whose braces never close; close them"),
        (Severity.ERROR, "a.bib:5: an entry has no abstract; give them one, or leave them out"),
    ]


def test_a_library_without_abstracts_says_so_once(tmp_path: Path) -> None:
    bib = "".join(f"@article{{k{i}, title = {{T{i}}}}}\n" for i in range(50))
    with pytest.raises(InputError, match=r"a\.bib:1: 50 entries have no abstract; give them one, or leave them out$"):
        reading_text(tmp_path, "a.bib", bib)


def test_ris_goes_on_over_lines_and_without_end_tags(tmp_path: Path) -> None:
    ris = (
        "TY  - JOUR\r\nAB  - One\r\nand more.\r\nAU  - Berg, Ada\r\nER  -\r\n\r\n"
        "TY  - CONF\r\nN2  - Two.\r\nM3  - Paper\r\nTY  - CONF\r\nAB  - Three."
    )
    papers, told = reading_text(tmp_path, "a.ris", ris)
    assert [paper.text for paper in papers] == ["One\nand more.", "Two.", "Three."]
    assert [paper.origin.rpartition(":")[2] for paper in papers] == ["1", "7", "10"]
    assert told == []


def test_nbib_takes_the_doi_among_identifiers_and_whole_names(tmp_path: Path) -> None:
    nbib = (
        "\nPMID- 7\nTI  - T\nLID - e123 [pii]\nLID - 10.1000/X.7 [doi]\nAB  - BACKGROUND: One\n      two - three.\n"
        "FAU - Berg, Ada\nAU  - Berg A\nDP  - 2020 Jan-Feb\nTA  - J Aviary\n"
    )
    [paper], _ = reading_text(tmp_path, "a.nbib", nbib)
    assert (paper.doi, paper.authors, paper.year, paper.venue) == ("10.1000/x.7", ("Ada Berg",), 2020, "J Aviary")
    assert paper.text == "BACKGROUND: One\ntwo - three."


@pytest.mark.parametrize("name", ["a.ris", "a.nbib", "a.enw", "a.bib"])
def test_a_record_without_an_abstract_is_told_where_it_begins(tmp_path: Path, name: str) -> None:
    record = {
        "a.ris": "TY  - JOUR\nTI  - T\nER  - \n\nTY  - JOUR\nAB  - Text.\n",
        "a.nbib": "PMID- 1\nTI  - T\n\n\nPMID- 2\nAB  - Text.\n",
        "a.enw": "%0 Book\n%T T\n\n\n%0 Book\n%X Text.\n",
        "a.bib": "@book{a,\ntitle = {T}}\n\n\n@book{b, abstract = {Text.}}\n",
    }[name]
    papers, told = reading_text(tmp_path, name, record)
    assert [(paper.text, paper.origin.rpartition("/")[2]) for paper in papers] == [("Text.", f"{name}:5")]
    assert [(p.origin, p.severity) for p in told] == [(f"{name}:1", Severity.ERROR)]
