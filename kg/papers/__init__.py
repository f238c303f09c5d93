"""Files, folders and standard input to papers, one at a time, in any format that people keep abstracts in.

1. `sources`: inputs to open byte streams, unpacked, in UTF-8;
2. `formats`: the reader for each, by content and extension;
3. a reader per format, which ends in `make.paper`: the abstract verbatim, ids normalised;
4. `same`: the same paper from two sources is one paper.

A paper, a line or a file that is wrong is told as a `Problem`, and the others go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from kg.errors import InputError
from kg.papers import formats
from kg.papers.languages import language
from kg.papers.problems import Problem, Severity
from kg.papers.same import Seen
from kg.papers.shapes import named_fields
from kg.papers.sources import BROKEN, files, opened, reason
from kg.records import Paper

__all__ = ["Problem", "Severity", "language", "named_fields", "read"]


def read(
    inputs: Sequence[Path | str],
    *,
    format: str | None = None,
    fields: Mapping[str, str] | None = None,
    on_problem: Callable[[Problem], None],
) -> Iterator[Paper]:
    """Papers of files, folders and standard input (`-`), each paper once, in sorted order within a folder.

    `format` forces a format (see `formats.FORMATS`), `fields` names fields of records that go by other names, as in
    `{"text": "resumen"}`. What is wrong goes to `on_problem`; InputError where no paper at all can be read.
    """
    chosen = formats.named(format) if format else None
    return _read(inputs, chosen, fields or {}, _Reporter(on_problem))


class _Reporter:
    """Passes problems on; holds the first error back until there is more to say: alone, it becomes the InputError."""

    def __init__(self, on_problem: Callable[[Problem], None]) -> None:
        self.on_problem = on_problem
        self.held: Problem | None = None
        self.errors = 0

    def __call__(self, problem: Problem) -> None:
        if problem.severity is Severity.ERROR:
            self.errors += 1
            if self.errors == 1:
                self.held = problem
                return
        self.release()
        self.on_problem(problem)

    def release(self) -> None:
        if self.held:
            self.on_problem(self.held)
            self.held = None


def _read(
    inputs: Sequence[Path | str], chosen: formats.Format | None, fields: Mapping[str, str], report: _Reporter
) -> Iterator[Paper]:
    seen, count = Seen(), 0
    known = (lambda path: True) if chosen else formats.by_name
    for path in files(inputs, known=lambda path: bool(known(path)), report=report):
        for paper in _papers(path, chosen, fields, report):
            if problem := seen.problem(paper):
                report(problem)
            else:
                report.release()
                count += 1
                yield paper
    if count:
        report.release()
    elif report.errors:
        raise InputError(str(report.held or f"no paper could be read ({report.errors} problems, told above)"))
    else:
        raise InputError("there is no paper in the input; give files that hold abstracts")


def _papers(path: Path, chosen: formats.Format | None, fields: Mapping[str, str], report: _Reporter) -> Iterator[Paper]:
    with opened(path, report=report, fields=fields) as source:
        if source is None:
            return
        form, count, errors = chosen or formats.detected(source), 0, report.errors
        source.info(f"is read as {form.title}" + ("" if chosen else "; force another format if that is wrong"))
        try:
            for paper in form.read(source):
                count += 1
                yield paper
        except BROKEN as error:
            source.error(f"breaks off ({reason(error)}); the {count} papers before that were read, restore the rest")
        if not count and errors == report.errors:
            source.error(f"holds no paper as {form.title}; force another format if that is wrong")
