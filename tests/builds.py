"""What the tests of builds share: made-up papers, what a build holds, and builds in a process that can be killed.

This module is loaded once by the server that forks the processes, so that a build starts with the model in memory.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
from multiprocessing.process import BaseProcess
from pathlib import Path

import pyoxigraph

from kg.extraction.pipeline import load_pipeline
from kg.flow import build

STABLE = ("extractions.jsonl", "graph.ttl", "graph.nq", "graph.html")
TOPICS = ("image denoising", "machine translation", "node classification", "speech recognition", "route planning")


def abstract(number: int) -> str:
    topic = TOPICS[number % len(TOPICS)]
    return (
        f"We propose Net{number}A, a transformer for {topic}. On ImageNet, Net{number}A improves accuracy by "
        f"{number + 1}.5% over BERT and needs no fine-tuning."
    )


def papers_file(path: Path, numbers: range) -> Path:
    lines = [json.dumps({"id": f"p{n:03d}", "title": f"On Net{n}A", "abstract": abstract(n)}) for n in numbers]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in STABLE}


def triples(folder: Path) -> set[str]:
    store = pyoxigraph.Store.read_only(os.path.realpath(folder / "store"))
    return {str(quad) for quad in store}


def started(source: Path, output: Path) -> BaseProcess:
    """Start a build in a process of its own."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    process = context.Process(target=_build, args=(source, output))
    process.start()
    return process


def _build(source: Path, output: Path) -> None:
    build([source], output)


if __name__ != "__main__" and "multiprocessing.forkserver" in sys.modules and "pytest" not in sys.modules:
    load_pipeline()
