"""What a build made, with what, in what time, and what went wrong: `report.json`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from kg.errors import InputError
from kg.files import atomic_write
from kg.records import Concept, EntityType, Extraction
from kg.structure import Broader

NAME = "report.json"
RETRY = "mend what `failed` names and give the same command again: only papers that are new or changed are extracted"
TYPES: dict[str, type] = {"str": str, "int": int, "bool": bool, "Mapping": dict, "tuple": tuple}


@dataclass(frozen=True, slots=True)
class Report:
    """One build. `fingerprint` digests input, versions and options: two builds with the same one are the same bytes.

    `papers` counts what is in the graph, `extracted` what was not taken over from an earlier build; `entities` and
    `concepts` are by type, `broader` counts links from narrow to broad by where they are known from, `decided` what the
    concepts had to decide (entities whose types differ, short forms by what resolved them), `replaced` the IRIs of
    earlier builds that others stand for; `triples` are by named graph, `seconds` by stage; `failed` and `notes` are one
    sentence each, beginning with the place, `retry` says how to try again only what failed; `files` are the sizes in
    bytes of what was made.
    """

    fingerprint: str
    versions: Mapping[str, str]
    papers: int = 0
    extracted: int = 0
    entities: Mapping[str, int] = field(default_factory=dict)
    concepts: Mapping[str, int] = field(default_factory=dict)
    shared_concepts: int = 0
    broader: Mapping[str, int] = field(default_factory=dict)
    decided: Mapping[str, int] = field(default_factory=dict)
    replaced: int = 0
    results: int = 0
    triples: Mapping[str, int] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    failed: tuple[str, ...] = ()
    retry: str = ""
    notes: tuple[str, ...] = ()
    files: Mapping[str, int] = field(default_factory=dict)
    unchanged: bool = False


class Count:
    """Counts extractions as they pass."""

    def __init__(self) -> None:
        self.papers = 0
        self.results = 0
        self.entities = Counter({t.value: 0 for t in EntityType})

    def passing(self, extractions: Iterable[Extraction]) -> Iterable[Extraction]:
        """The same extractions, counted."""
        for extraction in extractions:
            self.papers += 1
            self.results += len(extraction.results)
            self.entities.update(e.type.value for e in extraction.entities)
            yield extraction


def concept_counts(concepts: Iterable[Concept]) -> tuple[dict[str, int], int]:
    """Concepts by type, and how many of them two or more papers share."""
    counts = Counter({t.value: 0 for t in EntityType})
    shared = 0
    for concept in concepts:
        counts[concept.type.value] += 1
        shared += len({paper for paper, _ in concept.members}) > 1
    return dict(counts), shared


def broader_counts(links: Iterable[Broader]) -> dict[str, int]:
    """Links by where they are known from; one that is known from two counts twice."""
    return dict(sorted(Counter(source.value for link in links for source in link.sources).items()))


def write(folder: Path, report: Report) -> None:
    """Write report.json."""
    record = asdict(report)
    del record["unchanged"]
    text = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
    with atomic_write(folder / NAME, binary=True) as file:
        file.write(text.encode("utf-8", "backslashreplace"))  # a file's name need not be Unicode


def last(folder: Path) -> Report | None:
    """The report of the build in a folder; None where there is none that can be read."""
    try:
        record = json.loads((folder / NAME).read_text(encoding="utf-8"))
        known = {f.name for f in fields(Report)}
        values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in record.items() if k in known}
        report = Report(**values)
    except (OSError, ValueError, TypeError, AttributeError):
        return None
    return report if _is_whole(report) else None


def _is_whole(report: Report) -> bool:
    """Whether all that was read is of the type that was written: somebody else's JSON may have the same names."""
    sound = {f.name: isinstance(getattr(report, f.name), TYPES[str(f.type).partition("[")[0]]) for f in fields(Report)}
    if not all(sound.values()) or not all(isinstance(one, str) for one in (*report.failed, *report.notes)):
        return False
    counts = (report.entities, report.concepts, report.decided, report.triples, report.seconds, report.files)
    return all(isinstance(n, int | float) for of in counts for n in of.values())


def unsettle(folder: Path) -> None:
    """Note that what the last report tells of is being replaced: should this break off, it must not be relied on."""
    before = last(folder)
    if before and before.fingerprint:
        write(folder, replace(before, fingerprint=""))


def told(folder: Path, *, expected: bool = False) -> str:
    """Versions, and what the build in a folder holds, as lines to read; InputError if it is `expected` and missing."""
    report = last(folder)
    lines = [f"paperkg {version('paperkg')}"]
    if report is None:
        damaged = (folder / NAME).exists()
        sentence = f"{folder / NAME} cannot be read" if damaged else f"there is no build in {folder}"
        sentence += f"; `kg build INPUT -o {folder}` makes one"
        if expected or damaged:
            raise InputError(sentence)
        return "\n".join([*lines, sentence])
    lines += [f"{name} {number}" for name, number in report.versions.items() if name != "paperkg"]
    lines += [
        "",
        f"{folder}: {report.papers:,} papers, {report.results:,} results, {sum(report.triples.values()):,} triples",
    ]
    for name, counts in (("entities", report.entities), ("concepts", report.concepts)):
        lines.append(f"{name}: {_listed(counts)}")
    lines.append(f"concepts in two or more papers: {report.shared_concepts:,}")
    if report.broader:
        lines.append("broader concepts, by where they are known from: " + _listed(report.broader))
    lines += [f"failed: {one}" for one in report.failed] + [f"note: {one}" for one in report.notes]
    return "\n".join(lines)


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{n:,} {kind}" for kind, n in counts.items())
