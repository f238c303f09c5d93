"""The data that the page carries: pyvis's nodes and edges, and beside them what the panels say.

Node ids are opaque (n1, n2, …), so that nothing a corpus says is ever an identifier in the page. Abstracts are given
clean (no LaTeX, no Markdown), with the mentions' offsets mapped; offsets count code points.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import networkx as nx
from pyvis.network import Network

from kg.extraction.numbers import Kind
from kg.extraction.readings import Reading, readings
from kg.records import EntityType, Extraction, Mention, Place, Result, Role
from kg.text import Text, clean
from kg.view.areas import Area
from kg.view.choose import Choice
from kg.view.model import PAPER
from kg.view.similar import Related

SIZES = {PAPER: 11.0, "Other": 7.0}
SHAPES = {
    PAPER: "square",
    EntityType.MODEL: "dot",
    EntityType.DATASET: "diamond",
    EntityType.METHOD: "triangle",
    EntityType.METRIC: "star",
    EntityType.TASK: "hexagon",
    "Other": "triangleDown",
}
OPTIONS: dict[str, Any] = {
    "autoResize": True,
    "physics": {"enabled": False},
    "layout": {"improvedLayout": False, "randomSeed": 1},
    "interaction": {"dragNodes": False, "hover": False, "selectable": False, "keyboard": False, "zoomSpeed": 0.7},
    "nodes": {"chosen": False, "borderWidth": 1.2, "font": {"size": 0}},
    "edges": {"chosen": False, "smooth": False, "width": 1, "arrows": {"to": {"enabled": False}}},
}
MANY_EDGES = 1500  # more are hidden while the map moves
EMPTY: tuple[object, ...] = ("", None, (), [])


def island(
    choice: Choice,
    extractions: Mapping[str, Extraction],
    *,
    place: Mapping[str, tuple[int, int]],
    islands: Sequence[Area],
    alike: Sequence[Sequence[Related]],
    papers: Sequence[str],
    base: str,
) -> dict[str, Any]:
    """Everything below `data` in the page's script; `papers` are the keys that `alike` and `islands` count."""
    ids = {key: f"n{i}" for i, key in enumerate(sorted(choice.graph), start=1)}
    network = _network(choice.graph, ids, place)
    nodes, edges, _, _, _, options = network.get_network_data()
    return {
        "base": base,
        "types": [str(t) for t in EntityType]
        + ["Other"] * any(k == "Other" for _, k in choice.graph.nodes(data="type")),
        "roles": _roles(choice.graph),
        "leftOut": choice.left_out,
        "network": {"nodes": nodes, "edges": edges, "options": json.loads(options)},
        "details": _details(choice, extractions, ids, papers, alike),
        "areas": [{"name": a.name, "papers": [ids[papers[i]] for i in a.papers]} for a in islands],
    }


def _network(drawn: nx.MultiDiGraph, ids: Mapping[str, str], place: Mapping[str, tuple[int, int]]) -> Network:
    network = Network(directed=True, cdn_resources="in_line")
    many = drawn.number_of_edges() > MANY_EDGES
    moving = {"hideEdgesOnDrag": many, "hideEdgesOnZoom": many}
    network.set_options(json.dumps(OPTIONS | {"interaction": OPTIONS["interaction"] | moving}))
    for key in sorted(drawn):
        node = drawn.nodes[key]
        x, y = place[key]
        network.nodes.append({"id": ids[key], "shape": SHAPES[node["type"]], "size": _size(drawn, key), "x": x, "y": y})
    edges = sorted(drawn.edges(data=True, keys=True), key=lambda e: e[:3])
    for i, (source, target, role, edge) in enumerate(edges, start=1):
        more = {k: edge[k] for k in ("confidence", "entities", "property") if edge.get(k) not in EMPTY}
        network.edges.append({"id": f"e{i}", "from": ids[source], "to": ids[target], "role": role} | more)
    return network


def _size(drawn: nx.MultiDiGraph, key: str) -> float:
    kind = drawn.nodes[key]["type"]
    if kind in SIZES:
        return SIZES[kind]
    papers = len(set(drawn.predecessors(key)))
    proposed = any(role == Role.PROPOSES for _, _, role in drawn.in_edges(key, keys=True))
    return round(5.5 + proposed * 1.5 + (min(papers, 40) - 1) ** 0.5 * 3.2, 1) if papers else 5.5


