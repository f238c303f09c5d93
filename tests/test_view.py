"""The page's data: what is drawn, where, what is left out, and the graph for other tools."""

from __future__ import annotations

import io
import itertools
import json
import math
import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import networkx as nx
import pyoxigraph as ox
import pytest
from graph_sample import by_name, seeds, swimmer
from kitchen import MAP

from kg import codec, view
from kg.concepts import settle
from kg.errors import InputError, QueryError, UsageError
from kg.field import FieldMap, read_map
from kg.flow import Options, rebuild
from kg.graph import Run, quads
from kg.records import Concept, Entity, EntityType, Extraction, Mention, Paper, Role
from kg.structure import Said, Structure, structure
from kg.view import exports
from kg.view.choose import around, choose
from kg.view.construct import from_triples
from kg.view.model import graph, paper_label
from kg.view.page import escaped_json, render

BASE = "https://w3id.org/paperkg/"


def extraction(paper_id: str, text: str, *found: tuple[str, EntityType, Role], **about: object) -> Extraction:
    entities = []
    for name, type_, role in found:
        at = text.index(name)
        entities.append(Entity(name, type_, role, 0.9, (Mention(at, at + len(name), name, 0.9),)))
    return Extraction(Paper(paper_id, text, **about), tuple(entities), (), (), ((0, len(text)),))  # type: ignore[arg-type]


def chain() -> list[Extraction]:
    """Four papers, each sharing one method with the next."""
    names = ["alpha rule", "beta rule", "gamma rule", "delta rule", "epsilon rule"]
    return [
        extraction(
            f"p{i}",
            f"We join {names[i]} and {names[i + 1]} for juggling number {i}.",
            (names[i], EntityType.METHOD, Role.USES),
            (names[i + 1], EntityType.METHOD, Role.PROPOSES),
        )
        for i in range(4)
    ]


def data_of(page: str) -> dict:  # type: ignore[type-arg]
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def seed_papers() -> list[Extraction]:
    return seeds()


@pytest.fixture(scope="module")
def seed_page(seed_papers: list[Extraction]) -> str:
    return view.page(seed_papers, by_name(seed_papers))


def test_the_page_of_the_seeds_is_small_and_has_every_paper_and_concept(seed_page: str, seed_papers) -> None:
    data = data_of(seed_page)
    assert len(seed_page.encode()) < 2_000_000
    kinds = [d["type"] for d in data["details"].values()]
    assert kinds.count("Paper") == 38
    assert len(kinds) - 38 == len(by_name(seed_papers))
    assert data["leftOut"] == []
    assert not any(d.get("later") for d in data["details"].values())


def test_nothing_in_the_page_is_fetched(seed_page: str) -> None:
    outside = re.findall(r"""(?:src|href|action|data|poster)\s*=\s*["']?\s*(?:https?:)?//[^"'\s>]*""", seed_page)
    assert outside == []
    assert "@import" not in seed_page
    assert not re.search(r"url\((?!#)", files("kg").joinpath("data/page/page.css").read_text(encoding="utf-8"))


def test_node_ids_are_opaque_and_edges_join_nodes(seed_page: str) -> None:
    network = data_of(seed_page)["network"]
    ids = {n["id"] for n in network["nodes"]}
    assert all(re.fullmatch(r"n\d+", i) for i in ids)
    assert all(e["from"] in ids and e["to"] in ids for e in network["edges"])
    assert network["options"]["physics"]["enabled"] is False


def test_mentions_stand_where_the_clean_text_has_them() -> None:
    papers = [swimmer()]
    details = data_of(view.page(papers, by_name(papers)))["details"]
    paper = next(d for d in details.values() if d["type"] == "Paper")
    said = [paper["text"][start:end] for e in paper["entities"] for start, end, _ in e["at"]]
    assert "**" not in paper["text"]
    assert said.count("Tidewater") == 2
    assert {"Lake-9", "LapNet-2", "accuracy", "pool navigation"} <= set(said)
    assert paper["results"][0]["value"] == "92.10%"
    assert paper["results"][0]["subject"]["name"] == "Tidewater"
    assert [r.get("kinds", []) for r in paper["results"]] == [[], ["ratio"], ["difference", "range"]]


