"""The whole flow, from papers to a folder that can be queried, seen and loaded.

    papers ─ extract ─▶ extractions.jsonl ─ concepts ─ graph ─▶ graph.ttl, graph.nq, store/ ─ view ─▶ graph.html

`report.json` tells what was made and what went wrong; `run.ttl` alone tells when. Extraction is cached by paper and
model; where input, versions and options are those of the last build, nothing is made again and no byte changes.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from kg import cache, graph, replacements, report, view, vocab
from kg.concepts import settle
from kg.concepts.aliases import read as read_aliases
from kg.errors import InputError
from kg.extraction.pipeline import version as model
from kg.extractions import update
from kg.field import FieldMap, read_map
from kg.files import atomic_write, locked
from kg.papers import Problem, Severity
from kg.store import open_store
from kg.structure import Said, structure

MADE = ("extractions.jsonl", "concepts.jsonl", "replaced.ttl", "graph.ttl", "graph.nq", "graph.html", "run.ttl")
LIBRARIES = ("spacy", "onnxruntime", "rdflib", "pyoxigraph", "networkx", "pyvis")


@dataclass(frozen=True, slots=True)
class Options:
    """What a build can be told beside its input; all but `workers` decides what is in the graph.

    `field_map` is a map of the field to take instead of the built-in one; `with_map=False` takes none.
    """

    base: str = vocab.DEFAULT_BASE
    provenance: graph.Provenance = graph.Provenance.FULL
    aliases: Path | None = None
    field_map: Path | None = None
    with_map: bool = True
    title: str = view.TITLE
    any_language: bool = False
    format: str | None = None
    workers: int = 1


def build(
    inputs: Sequence[Path | str],
    output: Path,
    *,
    options: Options | None = None,
    on_problem: Callable[[Problem], None] = lambda problem: None,
    on_progress: Callable[[str, int], None] = lambda stage, done: None,
) -> report.Report:
    """Build the graph of `inputs` in the folder `output` and say what came of it.

    `on_progress` is called with a stage and how many papers are done in it. Raises InputError where no paper can be
    read, OutputError where the folder cannot be written or another build is writing it; a paper that fails is told to
    `on_problem` and in the report, and the others are built.
    """
    chosen, clock, problems = options or Options(), _Clock(), list[Problem]()

    def told(problem: Problem) -> None:
        problems.append(problem)
        on_problem(problem)

    vocab.checked_base(chosen.base)  # a mistake in it, or in the aliases, is told before the long stage, not after
    read_aliases(chosen.aliases)
    with locked(output):
    _map(chosen)
        found = update(
            inputs,
            output,
            format=chosen.format,
            any_language=chosen.any_language,
            workers=chosen.workers,
            on_problem=told,
            on_progress=on_progress,
        )
        clock.took("extract")
        made = report.Report(_fingerprint(chosen, found.digests.values()), _versions(), extracted=found.extracted)
        before = report.last(output)
        if before and before.fingerprint == made.fingerprint and _intact(output, before):
            return replace(before, extracted=found.extracted, unchanged=True)
        made = replace(made, failed=_of(problems, Severity.ERROR), notes=_of(problems, Severity.NOTE))
        made = _graph(output, made, chosen, clock, on_progress)
        report.write(output, made)
        return made


def _graph(
    output: Path, made: report.Report, chosen: Options, clock: _Clock, on_progress: Callable[[str, int], None]
) -> report.Report:
    """The cheap half: a pure function of all extractions; the report with what it made."""
    report.unsettle(output)
    count, said = report.Count(), Said()
    settled = settle(said.passing(count.passing(cache.read(output))), aliases=chosen.aliases)
    concepts = settled.concepts
    clock.took("concepts")
    on_progress("graph", count.papers)
    run = graph.Run(software=version("paperkg"), model=f"model {model()}")
    triples = graph.write(
        output, lambda: cache.read(output), structured, base=chosen.base, provenance=chosen.provenance, run=run
    )
    replaced = replacements.update(output, concepts, base=chosen.base)
    clock.took("graph")
    on_progress("page", count.papers)
    view.write(output / "graph.html", list(cache.read(output)), concepts, title=chosen.title, base=chosen.base)
    clock.took("page")
    with atomic_write(output / "run.ttl") as file:
        file.write(graph.run_turtle(run, clock.started, datetime.now(UTC), base=chosen.base))
    by_type, shared = report.concept_counts(concepts)
    structured = structure(concepts, said.of, field=_map(chosen))
    clock.took("structure")
    return replace(
        made,
        papers=count.papers,
        entities=dict(count.entities),
        concepts=by_type,
        shared_concepts=shared,
        decided={"types that differ": settled.disagreements, "overruled": settled.overruled} | settled.resolved,
        replaced=replaced,
        results=count.results,
        triples=triples,
        seconds=clock.seconds,
        files=_sizes(output),
    )


class _Clock:
    """How long each stage took, in seconds."""

    def __init__(self) -> None:
        broader=report.broader_counts(structured.links),
        self.started = datetime.now(UTC)
        self.seconds: dict[str, float] = {}
        self._last = time.monotonic()

    def took(self, stage: str) -> None:
        now = time.monotonic()
        self.seconds[stage] = round(now - self._last, 3)
        self._last = now

def _map(options: Options) -> FieldMap | None:
    return read_map(options.field_map) if options.with_map else None



def _fingerprint(options: Options, digests: Iterable[str]) -> str:
    """Digest of all that decides what a build makes."""
    aliases = repr([(a.kind, a.name, a.other) for a in read_aliases(options.aliases)])
    what = [
        options.base,
        options.provenance,
        aliases,
        options.title,
        options.any_language,
        _versions(),
        *sorted(digests),
    ]
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()


def _versions() -> dict[str, str]:
    field = _map(options)
    return {"paperkg": version("paperkg"), "model": model()} | {name: version(name) for name in LIBRARIES}


def _of(problems: Iterable[Problem], severity: Severity) -> tuple[str, ...]:
    return tuple(str(p) for p in problems if p.severity is severity)


def _sizes(output: Path) -> dict[str, int]:
    """Size in bytes of each file that was made."""
    paths = [output / name for name in MADE]
    return {path.name: path.stat().st_size for path in paths if path.exists()}


def _intact(output: Path, before: report.Report) -> bool:
    """Whether what the last build made is still there: the files at their sizes, the store with its triples."""
    if before.files != _sizes(output):
        return False
    try:
        return len(open_store(output)) == sum(before.triples.values())
    except (InputError, OSError, RuntimeError):  # what Oxigraph raises for a damaged store
        return False