def _roles(drawn: nx.MultiDiGraph) -> list[str]:
    known = [str(r) for r in Role]
    used = {role for _, _, role in drawn.edges(keys=True)}
    return [r for r in known if r in used] + sorted(used - set(known))


def _details(
    choice: Choice,
    extractions: Mapping[str, Extraction],
    ids: Mapping[str, str],
    papers: Sequence[str],
    alike: Sequence[Sequence[Related]],
) -> dict[str, dict[str, Any]]:
    related = {
        paper: [_related(r, ids[papers[r.paper]], ids) for r in row] for paper, row in zip(papers, alike, strict=True)
    }
    made = {}
    for key in sorted(choice.graph):
        node = choice.graph.nodes[key]
        more = _paper(extractions[key], choice.graph, key, ids) if node["type"] == PAPER else _concept(node)
        more |= {"related": related.get(key, ()), "later": key in choice.later or None, "iri": node.get("iri")}
        head = {"key": key, "type": node["type"], "label": node["label"]}
        made[ids[key]] = head | {k: v for k, v in more.items() if v not in EMPTY or k in ("results", "entities")}
    return made


def _concept(node: Mapping[str, Any]) -> dict[str, Any]:
    return {"names": node.get("alternatives", ()), "papers": node.get("papers", 0)}


def _related(one: Related, paper: str, ids: Mapping[str, str]) -> dict[str, Any]:
    return {"id": paper, "score": one.score, "concepts": [ids[c] for c in one.concepts if c in ids], "words": one.words}


def _paper(extraction: Extraction, drawn: nx.MultiDiGraph, key: str, ids: Mapping[str, str]) -> dict[str, Any]:
    paper, text = extraction.paper, clean(extraction.paper.text)
    title = clean(paper.title)
    node_of = {i: ids[c] for _, c, edge in drawn.out_edges(key, data=True) for i in edge.get("entities", ())}
    entities = []
    for i, e in enumerate(extraction.entities):
        spans = [(m.place, _span(title if m.place is Place.TITLE else text, m)) for m in e.mentions]
        entity: dict[str, Any] = {"id": node_of.get(i), "type": e.type, "role": e.role}
        entity["at"] = [span for where, span in spans if where is Place.ABSTRACT and span[0] < span[1]]
        entity["title"] = [span[:2] for where, span in spans if where is Place.TITLE and span[0] < span[1]]
        entities.append({k: v for k, v in entity.items() if v not in EMPTY or k == "at"})
    names = {e.name: {"name": clean(e.name).clean, "id": node_of.get(i)} for i, e in enumerate(extraction.entities)}
    return {
        "text": text.clean,
        "sentences": [text.to_clean(start, end) for start, end in extraction.sentences],
        "entities": entities,
        "results": [
            _result(r, reading, text, names)
            for r, reading in zip(extraction.results, readings(extraction), strict=True)
        ],
        "venue": paper.venue,
        "year": paper.year,
        "authors": paper.authors,
        "doi": paper.doi and "https://doi.org/" + paper.doi,
        "arxiv": paper.arxiv and "https://arxiv.org/abs/" + paper.arxiv,
        "url": paper.url if paper.url.startswith(("https://", "http://")) else "",
    }


def _span(text: Text, mention: Mention) -> tuple[int, int, float]:
    return (*text.to_clean(mention.start, mention.end), round(mention.confidence, 3))


def _result(result: Result, reading: Reading, text: Text, names: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    sides = {
        k: names.get(name, {"name": clean(name).clean})
        for k in ("subject", "metric", "dataset", "baseline")
        if (name := getattr(result, k))
    }
    at = text.to_clean(result.start, result.end)
    more: dict[str, Any] = {"baselineValue": clean(result.baseline_value).clean} if result.baseline_value else {}
    more |= {"condition": reading.condition} if reading.condition else {}
    if kinds := [kind for kind in reading.value.kinds if kind is not Kind.ABSOLUTE]:
        more["kinds"] = kinds
    return sides | {"value": text.clean[slice(*at)] or result.value, "at": at} | more


def totals(whole: nx.MultiDiGraph) -> dict[str, int]:
    """How many papers, and concepts of each type, the whole graph has."""
    found = Counter(kind for _, kind in whole.nodes(data="type"))
    return {"papers": found.pop(PAPER, 0), **{str(k): n for k, n in sorted(found.items())}}
