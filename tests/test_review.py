"""`kg review`: the table of doubts can be edited, goes back as decisions, and doesn't ask twice."""

from __future__ import annotations

from pathlib import Path

from concept_corpus import paper
from typer.testing import CliRunner

from kg.cli import app
from kg.codec import dumps
from kg.concepts import concepts
from kg.records import Extraction

PAPERS = [
    *(paper(f"a{n}", "t: dense retrieval", text="It.") for n in range(3)),
    *(paper(f"b{n}", "t: dense retriever", text="It.") for n in range(3)),
]


def _build(folder: Path, papers: list[Extraction]) -> Path:
    folder.mkdir()
    (folder / "extractions.jsonl").write_text("".join(dumps(p) + "\n" for p in papers), encoding="utf-8")
    return folder


def _review(*arguments: object) -> str:
    result = CliRunner().invoke(app, ["review", *map(str, arguments)])
    assert result.exit_code == 0, result.output
    return result.output


def test_doubts_are_written_decided_and_not_asked_again(tmp_path: Path) -> None:
    build, table = _build(tmp_path / "build", PAPERS), tmp_path / "review.tsv"
    assert "1 questions" in _review("--from", build, "-o", table)
    lines = table.read_text(encoding="utf-8").splitlines()
    asked = next(line for line in lines if line.startswith("?"))
    assert asked.split("\t")[1:] == ["dense retrieval", "dense retriever", "6", "they differ in an ending"]
    assert len(concepts(PAPERS, aliases=table)) == 2

    table.write_text("\n".join(lines).replace("\n?", "\nsame"), encoding="utf-8")
    assert len(concepts(PAPERS, aliases=table)) == 1
    assert "0 questions" in _review("--from", build, "-o", tmp_path / "again.tsv", "--aliases", table)

    table.write_text("\n".join(lines).replace("\n?", "\napart"), encoding="utf-8")
    assert len(concepts(PAPERS, aliases=table)) == 2
    assert "0 questions" in _review("--from", build, "-o", tmp_path / "again.tsv", "--aliases", table)


def test_without_a_build_it_says_so(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["review", "--from", str(tmp_path / "none")])
    assert "there is no build in" in str(result.exception)
