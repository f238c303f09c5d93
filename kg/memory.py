"""Memory: when to leave the collector of cycles out.

What the cheap half of a build makes is millions of small things that live to its end and have no cycles. Python's
collector looks through all of them again and again as they grow more, and finds nothing: with 6,875 papers it took a
quarter of the time of the concepts and a third of that of their structure, and the peak is the same without it.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Do without the collector of cycles; also decorates a function.

    >>> with uncollected():
    ...     gc.isenabled()
    False
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