def test_two_roles_in_one_paper_are_two_edges() -> None:
    text = "We propose Wobble, and later we report Wobble again."
    two = Extraction(
        Paper("p", text),
        (
            Entity("Wobble", EntityType.METRIC, Role.PROPOSES, 0.9, (Mention(11, 17, "Wobble", 0.9),)),
            Entity("Wobble", EntityType.METRIC, Role.REPORTS, 0.7, (Mention(39, 45, "Wobble", 0.9),)),
        ),
    )
    concept = Concept("wobble", EntityType.METRIC, "Wobble", (), (("p", 0), ("p", 1)))
    made = graph([two], [concept])
    assert sorted(made["paper/p"]["metric/wobble"]) == ["proposes", "reports"]
    assert made.nodes["metric/wobble"]["papers"] == 1
    assert [e["role"] for e in data_of(view.page([two], [concept]))["network"]["edges"]] == ["proposes", "reports"]


@pytest.mark.parametrize(
    ("paper", "label"),
    [
        (Extraction(Paper("a", "Text.", title=r"On \emph{Things}")), "On Things"),
        (extraction("b", "We propose Gizmo.", ("Gizmo", EntityType.MODEL, Role.PROPOSES)), "Gizmo"),
        (extraction("c", "We use Gizmo.", ("Gizmo", EntityType.MODEL, Role.USES)), "We use Gizmo."),
        (Extraction(Paper("d", "")), "d"),
    ],
    ids=["title", "proposed", "beginning", "nothing"],
)
def test_a_paper_is_called_by_its_title_else_what_it_proposes_else_its_beginning(paper: Extraction, label: str) -> None:
    assert paper_label(paper) == label


def test_related_papers_say_what_they_share() -> None:
    papers = chain()
    details = data_of(view.page(papers, by_name(papers)))["details"]
    key_of = {i: d["key"] for i, d in details.items()}
    first = next(d for d in details.values() if d["key"] == "paper/p0")
    best = first["related"][0]
    assert key_of[best["id"]] == "paper/p1"
    assert [key_of[c] for c in best["concepts"]] == ["method/beta-rule"]


# ---- structure


def structured(papers: list[Extraction], field: FieldMap) -> tuple[tuple[Concept, ...], Structure]:
    said = Said()
    concepts = settle(said.passing(papers)).concepts
    return concepts, structure(concepts, said.of, field=field)


def kitchen() -> list[Extraction]:
    """Three papers that share no concept; two name a cooking network each, of which one says so; one stirs soup."""
    return [
        extraction("k0", "SoupNet stirs well.", ("SoupNet", EntityType.MODEL, Role.USES)),
        extraction("k1", "BrothFormer tastes well.", ("BrothFormer", EntityType.MODEL, Role.PROPOSES)),
        extraction("k2", "We study soup stirring.", ("soup stirring", EntityType.TASK, Role.ADDRESSES)),
    ]


def test_what_no_paper_names_is_drawn_where_it_joins_papers_and_else_when_it_is_selected() -> None:
    whole = graph(kitchen(), *structured(kitchen(), read_map(MAP)))
    choice = choose(whole, max_nodes=100)
    assert set(choice.graph) - choice.later >= {"model/soupnet", "model/brothformer", "model/cooking-network"}
    assert choice.later == {"task/kitchen-work", "area/kitchen-science"}
    assert whole.nodes["model/cooking-network"] | {"alternatives": ()} == {
        "type": "Model", "label": "cooking network", "alternatives": (), "papers": 0, "within": 2,
    }  # fmt: skip


