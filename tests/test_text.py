"""The text stage: its two laws for any source, the hard cases by table, and time that grows with the text only."""

from __future__ import annotations

import itertools
import json
import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.text import Text, clean

PIECES = r"""
    \ { } $ $$ * ** ` `` '' ~ -- --- \( \) \[ \] \emph{ \frac{ \log \alpha \ldots \cite{ \cite[ ] \' \" \c{ \% \, \\
    \href{ \mymacro{ ^{ _{ a b Z 1 é . , \text{ \it \left \i \unknown \url{ {} \$ \{ \} α \TeX \v \textcolor{ \today [ (
""".split()
MARKED = st.lists(st.sampled_from([*PIECES, " ", "  ", "\n", "\n\n", "\\ ", "\\v "]), max_size=25).map("".join)
SOURCES = st.one_of(MARKED, MARKED, st.text(max_size=40))
SEEDS = Path(__file__).parent / "data" / "seeds-gold.jsonl"


def ranges(text: Text) -> list[tuple[int, int]]:
    n = len(text.clean)
    return [(i, j) for i in range(n) for j in range(i + 1, n + 1)]


@settings(max_examples=400, deadline=None)
@given(SOURCES)
def test_a_clean_range_survives_the_way_to_the_source_and_back(source: str) -> None:
    text = clean(source)
    for start, end in ranges(text):
        s, e = text.to_source(start, end)
        i, j = text.to_clean(s, e)
        assert i <= start
        assert end <= j
        assert text.to_source(i, j) == (s, e)


@settings(max_examples=400, deadline=None)
@given(SOURCES)
def test_ranges_lie_in_the_source_and_keep_their_order(source: str) -> None:
    text = clean(source)
    single = [text.to_source(i, i + 1) for i in range(len(text.clean))]
    assert all(0 <= s < e <= len(source) for s, e in single)
    assert all(a == b or a[1] <= b[0] for a, b in itertools.pairwise(single))
    for start, end in ranges(text):
        s, e = text.to_source(start, end)
        assert s <= single[start][0]
        assert single[end - 1][1] <= e


@given(st.text(alphabet=st.characters(exclude_characters="\\$*`{}~'-", exclude_categories=["Z", "C"]), min_size=1))
def test_a_source_without_markup_maps_onto_itself(source: str) -> None:
    text = clean(source)
    assert text.clean == source
    assert text.to_source(0, len(source)) == (0, len(source))
    assert all(text.to_source(i, i + 1) == (i, i + 1) for i in range(len(source)))


@given(SOURCES)
def test_white_space_is_single_and_never_at_the_ends(source: str) -> None:
    made = clean(source).clean
    assert "  " not in made
    assert made == made.strip(" ")


CASES = [
    # the seeds' hard cases
    ("**Free** **D**raft-**a**nd-**Ve**rification (**FreeDave**)", "Free Draft-and-Verification (FreeDave)"),
    ("the **kern format", "the **kern format"),
    (r"the \emph{explainability vector} of", "the explainability vector of"),
    ("with $R^2=0.998$ on", "with R^2=0.998 on"),
    ('the ``2-datapoint reduced density matrix" (2RDM)', 'the “2-datapoint reduced density matrix" (2RDM)'),
    (r"at \url{https://example.org/a_b}.", "at https://example.org/a_b."),
    (r"a $(2+\varepsilon)$-approximation", "a (2+ε)-approximation"),
    ("2× at 3–5 Å", "2× at 3–5 Å"),
    (r"by $2\times$", "by 2×"),
    (r"($n = 24{,}960$)", "(n = 24,960)"),
    (r"$0.977 \pm 0.029$", "0.977 ± 0.029"),
    # maths and money
    ("from $5 to $10 a month", "from $5 to $10 a month"),
    (r"costs \$5", "costs $5"),
    (r"\(x_i\) and \[y\]", "x_i and y"),
    ("$$E=mc^2$$", "E=mc^2"),
    ("$unclosed and {open", "$unclosed and {open"),
    (r"$2^{L-3}$, $2^{L}$", "2^{L-3}, 2^L"),
    (r"$\frac{1}{\sqrt{n}}$", "1/√n"),
    (r"$\frac{a}{\frac{b}{c}}$", "a/b/c"),
    (r"$O(\log n)$, $\ell_2$, $\mathcal{L}$", "O(log n), ℓ_2, L"),
    (r"$\left( a \right)$", "( a )"),
    (r"$a--b$", "a--b"),
    # escapes, accents, dashes, ties
    (r"5\% \& \#1 \_x", "5% & #1 _x"),
    (r"Schr\"odinger, G\"{o}del, na\"{\i}ve, {\'{\i}}", "Schrödinger, Gödel, naïve, í"),
    (r"{\v s}, \v{c}, \c{c}, \H{o}, \L{}ojasiewicz, stra\ss e", "š, č, ç, ő, Łojasiewicz, straße"),
    (r"{\'a}b {\~n}", "áb ñ"),
    (r"host/\~{}user", "host/~user"),
    ("a -- b --- c, Figure~3, ~10", "a – b — c, Figure 3, ~10"),
    ("{BERT}: Pre-training", "BERT: Pre-training"),
    # commands with arguments
    (r"as \cite{a,b} and \citep[see][p. 2]{c} say", "as and say"),
    (r"\href{https://example.org}{the code}, \textcolor{red}{warning}", "the code, warning"),
    (r"\textbf{a \textit{b}} c", "a b c"),
    (r"\it slanted", "slanted"),
    # what is not markup
    (r"C:\unknown\dir and \mymacro{x}", r"C:\unknown\dir and \mymacro{x}"),
    ("2*3*4 and a*b", "2*3*4 and a*b"),
    ("*emphasis* and `code`", "emphasis and code"),
    (r"written on \today", r"written on \today"),
    ("`", "`"),
    ("", ""),
    (" \n\t ", ""),
    (" a\n b\u2028c ", "a b c"),
]


