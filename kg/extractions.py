"""The first, expensive stage of a build: input to an up-to-date extractions.jsonl.

A paper goes to the extractor where the cache does not hold it as it is; one in another language than English is kept
without entities rather than given wrong ones, unless it is asked for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from kg import engines
from kg.cache import Cache
from kg.codec import dumps
from kg.extraction.pipeline import version
from kg.files import atomic_write, standard_output
from kg.papers import Problem, Severity, language, read
from kg.records import Extraction, Paper

ENGLISH = "en"
Extractor = Callable[[Iterable[Paper]], Iterator[Extraction | engines.Failure]]


@dataclass(slots=True)
class Updated:
    """What the stage found: a digest of each paper in the build, and how many were extracted anew."""

    digests: dict[str, str] = field(default_factory=dict)
    extracted: int = 0


def update(
    inputs: Sequence[Path | str],
    folder: Path,
    *,
    format: str | None = None,
    fields: Mapping[str, str] | None = None,
    any_language: bool = False,
    extract: Extractor = engines.extract,
    on_problem: Callable[[Problem], None],
    on_progress: Callable[[str, int], None],
) -> Updated:
    """Bring the extractions of `folder` up to date with `inputs`; papers that are gone from the input go.

    `extract` is where new papers are extracted: in this process, in others, on other machines.
    """
    cache = Cache(folder, model=version() + ("+any-language" if any_language else ""))
    if cache.damaged:
        told = f"{cache.damaged} damaged records of an earlier build are extracted again"
        on_problem(Problem(str(folder), told, Severity.NOTE))
    made = Updated()
    foreign: list[Extraction] = []

    def wanted() -> Iterator[Paper]:
        """Papers to extract; every paper's content is noted on the way."""
        for number, paper in enumerate(read(inputs, format=format, fields=fields, on_problem=on_problem), 1):
            on_progress("extract", number)
            made.digests[paper.id] = hashlib.sha256(dumps(Extraction(paper)).encode()).hexdigest()
            code = ENGLISH if any_language else language(paper.text)
            if code != ENGLISH:
                on_problem(Problem(paper.origin or paper.id, _in_another(code), Severity.NOTE))
            if cache.get(paper) is not None:
                continue
            if code != ENGLISH:
                foreign.append(Extraction(paper))
            else:
                yield paper

    for _ in cache.add_all(_succeeding(extract(wanted()), on_problem)):
        made.extracted += 1
    for _ in cache.add_all(foreign):
        pass
    made.digests = {paper_id: digest for paper_id, digest in made.digests.items() if paper_id in cache}
    cache.finish(made.digests)
    return made


def write(
    inputs: Sequence[Path | str],
    output: str,
    *,
    format: str | None = None,
    fields: Mapping[str, str] | None = None,
    workers: int = 1,
    min_confidence: float = 0.0,
    on_problem: Callable[[Problem], None],
    on_progress: Callable[[str, int], None],
) -> int:
    """Write the extraction records of `inputs` to a file or `-`, in their order; the number of problems told as errors.

    `min_confidence`, in [0, 1], leaves out less likely mentions, and entities that lose all of theirs.
    """
    errors = 0

    def told(problem: Problem) -> None:
        nonlocal errors
        errors += problem.severity is Severity.ERROR
        on_problem(problem)

    papers = read(inputs, format=format, fields=fields, on_problem=told)
    with standard_output() if output == "-" else atomic_write(Path(output)) as file:
        for number, one in enumerate(_succeeding(engines.extract(papers, workers=workers), told), 1):
            file.write(dumps(confident(one, min_confidence)) + "\n")
            on_progress("extract", number)
    return errors


def confident(extraction: Extraction, least: float) -> Extraction:
    """An extraction without mentions below a confidence in [0, 1], and without entities that lose all of theirs."""
    if least <= 0:
        return extraction
    kept = (replace(e, mentions=tuple(m for m in e.mentions if m.confidence >= least)) for e in extraction.entities)
    return replace(extraction, entities=tuple(e for e in kept if e.mentions))


def _succeeding(
    found: Iterable[Extraction | engines.Failure], on_problem: Callable[[Problem], None]
) -> Iterator[Extraction]:
    for one in found:
        if isinstance(one, engines.Failure):
            where = one.paper.origin or one.paper.id
            on_problem(Problem(where, f"could not be extracted ({one.reason}); please report it with its text"))
        else:
            yield one


def _in_another(code: str) -> str:
    what = "another language" if code == "und" else f"another language ({code})"
    return f"is in {what} than English and is kept without entities; --any-language extracts it all the same"
