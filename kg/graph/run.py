"""What made a graph: the run, its software and its model, without the clock.

The run's IRI is a digest of the two versions, so the graph of the same input by the same software is the same bytes.
When it ran is told in a file of its own (`run_turtle`): PROV-O, https://www.w3.org/TR/prov-o/.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pyoxigraph import Literal, NamedNode, Triple

from kg import vocab
from kg.graph.terms import Spo, text
from kg.graph.turtle import block, header


@dataclass(frozen=True, slots=True)
class Run:
    """The versions that decide what a build says: of paperkg, and of the model that read the abstracts."""

    software: str
    model: str

    def iri(self, base: str = vocab.DEFAULT_BASE) -> str:
        """Mint the IRI of the run.

        >>> Run("0.1.0", "tagger 1").iri()
        'https://w3id.org/paperkg/run/1c59f38c3daca73b'
        """
        return vocab.iri("run", vocab.digest(self.software, self.model), base=base)


def run_triples(run: Run, *, base: str = vocab.DEFAULT_BASE) -> list[Spo]:
    """Describe a run: an activity of the software, which used the model."""
    node = NamedNode(run.iri(base))
    software = NamedNode(vocab.iri("software", f"paperkg-{run.software}", base=base))
    model = NamedNode(vocab.iri("software", vocab.slug(run.model), base=base))
    return [
        (node, vocab.RDF_TYPE, vocab.PROV_ACTIVITY),
        (node, vocab.RDFS_LABEL, text(f"paperkg {run.software} with {run.model}")),
        (node, vocab.PROV_WAS_ASSOCIATED_WITH, software),
        (node, vocab.PROV_USED, model),
        (software, vocab.RDF_TYPE, vocab.PROV_SOFTWARE_AGENT),
        (software, vocab.RDF_TYPE, vocab.SCHEMA_SOFTWARE_APPLICATION),
        (software, vocab.RDFS_LABEL, text(f"paperkg {run.software}")),
        (software, vocab.SCHEMA_SOFTWARE_VERSION, text(run.software)),
        (model, vocab.RDF_TYPE, vocab.PROV_ENTITY),
        (model, vocab.RDFS_LABEL, text(run.model)),
    ]


def run_turtle(run: Run, started: datetime, ended: datetime, *, base: str = vocab.DEFAULT_BASE) -> str:
    """Write when a run started and ended, in Turtle: the only place where the clock is told."""
    node = NamedNode(run.iri(base))
    times = ((vocab.PROV_STARTED_AT_TIME, started), (vocab.PROV_ENDED_AT_TIME, ended))
    triples = [Triple(node, p, Literal(at.isoformat(), datatype=vocab.XSD_DATE_TIME)) for p, at in times]
    prefixes = vocab.prefixes(base)
    return (
        header(prefixes, "When the build ran; what it ran is told in the graph.") + block(triples, prefixes)
    ).decode()