@pytest.mark.parametrize(("source", "expected"), CASES, ids=[source[:40] or "empty" for source, _ in CASES])
def test_clean(source: str, expected: str) -> None:
    assert clean(source).clean == expected


@pytest.mark.parametrize(
    ("source", "found", "given_back"),
    [
        (r"the \emph{explainability vector} of", "explainability vector", "explainability vector"),
        (r"fast \emph{vector} of", "fast vector", r"fast \emph{vector}"),
        (r"the $k$-means of", "k-means", "$k$-means"),
        (r"with $\alpha$-GAN", "α-GAN", r"$\alpha$-GAN"),
        (r"in $O(\log n)$ time", "lo", r"\log"),
        (r"**D**raft-**a**nd-**Ve**rification", "Draft-and-Verification", "**D**raft-**a**nd-**Ve**rification"),
        (r"by G\"{o}del", "Gödel", r"G\"{o}del"),
        (r"$\frac{a}{b}$", "a/b", r"$\frac{a}{b}$"),
    ],
)
def test_a_found_name_is_given_back_with_the_markup_that_belongs_to_it(
    source: str, found: str, given_back: str
) -> None:
    text = clean(source)
    start = text.clean.index(found)
    assert source[slice(*text.to_source(start, start + len(found)))] == given_back


def gold_spans(record: dict[str, object]) -> list[tuple[int, int]]:
    """Word-bounded occurrences of each form, the longest first, as the scorer of the gold counts them."""
    source = str(record["text"])
    entities: list[dict[str, list[str]]] = record["entities"]  # type: ignore[assignment]
    forms = sorted((form for entity in entities for form in entity["m"]), key=len, reverse=True)
    taken: set[int] = set()
    spans = []
    for form in forms:
        bounded = (
            (r"(?<!\w)" if form[0].isalnum() else "") + re.escape(form) + (r"(?!\w)" if form[-1].isalnum() else "")
        )
        for start, end in (hit.span() for hit in re.finditer(bounded, source)):
            if taken.isdisjoint(range(start, end)):
                taken.update(range(start, end))
                spans.append((start, end))
    return spans


def test_every_gold_span_of_the_seeds_is_reached_from_the_clean_text() -> None:
    records = [json.loads(line) for line in SEEDS.read_text(encoding="utf-8").splitlines()]
    spans = [(record["text"], *span) for record in records for span in gold_spans(record)]
    assert len(spans) > 600
    lost = []
    for source, start, end in spans:
        text = clean(source)
        i, j = text.to_clean(start, end)
        if i >= j or text.to_source(i, j) != (start, end):
            lost.append(source[start:end])
    assert lost == []


def test_a_range_that_is_none_is_refused() -> None:
    text = clean("abc")
    for start, end in ((0, 0), (-1, 2), (2, 4), (2, 1)):
        with pytest.raises(ValueError, match="no clean range"):
            text.to_source(start, end)


LONG = {
    unit: unit * (200_000 // len(unit))
    for unit in r"""{ } $ $$ ** * ` `` \frac{ \emph{ \( ^{ \cite{ \v{ {\"a} (*a *a* $a $\$ \\ \frac{a}{  ~a
 '' \ ^{a""".split()
}
LONG["braces in braces"] = "{" * 100_000 + "}" * 100_000
LONG["fractions in fractions"] = r"\frac{" * 15_000 + "a" + "}{b}" * 15_000


@pytest.mark.parametrize("unit", LONG)
def test_markup_without_end_takes_time_that_grows_with_the_text_only(unit: str) -> None:
    begin = time.process_time()
    text = clean(LONG[unit])
    if text.clean:
        text.to_source(0, len(text.clean))
    assert time.process_time() - begin < 5, "200,000 characters take well under a second on an idle machine"
