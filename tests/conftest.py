"""Builds and servers that several modules of tests share: each is made once, when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import httpx
import pytest
from graph_sample import by_name, seeds
from servers import Virtuoso, oxigraph, virtuoso

from kg import graph
from kg.records import Extraction


def _made(folder: Path, part: slice) -> Path:
    extractions = list(_unequal(seeds()[part]))
    graph.write(folder, extractions, by_name(extractions))
    return folder


def _unequal(extractions: Iterable[Extraction]) -> Iterator[Extraction]:
    """Give each entity another confidence, as a model does; where all are equal, no order is the right one."""
    confidence = count(5001)
    for extraction in extractions:
        entities = (replace(entity, confidence=next(confidence) / 10_000) for entity in extraction.entities)
        yield replace(extraction, entities=tuple(entities))


@pytest.fixture(scope="session")
def seeds_build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The graph of the seeds."""
    return _made(tmp_path_factory.mktemp("seeds"), slice(None))


@pytest.fixture(scope="session")
def few_build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The graph of six of the seeds."""
    return _made(tmp_path_factory.mktemp("few"), slice(3, 9))


@pytest.fixture(scope="session")
def other_build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The graph of four of the seeds, three of which are not among the few."""
    return _made(tmp_path_factory.mktemp("other"), slice(0, 4))


@pytest.fixture(scope="session")
def oxigraph_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Oxigraph's server."""
    with oxigraph(tmp_path_factory.mktemp("oxigraph")) as url:
        yield url


@pytest.fixture
def empty_oxigraph(oxigraph_url: str) -> str:
    """Oxigraph's server with nothing in it."""
    httpx.post(f"{oxigraph_url}/update", data={"update": "DROP ALL"}, trust_env=False).raise_for_status()
    return oxigraph_url


@pytest.fixture(scope="session")
def virtuoso_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Virtuoso]:
    """Virtuoso, which may read files in the folder of all temporary files."""
    with virtuoso(tmp_path_factory.mktemp("virtuoso"), allowed=tmp_path_factory.getbasetemp()) as server:
        yield server
