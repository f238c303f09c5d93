"""How fast the page is in Chromium: `python tests/bench/page.py [--papers N ...]`.

Pages of 38 (the seeds), 1,000 and 34,000 made-up papers that name models, methods, tasks and data sets about as often
as real ones do. For each: seconds until it can be used, bytes, seconds to make it, and frames a second while it is
panned and zoomed by a hand that never stops. On a busy machine the clock says little: the processor time of the
browser's renderer is beside it, and frames by it are what one core could draw. Readiness is judged by that time, which
is the longer one; frames by the clock, which also has what the screen waits for.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import sys
import tempfile
import time
from collections.abc import Generator
from itertools import count, cycle
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from graph_sample import by_name, seeds
from page_browser import Opened, chromium, renderer_seconds
from playwright.sync_api import Browser

from kg import view
from kg.records import Entity, EntityType, Extraction, Mention, Paper, Role

SIZES = (38, 1_000, 34_000)
BUDGETS = {38: (1.5, 2_000_000), 1_000: (4.0, math.inf)}
FRAMES = 30
MOVING = 3.0  # seconds
WHEEL = 300  # pixels that it is turned one way, in half a second
KINDS = (
    (EntityType.MODEL, Role.PROPOSES, 0),  # a name of its own, else of a pool of so many
    (EntityType.MODEL, Role.USES, 3000),
    (EntityType.METHOD, Role.PROPOSES, 0),
    (EntityType.METHOD, Role.USES, 9000),
    (EntityType.TASK, Role.ADDRESSES, 7000),
    (EntityType.DATASET, Role.EVALUATES_ON, 3000),
    (EntityType.METRIC, Role.REPORTS, 900),
)
SYLLABLES = "ba ce di fo gu ka le mi no pu ra se ti vo zu lar mon nex pil rud sta tor ven wig".split()


def measure(sizes: tuple[int, ...] = SIZES) -> dict[str, Any]:
    """Measure pages of so many papers: a row each."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        return {"rows": [_measure(browser, Path(folder) / f"{size}.html", size) for size in sizes]}


def corpus(size: int) -> list[Extraction]:
    """Made-up papers, the same each time: names of rank r are named about 1/r as often as the first."""
    return [_paper(i) for i in range(size)]


def _paper(number: int) -> Extraction:
    text, entities = "", []
    for place, (kind, role, pool) in enumerate(KINDS):
        draw = int.from_bytes(hashlib.sha256(f"{number} {place}".encode()).digest()[:4]) / 2**32
        rank = int(pool**draw) if pool else 10_000 + number
        name = " ".join(SYLLABLES[(rank // 24**k + 7 * place) % 24] + SYLLABLES[(rank + k) % 24] for k in (0, 1, 2))
        start = len(text) + len("We look at ")
        entities.append(Entity(name, kind, role, 0.9, (Mention(start, start + len(name), name, 0.9),)))
        text += f"We look at {name} here, with some more words about what it does and why. "
    sentences = tuple((m.mentions[0].start - 11, m.mentions[0].end) for m in entities)
    return Extraction(Paper(f"b{number:06}", text, year=2000 + number % 26), tuple(entities), (), (), sentences)


def _measure(browser: Browser, file: Path, size: int) -> dict[str, Any]:
    papers = seeds() if size == len(seeds()) else corpus(size)
    began = time.process_time()
    view.write(file, lambda: papers, by_name(papers))
    made = time.process_time() - began
    before = renderer_seconds()
    page = Opened(browser, file)
    found = {
        "papers": size,
        "interactive_s": page.page.evaluate("Number(document.documentElement.dataset.ready)") / 1000,
        "interactive_renderer_s": round(renderer_seconds() - before, 2),
        "bytes": file.stat().st_size,
        "made_cpu_s": round(made, 2),
        "left_out": page.page.evaluate("JSON.parse(document.getElementById('data').textContent).leftOut"),
    }
    for name, move in (("pan", _pan), ("zoom", _zoom)):
        found |= {f"{name}_{key}": value for key, value in _frames(page, move).items()}
    page.close()
    return found


def _frames(page: Opened, move: Any) -> dict[str, float]:
    """Frames a second while something moves: by the clock, and as many as a renderer with a core to itself could."""
    page.page.evaluate("""() => {
        window.draws = [];
        window.counts ||= paperkg.network.on("afterDrawing", () => { window.draws.push(performance.now()); }) || true;
    }""")
    cpu, clock = renderer_seconds(), time.monotonic()
    moves = move(page)
    for _ in moves:  # the next one begins when the browser has taken the one before
        if time.monotonic() - clock > MOVING:
            break
    moves.close()
    busy, draws = renderer_seconds() - cpu, page.page.evaluate("window.draws")
    seconds = (draws[-1] - draws[0]) / 1000  # from the first: before it, the hand was still being moved there
    by_clock, by_renderer = (len(draws) - 1) / seconds, len(draws) / max(busy, 0.01)
    return {"frames_a_s": round(by_clock, 1), "frames_a_renderer_s": round(by_renderer, 1)}


def _pan(page: Opened) -> Generator[None]:
    page.page.mouse.move(400, 400)
    page.page.mouse.down()
    try:
        for i in count():
            page.page.mouse.move(400 + 3 * (i % 30), 400 + 2 * (i % 20))
            yield
    finally:
        page.page.mouse.up()


def _zoom(page: Opened) -> Generator[None]:
    """Turn the wheel by Chromium's own hand: Playwright's waits two frames for each turn."""
    devtools = page.page.context.new_cdp_session(page.page)
    for way in cycle((-1, 1)):
        turn = {"x": 400, "y": 400, "yDistance": way * WHEEL, "speed": 2 * WHEEL, "gestureSourceType": "mouse"}
        devtools.send("Input.synthesizeScrollGesture", turn)
        yield


def main() -> None:
    """Print what was measured, and what is over its budget."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", type=int, nargs="+", default=SIZES)
    rows = measure(tuple(parser.parse_args().papers))["rows"]
    columns = [c for c in rows[0] if c != "left_out"]
    print("  ".join(columns))
    for row in rows:
        print("  ".join(f"{row[c]:>{len(c)}}" for c in columns))
    for row in rows:
        seconds, most = BUDGETS.get(row["papers"], (math.inf, math.inf))
        over = {
            f"ready after {seconds} s": row["interactive_renderer_s"] > seconds,
            f"more than {most:,} bytes": row["bytes"] > most,
            f"fewer than {FRAMES} frames a second": min(row["pan_frames_a_s"], row["zoom_frames_a_s"]) < FRAMES,
        }
        print(
            f"{row['papers']:,} papers:",
            ", ".join(k for k, v in over.items() if v) or "within the budget",
            *row["left_out"],
        )


if __name__ == "__main__":
    main()
