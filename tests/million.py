"""A graph of any size for the tests, shaped like ours, always the same: papers, concepts, mentions, statements."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox

BASE = "https://w3id.org/paperkg/"
KG = f"{BASE}ontology#"
NIF = "http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
XSD = "http://www.w3.org/2001/XMLSchema#"
OF_A_PAPER = 40


def lines(triples: int) -> Iterator[str]:
    """So many different N-Quads: a multiple of forty."""
    for p in range(triples // OF_A_PAPER):
        paper = f"<{BASE}paper/10.5555/{p}>"
        for k in range(10):
            concept = f"<{BASE}model/m{(p * 7919 + k * k * 104729) % 50021}>"
            mention = f"<{BASE}mention/10.5555/{p}/{k * 20}-{k * 20 + 9}>"
            yield f"{paper} <{KG}mentions> {concept} <{BASE}graph/facts> .\n"
            yield f'{mention} <{NIF}anchorOf> "“Näme” {p}·{k}" <{BASE}graph/evidence> .\n'
            yield f'{mention} <{NIF}beginIndex> "{k * 20}"^^<{XSD}nonNegativeInteger> <{BASE}graph/evidence> .\n'
            yield f'{mention} <{KG}confidence> "0.{p * 10 + k:07}"^^<{XSD}decimal> <{BASE}graph/evidence> .\n'


def million(folder: Path, triples: int = 1_000_000) -> Path:
    """A build of so many triples: its N-Quads and its store."""
    with (folder / "graph.nq").open("w", encoding="utf-8") as file:
        file.writelines(lines(triples))
    store = ox.Store(str(folder / "store"))
    store.bulk_load(path=str(folder / "graph.nq"), format=ox.RdfFormat.N_QUADS, lenient=True)
    store.flush()
    return folder
