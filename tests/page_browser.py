"""Driving the page: headless Chromium, and a trap for all that must never happen in it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = """
--no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync --no-first-run
"""
WATCH = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (e) => {
  window.violations.push(`${e.violatedDirective} ${e.blockedURI}`);
});
"""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS.split())
        yield browser
        browser.close()


def renderer_seconds() -> float:
    """Processor time of this process's browser renderers: unlike the clock, it does not depend on what else runs."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                renderer = b"--type=renderer" in (entry / "cmdline").read_bytes()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
            if renderer:
                ticks[int(entry.name)] = int(fields[11]) + int(fields[12])

    def ours(pid: int) -> bool:
        while pid > 1 and pid != os.getpid():
            pid = parents.get(pid, 0)
        return pid == os.getpid()

    return sum(t for pid, t in ticks.items() if ours(pid)) / os.sysconf("SC_CLK_TCK")


class Opened:
    """An open page, and what went wrong in it."""

    def __init__(self, browser: Browser, file: Path, *, fragment: str = "", **context: Any) -> None:
        options = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", "accept_downloads": True}
        self.context = browser.new_context(**(options | context))
        self.page: Page = self.context.new_page()
        self.wrong: list[str] = []
        self.page.add_init_script(WATCH)
        self.page.on("dialog", self._dialog)
        self.page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        self.page.on("console", lambda m: self.wrong.append(f"console: {m.text}") if m.type == "error" else None)
        self.page.on("request", self._request)
        self.file = file
        self.page.goto(file.as_uri() + fragment)
        self.page.wait_for_selector("html[data-ready]", timeout=120_000)

    def _dialog(self, dialog: Any) -> None:
        self.wrong.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _request(self, request: Any) -> None:
        if not request.url.startswith((self.file.as_uri(), "blob:", "data:")):
            self.wrong.append(f"request: {request.url}")

    def close(self) -> list[str]:
        """Close it; everything that should not have happened."""
        wrong = self.wrong + [f"policy: {v}" for v in self.page.evaluate("window.violations")]
        self.context.close()
        return wrong

    # ---- what a reader does and sees

    def click_node(self, key: str) -> None:
        spot = self.page.evaluate("(key) => paperkg.where(key)", key)
        self.page.mouse.click(spot["x"], spot["y"])

    def hover_node(self, key: str) -> str:
        spot = self.page.evaluate("(key) => paperkg.where(key)", key)
        self.page.mouse.move(spot["x"] + 1, spot["y"] + 1)
        return self.page.inner_text("#tip")

    def shown(self, key: str) -> bool:
        return bool(self.page.evaluate("(key) => paperkg.where(key).shown", key))

    def settle(self) -> None:
        """Let the page hear of what happened, and paint."""
        self.page.evaluate(
            "new Promise((go) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(go)), 50))"
        )

    def heading(self) -> str:
        self.settle()
        return self.page.inner_text("#panel h2")

    def panel(self) -> str:
        return self.page.inner_text("#panel")

    def colour_at(self, key: str) -> tuple[int, ...]:
        """The colour that is painted where a node stands."""
        self.settle()
        return tuple(
            self.page.evaluate(
                """(key) => {
                    const spot = paperkg.where(key), canvas = document.querySelector("#map canvas");
                    const box = canvas.getBoundingClientRect(), ratio = canvas.width / box.width;
                    const [x, y] = [(spot.x - box.left) * ratio, (spot.y - box.top) * ratio];
                    return [...canvas.getContext("2d").getImageData(x, y, 1, 1).data];
                }""",
                key,
            )
        )
