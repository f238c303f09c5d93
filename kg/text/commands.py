"""What TeX's commands mean for a reader: which wrap words, which are swallowed, which stand for characters."""

from __future__ import annotations

from functools import lru_cache

WRAPPERS = frozenset(
    "emph textbf textit textrm texttt textsc textsf textsl textmd textup textnormal underline uline text mbox hbox em "
    "mathrm mathcal mathbb mathbf mathsf mathit mathtt mathfrak mathscr boldsymbol bm operatorname ensuremath "
    "textsubscript textsuperscript "
    "widetilde tilde widehat hat bar overline vec dot ddot smash enquote url path footnotesize small".split()
)
SWALLOWED = frozenset(
    "left right big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr middle displaystyle textstyle limits nolimits it bf "
    "rm sf tt sc em itshape bfseries noindent quad qquad xspace protect nobreak allowbreak par".split()
)
WITH_ARGUMENT = frozenset(
    "cite citep citet citealp citealt citeauthor citeyear citeyearpar parencite textcite autocite footcite nocite ref "
    "label eqref cref Cref autoref footnote vspace hspace".split()
)
ACCENTS = {"'": "\u0301", "`": "\u0300", '"': "\u0308", "^": "\u0302", "~": "\u0303", "=": "\u0304", ".": "\u0307"}
LETTER_ACCENTS = {"c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "k": "\u0328", "r": "\u030a"}
LETTERS = {"l": "ł", "L": "Ł", "o": "ø", "O": "Ø", "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å"}
LETTERS |= {"AA": "Å", "i": "ı", "j": "ȷ"}
MATHS_BY_HAND = {"ell": "ℓ", "ldots": "…", "dots": "…", "cdots": "…", "sqrt": "√", "lVert": "‖", "rVert": "‖"}
MATHS_BY_HAND |= {"log": "log", "ln": "ln", "exp": "exp", "min": "min", "max": "max", "arg": "arg", "argmin": "argmin"}


@lru_cache(maxsize=1)
def symbols() -> dict[str, str]:
    """Commands without arguments and the characters that pylatexenc says they stand for."""
    from pylatexenc.latex2text import get_default_latex_context_db

    database = get_default_latex_context_db()
    return {
        spec.macroname: spec.simplify_repl
        for category in database.categories()
        for spec in database.iter_macro_specs([category])
        if isinstance(spec.simplify_repl, str) and _is_symbol(spec.simplify_repl)
    }


def _is_symbol(text: str) -> bool:
    """Whether a replacement is one visible character or words: no spacing, no template, not today's date."""
    return (len(text) == 1 and not text.isspace() and text != "%") or text.replace(" ", "").isalpha()
