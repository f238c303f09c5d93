"""`kg query` as it is used: a catalogue, names, files, standard input, terminals, pipes, and Ctrl-C."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
import rdflib
from kitchen import build

from kg.queries import catalogue

KG = [sys.executable, "-m", "kg"]
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
HEAVY = {
    "spacy",
    "rdflib",
    "networkx",
    "numpy",
    "onnxruntime",
    "httpx",
    "pylatexenc",
    "pandas",
    "rapidfuzz",
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("kitchen"))


@pytest.fixture
def folder(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory whose `output` is the build."""
    (tmp_path / "output").symlink_to(built)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def query(*arguments: str, given: str | None = None) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of `kg query`."""
    feed = {"input": given} if given is not None else {"stdin": subprocess.DEVNULL}
    done = subprocess.run([*KG, "query", *arguments], capture_output=True, encoding="utf-8", check=False, **feed)  # type: ignore[call-overload]
    return done.returncode, done.stdout, done.stderr


def test_without_a_question_the_catalogue_is_listed(folder: Path) -> None:
    code, out, err = query()
    lines = [line.split("\t") for line in out.splitlines()]
    assert (code, err) == (0, "")
    assert [line[0] for line in lines] == ["query", *(q.name for q in catalogue())]
    assert [
        "papers-by-dataset",
        "Papers by dataset",
        "dataset=imagenet-1k limit=100",
    ] in lines


def test_an_empty_pipe_is_no_question(folder: Path) -> None:
    assert query(given="")[1] == query()[1]


def test_a_silent_pipe_is_not_waited_for(folder: Path) -> None:
    reading, writing = os.pipe()
    done = subprocess.run([*KG, "query"], stdin=reading, capture_output=True, encoding="utf-8", timeout=60, check=True)
    os.close(writing)
    os.close(reading)
    assert done.stdout.startswith("query\tanswers")


def test_a_named_question_with_a_value(folder: Path) -> None:
    assert query("papers-by-dataset", "--set", "dataset=PotBench") == (
        0,
        "paper\ttitle\tyear\tname\tconfidence\n"
        "paper:k2\tBrothFormer\t2025\tPotBench\t0.9\n"
        "paper:k1\tSoupNet: a net that stirs\t2024\tPotBench\t0.95\n",
        "",
    )


def test_sparql_by_option_file_dash_and_pipe_is_the_same(folder: Path) -> None:
    text = "SELECT ?m { ?m a kg:Model ; skos:prefLabel ?l } ORDER BY ?l"
    (folder / "mine.rq").write_text(text, "utf-8")
    answer = (0, "m\nmodel:brothformer\nmodel:soupnet\nmodel:stirbase\nmodel:cooking-network\n", "")
    assert query("-e", text) == answer
    assert query("mine.rq") == answer
    assert query("-", given=text) == answer
    assert query(given=text) == answer


def test_a_build_elsewhere_is_asked(built: Path, tmp_path: Path) -> None:
    assert query("counts", "--from", str(built))[1].startswith("kind\tcount\nfabio:ResearchPaper\t6\n")
    code, _, err = query("counts", "--from", str(tmp_path / "none"))
    assert (code, err.count("\n")) == (1, 1)
    assert "make one with `kg build`" in err


def test_the_sparql_of_a_question_can_be_taken_along(folder: Path) -> None:
    code, text, _ = query("tasks-most-addressed", "--set", "limit=1", "--show")
    assert (code, text.splitlines()[-1]) == (0, "LIMIT 1")
    assert query("-", given=text)[:2] == (0, "name\tpapers\ttask\nsoup stirring\t3\ttask:soup-stirring\n")


def test_every_format_is_what_it_says(folder: Path) -> None:
    name = ("search", "--set", "text=net")
    rows = list(csv.DictReader(io.StringIO(query(*name, "--format", "csv")[1])))
    assert [row["name"] for row in rows] == ["SoupNet"]
    bindings = json.loads(query(*name, "--format", "json")[1])["results"]["bindings"]
    assert bindings[0]["name"] == {"type": "literal", "value": "SoupNet", "xml:lang": "en"}
    assert "SoupNet" in "".join(ElementTree.fromstring(query(*name, "--format", "xml")[1]).itertext())
    assert query(*name, "--format", "tsv")[1].splitlines()[1].startswith('"SoupNet"@en\t<https://')
    table = query(*name, "--format", "table")[1].splitlines()
    assert table[1].split() == ["name", "type", "papers", "match", "concept"]
    assert table[3].split() == ["SoupNet", "kg:Model", "4", "soupnet", "model:soupnet"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib.*")
def test_triples_are_turtle_unless_another_format_is_asked_for(folder: Path) -> None:
    name = ("paper-graph", "--set", "paper=k6")
    turtle = query(*name)[1]
    triples = set(rdflib.Graph().parse(data=turtle, format="turtle"))
    assert len(triples) == 20
    assert turtle == query(*name, "--format", "ttl")[1]
    for format, theirs in (("nt", "nt"), ("xml", "xml"), ("json", "json-ld")):
        assert set(rdflib.Graph().parse(data=query(*name, "--format", format)[1], format=theirs)) == triples
    assert query(*name, "--format", "plain")[1].startswith("subject\tpredicate\tobject\n")


def test_no_is_an_answer(folder: Path) -> None:
    assert query("-e", "ASK { ?s a kg:Nothing }") == (0, "false\n", "")
    assert query("-e", "ASK { ?s a kg:Model }", "--format", "json")[1] == '{"head":{},"boolean":true}'


def test_an_empty_answer_says_why(folder: Path) -> None:
    code, out, err = query("papers-by-dataset", "--set", "dataset=PotBenhc")
    assert (code, out) == (0, "paper\ttitle\tyear\tname\tconfidence\n")
    assert err == "kg: no Dataset is called 'PotBenhc'; the nearest: potbench\nkg: no rows\n"


@pytest.mark.parametrize("format", ["plain", "csv", "json", "table"])
def test_an_answer_that_is_cut_says_so(format: str, folder: Path) -> None:
    assert query("models-most-used", "--set", "limit=1", "--format", format)[2] == (
        "kg: 1 row, which is the limit; --set limit=10 allows more\n"
    )


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["papers-by-datasets"], 1, "no query is called papers-by-datasets; did you mean papers-by-dataset?"),
        (["counts", "--set", "x=1"], 2, "counts has no parameter x; it has none"),
        (["search", "--set", "limit"], 2, "'limit' sets nothing; write NAME=VALUE"),
        (["search", "-e", "ASK {}"], 2, "give either a name or a file, or SPARQL by -e"),
        (
            ["search", "--format", "ttl"],
            2,
            "ttl is no format for this answer; choose table, plain, csv, tsv, json or xml",
        ),
        (["-e", ""], 1, "the query is empty"),
        (["-"], 1, "the query is empty"),
        (["nothing.rq"], 1, "nothing.rq cannot be read as a query: No such file or directory"),
        (
            ["-e", "SELECT * {"],
            1,
            "the query is wrong at line 1, column 11: it ends before it is complete; a } is missing",
        ),
        (
            ["-e", "ASK { SERVICE <http://127.0.0.1:9/> {} }"],
            1,
            "the query asks another endpoint (SERVICE), which is off",
        ),
    ],
)
def test_what_cannot_be_is_told_in_one_sentence(arguments: list[str], code: int, said: str, folder: Path) -> None:
    exit_code, out, err = query(*arguments)
    assert (exit_code, out) == (code, "")
    assert err.startswith(f"kg: {said}")
    assert "Traceback" not in err


def test_text_that_is_not_utf8_is_told(folder: Path) -> None:
    done = subprocess.run([*KG, "query", "-"], input=b"SELECT '\xff' {}", capture_output=True, check=False)
    assert (done.returncode, done.stderr.decode()) == (
        1,
        "kg: the query is not Unicode text at character 9; write it in UTF-8\n",
    )


def test_a_reader_that_leaves_is_no_fault(folder: Path) -> None:
    for format, head in (("plain", "a\tb\tc\td\te\tf"), ("csv", "a,b,c,d,e,f\r")):
        kg = f"{sys.executable} -m kg query -e 'SELECT * {{ ?a ?b ?c . ?d ?e ?f }}' --format {format} </dev/null"
        shell = f"{kg} | head -1; echo ${{PIPESTATUS[0]}} >&2"
        done = subprocess.run(["bash", "-c", shell], capture_output=True, check=True)
        assert (done.stdout.decode(), done.stderr) == (f"{head}\n", b"141\n")


def test_a_plain_locale_understands_unicode(folder: Path) -> None:
    plain = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for arguments, code, out, err in (
        (("-e", "SELECT ?x { VALUES ?x { 'é論' } }"), 0, "x\né論\n", ""),
        (("nö",), 1, "", "kg: no query is called nö; `kg query` lists them all\n"),
        (("-e", "SELECT 'ö"), 1, "", "'ö"),
    ):
        done = subprocess.run([*KG, "query", *arguments], capture_output=True, stdin=subprocess.DEVNULL, env=plain)
        assert (done.returncode, done.stdout.decode()) == (code, out)
        assert err in done.stderr.decode()


def test_a_format_that_is_none_is_told_before_the_work(folder: Path) -> None:
    for options in ((), ("--endpoint", "http://127.0.0.1:9")):
        code, out, err = query("-e", ENDLESS, "--format", "xls", *options)
        assert (code, out) == (2, "")
        assert "xls is no format; choose table, plain, csv" in err


def test_a_query_that_takes_too_long_is_given_up(folder: Path) -> None:
    code, out, err = query("-e", ENDLESS, "--timeout", "0.3")
    assert (code, out) == (1, "")
    assert err == "kg: the query took more than 0.3 s and was given up; narrow it, or allow more --timeout\n"


def test_ctrl_c_stops_a_query(folder: Path) -> None:
    process = subprocess.Popen(
        [*KG, "query", "-e", ENDLESS],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background job ignores it
    )
    try:
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
    finally:
        process.kill()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()


def test_on_a_terminal_there_is_a_table_as_wide_as_it(folder: Path) -> None:
    shown = "".join(terminal("papers-by-concept", "--set", "concept=SoupNet", columns=90))
    lines = [line.rstrip() for line in shown.replace("\r", "").splitlines()]
    assert any(line.split() == ["paper", "title", "role", "name", "type", "year"] for line in lines)
    assert any("We study how" in line and "kg:studies" in line for line in lines)
    assert max(map(len, lines)) <= 90


def terminal(*arguments: str, columns: int) -> Iterator[str]:
    """What `kg query` shows on a terminal without colours."""
    ours, theirs = pty.openpty()
    environment = os.environ | {"COLUMNS": str(columns), "NO_COLOR": "1", "TERM": "dumb"}
    with subprocess.Popen([*KG, "query", *arguments], stdin=theirs, stdout=theirs, env=environment) as process:
        os.close(theirs)
        while process.poll() is None or select.select([ours], [], [], 0)[0]:
            try:
                yield os.read(ours, 65536).decode()
            except OSError:  # closed at the other end
                break
    os.close(ours)
    assert process.returncode == 0


def test_no_heavy_library_is_loaded(folder: Path) -> None:
    code = (
        "import sys\nfrom kg.cli import app\n"
        "app(['query', 'papers-by-dataset', '--set', 'dataset=PotBench'], standalone_mode=False)\n"
        f"print(sorted({HEAVY!r} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