def test_the_page_has_the_chain_up_to_the_area_with_its_sources() -> None:
    concepts, links = structured(kitchen(), read_map(MAP))
    data = data_of(view.page(kitchen(), concepts, found=links))
    key_of = {i: d["key"] for i, d in data["details"].items()}
    up = {(key_of[e["from"]], key_of[e["to"]]): e for e in data["network"]["edges"] if e["role"] == "broader"}
    assert set(up) == {
        ("model/soupnet", "model/cooking-network"),
        ("model/brothformer", "model/cooking-network"),
        ("model/cooking-network", "area/kitchen-science"),
        ("task/soup-stirring", "task/kitchen-work"),
        ("task/kitchen-work", "area/kitchen-science"),
    }
    assert all(e["sources"] == ["field map"] for e in up.values())
    assert all(e["property"].endswith("core#broader") for e in up.values())
    assert [(a["name"], len(a["papers"]), key_of[a["id"]]) for a in data["areas"]] == [
        ("kitchen science", 3, "area/kitchen-science")
    ]
    assert data["totals"] == {"papers": 3, "Area": 1, "Model": 2, "Task": 1}
    assert "3 things" in data["subtitle"]


def test_kg_view_draws_what_the_build_was_made_with_its_own_map(tmp_path: Path) -> None:
    text = "We try cooking networks such as SoupNet, and BrothFormer."
    named = [(n, EntityType.MODEL, Role.USES) for n in ("cooking networks", "SoupNet", "BrothFormer")]
    papers = [*kitchen(), extraction("k3 and more", text, *named)]
    (tmp_path / "extractions.jsonl").write_text("".join(codec.dumps(x) + "\n" for x in papers), encoding="utf-8")
    rebuild(tmp_path, options=Options(field_map=MAP, title="Kitchen"))
    view.view(tmp_path, str(tmp_path / "again.html"), title="Kitchen", field=read_map())
    pages = [(tmp_path / name).read_text(encoding="utf-8") for name in ("graph.html", "again.html")]
    assert "area/kitchen-science" in pages[0]
    assert data_of(pages[0]) == data_of(pages[1])


def test_what_papers_say_of_kinds_comes_with_their_words() -> None:
    text = "**We** compare cooking networks such as SoupNet and BrothFormer."
    found = [(n, EntityType.MODEL, Role.COMPARES_WITH) for n in ("cooking networks", "SoupNet", "BrothFormer")]
    papers = [extraction("s", text, *found)]
    concepts, links = structured(papers, read_map(MAP))
    data = data_of(view.page(papers, concepts, found=links))
    edges = [e for e in data["network"]["edges"] if e["role"] == "broader" and "text" in e["sources"]]
    assert len(edges) == 2
    for edge in edges:
        (paper, start, end) = edge["said"][0]
        clean = data["details"][paper]["text"]
        assert clean[start:end].startswith("cooking networks such as SoupNet")


def test_related_papers_say_of_what_both_name_kinds() -> None:
    concepts, links = structured(kitchen(), read_map(MAP))
    data = data_of(view.page(kitchen(), concepts, found=links))
    key_of = {i: d["key"] for i, d in data["details"].items()}
    first = next(d for d in data["details"].values() if d["key"] == "paper/k0")
    assert [(key_of[r["id"]], [[key_of[c] for c in kind] for kind in r["kinds"]]) for r in first["related"]] == [
        ("paper/k1", [["model/cooking-network", "model/soupnet", "model/brothformer"]])
    ]


# ---- layout


def places(page: str) -> dict[str, tuple[int, int]]:
    data = data_of(page)
    return {data["details"][n["id"]]["key"]: (n["x"], n["y"]) for n in data["network"]["nodes"]}


