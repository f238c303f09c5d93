"""Surface form to key: names that are spelled alike, whatever their dress, have one key.

1. markup away (`kg.text.plain`), compatibility characters to plain ones (NFKC), Greek letters to their names;
2. the short form that a name carries in brackets away, where its letters stand for the words beside it
   (`out-of-distribution (OOD) detection`); other brackets lose their marks only (`GPT-4V(ision)`);
3. words, at spaces, dashes and slashes; each to small letters, to its singular and to American spelling;
4. number words and Roman numerals at the end to digits; the words joined without a separator.

What tells versions, sizes and variants apart stays: digits, `.` between digits, `+`, `#`, `@`, `*` at the end of a
word. Joining without separators is what makes `fine-tuning`, `fine tuning` and `finetuning` one; comparing word by word
would not. Words that no rule gets right are data (`kg/data/words.tsv`), not code.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from importlib.resources import files

from kg.text import plain

DASHES = re.compile("[\u002d\u2010-\u2015\u2212/\\s_,:;|]+")
NOT_IN_WORD = re.compile(r"[^\w.+#@*^]|(?<!\d)\.|\.(?!\d)|\*(?=\w)|^[*.]+")
BRACKETS = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]")
CAPITALS_PLURAL = re.compile(r"(?=.*[A-Z].*[A-Z\d])([\w.+-]*[A-Z\d+])s")
SHORT = re.compile(r"(?=(?:[^A-Z]*[A-Z]){2}|[^A-Z]*[A-Z][^A-Z]*\d|[^\d]*\d[^A-Z]*[A-Z])[\w.+@*/-]{2,12}")
SINGULARS = (
    (re.compile(r"([^aeiou])ies$"), r"\1y"),
    (re.compile(r"(ss|x|ch|sh|zz|[^aeiou]o)es$"), r"\1"),
    (re.compile(r"([^suai]|[^aeiou]a)s$"), r"\1"),
)
AMERICAN = (
    (re.compile(r"(?<=[a-z]{3})is(e[drs]?|ing|ation|ations|able)$"), r"iz\1"),
    (re.compile(r"(?<=[a-z]{2})ys(e[drs]?|ing)$"), r"yz\1"),
)
ROMAN = {"ii": "2", "iii": "3", "iv": "4", "vi": "6", "vii": "7", "viii": "8"}


def key(surface: str) -> str:
    r"""Fold case, plural, hyphen, space, Greek, spelling and markup away, and keep what tells things apart.

    >>> {key(s) for s in ("fine-tuning", "Fine Tuning", "**finetuning**", r"\emph{fine-tuning}")}
    {'finetuning'}
    >>> key(r"$\beta$-VAEs") == key("Beta VAE"), key("ResNet-50") == key("ResNet-101")
    (True, False)
    >>> key("ScanNet") == key("ScanNet++")
    False
    """
    return "".join(words(surface))


@lru_cache(maxsize=1 << 18)
def words(surface: str) -> tuple[str, ...]:
    """Split into folded words.

    >>> words("Out-of-distribution (OOD) detection of anomalous behaviours")
    ('out', 'of', 'distribution', 'detection', 'of', 'anomalous', 'behavior')
    """
    return tuple(folded for _, folded in tokens(surface))


@lru_cache(maxsize=1 << 18)
def tokens(surface: str) -> tuple[tuple[str, str], ...]:
    """Split into (word as written, folded word).

    >>> tokens("GPT-4o models")
    (('GPT', 'gpt'), ('4o', '4o'), ('models', 'model'))
    """
    text = _without_short_forms(plainly(surface))
    written = [w for w in (NOT_IN_WORD.sub("", w) for w in DASHES.split(text)) if w]
    folded = [_fold(w) for w in written]
    if len(folded) > 1 and folded[-1] in ROMAN and written[-1].isupper():
        folded[-1] = ROMAN[folded[-1]]
    return tuple(zip(written, folded, strict=True))


@lru_cache(maxsize=1 << 18)
def plainly(surface: str) -> str:
    r"""Take the markup away and write Greek letters out.

    >>> plainly(r"**$\alpha$-GAN**"), plainly("$L_\\infty$")
    ('alpha-GAN', 'L_infinity')
    """
    text = unicodedata.normalize("NFKC", plain(surface))
    if text.isascii():
        return text.replace("'s", "").replace("^", "" if not re.search(r"\d\^", text) else "^")
    return "".join(map(_plain_character, text)).replace("'s", "")


@lru_cache(maxsize=1 << 18)
def is_short(surface: str) -> bool:
    """Say whether a form looks like an abbreviation: one word of at most twelve characters with two capitals.

    >>> [is_short(s) for s in ("LLMs", "kNN", "NeRF", "T5", "Adam", "GPU memory")]
    [True, True, True, True, False, False]
    """
    return SHORT.fullmatch(plainly(surface).strip()) is not None


def short_key(surface: str) -> str:
    """Give what an abbreviation is looked up by: its letters with their case, in the singular.

    >>> short_key("LLMs"), short_key("CoTs"), short_key("T2I")
    ('LLM', 'CoT', 'T2I')
    """
    short = plainly(surface).strip()
    plural = CAPITALS_PLURAL.fullmatch(short)
    return plural[1] if plural else short


def stands_for(short: str, long: str) -> bool:
    """Say whether the letters of `short` are, in order, letters of the words of `long`, the first one its first.

    Each word that starts with the letter looked for is preferred to letters inside words, so that the match is found
    where there is one. Source of the test: Schwartz and Hearst 2003.

    >>> stands_for("LLMs", "large language models"), stands_for("T2I", "text-to-image"), stands_for("SVD", "SGD rule")
    (True, True, False)
    """
    letters = [c for c in CAPITALS_PLURAL.sub(r"\1", plainly(short)).casefold() if c.isalnum()]
    text = " ".join(DASHES.split(plainly(long))).casefold()
    if len(letters) < 2 or len(text) < len(letters) + 3 or not text.startswith(letters[0]):
        return False
    if " ".join(DASHES.split(plainly(short))).casefold() in text:  # a part of a name is no abbreviation of it
        return False
    return _aligned(tuple(letters), text)


@lru_cache(maxsize=1 << 14)
def _aligned(letters: tuple[str, ...], text: str) -> bool:
    at = 0
    for n, letter in enumerate(letters):
        letter = "t" if letter == "2" and n and "2" not in text else letter
        start = text.find(letter, at)
        initial = text.find(f" {letter}", max(0, at - 1))
        if start < 0:
            return False
        at = (initial + 2) if initial >= 0 and n else start + 1
    return True


def _without_short_forms(text: str) -> str:
    """Take away a bracket that abbreviates what stands before or after it; of other brackets take the marks away."""

    def replaced(found: re.Match[str]) -> str:
        inside, before = found[1].strip(), text[: found.start()]
        return "" if is_short(inside) and _abbreviates_end(inside, before) else found[0].replace(found[1], inside)

    return BRACKETS.sub(replaced, text) if "(" in text or "[" in text else text


def _abbreviates_end(short: str, before: str) -> bool:
    """Say whether some last words of `before` are what `short` stands for."""
    parts = before.split()
    return any(stands_for(short, " ".join(parts[i:])) for i in range(len(parts)))


def _plain_character(c: str) -> str:
    if c.isascii():
        return c
    name = unicodedata.name(c, "")
    if name.startswith("GREEK "):
        return name.rpartition(" LETTER ")[2].removesuffix(" SYMBOL").lower().split(" WITH ")[0]
    if c == "∞":
        return "infinity"
    return "".join(p for p in unicodedata.normalize("NFKD", c) if not unicodedata.combining(p))


@lru_cache(maxsize=1 << 16)
def _fold(word: str) -> str:
    capitals = CAPITALS_PLURAL.fullmatch(word)
    if capitals:
        return capitals[1].casefold()
    folded = word.casefold()
    if word.isupper() and len(word) < 7:
        return folded
    exact, _ = _word_data()
    one = folded if word.endswith("S") and not word.isupper() else singular(folded)  # TransmissiveGS is no plural
    folded = exact.get(folded) or american(one)
    return exact.get(folded, folded)


def singular(word: str) -> str:
    """Make a small-letter word singular.

    >>> [singular(w) for w in ("policies", "losses", "matrices", "analysis", "boxes", "biases", "bus", "gas")]
    ['policy', 'loss', 'matrix', 'analysis', 'box', 'bias', 'bus', 'gas']
    """
    exact, _ = _word_data()
    if word in exact:
        return exact[word]
    if len(word) < 4 or not word.endswith("s"):
        return word
    for pattern, replacement in SINGULARS:
        if pattern.search(word):
            return pattern.sub(replacement, word)
    return word


@lru_cache(maxsize=1 << 18)
def in_singular(form: str) -> str:
    """Put the last word of a form in the singular, its letters' case as it is.

    >>> [in_singular(f) for f in ("Graph Neural Networks", "LLMs", "policies", "WaveGS", "series", "k-means")]
    ['Graph Neural Network', 'LLM', 'policy', 'WaveGS', 'series', 'k-means']
    """
    at = max(form.rfind(c) for c in " -/") + 1
    word = form[at:]
    if len(word) > 2 and word[-1] == "s" and word[:-1].isupper():
        return form[:-1]
    one = singular(word.casefold())
    if not word.isalpha() or word.endswith("S") or word.isupper() or one == word.casefold():
        return form
    kept = next((n for n, c in enumerate(one) if word[n : n + 1].casefold() != c), len(one))
    return form[:at] + word[:kept] + one[kept:]


def american(word: str) -> str:
    """Spell a small-letter word the American way.

    >>> [american(w) for w in ("optimisation", "behavioural", "modelling", "analysing", "precise", "noise")]
    ['optimization', 'behavioral', 'modeling', 'analyzing', 'precise', 'noise']
    """
    exact, parts = _word_data()
    if word in exact:
        return exact[word]
    for british, spelled in parts:
        if british in word:
            word = word.replace(british, spelled)
    for pattern, replacement in AMERICAN:
        word = pattern.sub(replacement, word)
    return word


@lru_cache(maxsize=1)
def _word_data() -> tuple[dict[str, str], tuple[tuple[str, str], ...]]:
    """Words that no rule gets right, and British parts of words: `kg/data/words.tsv`."""
    exact, parts = {}, []
    for line in files("kg").joinpath("data/words.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            kind, word, becomes = line.split("\t")
            if kind == "word":
                exact[word] = becomes
            elif kind == "part":
                parts.append((word, becomes))
    return exact, tuple(parts)
