"""What can go wrong, and whose fault it is.

    KgError            anything that the command line reports in one sentence
    ├─ UsageError      the call cannot be meant (exit 2)
    ├─ InputError      a file, line or paper that cannot be read (exit 1)
    ├─ OutputError     a place that cannot be written, or is in use (exit 1)
    ├─ QueryError      a SPARQL query that is wrong or unknown (exit 1)
    ├─ LoadError       a triple store that refused or lost something (exit 1)
    ├─ ServiceError    a service or an optional package that is not there (exit 3)
    └─ TrainError      data or weights that cannot be trained on (exit 1)

Each is raised where the cause is known, says what, where and what to do, and is caught once, in `kg.cli`.
"""

from __future__ import annotations


class KgError(Exception):
    """A fault that is explained in one sentence; `exit_code` is what the command line exits with."""

    exit_code = 1


class UsageError(KgError):
    """A call that cannot be meant: an unknown format, an option out of range."""

    exit_code = 2


class InputError(KgError):
    """A file, line or paper that cannot be read."""


class OutputError(KgError):
    """A place that cannot be written or is in use by another build."""


class QueryError(KgError):
    """A SPARQL query that is wrong, unknown or not allowed."""


class LoadError(KgError):
    """A triple store that refused or lost something."""


class ServiceError(KgError):
    """A service or an optional package that is not there."""

    exit_code = 3


class TrainError(KgError):
    """Data or weights that cannot be trained on."""
