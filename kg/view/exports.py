"""The graph for other tools: GraphML, GEXF, two CSV tables, and networkx's node-link JSON.

What a format cannot hold is written so that nothing is lost: lists become text joined by ` | ` in GraphML, GEXF and
CSV (a bar in a part is doubled); characters that XML forbids become U+FFFD. Nothing carries the clock.

    graph.graphml   Gephi, Cytoscape, yEd, igraph        graph.csv   edges, and graph.nodes.csv beside it: nodes
    graph.gexf      Gephi                                graph.json  networkx.node_link_graph, D3
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx

from kg.errors import UsageError
from kg.field import FieldMap
from kg.files import atomic_write, standard_output
from kg.view.model import read_build

NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
CLOCK = re.compile(r' lastmodifieddate="[^"]*"')
SURROGATE = re.compile("[\ud800-\udfff]")


def is_network(output: Path | str, format: str | None = None) -> bool:
    """Whether a file's ending, or `format`, is one of these formats and not of RDF.

    >>> is_network("a/graph.GEXF"), is_network("graph.ttl"), is_network("-", "json")
    (True, False, True)
    """
    return _ending(Path(output), format) in WRITERS


def export(
    source: Path,
    output: Path | str,
    *,
    format: str | None = None,
    aliases: Path | None = None,
    field: FieldMap | None = None,
) -> None:
    """Write the graph of a build to a file or `-`, in the format of its name's ending or `format`."""
    graph = read_build(source, aliases=aliases, field=field)
    if output == "-":
        with standard_output() as file:
            file.write(text(graph, format=format or ""))
    else:
        write(graph, Path(output), format=format)


def write(graph: nx.MultiDiGraph, output: Path, *, format: str | None = None) -> None:
    """Write a graph of `kg.view.model` to a file, in the format of its name's ending or `format`."""
    ending = _ending(output, format)
    if ending == "csv":
        _put(output.with_name(f"{output.stem}.nodes.csv"), nodes_csv(graph))
    _put(output, text(graph, format=ending))


def text(graph: nx.MultiDiGraph, *, format: str) -> str:
    """A graph as text in a format: graphml, gexf, csv (the edges) or json."""
    make = WRITERS.get(format.lstrip(".").lower())
    if make is None:
        raise UsageError(f"{format!r} is not a graph format; choose one of {', '.join(sorted(WRITERS))}")
    return make(graph)


def graphml(graph: nx.MultiDiGraph) -> str:
    """A graph as GraphML (http://graphml.graphdrawing.org/specification.html)."""
    out = io.BytesIO()
    nx.write_graphml_xml(_for_xml(graph), out)
    return out.getvalue().decode("utf-8") + "\n"


def gexf(graph: nx.MultiDiGraph) -> str:
    """A graph as GEXF 1.2 (https://gexf.net), without the date that networkx writes."""
    out = io.BytesIO()
    nx.write_gexf(_for_xml(graph), out)
    return CLOCK.sub("", out.getvalue().decode("utf-8")) + "\n"


def edges_csv(graph: nx.MultiDiGraph) -> str:
    """The edges as a table, each with the labels and types of its ends."""
    rows = []
    for source, target, role, edge in sorted(graph.edges(data=True, keys=True), key=lambda e: e[:3]):
        one, other = graph.nodes[source], graph.nodes[target]
        ends = (source, target, role, one["label"], other["label"], one["type"], other["type"])
        rows.append((*ends, edge.get("confidence", ""), edge.get("year", "")))
    head = ("source", "target", "role", "source_label", "target_label", "source_type", "target_type")
    return _table((*head, "confidence", "year"), rows)


def nodes_csv(graph: nx.MultiDiGraph) -> str:
    """The nodes as a table: what the edges' ends are, and papers that name nothing."""
    columns = sorted({name for _, node in graph.nodes(data=True) for name in node})
    rows = [[key, *(_joined(node.get(c, "")) for c in columns)] for key, node in sorted(graph.nodes(data=True))]
    return _table(("id", *columns), rows)


def node_link(graph: nx.MultiDiGraph) -> str:
    """A graph as networkx's node-link JSON; lists stay lists."""
    data = nx.node_link_data(_sorted(graph), edges="edges")
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


WRITERS: dict[str, Callable[[nx.MultiDiGraph], str]] = {
    "csv": edges_csv,
    "gexf": gexf,
    "graphml": graphml,
    "json": node_link,
}


def _ending(output: Path, format: str | None) -> str:
    return (format or output.suffix).lstrip(".").lower()


def _sorted(graph: nx.MultiDiGraph) -> nx.MultiDiGraph:
    """A copy with nodes and edges in the order of their keys."""
    made = nx.MultiDiGraph()
    made.add_nodes_from((key, dict(node)) for key, node in sorted(graph.nodes(data=True)))
    made.add_edges_from(sorted(graph.edges(data=True, keys=True), key=lambda e: e[:3]))
    return made


def _for_xml(graph: nx.MultiDiGraph) -> nx.MultiDiGraph:
    made = _sorted(graph)
    for values in [v for _, v in made.nodes(data=True)] + [v for *_, v in made.edges(data=True)]:
        for name, value in values.items():
            flat = _joined(value)
            values[name] = NOT_XML.sub("\ufffd", flat) if isinstance(flat, str) else flat
    return made


def _joined(value: Any) -> Any:
    """A list as text.

    >>> _joined(("a|b", "c")), _joined(0.5)
    ('a||b | c', 0.5)
    """
    return " | ".join(str(v).replace("|", "||") for v in value) if isinstance(value, tuple | list) else value


def _table(head: tuple[str, ...], rows: Any) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()


def _put(path: Path, content: str) -> None:
    with atomic_write(path) as file:
        file.write(SURROGATE.sub("\ufffd", content))
