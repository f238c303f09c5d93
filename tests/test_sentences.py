"""Where sentences begin, as a table; a bar stands at each cut."""

from __future__ import annotations

import pytest

from kg.extraction.sentences import sentences


@pytest.mark.parametrize(
    "marked",
    [
        "We propose a net.|It works.",
        "As in Smith et al. (2020), we use it.|See Fig. 3 and Eq. 2.",
        "It gains 3.5 points, i.e. a lot.|Code: https://x.org/a.b.c.|Done!",
        "The loss w.r.t. Gaussian noise vs. Laplace noise cf. Table 1.",
        "We ask: is it so?|Yes (see A. Turing).|And “so.”|Next",
        "It holds for all x (e.g. GANs. Also VAEs) and more.|Then this.",
        "no capital. follows here",
        "R^2=0.998.|28× faster than U-Net.|5 points",
        "",
        "One only",
    ],
)
def test_sentences(marked: str) -> None:
    text = marked.replace("|", " ")
    assert [text[a:b] for a, b in sentences(text)] == [part for part in marked.split("|") if part]
