"""Bulk files: what is in them, and that the stores' own loaders take them by the commands that lie beside them."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import subprocess
from pathlib import Path

import pyoxigraph as ox
import pytest
from servers import OXIGRAPH, Virtuoso, count

from kg.errors import InputError, OutputError
from kg.graph.bulk import export_bulk


@pytest.fixture(scope="module")
def bulk(tmp_path_factory: pytest.TempPathFactory, seeds_build: Path) -> Path:
    """The seeds in three shards, in a folder with a blank in its name."""
    folder = tmp_path_factory.mktemp("bulk") / "for loaders"
    export_bulk(seeds_build, folder, shard=6000)
    return folder


def graphs(build: Path) -> dict[str, int]:
    """How many triples each graph of a build has."""
    store = ox.Store.read_only(str(build / "store"))
    named = list(store.named_graphs())
    return {g.value: sum(1 for _ in store.quads_for_pattern(None, None, None, g)) for g in named}  # type: ignore[union-attr]


def test_the_shards_are_the_graph(bulk: Path, seeds_build: Path) -> None:
    manifest = json.loads((bulk / "manifest.json").read_text(encoding="utf-8"))
    data = [(bulk / shard["file"]).read_bytes() for shard in manifest["shards"]]
    assert b"".join(map(gzip.decompress, data)) == (seeds_build / "graph.nq").read_bytes()
    assert [hashlib.sha256(d).hexdigest() for d in data] == [shard["sha256"] for shard in manifest["shards"]]
    assert [shard["triples"] for shard in manifest["shards"]] == [6000, 6000, manifest["triples"] - 12000]
    assert manifest["graphs"] == graphs(seeds_build)
    subprocess.run(["sha256sum", "--check", "--quiet", "sha256sums"], cwd=bulk, check=True)


def test_the_same_graph_gives_the_same_bytes(bulk: Path, seeds_build: Path) -> None:
    before = {path.name: path.read_bytes() for path in bulk.iterdir()}
    export_bulk(seeds_build, bulk, shard=6000)
    assert {path.name: path.read_bytes() for path in bulk.iterdir()} == before


def test_oxigraph_loads_them(bulk: Path, seeds_build: Path, tmp_path: Path) -> None:
    env = os.environ | {"PATH": f"{Path(OXIGRAPH).parent}:{os.environ['PATH']}"}
    subprocess.run(["sh", bulk / "load-oxigraph.sh", tmp_path], env=env, check=True, capture_output=True)
    loaded = ox.Store.read_only(str(tmp_path))
    assert set(loaded) == set(ox.Store.read_only(str(seeds_build / "store")))


def test_virtuoso_loads_them_twice(bulk: Path, seeds_build: Path, virtuoso_server: Virtuoso) -> None:
    for _ in range(2):
        said = virtuoso_server.run((bulk / "load-virtuoso.sql").read_text(encoding="utf-8"))
        assert "Error" not in said
        states = [line.split()[-2:] for line in said.splitlines() if ".nq.gz" in line]
        assert states == [["2", "NULL"]] * 3
    for graph, triples in graphs(seeds_build).items():
        assert count(f"{virtuoso_server.url}/sparql", graph) == triples
        virtuoso_server.run(f"SPARQL CLEAR GRAPH <{graph}>;")


@pytest.mark.parametrize("name", ["load-jena.sh", "load-qlever.sh", "load-graphdb.sh", "load-oxigraph.sh"])
def test_the_commands_are_for_a_plain_shell(bulk: Path, name: str, tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    for program in ("tdb2.tdbloader", "qlever-index", "importrdf", "oxigraph"):
        fake = tmp_path / program
        fake.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {calls}\n[ -t 0 ] || cat > /dev/null\n', encoding="ascii")
        fake.chmod(0o755)
    env = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    subprocess.run(["sh", bulk / name, "target"], env=env, check=True, stdin=subprocess.DEVNULL)
    (bulk / "paperkg.settings.json").unlink(missing_ok=True)
    given = calls.read_text(encoding="utf-8").splitlines()
    shards = [line for line in given if line.endswith(".nq.gz")]
    assert len(shards) == (0 if name == "load-qlever.sh" else 3)
    assert all(Path(shard).is_file() for shard in shards)


def test_a_folder_with_other_things_in_it_is_left_alone(seeds_build: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work", encoding="utf-8")
    with pytest.raises(OutputError, match=r"thesis\.tex"):
        export_bulk(seeds_build, tmp_path)
    assert (tmp_path / "thesis.tex").exists()


def test_a_damaged_graph_is_told_with_its_line(seeds_build: Path, tmp_path: Path) -> None:
    lines = (seeds_build / "graph.nq").read_bytes().splitlines(keepends=True)
    (tmp_path / "graph.nq").write_bytes(b"".join(lines[:7]) + lines[7][:20])
    with pytest.raises(InputError, match=r"graph\.nq:8 is damaged"):
        export_bulk(tmp_path, tmp_path / "bulk")
    assert not (tmp_path / "bulk").exists()
    with pytest.raises(InputError, match="kg build"):
        export_bulk(tmp_path / "none", tmp_path / "bulk")
