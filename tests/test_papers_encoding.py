"""Any bytes to valid UTF-8, block by block, with what was changed told."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from papers_reading import reading_text

from kg.papers.encoding import BLOCK, repaired


def mended(data: bytes) -> tuple[str, list[str]]:
    told: list[str] = []
    blocks = repaired(io.BytesIO(data), head=data[:100], note=lambda message, origin="": told.append(message))
    return b"".join(blocks).decode("utf-8"), told


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])), st.integers(0, 8))
def test_utf8_passes_as_it_is_wherever_blocks_end(text: str, shift: int) -> None:
    text = "x" * (BLOCK - shift) + text
    assert mended(text.encode()) == (text, [])


@given(st.binary(max_size=300), st.sampled_from([b"", b"a\n" * (BLOCK // 2 - 1)]))
def test_any_bytes_become_utf8_line_by_line(data: bytes, before: bytes) -> None:
    text, _ = mended(b"plain first\n" + before + data)
    assert text.count("\n") == 1 + before.count(b"\n") + data.count(b"\n")


WORDS = st.sampled_from(["naïve", "café", "“quoted”", "Gödel’s", "plain", "€5", "a–b", "±1", "Ångström", "5×", "\n"])


@given(st.lists(WORDS).map(" ".join))
def test_cp1252_among_ascii_comes_back(text: str) -> None:
    made, told = mended(b"first line\n" + text.encode("cp1252"))
    assert made == "first line\n" + text
    assert bool(told) == (not text.isascii())


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be", "utf-32"])
def test_a_byte_order_mark_decides(tmp_path: Path, encoding: str) -> None:
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    papers, _ = reading_text(tmp_path, "a.txt", (mark + "ICML 2025\n\nNaïve café 论文.\n").encode(encoding))
    assert [(paper.venue, paper.text) for paper in papers] == [("ICML", "Naïve café 论文.")]


@pytest.mark.parametrize(
    ("line", "text", "message"),
    [
        ("Na\xefve \x93quotes\x94 by G\xf6del".encode("latin-1"), "Naïve “quotes” by Gödel", "read as cp1252"),
        ("Größe und Maß".encode() + b" \xff", "Größe und Maß \ufffd", "damaged UTF-8"),
        ("论文列表和摘要".encode("gbk"), None, "neither UTF-8 nor cp1252"),
        ("статья о моделях".encode("koi8-r"), None, "neither UTF-8 nor cp1252"),
        ("論文のリスト".encode("shift-jis"), None, "neither UTF-8 nor cp1252"),
    ],
)
def test_what_a_line_was_is_told_with_its_number(line: bytes, text: str | None, message: str) -> None:
    made, told = mended(b"first\n" + line + b"\nlast")
    assert made.split("\n")[1] == text or (text is None and "\ufffd" in made)
    assert len(told) == 1
    assert message in told[0]
    assert "(line 2)" in told[0]
