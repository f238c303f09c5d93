"""How well a build hangs together: `python tests/bench/structure.py BUILD [-n 200]`.

1. Reach: the share of papers that come to another one within two steps: from a concept that the one names, over at most
   two links from narrow to broad or back, to a concept that the other names. All concepts on the way, both ends among
   them, are narrow enough: at most a quarter of the papers name them or anything narrower. Areas are no concepts here.
   For comparison: the same over no link (shared names) and over one.
2. Precision: of `-n` links the share that is right, by the table of judged ones, `tests/data/broader-judged.tsv`; those
   that nobody has judged are printed as lines to add to it. Links are drawn by a digest of their names, which is as
   good as chance, and a few links more or less leave most of the sample as it is.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import kg
from kg.graphs import Graph
from kg.vocab import digest

JUDGED = Path(__file__).parents[1] / "data" / "broader-judged.tsv"
MOST = 0.25
NAMES = "SELECT ?paper ?concept { ?paper kg:mentions ?concept }"
LINKS = "SELECT ?narrow ?broad { ?narrow skos:broader ?broad . ?broad kg:paperCount ?n }"
WITHIN = "SELECT ?concept ?n { ?concept kg:paperCountWithin ?n ; kg:paperCount ?any }"
SAMPLED = """
SELECT ?child ?parent ?type (MIN(?known) AS ?source) {
  ?statement rdf:subject ?n ; rdf:object ?b ; rdf:predicate skos:broader ; kg:knownFrom ?known .
  ?n skos:prefLabel ?child ; a ?type . ?b skos:prefLabel ?parent .
  FILTER(?type IN (kg:Model, kg:Dataset, kg:Method, kg:Metric, kg:Task))
} GROUP BY ?child ?parent ?type ORDER BY ?child ?parent ?type
"""

Sets = Mapping[str, set[str]]


def reach(build: Graph, steps: int) -> float:
    """The share of papers that reach another one over so many links."""
    papers: dict[str, set[str]] = defaultdict(set)
    named: dict[str, set[str]] = defaultdict(set)
    near: dict[str, set[str]] = defaultdict(set)
    for paper, concept in build.query(NAMES):
        papers[paper].add(concept)
        named[concept].add(paper)
    narrow = {concept for concept, n in build.query(WITHIN) if n <= MOST * len(papers)}
    for one, other in build.query(LINKS):
        near[one].add(other)
        near[other].add(one)
    return sum(_reaches(p, own & narrow, near, named, narrow, steps) for p, own in papers.items()) / len(papers)


def _reaches(paper: str, at: set[str], near: Sets, named: Sets, narrow: set[str], steps: int) -> bool:
    seen = at
    for _ in range(steps):
        seen = seen | {there for concept in seen for there in near.get(concept, ()) if there in narrow}
    return any(named[concept] - {paper} for concept in seen if concept in named)


def sample(build: Graph, n: int) -> list[tuple[str, str, str, str]]:
    """Links drawn at random: child, parent, type, source."""
    links = [(r.child, r.parent, r.type.rpartition("#")[2], r.source) for r in build.query(SAMPLED)]
    return sorted(sorted(links, key=lambda link: digest(*link[:3]))[:n])


def judged() -> dict[tuple[str, str, str], bool]:
    """Child, parent, type → whether the one is a kind, a variant or a member of the other."""
    lines = JUDGED.read_text(encoding="utf-8").splitlines() if JUDGED.exists() else []
    rows = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return {(child, parent, kind): right == "1" for child, parent, kind, _, right in rows}


def main() -> None:
    """Print both measures of a build."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("-n", type=int, default=200, help="links to sample")
    given = parser.parse_args()
    build = kg.open(given.build)
    for steps in range(3):
        print(f"papers that reach another one over at most {steps} links: {reach(build, steps):.3f}")
    drawn, known = sample(build, given.n), judged()
    seen = [known[link[:3]] for link in drawn if link[:3] in known]
    print(
        f"links drawn: {len(drawn)}, judged: {len(seen)}, right: {sum(seen)}"
        + (f" ({sum(seen) / len(seen):.3f})" if seen else "")
    )
    for link in drawn:
        if link[:3] not in known:
            print("\t".join((*link, "?")))


if __name__ == "__main__":
    main()
