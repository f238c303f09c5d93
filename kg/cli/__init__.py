"""The command line: each command parses its arguments, makes one call, prints the answer; no logic here.

A file per command, each with one function of that name. What a command needs is imported inside the function, so that
`kg query` answers without loading spaCy. Data goes to standard output, everything else to standard error. Exit codes:
0 done, 1 a check or some papers failed, 2 usage, 3 a service is unavailable, 130 interrupted, 141 the reader has left.
"""

from __future__ import annotations

import errno
import os
import select
import sys
from typing import Any

import typer
import typer.core

from kg.cli.build import build
from kg.cli.check import check
from kg.cli.export import export
from kg.cli.extract import extract
from kg.cli.info import info
from kg.cli.link import link
from kg.cli.load import load
from kg.cli.query import query
from kg.cli.review import review
from kg.cli.score import score
from kg.cli.serve import serve
from kg.cli.version import version
from kg.cli.view import view
from kg.errors import KgError

READER_LEFT = 128 + 13  # what a shell gives for SIGPIPE
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EIO)


class _Commands(typer.core.TyperGroup):
    """The commands; one whose reader leaves, as `head` does, ends without a word and as the system's own tools do."""

    def invoke(self, ctx: Any) -> Any:
        try:
            try:
                return super().invoke(ctx)
            finally:
                if sys.stdout is not None:
                    sys.stdout.flush()
        except BrokenPipeError:
            if not _left(sys.stdout):
                raise
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is still buffered
            raise typer.Exit(READER_LEFT) from None


def _left(stream: Any) -> bool:
    """Whether who reads a stream has left."""
    if not hasattr(select, "poll"):  # Windows
        return True
    poll = select.poll()
    poll.register(stream, select.POLLERR)
    return bool(poll.poll(0))


app = typer.Typer(
    name="kg",
    cls=_Commands,
    help="Paper abstracts to a knowledge graph you can trust.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.callback(invoke_without_command=True)(version)
app.command()(build)
app.command()(check)
app.command()(export)
app.command()(extract)
app.command()(info)
app.command()(link)
app.command()(load)
app.command()(query)
app.command()(review)
app.command()(score)
app.command()(serve)
app.command()(view)


def main() -> None:
    """Run the command line and exit; a KgError becomes one sentence and its exit code."""
    _in_unicode()
    try:
        app(prog_name="kg")
    except KgError as error:
        sys.stderr.write(f"kg: {error}\n")
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(130)
    except ImportError as error:
        if isinstance(error.__context__, KeyboardInterrupt):  # an interrupt while a library was loading
            sys.exit(130)
        raise
    except OSError as error:
        if error.errno not in FULL:
            raise
        sys.stderr.write(f"kg: cannot write the answer: {error.strerror}; make room or write elsewhere with -o\n")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is buffered cannot be written either
        sys.exit(1)


def _in_unicode() -> None:
    """Start again in Python's UTF-8 mode where the locale is plain ASCII: names, queries and answers are Unicode."""
    if sys.getfilesystemencoding() == "ascii":
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], os.environ | {"PYTHONUTF8": "1"})