def test_papers_do_not_overlap_and_their_own_concepts_stand_around_them(seed_page: str) -> None:
    data = data_of(seed_page)
    place = places(seed_page)
    key_of = {i: d["key"] for i, d in data["details"].items()}
    papers = [k for k in place if k.startswith("paper/")]
    assert min(math.dist(place[a], place[b]) for a, b in itertools.combinations(papers, 2)) > 60
    ends = [(key_of[e["from"]], key_of[e["to"]]) for e in data["network"]["edges"]]
    named_by = {c: {p for p, other in ends if other == c} for _, c in ends}
    far = [math.dist(place[c], place[next(iter(ps))]) for c, ps in named_by.items() if len(ps) == 1]
    assert max(far) < 110
    assert len(set(place.values())) == len(place)


def test_the_map_fills_a_screen_and_is_not_a_line_or_a_cloud(seed_page: str) -> None:
    xs, ys = zip(*places(seed_page).values(), strict=True)
    width, height = max(xs) - min(xs), max(ys) - min(ys)
    assert 0.7 < width / height < 2.2
    assert width < 2200


def test_a_paper_that_is_added_leaves_the_others_about_where_they_were(seed_papers: list[Extraction]) -> None:
    before = places(view.page(seed_papers[:-1], by_name(seed_papers[:-1])))
    after = places(view.page(seed_papers, by_name(seed_papers)))
    papers = [k for k in before if k.startswith("paper/")]
    pairs = list(itertools.combinations(papers, 2))
    one = [math.dist(before[a], before[b]) for a, b in pairs]
    other = [math.dist(after[a], after[b]) for a, b in pairs]
    assert correlation(one, other) > 0.5


@pytest.mark.parametrize("gone", [slice(4, None), slice(34), slice(1, None, 10)], ids=["first", "last", "each tenth"])
def test_with_areas_a_tenth_more_papers_leave_the_map_as_it_is(seed_papers: list[Extraction], gone: slice) -> None:
    field = read_map()
    fewer = seed_papers[gone] if len(seed_papers[gone]) > 20 else [p for p in seed_papers if p not in seed_papers[gone]]
    before, after = (
        places(view.page(papers, concepts, found=links))
        for papers in (fewer, seed_papers)
        for concepts, links in [structured(papers, field)]
    )
    papers = [k for k in before if k.startswith("paper/")]
    assert 30 < len(papers) < 38
    for axis in (0, 1):
        assert correlation([before[p][axis] for p in papers], [after[p][axis] for p in papers]) > 0.75


def correlation(a: list[float], b: list[float]) -> float:
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    top = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True))
    return top / math.sqrt(sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b))


def test_areas_have_names_of_the_field(seed_page: str) -> None:
    areas = data_of(seed_page)["areas"]
    assert 4 <= len(areas) <= 12
    assert sum(len(a["papers"]) for a in areas) == 38
    named = [a["name"] for a in areas if a["name"]]
    assert len(named) >= len(areas) - 1
    assert not any(re.search(r"\b(and|the|we)\b", n) for n in named)


def test_the_bytes_do_not_depend_on_hashing_or_on_the_order_of_papers(tmp_path: Path, seed_papers) -> None:
    (tmp_path / "x.jsonl").write_text("".join(codec.dumps(x) + "\n" for x in seed_papers), encoding="utf-8")
    script = (
        "import sys, hashlib; from pathlib import Path\n"
        "from kg import codec, view; from kg.concepts import concepts\n"
        "papers = [codec.loads(line) for line in Path(sys.argv[1]).open(encoding='utf-8')][:: int(sys.argv[2])]\n"
        "print(hashlib.sha256(view.page(papers, concepts(papers)).encode()).hexdigest())\n"
    )

    def run(seed: str, step: str) -> str:
        command = [sys.executable, "-c", script, str(tmp_path / "x.jsonl"), step]
        environment = os.environ | {"PYTHONHASHSEED": seed}
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    assert run("1", "1") == run("2", "-1")


