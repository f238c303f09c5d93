"""How fast is `kg load`? Against `oxigraph load` on the same triples, in one run; and what memory it takes, by size.

    python tests/bench/load.py [--triples N] [--times N] [-o output/bench.json]

1. A graph shaped like ours, of a million triples in two named graphs (`tests/million.py`).
2. By turns: `oxigraph load` of its N-Quads into an empty store; `kg load` of it, with all that it verifies, by the
   Graph Store Protocol into Oxigraph's server over an empty store of the same kind.
3. The rate is triples by seconds of the whole process, from its start to its end; the ratio is that of the medians.
   Processor time is told beside it, for a machine that does other things, too: ours with that of the server.
4. Peak memory of `kg load` at a quarter of the triples and at all of them: it is flat if both are alike.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import psutil
from million import million
from servers import OXIGRAPH, count, oxigraph

WANTED = 0.5


@dataclass(frozen=True)
class Took:
    """What a process took: seconds, seconds of processor time, and megabytes at most."""

    seconds: float
    processor: float
    megabytes: float


def measure(*, triples: int = 1_000_000, times: int = 5, work: Path | None = None) -> dict[str, Any]:
    """Measure; gives rows to print, the ratio, and all that was measured."""
    with tempfile.TemporaryDirectory(dir=work, prefix="bench-load-") as folder:
        whole, quarter = Path(folder, "whole"), Path(folder, "quarter")
        whole.mkdir()
        quarter.mkdir()
        million(whole, triples)
        million(quarter, triples // 4)
        theirs, ours, small = [], [], []
        for _ in range(times):
            theirs.append(by_oxigraph(whole))
            ours.append(by_kg(whole, triples))
            small.append(by_kg(quarter, triples // 4))
    rows = [row("oxigraph load", triples, theirs), row("kg load", triples, ours), row("kg load", triples // 4, small)]
    seconds = [median(took.seconds for took in some) for some in (theirs, ours)]
    processor = [median(took.processor for took in some) for some in (theirs, ours)]
    return {
        "rows": rows,
        "ratio": round(seconds[0] / seconds[1], 3),
        "ratio of processor time": round(processor[0] / processor[1], 3),
        "wanted": WANTED,
        "versions": {name: version(name) for name in ("paperkg", "oxigraph", "pyoxigraph", "httpx")},
        "runs": {"oxigraph load": [vars(t) for t in theirs], "kg load": [vars(t) for t in ours]},
    }


def by_oxigraph(build: Path) -> Took:
    """Load a build's N-Quads into an empty store by Oxigraph's own loader."""
    with tempfile.TemporaryDirectory(dir=build) as folder:
        return run([OXIGRAPH, "load", "--location", folder, "--file", str(build / "graph.nq")])


def by_kg(build: Path, triples: int) -> Took:
    """Load a build into Oxigraph's server over an empty store; the server's processor time counts, too."""
    with tempfile.TemporaryDirectory(dir=build) as folder, oxigraph(Path(folder)) as url:
        [server] = [p for p in psutil.Process().children() if folder in p.cmdline()]
        before = sum(server.cpu_times()[:2])
        took = run([sys.executable, "-m", "kg", "load", url, "--from", str(build), "-q"])
        served = sum(server.cpu_times()[:2]) - before
        assert count(f"{url}/query") == triples
    return Took(took.seconds, took.processor + served, took.megabytes)


def run(command: list[str]) -> Took:
    """Run a command to its end."""
    started = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    status, megabytes = Path(f"/proc/{process.pid}/status"), 0.0
    while (ended := os.wait4(process.pid, os.WNOHANG))[0] == 0:
        if peak := re.search(r"VmHWM:\s+(\d+)", status.read_text()):  # ru_maxrss would count what it is forked from
            megabytes = int(peak[1]) / 1024
        time.sleep(0.02)
    process.returncode = os.waitstatus_to_exitcode(ended[1])
    assert process.returncode == 0, command
    used = ended[2]
    return Took(round(time.monotonic() - started, 2), round(used.ru_utime + used.ru_stime, 2), round(megabytes))


def row(name: str, triples: int, runs: list[Took]) -> dict[str, Any]:
    """One line of the table: medians."""
    seconds = median(took.seconds for took in runs)
    return {
        "": name,
        "triples": f"{triples:,}",
        "seconds": round(seconds, 2),
        "triples/s": f"{triples / seconds:,.0f}",
        "processor s": round(median(took.processor for took in runs), 2),
        "MB": round(median(took.megabytes for took in runs)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("-o", "--output", type=Path, help="file of results, in which these go under `load`")
    parser.add_argument("--triples", type=int, default=1_000_000)
    parser.add_argument("--times", type=int, default=5, help="runs of which the median is taken")
    options = parser.parse_args()
    found = measure(triples=options.triples, times=options.times)
    for line in found["rows"]:
        print("  ".join(f"{name} {value}".strip() for name, value in line.items()))
    print(f"kg load has {found['ratio']} of the rate of oxigraph load; {WANTED} is wanted")
    if options.output:
        told = json.loads(options.output.read_text(encoding="utf-8")) if options.output.exists() else {}
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(json.dumps(told | {"load": found}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
