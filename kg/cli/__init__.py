"""The command line: each command parses its arguments, makes one call, prints the answer; no logic here.

A file per command, each with one function, registered below by name and imported only when its command runs, so that
`kg query` answers without loading spaCy. Data goes to standard output, everything else to standard error. Exit codes:
0 done, 1 a check or some papers failed, 2 usage, 3 a service is unavailable, 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

from kg.errors import KgError

COMMANDS = {
    "build": "Turn papers into a knowledge graph.",
    "extract": "Write the extraction records of papers.",
    "query": "Ask the graph: a question of the catalogue, a file, or SPARQL text.",
    "view": "Draw the graph, or a part of it, as one HTML file.",
    "export": "Write the graph in another format.",
    "load": "Load the graph into a triple store.",
    "serve": "Serve the graph as a SPARQL endpoint.",
    "check": "Check the graph against its shapes.",
    "score": "Score extractions against gold annotations.",
    "info": "Tell versions, model and what a build holds.",
}


def main() -> None:
    """Run the command line and exit; a KgError becomes one sentence and its exit code."""
    try:
        app(prog_name="kg")
    except KgError as error:
        sys.stderr.write(f"kg: {error}\n")
        sys.exit(error.exit_code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader has left: not a fault
        sys.exit(0)
    except KeyboardInterrupt:
        sys.exit(130)