@pytest.mark.parametrize("papers", [[], [Extraction(Paper("only", "Nothing is named here."))]], ids=["none", "one"])
def test_a_graph_of_next_to_nothing_is_a_page(papers: list[Extraction]) -> None:
    data = data_of(view.page(papers, ()))
    assert data["totals"] == {"papers": len(papers)}
    assert data["network"]["edges"] == []


# ---- what is drawn


def test_a_large_graph_shows_its_most_connected_part_and_says_what_is_left_out() -> None:
    lonely = [
        extraction(f"q{i}", f"Only thing{i} here.", (f"thing{i}", EntityType.TASK, Role.ADDRESSES)) for i in range(20)
    ]
    papers = chain() + lonely
    whole = graph(papers, by_name(papers))
    choice = choose(whole, max_nodes=10)
    kept = {k for k in choice.graph if k.startswith("paper/")}
    assert kept == {"paper/p0", "paper/p1", "paper/p2", "paper/p3"}
    assert len(choice.graph) - len(choice.later) <= 10
    assert choice.later == {"method/alpha-rule", "method/epsilon-rule"}
    assert "4 of 24 papers" in choice.left_out[0]
    assert "--max-nodes" in choice.left_out[0]


def test_max_nodes_below_one_is_refused() -> None:
    with pytest.raises(UsageError, match="--max-nodes 0"):
        choose(graph(chain(), by_name(chain())), max_nodes=0)


@pytest.mark.parametrize("name", ["Beta Rule", "method/beta-rule", BASE + "method/beta-rule"])
def test_focus_finds_a_node_by_name_key_or_iri(name: str) -> None:
    key, near = around(graph(chain(), by_name(chain())), name, depth=1)
    assert key == "method/beta-rule"
    assert set(near) == {"method/beta-rule", "paper/p0", "paper/p1"}


def test_focus_reaches_as_far_as_depth_says() -> None:
    whole = graph(chain(), by_name(chain()))
    sizes = [len(around(whole, "p0", depth=depth)[1]) for depth in range(4)]
    assert sizes == [1, 3, 4, 5]


def test_focus_on_what_is_not_there_names_the_nearest() -> None:
    with pytest.raises(InputError, match="'beta rul'; nearest: beta rule"):
        around(graph(chain(), by_name(chain())), "beta rul", depth=1)


# ---- a CONSTRUCT's answer


def store_of(papers: list[Extraction]) -> ox.Store:
    store = ox.Store()
    store.extend(quads(papers, by_name(papers), base=BASE, run=Run(software="0", model="none")))
    return store


def test_a_constructed_graph_keeps_evidence_and_draws_what_else_there_is() -> None:
    papers = chain()
    query = """
        CONSTRUCT { ?paper kg:proposes ?it . ?it <http://example.org/v#follows> ?other . <http://example.org/x> ?p ?it .
                    <http://example.org/x> rdfs:label "Outside" }
        WHERE { ?paper kg:proposes ?it ; kg:uses ?other . BIND(<http://example.org/v#knows> AS ?p) }"""
    prefixes = {"kg": BASE + "ontology#", "rdfs": "http://www.w3.org/2000/01/rdf-schema#"}
    triples = store_of(papers).query(query, prefixes=prefixes, use_default_graph_as_union=True)
    made = from_triples(triples, graph(papers, by_name(papers)), base=BASE)
    assert made["paper/p0"]["method/beta-rule"]["proposes"]["entities"] == (1,)
    assert made["method/beta-rule"]["method/alpha-rule"]["follows"]["property"] == "http://example.org/v#follows"
    assert made.nodes["http://example.org/x"]["label"] == "Outside"
    assert made.nodes["http://example.org/x"]["type"] == "Other"
    assert not made.has_edge("paper/p0", "method/alpha-rule")
    data = data_of(view.page_of(made, papers))
    assert {e["role"] for e in data["network"]["edges"]} == {"proposes", "follows", "knows"}


