"""The whole flow, from papers to a folder that can be queried, seen and loaded.

    papers ─ extract ─▶ extractions.jsonl ─ concepts ─ graph ─▶ graph.ttl, graph.nq, store/ ─ view ─▶ graph.html

`report.json` tells what was made and what went wrong; `run.ttl` alone tells when. Extraction is cached by paper and
model; where input, versions and options are those of the last build, nothing is made again and no byte changes.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from importlib.metadata import version
from pathlib import Path

from kg import cache, cluster, engines, graph, replacements, report, view, vocab
from kg.concepts import settle
from kg.concepts.aliases import read as read_aliases
from kg.errors import InputError, OutputError
from kg.extraction.pipeline import version as model
from kg.extractions import Extractor, update
from kg.field import FieldMap, read_map
from kg.files import atomic_write, locked
from kg.papers import Problem, Severity
from kg.store import STORE, open_store
from kg.structure import Said, Structure, structure

MADE = ("extractions.jsonl", "concepts.jsonl", "replaced.ttl", "graph.ttl", "graph.nq", "graph.html", "run.ttl")
LIBRARIES = ("spacy", "onnxruntime", "rdflib", "pyoxigraph", "networkx", "pyvis")


class Engine(StrEnum):
    """What a build runs on: this machine, or a cluster, where the graph becomes shards of N-Quads and nothing else."""

    LOCAL = "local"
    RAY = "ray"


@dataclass(frozen=True, slots=True)
class Options:
    """What a build can be told beside its input; all but `workers` and `address` decides what is in the graph.

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
    fields: Mapping[str, str] | None = None
    workers: int = 1
    engine: Engine = Engine.LOCAL
    address: str = ""

    @property
    def extractor(self) -> Extractor:
        """Where papers are extracted."""
        if self.engine is Engine.RAY:
            return partial(cluster.extract, address=self.address)
        return partial(engines.extract, workers=self.workers)


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
    _map(chosen)
    with locked(output):
        _check_engine(output, chosen.engine)
        found = update(
            inputs,
            output,
            format=chosen.format,
            fields=chosen.fields,
            any_language=chosen.any_language,
            extract=chosen.extractor,
            on_problem=told,
            on_progress=on_progress,
        )
        clock.took("extract")
        failed, notes = _of(problems, Severity.ERROR), _of(problems, Severity.NOTE)
        made = report.Report(_fingerprint(chosen, found.digests.values()), _versions(), extracted=found.extracted)
        before = report.last(output)
        if before and before.fingerprint == made.fingerprint and _intact(output, before, chosen.engine):
            return _told_again(output, before, failed, notes, found.extracted)
        made = replace(made, failed=failed, notes=notes, retry=report.RETRY if failed else "")
        made = _graph(output, made, chosen, clock, on_progress)
        report.write(output, made)
        return made


def rebuild(
    output: Path,
    *,
    options: Options | None = None,
    on_progress: Callable[[str, int], None] = lambda stage, done: None,
) -> report.Report:
    """Make the graph of the extractions that a folder holds, wherever they come from; InputError where it has none."""
    chosen, clock = options or Options(), _Clock()
    with locked(output):
        _check_engine(output, chosen.engine)
        made = _graph(output, report.Report("", _versions()), chosen, clock, on_progress)
        report.write(output, made)
    return made


def _check_engine(output: Path, engine: Engine) -> None:
    """Refuse a folder that another engine has built in: one of its two graphs would soon be an old one."""
    other = STORE if engine is Engine.RAY else cluster.SHARDS
    if (output / other).exists():
        raise OutputError(f"{output} holds a build of the other engine ({other}); choose another folder with -o")


def _told_again(
    output: Path, before: report.Report, failed: tuple[str, ...], notes: tuple[str, ...], extracted: int
) -> report.Report:
    """The last report, where the graph is the same; what failed may not be."""
    if (before.failed, before.notes) != (failed, notes):
        before = replace(before, failed=failed, notes=notes, retry=report.RETRY if failed else "")
        report.write(output, before)
    return replace(before, extracted=extracted, unchanged=True)


