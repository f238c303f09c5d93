"""Surface form to key: two names with one key are spelled alike, whatever their dress."""

from __future__ import annotations

import re
import unicodedata

from kg.text import clean

NOT_IN_KEY = re.compile(r"[^\w+.#]|_|(?<!\d)\.|\.(?!\d)")


def key(surface: str) -> str:
    """Fold case, plural, hyphen, space and markup away.

    >>> key("Large Language Models") == key("large-language model")
    True
    """
    folded = NOT_IN_KEY.sub("", unicodedata.normalize("NFKC", clean(surface).clean).casefold())
    plural = len(folded) > 3 and folded.endswith("s") and not folded.endswith(("ss", "us", "is"))
    return folded[:-1] if plural else folded