def test_a_query_that_constructs_nothing_to_draw_is_refused(tmp_path: Path) -> None:
    build = build_of(tmp_path, chain())
    (tmp_path / "q.rq").write_text("SELECT * { ?s ?p ?o }", encoding="utf-8")
    with pytest.raises(QueryError, match="does not CONSTRUCT"):
        view.view(build, str(tmp_path / "g.html"), query=tmp_path / "q.rq")
    assert not (tmp_path / "g.html").exists()


def test_the_page_of_a_construct_query_over_a_build(tmp_path: Path) -> None:
    build = build_of(tmp_path, chain())
    (tmp_path / "q.rq").write_text("CONSTRUCT { ?p kg:uses ?m } WHERE { ?p kg:uses ?m }", encoding="utf-8")
    view.view(build, str(tmp_path / "g.html"), query=tmp_path / "q.rq")
    data = data_of((tmp_path / "g.html").read_text(encoding="utf-8"))
    assert {e["role"] for e in data["network"]["edges"]} == {"uses"}
    assert sum(d["type"] == "Method" for d in data["details"].values()) == 4


def build_of(folder: Path, papers: list[Extraction]) -> Path:
    """What a build leaves for the page: extractions and a store, with the concepts that `kg view` will compute."""
    from kg.concepts import concepts

    build = folder / "output"
    build.mkdir()
    (build / "extractions.jsonl").write_text("".join(codec.dumps(x) + "\n" for x in papers), encoding="utf-8")
    store = ox.Store(str(build / "store"))
    store.extend(quads(papers, concepts(papers), base=BASE, run=Run(software="0", model="none")))
    store.flush()
    return build


def test_a_constructed_hierarchy_is_drawn_though_no_paper_is_in_it(tmp_path: Path) -> None:
    (tmp_path / "extractions.jsonl").write_text("".join(codec.dumps(x) + "\n" for x in kitchen()), encoding="utf-8")
    rebuild(tmp_path, options=Options(field_map=MAP))
    (tmp_path / "q.rq").write_text("CONSTRUCT { ?a skos:broader ?b } WHERE { ?a skos:broader ?b }", encoding="utf-8")
    view.view(tmp_path, str(tmp_path / "g.html"), query=tmp_path / "q.rq")
    data = data_of((tmp_path / "g.html").read_text(encoding="utf-8"))
    assert len(data["network"]["edges"]) == 5
    assert {e["sources"][0] for e in data["network"]["edges"]} == {"field map"}
    assert not any(d.get("later") for d in data["details"].values())
    assert len({(n["x"], n["y"]) for n in data["network"]["nodes"]}) == 6


# ---- command


def kg(*arguments: object, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "kg", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, env=os.environ | environment, check=False)


def test_kg_view_writes_a_page_in_an_ascii_locale(tmp_path: Path) -> None:
    papers = [extraction("p", "Über α-Rätsel 🧩.", ("α-Rätsel", EntityType.TASK, Role.ADDRESSES), title="Rätsel © 😀")]
    build = build_of(tmp_path, papers)
    done = kg("view", "--from", build, "-o", tmp_path / "g.html", LC_ALL="C", PYTHONUTF8="0")
    assert (done.returncode, done.stdout) == (0, b"")
    assert "Rätsel © 😀" in (tmp_path / "g.html").read_text(encoding="utf-8")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["g.html", "output"]
    piped = kg("view", "--from", build, "-o", "-", LC_ALL="C", PYTHONUTF8="0")
    assert piped.stdout == (tmp_path / "g.html").read_bytes()


