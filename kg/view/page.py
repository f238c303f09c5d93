"""The page: our template with vis-network, the style, the script and the data inside it; nothing is fetched.

1. Placeholders `{{name}}` of `kg/data/page/page.html` are filled in one pass, so that data is never taken for template.
2. The data is JSON in an inert script element, with <, > and & escaped: no text can close it.
3. The Content-Security-Policy allows exactly these scripts and this style, by their hashes, and no connection; only a
   page that is served may ask its own server.

Why not pyvis's own page: it links to other hosts and writes names into markup.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

SCRIPTS = ("data", "make", "view", "still", "map", "labels", "find", "filter", "panel", "overview", "take", "main")
PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
UNSAFE = re.compile("[<>&\u2028\u2029]")
UNFIT = re.compile("[\ud800-\udfff\u202d\u202e]")


def render(data: Mapping[str, Any]) -> str:
    """The whole page; `data["title"]` is its title.

    >>> page = render({"title": "</script><b>"})
    >>> page.count("</script>"), "<title>&lt;/script&gt;&lt;b&gt;</title>" in page
    (3, True)
    """
    style, script, vis = _style(), _script(), _vis()
    parts = {
        "policy": policy(scripts=(vis, script), styles=(style,), connect=bool(data.get("remote"))),
        "title": html.escape(UNFIT.sub("\ufffd", str(data["title"]))),
        "style": style,
        "vis": vis,
        "script": script,
        "data": escaped_json(data),
    }
    return PLACEHOLDER.sub(lambda found: parts[found[1]], _read("page.html"))


def escaped_json(data: Any) -> str:
    r"""JSON that may stand in a script element.

    Lone surrogates, which UTF-8 cannot hold, and bidi overrides, which show a text as another one, become U+FFFD.

    >>> escaped_json({"a": "</script>"})
    '{"a":"\\u003c/script\\u003e"}'
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return UNFIT.sub("\ufffd", UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def policy(*, scripts: tuple[str, ...], styles: tuple[str, ...], connect: bool = False) -> str:
    """A Content-Security-Policy that allows these inline scripts and styles, and at most questions to its own host."""

    def hashes(texts: tuple[str, ...]) -> str:
        digests = (base64.b64encode(hashlib.sha256(t.encode()).digest()).decode() for t in texts)
        return " ".join(f"'sha256-{d}'" for d in digests)

    return (
        f"default-src 'none'; script-src {hashes(scripts)}; style-src {hashes(styles)}; img-src data: blob:; "
        f"connect-src '{'self' if connect else 'none'}'; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )


@lru_cache(maxsize=1)
def _script() -> str:
    parts = "\n".join(_read(f"{name}.js") for name in SCRIPTS)
    return f'(() => {{\n"use strict";\n{parts}}})();\n'


@lru_cache(maxsize=1)
def _style() -> str:
    return _read("page.css")


def _read(name: str) -> str:
    return files("kg").joinpath("data", "page", name).read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def _vis() -> str:
    """vis-network as pyvis bundles it, with its licence note."""
    import pyvis

    folder = Path(pyvis.__file__).parent / "lib"
    newest = max(folder.glob("vis-*/vis-network.min.js"), key=_version)
    return newest.read_text(encoding="utf-8")


def _version(path: Path) -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"\d+", path.parent.name))
