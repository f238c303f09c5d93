"""Lines of a source, one at a time, none of them longer than memory bears."""

from __future__ import annotations

from collections.abc import Iterator

from kg.papers.sources import Source

LONGEST = 1 << 24


def lines(source: Source) -> Iterator[tuple[int, str]]:
    """Number, from 1, and text of each line, without its end; a line of more than 16 MB is told and passed over.

    Only a line feed ends a line, with or without a carriage return: form feeds and U+2028 are text.
    """
    number = 0
    while line := source.stream.readline(LONGEST):
        number += 1
        if len(line) == LONGEST and not line.endswith(b"\n"):
            source.error("is longer than 16 MB, and was passed over; split it into papers", origin=source.at(number))
            while (rest := source.stream.readline(LONGEST)) and not rest.endswith(b"\n"):
                pass
            continue
        yield number, line.decode("utf-8", errors="replace").removesuffix("\n").removesuffix("\r")