def test_kg_view_focuses(tmp_path: Path) -> None:
    build = build_of(tmp_path, chain())
    done = kg("view", "--from", build, "-o", tmp_path / "g.html", "--focus", "beta rule", "--depth", "1")
    assert done.returncode == 0
    data = data_of((tmp_path / "g.html").read_text(encoding="utf-8"))
    assert data["details"][data["focus"]]["label"] == "beta rule"
    assert len(data["details"]) == 3


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--focus", "nobody"), 1, "nothing in the graph is called 'nobody'"),
        (("--max-nodes", "0"), 2, "--max-nodes 0 leaves nothing to draw"),
        (("--query", "missing.rq"), 1, "cannot read missing.rq"),
        (("-o", "/proc/no/g.html"), 1, "cannot write /proc/no/g.html"),
    ],
)
def test_kg_view_says_what_is_wrong(tmp_path: Path, arguments: tuple[str, ...], code: int, said: str) -> None:
    build = build_of(tmp_path, chain())
    done = kg("view", "--from", build, *(("-o", tmp_path / "g.html") if "-o" not in arguments else ()), *arguments)
    assert done.returncode == code
    assert said in done.stderr.decode()
    assert b"Traceback" not in done.stderr
    assert not (tmp_path / "g.html").exists()


# ---- other graph tools


@pytest.fixture(scope="module")
def whole() -> nx.MultiDiGraph:
    odd = extraction(
        "odd", "We name Bar\x08el | Ltd.", ("Bar\x08el | Ltd", EntityType.DATASET, Role.EVALUATES_ON), year=2024
    )
    papers = [*chain(), odd, swimmer(), Extraction(Paper("mute", "Nothing."))]
    return graph(papers, by_name(papers))


@pytest.mark.parametrize(("format", "read"), [("graphml", nx.read_graphml), ("gexf", nx.read_gexf)])
def test_xml_formats_open_in_networkx_without_loss(whole: nx.MultiDiGraph, format: str, read) -> None:
    back = read(io.BytesIO(exports.text(whole, format=format).encode()))
    assert set(back) == set(whole)
    assert sorted((s, t, e["role"]) for s, t, e in back.edges(data=True)) == sorted(
        (s, t, k) for s, t, k in whole.edges(keys=True)
    )
    assert back.nodes["method/beta-rule"]["type"] == "Method"
    edge = next(e for s, t, e in back.edges(data=True) if t.startswith("dataset/bar"))
    assert (edge["role"], edge["confidence"], edge["year"]) == ("evaluatesOn", 0.9, 2024)


def test_node_link_json_opens_in_networkx_without_loss(whole: nx.MultiDiGraph) -> None:
    back = nx.node_link_graph(json.loads(exports.text(whole, format="json")), edges="edges")
    assert set(back.edges(keys=True)) == set(whole.edges(keys=True))
    assert dict(back.nodes(data="label")) == dict(whole.nodes(data="label"))
    assert back.is_multigraph()
    assert back.is_directed()


@pytest.mark.parametrize("format", ["graphml", "gexf", "json"])
def test_what_is_broader_is_in_the_exports(format: str) -> None:
    whole = graph(kitchen(), *structured(kitchen(), read_map(MAP)))
    text = exports.text(whole, format=format)
    read = {"graphml": nx.read_graphml, "gexf": nx.read_gexf}.get(format)
    back = read(io.BytesIO(text.encode())) if read else nx.node_link_graph(json.loads(text), edges="edges")
    edge = next(e for s, t, e in back.edges(data=True) if (s, t) == ("model/soupnet", "model/cooking-network"))
    assert (edge["role"], edge["confidence"], edge["year"]) == ("broader", 0.99, 0)
    assert back.nodes["area/kitchen-science"]["type"] == "Area"


def test_csv_tables_hold_every_edge_and_every_node(whole: nx.MultiDiGraph, tmp_path: Path) -> None:
    import csv

    exports.write(whole, tmp_path / "g.csv")
    with (tmp_path / "g.csv").open(encoding="utf-8", newline="") as file:
        edges = list(csv.DictReader(file))
    with (tmp_path / "g.nodes.csv").open(encoding="utf-8", newline="") as file:
        nodes = list(csv.DictReader(file))
    assert {(e["source"], e["target"], e["role"]) for e in edges} == set(whole.edges(keys=True))
    assert {n["id"] for n in nodes} == set(whole)
    assert next(n for n in nodes if n["id"] == "paper/odd")["year"] == "2024"


