"""Extractions and concepts to RDF, streamed: quads, files, a store, and every format that others read."""

from kg.graph.formats import export
from kg.graph.run import Run, run_turtle
from kg.graph.triples import Provenance, quads
from kg.graph.writers import write

__all__ = ["Provenance", "Run", "export", "quads", "run_turtle", "write"]