def _graph(
    output: Path, made: report.Report, chosen: Options, clock: _Clock, on_progress: Callable[[str, int], None]
) -> report.Report:
    """The cheap half: a pure function of all extractions; the report with what it made."""
    report.unsettle(output)
    count, said = report.Count(), Said()
    settled = settle(said.passing(count.passing(cache.read(output))), aliases=chosen.aliases)
    concepts = settled.concepts
    clock.took("concepts")
    structured = structure(concepts, said.of, field=_map(chosen))
    clock.took("structure")
    on_progress("graph", count.papers)
    run = graph.Run(software=version("paperkg"), model=f"model {model()}")
    triples = _write(output, structured, chosen, run)
    replaced = replacements.update(output, concepts, base=chosen.base)
    clock.took("graph")
    if chosen.engine is Engine.LOCAL:
        on_progress("page", count.papers)
        page, papers = output / "graph.html", partial(cache.read, output)
        view.write(page, papers, concepts, found=structured, title=chosen.title, base=chosen.base)
        clock.took("page")
    with atomic_write(output / "run.ttl") as file:
        file.write(graph.run_turtle(run, clock.started, datetime.now(UTC), base=chosen.base))
    by_type, shared = report.concept_counts(concepts)
    return replace(
        made,
        papers=count.papers,
        entities=dict(count.entities),
        concepts=by_type,
        shared_concepts=shared,
        broader=report.broader_counts(structured.links),
        decided={"types that differ": settled.disagreements, "overruled": settled.overruled} | settled.resolved,
        replaced=replaced,
        results=count.results,
        triples=triples,
        seconds=clock.seconds,
        files=_sizes(output),
    )


def _map(options: Options) -> FieldMap | None:
    return read_map(options.field_map) if options.with_map else None


def _write(output: Path, found: Structure, chosen: Options, run: graph.Run) -> dict[str, int]:
    if chosen.engine is Engine.RAY:
        return cluster.write(
            output, found, base=chosen.base, provenance=chosen.provenance, run=run, address=chosen.address
        )
    return graph.write(
        output, lambda: cache.read(output), found, base=chosen.base, provenance=chosen.provenance, run=run
    )


class _Clock:
    """How long each stage took, in seconds."""

    def __init__(self) -> None:
        self.started = datetime.now(UTC)
        self.seconds: dict[str, float] = {}
        self._last = time.monotonic()

    def took(self, stage: str) -> None:
        now = time.monotonic()
        self.seconds[stage] = round(now - self._last, 3)
        self._last = now


def _fingerprint(options: Options, digests: Iterable[str]) -> str:
    """Digest of all that decides what a build makes."""
    aliases = repr([(a.kind, a.name, a.other) for a in read_aliases(options.aliases)])
    field = _map(options)
    what = [
        options.engine,
        options.base,
        options.provenance,
        aliases,
        repr(field.concepts if field else ()),
        options.title,
        options.any_language,
        _versions(),
        *sorted(digests),
    ]
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()


def _versions() -> dict[str, str]:
    return {"paperkg": version("paperkg"), "model": model()} | {name: version(name) for name in LIBRARIES}


def _of(problems: Iterable[Problem], severity: Severity) -> tuple[str, ...]:
    return tuple(str(p) for p in problems if p.severity is severity)


def _sizes(output: Path) -> dict[str, int]:
    """Size in bytes of each file that was made."""
    paths = [output / name for name in MADE] + sorted((output / cluster.SHARDS).glob("*"))
    return {str(path.relative_to(output)): path.stat().st_size for path in paths if path.exists()}


def _intact(output: Path, before: report.Report, engine: Engine) -> bool:
    """Whether what the last build made is still there: the files at their sizes, the store with its triples."""
    if before.files != _sizes(output):
        return False
    if engine is Engine.RAY:
        return True
    try:
        return len(open_store(output)) == sum(before.triples.values())
    except (InputError, OSError, RuntimeError):  # what Oxigraph raises for a damaged store
        return False