def test_exports_are_the_same_bytes_each_time_and_carry_no_date(whole: nx.MultiDiGraph) -> None:
    shuffled = nx.MultiDiGraph()
    shuffled.add_nodes_from(reversed(list(whole.nodes(data=True))))
    shuffled.add_edges_from(reversed(list(whole.edges(data=True, keys=True))))
    for format in exports.WRITERS:
        assert exports.text(whole, format=format) == exports.text(shuffled, format=format)
    assert "lastmodifieddate" not in exports.text(whole, format="gexf")


def test_an_unknown_graph_format_is_named(whole: nx.MultiDiGraph) -> None:
    with pytest.raises(UsageError, match=r"'dot' is not a graph format; choose one of csv, gexf, graphml, json"):
        exports.text(whole, format="dot")


# ---- safety


def test_json_in_the_page_cannot_close_its_element_and_survives_surrogates() -> None:
    odd = "</script><!--\u2028\u2029\ud800\u202egpj.exe \x00"
    text = escaped_json({"a": odd})
    assert not re.search("[<>&\u2028\u2029]", text)
    assert json.loads(text)["a"] == odd.replace("\ud800", "\ufffd").replace("\u202e", "\ufffd")
    text.encode("utf-8")


def test_data_is_never_taken_for_template() -> None:
    page = render({"title": "{{vis}} {{data}}"})
    assert page.count("visjs contributors") == 1
    assert "<title>{{vis}} {{data}}</title>" in page


# ---- colours

CVD = {  # Machado, Oliveira and Fernandes 2009, https://doi.org/10.1109/TVCG.2009.113, severity 1
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritanopia": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}


def schemes() -> dict[str, dict[str, str]]:
    style = files("kg").joinpath("data/page/page.css").read_text(encoding="utf-8")
    blocks = re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    return {
        name: dict(re.findall(r"--([\w-]+): (#\w{6})", b)) for name, b in zip(("light", "dark"), blocks, strict=True)
    }


def linear(colour: str) -> list[float]:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]


def luminance(colour: str) -> float:
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear(colour), strict=True))


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def lab(colour: str, matrix: tuple[tuple[float, ...], ...]) -> tuple[float, float, float]:
    r, g, b = (min(1, max(0, sum(w * c for w, c in zip(row, linear(colour), strict=True)))) for row in matrix)
    xyz = (
        0.4125 * r + 0.3576 * g + 0.1804 * b,
        0.2127 * r + 0.7152 * g + 0.0722 * b,
        0.0193 * r + 0.1192 * g + 0.9503 * b,
    )
    x, y, z = (
        t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (xyz[0] / 0.9505, xyz[1], xyz[2] / 1.0888)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("sight", CVD)
def test_the_types_colours_are_apart_for_every_eye(scheme: str, sight: str) -> None:
    colours = schemes()[scheme]
    seen = [lab(colours[t], CVD[sight]) for t in ("paper", "model", "dataset", "method", "metric", "task")]
    assert min(math.dist(a, b) for a, b in itertools.combinations(seen, 2)) > 20


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_and_shapes_stand_out_from_their_grounds(scheme: str) -> None:
    colours = schemes()[scheme]
    for text, ground in itertools.product(("ink", "soft", "accent"), ("ground", "sheet", "hush")):
        assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    for kind in ("paper", "model", "dataset", "method", "metric", "task", "other"):
        for ground in ("ground", "sheet", "area"):
            best = max(contrast(colours[kind], colours[ground]), contrast(colours[f"{kind}-edge"], colours[ground]))
            assert best >= 3, (kind, ground)
