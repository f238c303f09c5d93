"""The command line as a process: help, exit codes, one sentence for each thing that goes wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kg.cli import app

COMMANDS = sorted(c.name or c.callback.__name__ for c in app.registered_commands if c.callback)
ROOT = Path(__file__).parent.parent
ABSTRACT = "We propose FooNet, a transformer for machine translation, and beat BERT in accuracy by 3.5% on WMT14."


def kg(*arguments: str, stdin: str = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kg", *arguments]
    env = os.environ | {"COLUMNS": "200", "NO_COLOR": "1"}
    return subprocess.run(command, input=stdin, capture_output=True, text=True, cwd=cwd, env=env, check=False)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_and_is_in_the_readme(command: str) -> None:
    told = kg(command, "--help")
    assert told.returncode == 0
    assert "Example: kg " in told.stdout
    assert f"kg {command}" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_version() -> None:
    told = kg("--version")
    assert told.stdout.startswith("kg 0.")


def test_usage_is_exit_2() -> None:
    assert kg("build").returncode == 2
    assert kg("nonsense").returncode == 2
    assert kg("extract", "-", "--min-confidence", "2").returncode == 2


def test_extract_writes_records_to_standard_output() -> None:
    told = kg("extract", "-", "--format", "jsonl", stdin=json.dumps({"id": "a", "abstract": ABSTRACT}) + "\n")
    assert told.returncode == 0, told.stderr
    record = json.loads(told.stdout)
    assert record["id"] == "a"
    assert {e["name"] for e in record["entities"]} >= {"FooNet", "machine translation"}
    assert all(ABSTRACT[m["start"] : m["end"]] == m["text"] for e in record["entities"] for m in e["mentions"])


def test_min_confidence_trades_recall() -> None:
    stdin = json.dumps({"id": "a", "abstract": ABSTRACT}) + "\n"
    least = [kg("extract", "-", "--format", "jsonl", "--min-confidence", c, stdin=stdin).stdout for c in ("0", "1")]
    assert json.loads(least[0])["entities"]
    assert json.loads(least[1])["entities"] == []


def test_a_build_that_half_fails_exits_1_and_says_where(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(json.dumps({"id": "a", "abstract": ABSTRACT}) + "\n{oops\n", encoding="utf-8")
    told = kg("build", "in.jsonl", cwd=tmp_path)
    assert told.returncode == 1
    assert "in.jsonl:2" in told.stderr
    assert "Traceback" not in told.stderr
    assert (tmp_path / "output" / "graph.ttl").exists()
    about = kg("info", cwd=tmp_path)
    assert "output: 1 papers" in about.stdout
    assert "in.jsonl:2" in about.stdout
    assert "in.jsonl: is read as JSON Lines" in told.stderr
    *_, failed, retry = told.stderr.splitlines()
    assert failed == "1 failed, told above and in output/report.json; the others are built"
    assert retry.startswith("mend what `failed` names and give the same command again")
    assert json.loads((tmp_path / "output" / "report.json").read_text(encoding="utf-8"))["retry"] == retry
    (tmp_path / "in.jsonl").write_text(
        json.dumps({"id": "a", "abstract": ABSTRACT}) + "\n" + json.dumps({"id": "b", "abstract": "On BarNet."}) + "\n",
        encoding="utf-8",
    )
    mended = kg("build", "in.jsonl", cwd=tmp_path)
    assert mended.returncode == 0
    assert "2 papers (1 read anew)" in mended.stderr
    assert "failed" not in mended.stderr


def test_fields_of_any_name(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(f'clave,resumen\nx1,"{ABSTRACT}"\n', encoding="utf-8")
    told = kg("extract", "in.csv", "--field", "abstract=resumen", "--field", "id=clave", cwd=tmp_path)
    assert json.loads(told.stdout)["id"] == "x1"
    wrong = kg("extract", "in.csv", "--field", "summary=resumen", cwd=tmp_path)
    assert wrong.returncode == 2
    assert "FIELD=NAME, where FIELD is one of abstract, title" in wrong.stderr


def test_one_format_of_many_files_is_told_once(tmp_path: Path) -> None:
    for n in range(3):
        (tmp_path / f"{n}.txt").write_text(ABSTRACT.replace("Foo", f"Foo{n}"), encoding="utf-8")
    told = kg("extract", ".", cwd=tmp_path)
    lines = [line for line in told.stderr.splitlines() if "is read as plain text" in line]
    assert [line.partition(" is")[0] for line in lines] == ["kg: 0.txt:", "kg: 2 more:"]
    assert kg("extract", ".", "-q", cwd=tmp_path).stderr == ""


@pytest.mark.parametrize(
    "report", ['{"fingerprint": 1, "versions": []}', "[]", '{"fingerprint": "", "versions": {}, "papers": {}}']
)
def test_a_report_that_is_none_of_ours_is_one_sentence(tmp_path: Path, report: str) -> None:
    (tmp_path / "output").mkdir()
    (tmp_path / "output" / "report.json").write_text(report, encoding="utf-8")
    told = kg("info", cwd=tmp_path)
    assert told.returncode == 1
    assert told.stderr == "kg: output/report.json cannot be read; `kg build INPUT -o output` makes one\n"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("build", "nowhere"), 1, "nowhere"),
        (("build", "empty.txt"), 1, "empty.txt"),
        (("build", "binary.txt"), 1, "binary.txt"),
        (("score", "nowhere.jsonl"), 1, "nowhere.jsonl"),
        (("export", "-o", "x.ttl", "--from", "nowhere"), 1, "kg build"),
        (("check", "--from", "nowhere"), 1, "kg build"),
        (("query", "papers-by-dataset", "--from", "nowhere"), 1, "kg build"),
        (("view", "--from", "nowhere"), 1, "kg build"),
        (("info", "--from", "nowhere"), 1, "kg build"),
    ],
)
def test_one_sentence_and_no_traceback(tmp_path: Path, arguments: tuple[str, ...], code: int, said: str) -> None:
    (tmp_path / "empty.txt").write_bytes(b"")
    (tmp_path / "binary.txt").write_bytes(bytes(range(256)) * 20)
    told = kg(*arguments, cwd=tmp_path)
    assert told.returncode == code
    assert "Traceback" not in told.stderr
    lines = [line for line in told.stderr.splitlines() if line.startswith("kg: ")]
    assert len(lines) == 1
    assert said in lines[0]


def test_a_closed_pipe_is_no_fault(tmp_path: Path) -> None:
    lines = "".join(
        json.dumps({"id": str(n), "abstract": ABSTRACT.replace("Foo", f"Foo{n}")}) + "\n" for n in range(99)
    )
    (tmp_path / "in.jsonl").write_text(lines, encoding="utf-8")
    told = subprocess.run(
        f"{sys.executable} -m kg extract in.jsonl | head -c 10",
        shell=True,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert len(told.stdout) == 10
    assert "Traceback" not in told.stderr
