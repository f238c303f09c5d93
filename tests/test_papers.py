"""Inputs to papers: what is read, what is told, and that the good papers always come through."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import hashlib
import io
import json
import lzma
import os
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from papers_reading import reading

from kg.errors import InputError, UsageError
from kg.papers import Problem, Severity, read
from kg.papers.formats import FORMATS
from kg.papers.make import UNSTORABLE

SEEDS = Path(__file__).parents[1] / "seeds"
DATA = Path(__file__).parent / "data" / "papers"
SPARROW = (
    "We present Sparrow, a small model for long tables. On WikiRows it reaches 91.2% accuracy wherever a<b & c>d "
    "holds, and with $k$ = 5 it beats Magpie."
)
FINCH = "We study how Finch tags naïve café menus. It needs 2× less data than Wren on MenuBank."


def jsonl(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def abstracts(n: int) -> list[dict[str, str]]:
    return [{"id": f"p{i}", "abstract": f"Paper number {i} says something of its own."} for i in range(n)]


# The seeds


def test_the_seeds_are_38_abstracts_of_neurips_2026_as_they_stand_in_the_files() -> None:
    papers, told = reading(SEEDS)
    assert told == []
    assert len(papers) == 38
    assert {(paper.venue, paper.year, paper.title) for paper in papers} == {("NeurIPS", 2026, "")}
    gold = [json.loads(line) for line in (DATA.parent / "seeds-gold.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {paper.text for paper in papers} == {record["text"] for record in gold}
    assert all(paper.id == hashlib.sha256(paper.text.encode()).hexdigest()[:16] for paper in papers)
    assert papers[0].origin.endswith("000_be9f6fe2145db660.txt:3")


# Every format says the same two papers


CASES = sorted(path.name for path in DATA.iterdir())


@pytest.mark.parametrize("name", CASES)
def test_every_format_gives_the_two_papers(name: str) -> None:
    papers, _ = reading(DATA / name)
    assert [paper.text.strip() for paper in papers] == [SPARROW, FINCH]
    sparrow, finch = papers
    assert (sparrow.year, finch.year) == (2024, 2024)
    if name == "plain.txt":
        assert sparrow.venue == finch.venue == "Aviary Workshop"
        return
    assert (sparrow.title, finch.title) == ("Sparrow: Small Models for Long Tables", "Finch Tags Menus")
    assert (sparrow.authors, finch.authors) == (("Ada Berg", "Bo Lindström"), ("Cleo Ng",))
    assert sparrow.venue == ("AVIARY" if name == "anthology.xml" else "Aviary Workshop")
    if name not in ("openreview.json", "pmlr.json"):
        assert sparrow.doi == sparrow.id == "10.5555/sparrow.1"
    if name not in ("openreview.json", "pmlr.json", "anthology.xml", "crossref.json", "library.nbib"):
        assert sparrow.arxiv == "2401.00001"


@pytest.mark.parametrize("name", CASES)
def test_the_format_is_known_by_its_content(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((DATA / name).read_bytes())))
    papers, _ = reading("-")
    assert [paper.text.strip() for paper in papers] == [SPARROW, FINCH]
    assert papers[0].origin.startswith("standard input")


def test_the_same_paper_from_every_source_is_one_paper() -> None:
    papers, told = reading(DATA)
    assert sum(paper.text.strip() == SPARROW for paper in papers) == 1
    same = [problem.message for problem in told if "is the same paper as" in problem.message]
    assert len(same) >= len(CASES) - 1
    assert len(papers) == 2 + sum(paper.doi == "10.5555/finch.1" for paper in papers[2:])


def test_how_a_file_is_read_is_told_and_can_be_forced(tmp_path: Path) -> None:
    told: list[Problem] = []
    path = tmp_path / "list.txt"
    path.write_text('{"abstract": "One line of JSON."}\n', encoding="utf-8")
    assert [paper.text for paper in read([path], on_problem=told.append)] == ["One line of JSON."]
    assert [(p.severity, p.message) for p in told] == [
        (Severity.INFO, "is read as JSON; force another format if that is wrong")
    ]
    papers, _ = reading(path, format="text")
    assert [paper.text for paper in papers] == ['{"abstract": "One line of JSON."}']


def test_an_unknown_format_is_a_wrong_call_and_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean bibtex"):
        read([DATA], format="bibtx", on_problem=print)


# Files, folders, compression


@pytest.mark.parametrize(
    ("suffix", "pack"),
    [
        (".gz", gzip.compress),
        (".bz2", bz2.compress),
        (".xz", lzma.compress),
        (".zst", zstandard.ZstdCompressor().compress),
        ("", gzip.compress),
    ],
)
@pytest.mark.parametrize("name", ["lines.jsonl", "openalex.json", "anthology.xml", "library.bib", "table.tsv"])
def test_compressed_files_are_read(tmp_path: Path, name: str, suffix: str, pack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / (name + suffix)
    path.write_bytes(pack((DATA / name).read_bytes()))
    papers, _ = reading(path)
    assert [paper.text for paper in papers] == [SPARROW, FINCH]


@pytest.mark.parametrize("frames", [1, 3])
def test_zstd_frames_follow_one_another(tmp_path: Path, frames: int) -> None:
    path = tmp_path / "a.jsonl.zst"
    lines = [json.dumps(record).encode() + b"\n" for record in abstracts(3 * frames)]
    parts = [b"".join(lines[i::frames]) for i in range(frames)]
    path.write_bytes(b"".join(zstandard.ZstdCompressor().compress(part) for part in parts))
    assert len(reading(path)[0]) == 3 * frames


@pytest.mark.parametrize(
    ("suffix", "pack"), [(".gz", gzip.compress), (".zst", zstandard.ZstdCompressor().compress), (".xz", lzma.compress)]
)
def test_a_truncated_archive_keeps_what_came_before(
    tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes]
) -> None:
    good = jsonl(tmp_path / "good.jsonl", {"abstract": "A good paper in another file."})
    whole = "".join(
        json.dumps({"id": i, "abstract": hashlib.sha256(str(i).encode()).hexdigest() * 8}) + "\n" for i in range(3000)
    )
    path = tmp_path / ("bad.jsonl" + suffix)
    packed = pack(whole.encode())
    path.write_bytes(packed[: len(packed) * 2 // 3])
    papers, told = reading(path, good)
    assert len(papers) > 100
    assert papers[-1].text == "A good paper in another file."
    assert any(p.severity is Severity.ERROR and "breaks off" in p.message for p in told)


def test_a_folder_is_read_in_sorted_order_without_what_is_no_input(tmp_path: Path) -> None:
    jsonl(tmp_path / "b.jsonl", {"abstract": "Second of all."})
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "c.txt").write_text("Third of all.\n", encoding="utf-8")
    jsonl(tmp_path / "a.json", {"abstract": "First of all."})
    (tmp_path / ".hidden.txt").write_text("Never read.", encoding="utf-8")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n")
    (tmp_path / "loop").symlink_to(tmp_path)
    papers, told = reading(tmp_path)
    assert [paper.text for paper in papers] == ["First of all.", "Second of all.", "Third of all."]
    assert told == []


def test_a_file_given_twice_is_read_once(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "a.jsonl", *abstracts(2))
    papers, told = reading(tmp_path, path)
    assert len(papers) == 2
    assert [p.message for p in told] == ["is given more than once; it is read once"]


def test_a_pipe_is_read(tmp_path: Path) -> None:
    ends = os.pipe()
    with open(ends[1], "wb") as file:
        file.write(b"".join(json.dumps(record).encode() + b"\n" for record in abstracts(3)))
    papers, _ = reading(f"/dev/fd/{ends[0]}")
    os.close(ends[0])
    assert len(papers) == 3


# Bad input: one sentence with its place, and the others go on


def sentence(problem: Problem) -> str:
    assert "\n" not in str(problem)
    return str(problem)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("none.jsonl", None, "does not exist; check the path"),
        ("empty.jsonl", b"", "is empty; there is nothing to read"),
        ("blank.txt", b" \n\n \n", "is empty; there is nothing to read"),
        ("random.txt", bytes(range(256)) * 4, "is binary, not text; give a file of abstracts"),
        ("paper.pdf", b"%PDF-1.7\n", "is a PDF, not text; give a file of abstracts"),
        ("papers.zip", b"PK\x03\x04....", "is a zip archive (or an Office file), not text; give a file of abstracts"),
        ("no16.txt", "We present.".encode("utf-16-le"), "looks like UTF-16 without its mark; convert it to UTF-8"),
        ("bad.jsonl.gz", b"\x1f\x8b\x08\x00garbage garbage", "cannot be read: "),
    ],
)
def test_a_file_that_cannot_be_read_is_told_and_the_others_go_on(
    tmp_path: Path, name: str, content: bytes | None, message: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    good = jsonl(tmp_path / "good.jsonl", {"abstract": "A good paper."})
    papers, told = reading(path, good)
    assert [paper.text for paper in papers] == ["A good paper."]
    assert [problem.severity for problem in told] == [Severity.ERROR]
    assert sentence(told[0]).startswith(f"{path}: {message}")
    with pytest.raises(InputError) as alone:
        reading(path)
    assert str(alone.value) == str(told[0])


def test_the_reason_of_the_system_is_told(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "a.jsonl", *abstracts(1)) / "b.jsonl"
    with pytest.raises(InputError, match=r"b\.jsonl: cannot be read: Not a directory"):
        reading(path)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "x", "abstract": "no end', "is not JSON (column 25: Unterminated string starting at); write"),
        ('["a", "b"]', "is list instead of an object of fields"),
        ("[" * 100_000, "is not JSON (it is nested too deep)"),
        ('{"id": "x", "title": "Some title"}', "has no abstract (Some title); give it one, or leave it out"),
        ('{"id": "x", "abstract": ""}', "has no abstract (x); give it one, or leave it out"),
        ('{"id": "x", "abstract": " \\n "}', "has no abstract (x); give it one, or leave it out"),
        ('{"id": "x", "abstract": "N/A"}', "has no abstract (x); give it one, or leave it out"),
        ('{"id": "x", "abstract": "No abstract available."}', "has no abstract (x)"),
        ('{"id": "x", "abstract": null}', "has no abstract (x)"),
        ('{"id": "x", "abstract": ["a"]}', "has an abstract that is not a text (x)"),
    ],
)
def test_a_bad_line_is_told_with_its_number_and_the_others_go_on(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f'{{"abstract": "One."}}\n{line}\n\n{{"abstract": "Two."}}\n', encoding="utf-8")
    papers, told = reading(path)
    assert [(paper.text, paper.origin) for paper in papers] == [("One.", f"{path}:1"), ("Two.", f"{path}:4")]
    assert [problem.severity for problem in told] == [Severity.ERROR]
    assert sentence(told[0]).startswith(f"{path}:2: {message}")


def test_a_line_that_no_memory_bears_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with path.open("wb") as file:
        file.write(b'{"abstract": "One."}\n{"abstract": "' + b"x" * (1 << 24) + b'"}\n{"abstract": "Two."}\n')
    papers, told = reading(path)
    assert [(paper.text, paper.origin) for paper in papers] == [("One.", f"{path}:1"), ("Two.", f"{path}:3")]
    assert [p.message for p in told] == ["is longer than 16 MB, and was passed over; split it into papers"]


def test_an_abstract_of_200_000_characters_is_read(tmp_path: Path) -> None:
    text = "word " * 40_000
    for path in (jsonl(tmp_path / "a.jsonl", {"abstract": text}), tmp_path / "b.csv", tmp_path / "c.txt"):
        if path.suffix != ".jsonl":
            path.write_text(text if path.suffix == ".txt" else f"id,abstract\n1,{text}\n", encoding="utf-8")
        assert [paper.text for paper in reading(path)[0]] == [text]


def test_what_no_format_can_hold_is_replaced_one_for_one_and_told(tmp_path: Path) -> None:
    bad = "a\x00b\ud800c\x1bd\ufffee\U0001ffff"
    path = jsonl(
        tmp_path / "a.jsonl", {"id": "1", "abstract": f"Fine: tab\t, line\n, é, 😀. Bad: {bad}", "title": "T\x01"}
    )
    [paper], told = reading(path)
    assert paper.text == "Fine: tab\t, line\n, é, 😀. Bad: a\ufffdb\ufffdc\ufffdd\ufffde\ufffd"
    assert paper.title == "T\ufffd"
    assert [(p.severity, str(p)) for p in told] == [
        (Severity.NOTE, f"{path}:1: 6 characters that no format can hold were replaced by U+FFFD")
    ]


def test_nothing_at_all_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no file that can be read"):
        reading(tmp_path)
    with pytest.raises(InputError, match="there is no paper in the input"):
        reading()
    with pytest.raises(InputError, match=r"no paper could be read \(2 problems, told above\)"):
        reading(tmp_path / "x.txt", tmp_path / "y.txt")


# One paper, one id


def test_the_same_abstract_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("ICML 2025\n\nWe do a thing.\n\nWe do  a THING!\n\nWe do more.\n", encoding="utf-8")
    papers, told = reading(path)
    assert [paper.text for paper in papers] == ["We do a thing.", "We do more."]
    assert [(p.severity, str(p)) for p in told] == [
        (Severity.NOTE, f"{path}:5: is the same paper as {path}:3 (the same abstract); read once")
    ]


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [
        ({"doi": "10.1000/A"}, {"doi": "https://doi.org/10.1000/a"}, 1),
        ({"arxiv": "2101.00001v1"}, {"url": "https://arxiv.org/abs/2101.00001v3"}, 1),
        ({"arxiv": "2101.00001"}, {"doi": "10.48550/arXiv.2101.00001"}, 1),
        ({"openalex": "https://openalex.org/W1"}, {"openalex": "W1"}, 1),
        ({"title": "A title"}, {"title": "a Title", "abstract": "An abstract."}, 1),
        ({"title": "A title"}, {"abstract": "An abstract."}, 1),
        ({"title": "A title"}, {"title": "Another title", "abstract": "An abstract."}, 2),
        ({"doi": "10.1000/a"}, {"doi": "10.1000/b"}, 2),
    ],
)
def test_when_two_records_are_one_paper(tmp_path: Path, one: dict[str, str], other: dict[str, str], count: int) -> None:
    path = jsonl(tmp_path / "a.jsonl", {"abstract": "An abstract."} | one, {"abstract": "Another abstract."} | other)
    papers, told = reading(path)
    assert len(papers) == count
    assert len(told) == 2 - count
    assert all(problem.severity is Severity.NOTE for problem in told)


def test_one_id_with_two_abstracts_is_a_mistake(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "a.jsonl", {"id": 7, "abstract": "One text."}, {"id": "7", "abstract": "Another text."})
    papers, told = reading(path)
    assert [(paper.id, paper.text) for paper in papers] == [("7", "One text.")]
    assert [(p.severity, str(p)) for p in told] == [
        (Severity.ERROR, f"{path}:2: has the id 7 of {path}:1 but another abstract; give it its own id")
    ]


@pytest.mark.parametrize(
    ("record", "id"),
    [
        ({"id": "given", "doi": "10.1000/X", "arxiv": "2101.00001"}, "10.1000/x"),
        ({"id": "given", "arxiv": "2101.00001v2"}, "2101.00001"),
        ({"id": "given", "doi": "10.48550/arXiv.2101.00001"}, "2101.00001"),
        ({"id": "given", "doi": "unknown"}, "given"),
        ({"title": "T"}, hashlib.sha256(b"T\n\nText.").hexdigest()[:16]),
    ],
)
def test_the_id_is_doi_arxiv_given_or_hash(tmp_path: Path, record: dict[str, str], id: str) -> None:
    [paper], _ = reading(jsonl(tmp_path / "a.jsonl", record | {"abstract": "Text."}))
    assert paper.id == id


def test_fields_can_be_named(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "a.jsonl", {"resumen": "Text.", "abstract": "Not this.", "clave": "k1", "anno": "2020"})
    [paper], _ = reading(path, fields={"text": "resumen", "id": "clave", "year": "anno"})
    assert (paper.text, paper.id, paper.year) == ("Text.", "k1", 2020)


@pytest.mark.parametrize("name", CASES)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_files_give_papers_and_problems_never_a_crash(tmp_path: Path, name: str, data: st.DataObject) -> None:
    content = bytearray((DATA / name).read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content)))
        content[at : at + data.draw(st.integers(0, 40))] = data.draw(st.binary(max_size=6))
    path = tmp_path / name
    path.write_bytes(bytes(content))
    with contextlib.suppress(InputError):
        papers, told = reading(path, format=data.draw(st.sampled_from([None, *FORMATS])))
        assert all("\n" not in str(problem) for problem in told)
        assert len({paper.id for paper in papers}) == len(papers)
        assert not any(UNSTORABLE.search(paper.text + paper.title + paper.id) for paper in papers)


# Size

LONG = 200_000
UNENDING = {
    "word.bib": "@a{k, " + "a" * LONG + "}",
    "open.bib": "@a{k, abstract={" + "{" * LONG,
    "authors.bib": "@a{k, abstract={Text.}, author={" + "A {B} and  " * (LONG // 10) + "}}",
    "joined.bib": "@a{k, abstract=" + "{x}#" * (LONG // 4) + "{y}}",
    "brackets.json": "[" * LONG,
    "quotes.csv": "id,abstract\n" + '"' * LONG,
    "venue.jsonl": json.dumps({"abstract": "Text.", "venue": "(’" * (LONG // 2)}),
    "arxiv.jsonl": json.dumps({"abstract": "Text.", "arxiv": "a-" * (LONG // 2), "doi": "10.1234/" * (LONG // 8)}),
    "names.jsonl": json.dumps({"abstract": "Text.", "authors": ", " * (LONG // 2), "year": "1" * LONG}),
    "signs.jsonl": json.dumps({"abstract": "{" * LONG + "a"}),
    "spaces.jsonl": json.dumps(
        {"DOI": "10.1/x", "title": [], "abstract": "<jats:title>" + " " * LONG + "<p" + " " * LONG}
    ),
    "mathml.jsonl": json.dumps({"DOI": "10.1/x", "title": [], "abstract": "tex-math>x" + "<mml:math>" * (LONG // 10)}),
    "attributes.jsonl": json.dumps({"DOI": "10.1/x", "title": [], "abstract": "<p" + " a=b" * (LONG // 4)}),
    "heading.txt": "(" * LONG + " 2024",
    "elements.xml": "<feed>" + "<a/>" * (LONG // 4) + "</feed>",
}


@pytest.mark.parametrize("name", UNENDING)
def test_input_that_goes_on_and_on_takes_time_that_grows_with_it_only(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(UNENDING[name], encoding="utf-8")
    begin = time.process_time()
    with contextlib.suppress(InputError):
        reading(path)
    assert time.process_time() - begin < 2, "200,000 characters take a tenth of a second on an idle machine"


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv", "a.bib", "a.ris", "a.xml", "a.txt", "a.jsonl.gz"])
def test_memory_does_not_grow_with_the_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    texts = [hashlib.sha256(f"{i}".encode()).hexdigest() * 60 for i in range(1000)]  # 4 MB
    records = {
        "a.jsonl": lambda: "".join(json.dumps({"abstract": text}) + "\n" for text in texts),
        "a.json": lambda: json.dumps({"meta": {}, "results": [{"abstract": text} for text in texts]}),
        "a.csv": lambda: "id,abstract\n" + "".join(f"{i},{text}\n" for i, text in enumerate(texts)),
        "a.bib": lambda: "".join(f"@misc{{k{i}, abstract = {{{text}}}}}\n" for i, text in enumerate(texts)),
        "a.ris": lambda: "".join(f"TY  - JOUR\nAB  - {text}\nER  - \n" for text in texts),
        "a.xml": lambda: (
            "<feed>" + "".join(f"<entry><summary>{text}</summary></entry>\n" for text in texts) + "</feed>"
        ),
        "a.txt": lambda: "\n\n".join(texts),
    }[name.removesuffix(".gz")]()
    path.write_bytes(gzip.compress(records.encode(), 1) if name.endswith(".gz") else records.encode())
    tracemalloc.start()
    count = sum(1 for _ in read([path], on_problem=lambda problem: None))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 1000
    assert peak < 2_000_000
