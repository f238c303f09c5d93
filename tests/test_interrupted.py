"""Builds that are killed, run out of disk, or are read while they run: nothing is lost, and the next run mends all."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from builds import contents, papers_file, started, triples

from kg.errors import OutputError
from kg.flow import build
from kg.store import open_store

MOMENTS = 50
Corpora = tuple[tuple[Path, Path], tuple[Path, Path]]


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Corpora:
    """Two files of papers that have some in common, each with the folder of its undisturbed build."""
    folder = tmp_path_factory.mktemp("corpora")
    sources = (papers_file(folder / "a.jsonl", range(5)), papers_file(folder / "b.jsonl", range(1, 7)))
    for source in sources:
        build([source], source.with_suffix(""))
    return tuple((source, source.with_suffix("")) for source in sources)  # type: ignore[return-value]


def test_a_build_that_is_killed_at_any_moment_leaves_what_was_and_the_next_one_ends_as_if_undisturbed(
    corpora: Corpora, tmp_path: Path
) -> None:
    output, draw, seconds, killed = tmp_path / "out", random.Random(8), [], 0
    for source, _ in (*corpora, *corpora):
        began = time.monotonic()
        _ended(source, output)
        seconds.append(time.monotonic() - began)
    whole = [contents(folder) for _, folder in corpora]
    stores = [triples(folder) for _, folder in corpora]
    for moment in range(MOMENTS):
        source, undisturbed = corpora[moment % 2]
        process = started(source, output)
        process.join(draw.uniform(0, min(seconds[2:])))
        process.kill()
        process.join()
        killed += process.exitcode != 0
        assert triples(output) in stores, moment
        odd = [name for name, data in contents(output).items() if data not in (whole[0][name], whole[1][name])]
        assert not odd, moment
        _ended(source, output)
        assert contents(output) == contents(undisturbed), moment
        assert triples(output) == stores[moment % 2], moment
    assert killed > MOMENTS // 4
    assert {p.name for p in output.iterdir()} <= {p.name for p in corpora[0][1].iterdir()} | _numbered(output)


def _ended(source: Path, output: Path) -> None:
    process = started(source, output)
    process.join()
    assert process.exitcode == 0


def _numbered(output: Path) -> set[str]:
    """The store's folder and the one before."""
    return {p.name for p in sorted(output.glob(".store-*"), key=lambda p: p.stat().st_mtime)[-2:]}


def test_there_is_a_whole_store_at_every_moment_of_a_build(corpora: Corpora, tmp_path: Path) -> None:
    stores, seen = [len(triples(folder)) for _, folder in corpora], []
    _ended(corpora[0][0], tmp_path / "out")
    for source, _ in (corpora[1], corpora[0], corpora[1]):
        process = started(source, tmp_path / "out")
        while process.is_alive():
            seen.append(len(open_store(tmp_path / "out")))
            time.sleep(0.005)
    assert set(seen) == set(stores)


def test_a_reader_keeps_the_store_that_it_opened(corpora: Corpora, tmp_path: Path) -> None:
    (first, one), (second, other) = corpora
    build([first], tmp_path / "out")
    store = open_store(tmp_path / "out")
    build([second], tmp_path / "out")
    assert {str(quad) for quad in store} == triples(one)
    assert {str(quad) for quad in open_store(tmp_path / "out")} == triples(other)
    build([first], tmp_path / "out")
    assert len(list((tmp_path / "out").glob(".store-*"))) == 2


def test_a_folder_that_stands_where_the_link_should_is_taken_over(corpora: Corpora, tmp_path: Path) -> None:
    (_, one), (second, other) = corpora
    (tmp_path / "out").mkdir()
    for name in ("extractions.jsonl", "extractions.model", "report.json"):
        shutil.copy(one / name, tmp_path / "out" / name)
    shutil.copytree(one / "store", tmp_path / "out" / "store")
    build([second], tmp_path / "out")
    assert (tmp_path / "out" / "store").is_symlink()
    assert triples(tmp_path / "out") == triples(other)


def test_a_build_that_broke_off_is_not_taken_for_whole(corpora: Corpora, tmp_path: Path) -> None:
    (first, one), (second, _) = corpora
    build([first], tmp_path / "out")
    other = (
        (one / "graph.ttl").read_bytes().replace(b"ImageNet", b"ImageNot")
    )  # of the same size, as chance may have it
    (tmp_path / "out" / "graph.html").unlink()
    (tmp_path / "out" / "graph.html").mkdir()  # so that the next build breaks off after the graph
    with pytest.raises(OutputError):
        build([second], tmp_path / "out")
    (tmp_path / "out" / "graph.html").rmdir()
    shutil.copy(one / "graph.html", tmp_path / "out" / "graph.html")
    shutil.copy(one / "graph.nq", tmp_path / "out" / "graph.nq")
    (tmp_path / "out" / "graph.ttl").write_bytes(other)
    assert not build([first], tmp_path / "out").unchanged
    assert contents(tmp_path / "out") == contents(one)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own, which only root may mount."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode:
        pytest.skip("a small disk can only be mounted by root")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def test_a_full_disk_is_told_and_the_old_build_stays_whole(corpora: Corpora, small_disk: Path) -> None:
    (first, one), (second, other) = corpora
    output = small_disk / "out"
    build([first], output)
    for spare in (0, 30, 120):  # kilobytes: what is missed first is another file each time
        _resize(small_disk, shutil.disk_usage(small_disk).used // 1024 + spare)
        with pytest.raises(OutputError, match="No space left"):
            build([second], output)
        assert triples(output) in (triples(one), triples(other))
        assert all(data in (contents(one)[n], contents(other)[n]) for n, data in contents(output).items()), spare
        assert not list(output.glob(".*.tmp"))
    _resize(small_disk, 64 * 1024)
    build([second], output)
    assert contents(output) == contents(other)
    assert triples(output) == triples(other)


def _resize(disk: Path, kilobytes: int) -> None:
    subprocess.run(["mount", "-o", f"remount,size={kilobytes}k", str(disk)], check=True)


LIMITED = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))  # no file may be larger
from kg.cli import main
main()
"""


def test_a_file_that_cannot_grow_is_one_sentence_and_exit_1(corpora: Corpora, tmp_path: Path) -> None:
    (first, one), (second, _) = corpora
    build([first], tmp_path / "out")
    command = [sys.executable, "-c", LIMITED, "build", str(second), "-o", str(tmp_path / "out"), "-q"]
    told = subprocess.run(command, capture_output=True, text=True)
    assert told.returncode == 1
    assert told.stderr.startswith("kg: cannot write ")
    assert len(told.stderr.splitlines()) == 1
    assert triples(tmp_path / "out") == triples(one)
