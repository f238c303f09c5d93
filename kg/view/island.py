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
from kg.view.model import AREA, BROADER, PAPER, is_named, named_by
from kg.view.similar import Related
from kg.vocab import SKOS_BROADER

SIZES = {PAPER: 11.0, AREA: 12.0, "Other": 7.0}
SMALL_PAPER = 8.0
LARGEST_KIND = 8  # a kind that no paper names is drawn as large as what so many name, at most
OPTIONS: dict[str, Any] = {
    "autoResize": True,
    "physics": {"enabled": False},
    "layout": {"improvedLayout": False, "randomSeed": 1},
    "interaction": {"dragNodes": False, "hover": False, "selectable": False, "keyboard": False, "zoomSpeed": 0.7},
    "nodes": {"shape": "custom", "chosen": False, "font": {"size": 0}},  # the page paints them
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
    network = _network(choice.graph, ids, place, extractions, crowded=choice.crowded)
    nodes, edges, _, _, _, options = network.get_network_data()
    return {
        "base": base,
        "types": [str(t) for t in EntityType]
        + [AREA] * any(k == AREA for _, k in choice.graph.nodes(data="type"))
        + ["Other"] * any(k == "Other" for _, k in choice.graph.nodes(data="type")),
        "roles": _roles(choice.graph),
        "leftOut": choice.left_out,
        "network": {"nodes": nodes, "edges": edges, "options": json.loads(options)},
        "details": _details(choice, extractions, ids, papers, alike),
        "areas": [_area(a, ids, papers) for a in islands],
    }


def _area(area: Area, ids: Mapping[str, str], papers: Sequence[str]) -> dict[str, Any]:
    thing = {"id": ids[area.key]} if area.key else {}
    return {"name": area.name, "papers": [ids[papers[i]] for i in area.papers]} | thing


def _network(
    drawn: nx.MultiDiGraph,
    ids: Mapping[str, str],
    place: Mapping[str, tuple[int, int]],
    extractions: Mapping[str, Extraction],
    *,
    crowded: bool,
) -> Network:
    network = Network(directed=True, cdn_resources="in_line")
    many = drawn.number_of_edges() > MANY_EDGES
    moving = {"hideEdgesOnDrag": many, "hideEdgesOnZoom": many}
    network.set_options(json.dumps(OPTIONS | {"interaction": OPTIONS["interaction"] | moving}))
    for key in sorted(drawn):
        x, y = place[key]
        network.nodes.append({"id": ids[key], "size": _size(drawn, key, crowded), "x": x, "y": y})
    edges = sorted(drawn.edges(data=True, keys=True), key=lambda e: e[:3])
    for i, (source, target, role, edge) in enumerate(edges, start=1):
        more = {k: edge[k] for k in ("confidence", "entities", "property") if edge.get(k) not in EMPTY}
        more |= _broader(edge, ids, extractions) if role == BROADER else {}
        network.edges.append({"id": f"e{i}", "from": ids[source], "to": ids[target], "role": role} | more)
    return network


def _broader(edge: Mapping[str, Any], ids: Mapping[str, str], extractions: Mapping[str, Extraction]) -> dict[str, Any]:
    """Where a link is known from; `said`: papers of the page, each with where its words for it begin and end."""
    said = []
    for paper, *spans in (one.split(" ") for one in edge.get("evidence", ())):
        if paper in ids:
            ends = sorted(int(n) for span in spans for n in span.split("-"))
            said.append((ids[paper], *clean(extractions[paper].paper.text).to_clean(ends[0], ends[-1])))
    more = {"sources": edge.get("sources"), "papers": edge.get("papers"), "said": said}
    return {"property": SKOS_BROADER.value} | {k: v for k, v in more.items() if v not in (*EMPTY, 0)}


def _size(drawn: nx.MultiDiGraph, key: str, crowded: bool) -> float:
    kind = drawn.nodes[key]["type"]
    if kind in SIZES:
        return SMALL_PAPER if kind == PAPER and crowded else SIZES[kind]
    papers = len(named_by(drawn, key)) or min(0.7 * drawn.nodes[key].get("within", 0), LARGEST_KIND)
    proposed = any(role == Role.PROPOSES for _, _, role in drawn.in_edges(key, keys=True))
    return round(5.5 + proposed * 1.5 + max(min(papers, 40) - 1, 0) ** 0.5 * 3.2, 1) if papers else 5.5


def _roles(drawn: nx.MultiDiGraph) -> list[str]:
    known = [str(r) for r in Role]
    used = {role for _, _, role in drawn.edges(keys=True)}
    return [r for r in known if r in used] + sorted(used - {*known, BROADER}) + [BROADER] * (BROADER in used)


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
    return {"names": node.get("alternatives", ()), "papers": node.get("papers", 0), "within": node.get("within")}


def _related(one: Related, paper: str, ids: Mapping[str, str]) -> dict[str, Any]:
    kinds = {"kinds": [[ids[c] for c in kind] for kind in one.kinds]} if one.kinds else {}
    concepts = [ids[c] for c in one.concepts if c in ids]
    return {"id": paper, "score": one.score, "concepts": concepts, "words": one.words} | kinds


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
    """How many papers, concepts of each type that papers name, and areas the whole graph has."""
    found = Counter(
        node["type"] for key, node in whole.nodes(data=True) if is_named(whole, key) or node["type"] == AREA
    )
    return {"papers": found.pop(PAPER, 0), **{str(k): n for k, n in sorted(found.items())}}
