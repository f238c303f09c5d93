"""The page in a real browser: what a reader sees, does and takes away, and what must never happen."""

from __future__ import annotations

import csv
import http.server
import io
import json
import re
import shutil
import subprocess
import threading
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest
from graph_sample import by_name, seeds
from kitchen import MAP
from page_browser import Opened, chromium, renderer_seconds
from playwright.sync_api import Browser, TimeoutError

from kg import view
from kg.concepts import settle
from kg.field import read_map
from kg.graph import Run, quads
from kg.records import Concept, Entity, EntityType, Extraction, Mention, Paper, Result, Role
from kg.structure import Said, structure

BASE = "https://w3id.org/paperkg/"
Open = Callable[..., Opened]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def opened(browser: Browser) -> Iterator[Open]:
    """Open pages that are checked at the end: no dialog, no error, no request, no breach of the policy."""
    pages: list[Opened] = []

    def open_(file: Path, **options: object) -> Opened:
        pages.append(Opened(browser, file, **options))  # type: ignore[arg-type]
        return pages[-1]

    yield open_
    assert [wrong for page in pages for wrong in page.close()] == []


def find(text: str, name: str, start: int = 0) -> tuple[int, int]:
    at = text.index(name, start)
    return at, at + len(name)


def paper(paper_id: str, text: str, *found: tuple[str, EntityType, Role, float], **about: object) -> Extraction:
    entities = []
    for name, type_, role, confidence in found:
        spots, at = [], 0
        while name in text[at:]:
            start, at = find(text, name, at)
            spots.append(Mention(start, at, name, confidence))
        entities.append(Entity(name, type_, role, confidence, tuple(spots)))
    ends = [m.end() for m in re.finditer(r"[.!?](?=\s|$)", text)]
    sentences = tuple(zip([0, *(e + 1 for e in ends[:-1])], ends, strict=True))
    return Extraction(Paper(paper_id, text, **about), tuple(entities), (), (), sentences)  # type: ignore[arg-type]


def small() -> list[Extraction]:
    """Three papers of three years: two name a data set, two a task, an emoji stands before every offset of one."""
    juggling = (
        "🤹 We propose TriBall, a juggler. TriBall beats DuoBall on PinDrop. We report the drop rate, and the drop "
        "rate falls to 4.5%. Our task is juggling."
    )
    start, end = find(juggling, "4.5%")
    one = paper(
        "a1",
        juggling,
        ("TriBall", EntityType.MODEL, Role.PROPOSES, 0.95),
        ("DuoBall", EntityType.MODEL, Role.COMPARES_WITH, 0.8),
        ("PinDrop", EntityType.DATASET, Role.EVALUATES_ON, 0.9),
        ("drop rate", EntityType.METRIC, Role.REPORTS, 0.99),
        ("juggling", EntityType.TASK, Role.ADDRESSES, 0.6),
        title="TriBall: a juggler",
        venue="RingConf",
        year=2024,
        doi="10.1000/tri",
    )
    result = Result("TriBall", "drop rate", "4.5%", "PinDrop", "DuoBall", "9%", start, end, 0.9)
    one = Extraction(one.paper, one.entities, (result,), (), one.sentences)
    two = paper(
        "a2",
        "DuoBall is a juggler for juggling. It is tested on PinDrop and trained by practice.",
        ("DuoBall", EntityType.MODEL, Role.PROPOSES, 0.9),
        ("PinDrop", EntityType.DATASET, Role.EVALUATES_ON, 0.7),
        ("juggling", EntityType.TASK, Role.ADDRESSES, 0.9),
        ("practice", EntityType.METHOD, Role.USES, 0.9),
        title="DuoBall",
        venue="RingConf",
        year=2025,
    )
    three = paper(
        "a3",
        "We use practice for rope walking. Falls are counted.",
        ("practice", EntityType.METHOD, Role.USES, 0.9),
        ("rope walking", EntityType.TASK, Role.ADDRESSES, 0.9),
        title="Ropes",
        venue="HighConf",
        year=2026,
    )
    return [one, two, three]


def aliased(papers: list[Extraction]) -> tuple[Concept, ...]:
    return tuple(
        Concept(c.slug, c.type, c.label, ("Pin-Drop 1.0", c.label), c.members) if c.label == "PinDrop" else c
        for c in by_name(papers)
    )


@pytest.fixture(scope="module")
def small_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("small") / "graph.html"
    view.write(file, lambda: small(), aliased(small()), title="Juggling")
    return file


@pytest.fixture(scope="module")
def seeds_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("seeds") / "graph.html"
    papers = seeds()
    view.write(file, lambda: papers, by_name(papers))
    return file


# ---- seeing


def test_the_overview_says_how_much_there_is(opened: Open, seeds_file: Path) -> None:
    page = opened(seeds_file).page
    assert page.title() == "Paper graph"
    numbers = page.inner_text(".numbers").split("\n")
    assert numbers[:2] == ["38", "papers"]
    legend = [b.replace("\n", " ") for b in page.locator("#legend button").all_inner_texts()]
    counts = {words: int(n) for words, n in (re.match(r"(.*?) (\d+)$", b).groups() for b in legend)}  # type: ignore[union-attr]
    concepts = by_name(seeds())
    assert counts["Papers"] == 38
    assert counts["Data sets"] == sum(c.type is EntityType.DATASET for c in concepts)
    assert sum(counts.values()) == 38 + len(concepts)
    assert page.locator("#legend button svg").count() == 6
    assert page.locator("#panel .bars").count() >= 5


def test_the_map_is_painted_in_the_colours_of_the_legend(opened: Open, small_file: Path) -> None:
    page = opened(small_file)
    light = {key: page.colour_at(key) for key in ("model/triball", "dataset/pindrop", "metric/drop-rate", "paper/a1")}
    assert len(set(light.values())) == 4
    assert light["model/triball"][:3] == (0x2A, 0x66, 0xD9)
    dark = opened(small_file, color_scheme="dark")
    assert dark.colour_at("model/triball")[:3] == (0x3F, 0x74, 0xF0)
    grounds = [p.page.evaluate("getComputedStyle(document.body).backgroundColor") for p in (page, dark)]
    assert grounds[0] != grounds[1]


def test_the_page_follows_a_change_of_colour_scheme(opened: Open, small_file: Path) -> None:
    page = opened(small_file)
    page.page.emulate_media(color_scheme="dark")
    page.page.wait_for_timeout(300)
    assert page.colour_at("model/triball")[:3] == (0x3F, 0x74, 0xF0)


def test_hover_shows_the_name_and_the_role(opened: Open, small_file: Path) -> None:
    page = opened(small_file)
    assert page.hover_node("model/triball").split("\n") == ["TriBall", "Model", "proposed by TriBall: a juggler"]
    assert "compared with by TriBall: a juggler" in page.hover_node("model/duoball")
    assert page.hover_node("paper/a1").split("\n")[0] == "TriBall: a juggler"
    page.page.mouse.move(5, 200)
    assert page.page.is_hidden("#tip")


def test_hover_on_a_line_shows_the_role_and_the_sentence(opened: Open, small_file: Path) -> None:
    page = opened(small_file)
    one, other = (page.page.evaluate("(k) => paperkg.where(k)", k) for k in ("paper/a3", "task/rope-walking"))
    page.page.mouse.move(0.4 * one["x"] + 0.6 * other["x"], 0.4 * one["y"] + 0.6 * other["y"])
    assert page.page.inner_text("#tip").split("\n") == [
        "Ropes addresses rope walking",
        "We use practice for rope walking.",
    ]


# ---- a paper


def test_a_click_on_a_paper_shows_its_abstract_with_every_mention_marked(opened: Open, small_file: Path) -> None:
    page = opened(small_file)
    page.click_node("paper/a1")
    assert page.heading() == "TriBall: a juggler"
    assert page.page.inner_text(".abstract") == small()[0].paper.text
    marks = page.page.locator(".abstract .mention")
    said = [(m.inner_text(), m.get_attribute("class")) for m in marks.all()]
    assert said == [
        ("TriBall", "mention model"),
        ("TriBall", "mention model"),
        ("DuoBall", "mention model"),
        ("PinDrop", "mention dataset"),
        ("drop rate", "mention metric"),
        ("drop rate", "mention metric"),
        ("juggling", "mention task"),
    ]
    colours = {
        c: page.page.eval_on_selector(f".abstract .{c}", "e => getComputedStyle(e).backgroundColor")
        for _, c in [("", "model"), ("", "dataset"), ("", "metric"), ("", "task")]
    }
    assert len(set(colours.values())) == 4
    assert "rgba(0, 0, 0, 0)" not in colours.values()


def test_every_mention_of_the_seeds_is_marked_where_it_stands(opened: Open, seeds_file: Path) -> None:
    from kg.text import clean

    page = opened(seeds_file)
    for extraction in seeds()[::5]:
        text = clean(extraction.paper.text)
        wanted = {text.clean[slice(*text.to_clean(m.start, m.end))] for e in extraction.entities for m in e.mentions}
        page.page.evaluate("(key) => paperkg.go(key)", f"paper/{extraction.paper.id}")
        assert page.page.inner_text(".abstract") == text.clean
        assert set(page.page.locator(".abstract .mention").all_inner_texts()) == wanted


def test_a_paper_lists_entities_by_role_results_and_related_papers_with_the_reason(
    opened: Open, small_file: Path
) -> None:
    page = opened(small_file)
    page.click_node("paper/a1")
    headings = page.page.locator("#panel h3").all_inner_texts()
    assert headings == [
        "Proposes 1", "Evaluates on 1", "Reports 1", "Addresses 1", "Compares with 1", "Results 1", "Related papers 1",
    ]  # fmt: skip
    row = [t.strip() for t in page.page.locator("#panel tbody td").all_text_contents()]
    assert row == ["TriBall", "drop rate on PinDrop", "4.5%", "DuoBall 9%"]
    reason = page.page.inner_text("#panel .sentence.soft")
    assert reason.startswith("both name ")
    assert {"DuoBall", "PinDrop", "juggling"} <= set(re.findall(r"\w+", reason))
    assert page.page.get_attribute("#panel a[href^=http]", "href") == "https://doi.org/10.1000/tri"


def test_results_show_how_they_are_meant_and_under_what_condition(opened: Open, tmp_path: Path) -> None:
    text = "TriBall reduces drops by 37% (wind) and 33% (rain)."
    this = paper(
        "r1", text, ("TriBall", EntityType.MODEL, Role.PROPOSES, 0.9), ("drops", EntityType.METRIC, Role.REPORTS, 0.9)
    )
    results = tuple(Result("TriBall", "drops", v, "", "", "", *find(text, v), 0.9) for v in ("37%", "33%"))
    this = Extraction(this.paper, this.entities, results, (), this.sentences)
    view.write(tmp_path / "graph.html", lambda: [this], by_name([this]))
    page = opened(tmp_path / "graph.html")
    page.click_node("paper/r1")
    row = [t.strip() for t in page.page.locator("#panel tbody td").all_text_contents()]
    assert row == [
        "TriBall", "drops (wind)", "37% difference", "",
        "TriBall", "drops (rain)", "33% difference", "",
    ]  # fmt: skip


def test_each_triple_shows_its_sentence(opened: Open, small_file: Path) -> None:
    page = opened(small_file)
    page.click_node("paper/a1")
    fact = page.page.locator("#panel li", has_text="drop rate").first
    sentence = fact.locator(".sentence")
    assert not sentence.is_visible()
    fact.locator("button").click()
    assert sentence.inner_text() == "We report the drop rate, and the drop rate falls to 4.5%."
    assert sentence.locator("mark").inner_text() == "drop rate"


def test_a_mention_leads_to_its_concept(opened: Open, small_file: Path) -> None:
    page = opened(small_file)
    page.click_node("paper/a1")
    page.page.click(".abstract .mention >> text=PinDrop")
    assert page.heading() == "PinDrop"


# ---- a concept


def test_a_click_on_a_concept_shows_names_type_and_papers_by_role_with_sentences(
    opened: Open, small_file: Path
) -> None:
    page = opened(small_file)
    page.click_node("dataset/pindrop")
    text = re.sub(r"\n+", "\n", page.panel())
    assert text.startswith("Data set · 2 papers\nPinDrop\nAlso written\nPin-Drop 1.0\n")
    assert page.page.locator("#panel h3").all_inner_texts()[0] == "Evaluated on by 2"
    assert page.page.locator("#panel .sentence").all_inner_texts() == [
        "TriBall beats DuoBall on PinDrop.",
        "It is tested on PinDrop and trained by practice.",
    ]
    assert "4.5%" in page.page.inner_text("#panel table")


def test_a_concept_says_who_compares_with_it(opened: Open, small_file: Path) -> None:
    page = opened(small_file)
    page.click_node("model/duoball")
    text = page.page.text_content("#panel") or ""
    assert "Who compares with it 1TriBall in TriBall: a juggler" in text


# ---- structure


@pytest.fixture(scope="module")
def kitchen_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three papers that share no concept: two cooking networks, of which a paper says what they are, and a task."""
    file = tmp_path_factory.mktemp("kitchen") / "graph.html"
    soup, broth = ("SoupNet", EntityType.MODEL, Role.USES, 0.9), ("BrothFormer", EntityType.MODEL, Role.PROPOSES, 0.9)
    networks = ("cooking networks", EntityType.MODEL, Role.STUDIES, 0.9)
    papers = [
        paper("k0", "SoupNet stirs well.", soup, title="Stirring"),
        paper("k1", "BrothFormer tastes well.", broth, title="Tasting"),
        paper("k2", "We study soup stirring.", ("soup stirring", EntityType.TASK, Role.ADDRESSES, 0.9), title="Soup"),
        paper("k3", "We try cooking networks such as SoupNet.", networks, soup, title="Trying", year=2026),
    ]
    said = Said()
    concepts = settle(said.passing(papers)).concepts
    view.write(file, lambda: papers, concepts, found=structure(concepts, said.of, field=read_map(MAP)), title="Kitchen")
    return file


def test_a_concept_shows_what_it_is_a_kind_of_up_to_the_area_with_source_and_sentence(
    opened: Open, kitchen_file: Path
) -> None:
    page = opened(kitchen_file, fragment="#model/soupnet").page
    assert page.locator("#panel h3").all_inner_texts()[0] == "Broader"
    chain = page.locator("#panel ul.plain").first
    assert [a.get_attribute("href") for a in chain.locator(".fact a").all()] == [
        "#model/cooking-network",
        "#area/kitchen-science",
    ]
    assert [s.inner_text() for s in chain.locator(".sure[title*=says]").all()] == ["by map, 1 paper", "by map"]
    sentence = chain.locator(".sentence")
    assert sentence.inner_text().startswith("We try cooking networks such as SoupNet.")
    assert sentence.locator("mark").inner_text() == "cooking networks such as SoupNet"
    page.click("#panel ul.chain a")
    assert page.inner_text("#panel h2") == "Kitchen science"
    assert "4 papers" in page.inner_text("#panel .kind")


def test_a_broad_concept_lists_its_kinds_and_shows_who_names_them(opened: Open, kitchen_file: Path) -> None:
    page = opened(kitchen_file, fragment="#model/cooking-network").page
    kinds = page.locator("#panel h3:has-text('Narrower') + ul a")
    assert kinds.all_inner_texts()[:1] == ["SoupNet"]
    assert "BrothFormer" in kinds.all_inner_texts()
    near = page.evaluate("[...paperkg.view.near].map((t) => t.key).sort()")
    assert {"paper/k0", "paper/k1", "paper/k3", "model/soupnet", "model/brothformer"} <= set(near)
    assert "paper/k2" not in near


def test_papers_of_unlike_names_are_joined_by_a_path_and_say_why_they_are_related(
    opened: Open, kitchen_file: Path
) -> None:
    page = opened(kitchen_file, fragment="#paper/k0?to=paper/k1").page
    steps = [s.strip() for s in page.locator("#panel .path > li > a").all_inner_texts()]
    assert steps == ["Stirring", "SoupNet", "cooking network", "BrothFormer", "Tasting"]
    page.evaluate("paperkg.go('paper/k1')")
    assert "both name kinds of cooking network (BrothFormer, SoupNet)" in (page.text_content("#panel") or "")


def test_an_area_is_a_region_that_can_be_selected_filtered_and_hidden(opened: Open, kitchen_file: Path) -> None:
    page = opened(kitchen_file)
    assert page.page.inner_text("#legend [data-type=Area]").split() == ["Areas", "1"]
    page.page.fill("#find", "kitchen science")
    page.page.keyboard.press("Enter")
    assert page.page.evaluate("paperkg.view.near.size") >= 7
    page.page.evaluate("paperkg.go('')")
    page.page.click("#filters summary")
    page.page.locator("label:has-text('Area') select").select_option(label="Kitchen science")
    assert page.page.evaluate("location.hash") == "#?area=area%2Fkitchen-science"
    assert page.shown("paper/k0")
    page.page.locator("#filters").evaluate("(menu) => { menu.open = false; }")
    before = page.colour_at("paper/k0")
    page.page.click("#legend [data-type=Area]")
    assert page.page.get_attribute("#legend [data-type=Area]", "aria-pressed") == "false"
    assert page.colour_at("paper/k0") == before
    _, content = take(page, "ttl")
    broader = ox.NamedNode("http://www.w3.org/2004/02/skos/core#broader")
    assert [str(q.object.value) for q in ox.parse(content, ox.RdfFormat.TURTLE) if q.predicate == broader]


# ---- focus, history, address


def test_focus_fades_the_rest_and_back_brings_it_back(opened: Open, small_file: Path) -> None:
    page = opened(small_file)
    before = page.colour_at("task/rope-walking")
    page.click_node("model/triball")
    near = page.page.evaluate("[...paperkg.view.near].map((t) => t.key).sort()")
    assert near == ["model/triball", "paper/a1"]
    assert page.page.evaluate("location.hash") == "#model/triball"
    page.page.evaluate("paperkg.network.moveTo({ position: { x: 0, y: 0 }, scale: 0.5 })")
    assert page.colour_at("model/triball")[:3] == (0x2A, 0x66, 0xD9)
    assert page.colour_at("task/rope-walking") != before
    page.click_node("paper/a2")
    assert page.heading() == "DuoBall"
    page.page.go_back()
    assert page.heading() == "TriBall"
    page.page.go_back()
    assert page.heading() == "Overview"
    page.page.go_forward()
    assert page.heading() == "TriBall"


def test_a_view_can_be_linked(opened: Open, small_file: Path) -> None:
    page = opened(small_file)
    page.click_node("dataset/pindrop")
    page.page.click("#legend [data-type=Metric]")
    page.page.click("#filters summary")
    page.page.check("text=Only what two or more papers share")
    link = page.page.evaluate("location.hash")
    again = opened(small_file, fragment=link)
    assert again.heading() == "PinDrop"
    assert not again.shown("metric/drop-rate")
    assert not again.shown("model/triball")
    assert again.page.get_attribute("#legend [data-type=Metric]", "aria-pressed") == "false"


@pytest.mark.parametrize(
    "fragment", ["#nobody/here", "#%E0%A4%A", "#?hide=Nothing&sure=x&from=no", "#model/triball?to=x"]
)
def test_an_address_of_something_else_is_harmless(opened: Open, small_file: Path, fragment: str) -> None:
    page = opened(small_file, fragment=fragment)
    assert page.heading() in ("Overview", "TriBall")
    assert page.shown("task/rope-walking")


# ---- finding


def test_find_by_keyboard(opened: Open, small_file: Path) -> None:
    page = opened(small_file).page
    page.keyboard.press("/")
    page.keyboard.type("ball")
    page.wait_for_selector("#found li[data-key]")
    assert page.get_attribute("#find", "aria-expanded") == "true"
    keys = [li.get_attribute("data-key") for li in page.locator("#found li").all()]
    assert set(keys) == {"model/triball", "model/duoball", "paper/a1", "paper/a2"}
    page.keyboard.press("ArrowDown")
    chosen = page.locator('#found [aria-selected="true"]')
    assert chosen.get_attribute("data-key") == keys[1]
    assert page.get_attribute("#find", "aria-activedescendant") == chosen.get_attribute("id")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    assert page.evaluate("paperkg.view.selected.key") == keys[0]
    assert page.evaluate("document.activeElement.tagName") == "H2"
    page.keyboard.press("Escape")
    assert page.inner_text("#panel h2") == "Overview"


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("pin drop", "dataset/pindrop"),
        ("TRIBALL", "model/triball"),
        ("falls are counted", "paper/a3"),
        ("rope-walking", "task/rope-walking"),
    ],
)
def test_find_knows_aliases_case_dashes_and_abstracts(opened: Open, small_file: Path, asked: str, found: str) -> None:
    page = opened(small_file).page
    page.fill("#find", asked)
    page.wait_for_selector("#found li")
    assert page.locator("#found li").first.get_attribute("data-key") == found


def test_enter_does_not_wait_for_the_list(opened: Open, small_file: Path) -> None:
    page = opened(small_file).page
    page.focus("#find")
    page.keyboard.type("ropes")
    page.keyboard.press("Enter")
    assert page.inner_text("#panel h2") == "Ropes"


def test_find_says_when_there_is_nothing(opened: Open, small_file: Path) -> None:
    page = opened(small_file).page
    page.fill("#find", "quux")
    page.wait_for_selector("#found li")
    assert page.inner_text("#found") == "Nothing on this page has that name."
    assert page.inner_text("#said") == "0 answers"


# ---- filters


def visible(page: Opened) -> set[str]:
    keys = ("model/triball", "model/duoball", "dataset/pindrop", "metric/drop-rate", "task/juggling", "method/practice",
            "task/rope-walking", "paper/a1", "paper/a2", "paper/a3")  # fmt: skip
    return {key for key in keys if page.shown(key)}


def test_filter_by_type(opened: Open, small_file: Path) -> None:
    page = opened(small_file)
    everything = visible(page)
    page.page.click("#legend [data-type=Model]")
    assert everything - visible(page) == {"model/triball", "model/duoball"}
    assert page.page.inner_text("#legend [data-type=Model] b") == "0 of 2"
    page.page.click("#legend [data-type=Model]")
    assert visible(page) == everything


@pytest.mark.parametrize(
    ("act", "hidden"),
    [
        ("uncheck >> text=Addresses", {"task/juggling", "task/rope-walking"}),
        ("uncheck >> text=Proposes", {"model/triball"}),
        ("check >> text=Only what two or more", {"model/triball", "metric/drop-rate", "task/rope-walking"}),
        ("select HighConf >> label:has-text('Venue') select", {"paper/a1", "paper/a2", "model/triball", "model/duoball",
            "dataset/pindrop", "metric/drop-rate", "task/juggling"}),
        ("select 2025 >> label:has-text('From') select", {"paper/a1", "model/triball", "metric/drop-rate"}),
        ("select 2025 >> label:has-text('to') select >> nth=-1", {"paper/a3", "task/rope-walking"}),
        ("slide 0.93", {"model/duoball", "dataset/pindrop", "task/juggling", "method/practice", "task/rope-walking"}),
    ],
    ids=["role", "another role", "shared", "venue", "from year", "to year", "confidence"],
)  # fmt: skip
def test_other_filters(opened: Open, small_file: Path, act: str, hidden: set[str]) -> None:
    page = opened(small_file)
    everything = visible(page)
    page.page.click("#filters summary")
    verb, _, where = act.partition(" >> ")
    if verb.startswith("select"):
        page.page.locator(where).select_option(verb.split()[1])
    elif verb.startswith("slide"):
        page.page.locator("#filter input[type=range]").fill(str(round(100 * float(verb.split()[1]))))
    else:
        getattr(page.page.locator(f"#filter label >> {where}").locator("input"), verb)()
    assert everything - visible(page) == hidden
    assert "(1)" in page.page.inner_text("#filters summary")
    page.page.click("text=Show everything >> nth=0")
    assert visible(page) == everything


# ---- paths


def test_shortest_path_between_two_nodes(opened: Open, small_file: Path) -> None:
    page = opened(small_file)
    page.click_node("model/triball")
    page.page.click("text=Path to…")
    page.page.keyboard.type("rope walking")
    page.page.keyboard.press("Enter")
    steps = [s.split("\n")[0] for s in page.page.locator("ol.path li").all_inner_texts()]
    assert steps[0::2] == ["TriBall", "TriBall: a juggler", steps[4], "DuoBall", "practice", "Ropes", "rope walking"]
    assert steps[1::2] == ["proposed by", steps[3], steps[5], "uses", "used by", "addresses"]
    assert steps[4] in ("DuoBall", "PinDrop", "juggling")
    page.page.reload()
    page.page.wait_for_selector("html[data-ready]")
    assert page.heading() == "TriBall → rope walking"
    page.page.click("#legend [data-type=Method]")
    assert "is like: both " in page.panel()
    page.page.click("#filters summary")
    page.page.uncheck("text=Lines between papers that are alike")
    assert "No path leads there with these filters." in page.panel()


# ---- the keyboard alone


def test_the_map_by_keyboard(opened: Open, small_file: Path) -> None:
    page = opened(small_file).page
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "map":
            break
    page.keyboard.press("ArrowRight")
    first = page.inner_text("#said")
    for key in ("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    assert re.fullmatch(r".+, (paper|model|data set|method|metric|task), \d+ links?", page.inner_text("#said"))
    assert first
    page.keyboard.press("Enter")
    assert page.inner_text("#panel h2") in page.inner_text("#said")
    scale = page.evaluate("paperkg.network.getScale()")
    page.focus("#map")
    page.keyboard.press("+")
    assert page.evaluate("paperkg.network.getScale()") > scale
    page.keyboard.press("0")


def test_single_key_shortcuts_can_be_switched_off(opened: Open, small_file: Path) -> None:
    page = opened(small_file).page
    page.keyboard.press("?")
    assert page.is_visible("#help")
    page.uncheck("#keys-on")
    page.click("#help >> text=Close")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") != "find"


# ---- taking away


def take(page: Opened, what: str, *, tries: int = 3) -> tuple[str, bytes]:
    """Click a button of the menu and read what arrives; where a busy browser swallows a download, click again."""
    page.page.evaluate("document.getElementById('take').open = false")
    page.page.click("#take summary")
    try:
        with page.page.expect_download(timeout=15_000) as download:
            page.page.click(f"[data-take={what}]")
    except TimeoutError:
        assert page.wrong == []
        if tries == 1:
            raise
        return take(page, what, tries=tries - 1)
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def test_the_picture_is_a_png_of_what_is_seen(opened: Open, small_file: Path) -> None:
    name, content = take(opened(small_file), "png")
    assert name == "graph.png"
    assert content.startswith(b"\x89PNG\r\n")
    assert len(content) > 10_000


def test_the_drawing_is_an_svg_with_shapes_and_names(opened: Open, small_file: Path) -> None:
    name, content = take(opened(small_file), "svg")
    root = ET.fromstring(content)
    space = "{http://www.w3.org/2000/svg}"
    assert name == "graph.svg"
    texts = {t.text for t in root.iter(f"{space}text")}
    assert {"DuoBall", "Papers", "Data sets"} <= texts
    titles = {t.text for t in root.iter(f"{space}title")}
    assert {"PinDrop", "Ropes", "rope walking"} <= titles
    assert len(list(root.iter(f"{space}line"))) == 11


def test_the_table_holds_what_is_listed(opened: Open, small_file: Path) -> None:
    page = opened(small_file)
    _, content = take(page, "csv")
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
    assert len(rows) == 11
    row = next(r for r in rows if r["concept"] == "metric/drop-rate")
    assert (row["paper"], row["role"], row["type"], row["confidence"], row["year"]) == (
        "paper/a1",
        "reports",
        "Metric",
        "0.99",
        "2024",
    )
    assert row["sentence"].startswith("We report the drop rate")
    page.click_node("paper/a3")
    name, content = take(page, "csv")
    assert name == "a3.csv"
    assert content.decode("utf-8-sig").count("\r\n") == 3


def test_the_triples_of_the_selection_are_triples_of_the_graph(opened: Open, small_file: Path) -> None:
    page = opened(small_file)
    page.click_node("dataset/pindrop")
    _, content = take(page, "ttl")
    taken = {(str(q.subject), str(q.predicate), str(q.object)) for q in ox.parse(content, ox.RdfFormat.TURTLE)}
    run = Run(software="0", model="none")
    graph = {
        (str(q.subject), str(q.predicate), str(q.object)) for q in quads(small(), aliased(small()), base=BASE, run=run)
    }
    assert taken <= graph
    assert {s for s, *_ in taken} == {f"<{BASE}{k}>" for k in ("dataset/pindrop", "paper/a1", "paper/a2")}
    assert (f"<{BASE}paper/a1>", f"<{BASE}ontology#evaluatesOn>", f"<{BASE}dataset/pindrop>") in taken


# ---- sizes, paper, other scripts


def test_a_phones_width(opened: Open, seeds_file: Path) -> None:
    page = opened(seeds_file, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    wide = "document.documentElement.scrollWidth"
    assert page.page.evaluate(wide) <= 390
    page.page.evaluate("paperkg.go('paper/seed-a03')")
    spot = page.page.evaluate("paperkg.where('paper/seed-a03')")
    page.page.touchscreen.tap(spot["x"], spot["y"])
    assert page.page.evaluate(wide) <= 390
    assert page.page.is_visible(".abstract")
    page.page.click("#filters summary")
    assert page.page.locator("#filter").bounding_box()["width"] <= 390  # type: ignore[index]


def test_it_prints_the_map_and_the_panel_without_controls(opened: Open, small_file: Path) -> None:
    page = opened(small_file, fragment="#paper/a1")
    page.page.emulate_media(media="print")
    assert page.page.is_hidden(".tools")
    assert page.page.is_hidden("#find")
    assert page.page.is_visible("#map canvas")
    assert page.page.evaluate("getComputedStyle(document.querySelector('aside')).overflowY") == "visible"
    assert page.page.pdf().startswith(b"%PDF")


def test_chinese_and_right_to_left_names(opened: Open, tmp_path: Path) -> None:
    names = [("图神经网络模型", EntityType.MODEL), ("شبكة عصبية", EntityType.METHOD), ("מטלת תרגום", EntityType.TASK)]
    text = "我们提出图神经网络模型。 نستخدم شبكة عصبية هنا. אנו פותרים מטלת תרגום."
    papers = [paper("w", text, *((n, t, Role.MENTIONS, 0.9) for n, t in names), title="图神经网络模型 and שלום")]
    view.write(tmp_path / "w.html", lambda: papers, by_name(papers))
    page = opened(tmp_path / "w.html", fragment="#paper/w")
    assert [m.inner_text() for m in page.page.locator(".abstract .mention").all()] == [n for n, _ in names]
    page.page.fill("#find", "عصبية")
    page.page.wait_for_selector("#found li[data-key]")
    page.page.keyboard.press("Enter")
    assert page.heading() == "شبكة عصبية"
    assert page.page.evaluate("document.querySelector('#panel h2 bdi').matches(':dir(rtl)')")
    _, content = take(page, "svg")
    assert "شبكة عصبية" in content.decode()


# ---- scale


def crowd(count: int) -> list[Extraction]:
    """Papers on made-up topics: a dozen words each of a few hundred, some things shared, some their own."""
    stems = [
        a + b
        for a in "ba ce di fo gu ka le mi no pu ra se ti vo zu".split()
        for b in "lar mon nex pil rud sta tor ven wig".split()
    ]
    papers = []
    for i in range(count):
        topic = [stems[(i % 17 * 7 + k * 3) % len(stems)] for k in range(8)]
        shared = [f"{topic[0]} {topic[k]}" for k in (1, 2, 3)]
        own = [f"{topic[4]} {stems[i % len(stems)]} {i}", f"{topic[5]} set {i}"]
        text = (
            f"We propose {own[0]} for {shared[0]}. It uses {shared[1]} and {shared[2]} on {own[1]}. "
            + " ".join(topic * 8)
            + "."
        )
        papers.append(paper(
            f"c{i:05}", text,
            (own[0], EntityType.MODEL, Role.PROPOSES, 0.9), (shared[0], EntityType.TASK, Role.ADDRESSES, 0.9),
            (shared[1], EntityType.METHOD, Role.USES, 0.9), (shared[2], EntityType.METHOD, Role.USES, 0.9),
            (own[1], EntityType.DATASET, Role.EVALUATES_ON, 0.9), year=2000 + i % 20,
        ))  # fmt: skip
    return papers


@pytest.fixture(scope="module")
def crowd_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("crowd") / "graph.html"
    papers = crowd(1000)
    view.write(file, lambda: papers, by_name(papers), max_nodes=1200)
    return file


@pytest.mark.parametrize(("which", "budget"), [("seeds_file", 1.5), ("crowd_file", 4.0)])
def test_it_is_soon_ready(
    opened: Open, request: pytest.FixtureRequest, record_property, which: str, budget: float
) -> None:
    file = request.getfixturevalue(which)
    before = renderer_seconds()
    page = opened(file)
    seconds = renderer_seconds() - before
    record_property("ready_ms", page.page.evaluate("document.documentElement.dataset.ready"))
    record_property("renderer_seconds", seconds)
    record_property("bytes", file.stat().st_size)
    assert seconds < budget


def test_a_crowd_is_drawn_in_part_and_the_rest_appears_with_its_paper(opened: Open, crowd_file: Path) -> None:
    page = opened(crowd_file)
    note = page.page.inner_text("#panel .note >> nth=0")
    assert re.search(r"This page holds [\d,]+ of 1,000 papers", note)
    key = page.page.evaluate("[...document.querySelectorAll('#panel details.area a')][0].getAttribute('href').slice(1)")
    text = page.page.evaluate(
        "(key) => { paperkg.go(key); return [...paperkg.view.near].filter((t) => t.later).map((t) => t.key) }", key
    )
    assert len(text) == 2
    assert all(page.shown(k) for k in text)
    page.click_node(text[0])
    assert page.page.evaluate("paperkg.view.selected.key") == text[0]
    page.page.evaluate("paperkg.go('')")
    assert not page.shown(text[0])


def test_a_crowd_pans(opened: Open, crowd_file: Path, record_property) -> None:
    page = opened(crowd_file)
    page.page.evaluate("() => { window.draws = 0; paperkg.network.on('afterDrawing', () => { window.draws += 1; }); }")
    before = renderer_seconds()
    page.page.mouse.move(400, 400)
    page.page.mouse.down()
    for i in range(120):
        page.page.mouse.move(400 + i, 400 + i // 2)
    page.page.mouse.up()
    page.page.wait_for_timeout(400)
    draws = page.page.evaluate("window.draws")
    milliseconds = 1000 * (renderer_seconds() - before) / draws
    record_property("renderer_ms_per_frame", round(milliseconds, 1))
    assert draws > 3
    assert milliseconds < 100


def test_a_crowd_is_seen_while_it_moves(opened: Open, crowd_file: Path) -> None:
    page = opened(crowd_file)
    data = json.loads(page.page.text_content("#data") or "")
    papers = [n for n in data["network"]["nodes"] if data["details"][n["id"]]["type"] == "Paper"]
    key = data["details"][min(papers, key=lambda n: n["y"])["id"]]["key"]  # the topmost: no name lies over it
    at_rest, before = page.colour_at(key), page.page.evaluate("(key) => paperkg.where(key)", key)
    page.page.mouse.move(400, 400)
    page.page.mouse.down()
    for step in range(20, 60, 5):
        page.page.mouse.move(400 + step, 400 + step)
    assert page.colour_at(key) == at_rest
    assert page.page.evaluate("(key) => paperkg.where(key).y", key) > before["y"] + 10
    page.page.mouse.up()
    page.page.wait_for_timeout(400)
    for turn in (240, 240, -480):
        page.page.mouse.wheel(0, turn)
        assert page.colour_at(key) == at_rest


class Elsewhere(http.server.BaseHTTPRequestHandler):
    """A server that knows one thing more than the page."""

    page = b""

    def do_GET(self) -> None:
        kind, content = "text/html; charset=utf-8", self.page
        if self.path.startswith("/search?q="):
            known = [{"iri": BASE + "model/triball", "label": "TriBall", "type": "Model", "papers": 1}]
            more = {"iri": BASE + "model/quadball", "label": "QuadBall <b>", "type": "Model", "papers": 3}
            kind, content = "application/json", json.dumps([*known, more]).encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None: ...


def test_a_served_page_finds_what_it_leaves_out(browser: Browser) -> None:
    remote = view.Remote(search="/search?q=", page="/graph?focus=")
    papers = small()
    whole = view.graph(papers, aliased(papers))
    Elsewhere.page = view.page_of(whole, papers, remote=remote).encode()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/"
        page = browser.new_page()
        page.goto(address)
        page.fill("#find", "ball")
        page.wait_for_selector("#found li:has-text('QuadBall')")
        assert page.locator("#found li:has-text('TriBall')").count() == 2
        page.keyboard.press("ArrowUp")
        assert page.text_content('#found [aria-selected="true"]') == "QuadBall <b>model, 3 papers"
        page.keyboard.press("Enter")
        page.wait_for_url(f"{address}graph?focus=*")
        assert page.url == f"{address}graph?focus=https%3A%2F%2Fw3id.org%2Fpaperkg%2Fmodel%2Fquadball"
        page.close()
        server.shutdown()


# ---- hostile corpus

HOSTILE = [
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    '"><img src=x onerror=alert(3)>',
    "' onmouseover='alert(4)",
    "{{7*7}} ${7*7} {% raw %} <%= 7*7 %>",
    "javascript:alert(5)",
    "safe\u202egnp.exe\u202c",
    "\u2066isolated\u2069",
    "x" * 10_000,
    "👩‍👩‍👧‍👦🏳️‍🌈 emoji",
    "nul\x00and\x07bell",
    "null",
    "undefined",
    "__proto__",
    "constructor",
    "<!-- --><![CDATA[ ]]>",
    '=HYPERLINK("http://example.org")',
    "a\u2028b\u2029c",
    "lone \ud800 half",
    "&lt;b&gt; &amp; <b>",
    "..",
    "%00%2e%2e",
]


def hostile() -> list[Extraction]:
    papers = []
    types = list(EntityType)
    for i, name in enumerate(HOSTILE):
        text = f"We name {name} here. And {HOSTILE[(i + 1) % len(HOSTILE)]} too."
        other = HOSTILE[(i + 1) % len(HOSTILE)]
        papers.append(paper(
            f"h{i}<b>\"'", text,
            (name, types[i % 5], Role.MENTIONS, 0.9), (other, types[(i + 1) % 5], Role.MENTIONS, 0.9),
            title=name, venue=name[:200], year=2020 + i % 3, authors=(name,), doi=name[:50], url="javascript:alert(6)",
        ))  # fmt: skip
    return papers


@pytest.fixture(scope="module")
def hostile_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("hostile") / "graph.html"
    papers = hostile()
    view.write(file, lambda: papers, by_name(papers), title="</title><script>alert(7)</script>")
    return file


def test_a_hostile_corpus_is_plain_text(opened: Open, hostile_file: Path) -> None:
    page = opened(hostile_file)
    assert page.page.evaluate("document.scripts.length") == 3
    assert page.page.title() == "</title><script>alert(7)</script>"
    keys = page.page.evaluate(
        "[...document.querySelectorAll('#panel details.area a')].map((a) => a.getAttribute('href'))"
    )
    assert len(set(keys)) == len(HOSTILE)
    labels = set()
    for key in page.page.evaluate(
        "JSON.parse(document.getElementById('data').textContent).network.nodes.map((n) => n.id)"
    ):
        page.page.evaluate(
            "(id) => paperkg.go(JSON.parse(document.getElementById('data').textContent).details[id].key)", key
        )
        labels.add(page.page.evaluate("document.querySelector('#panel h2').textContent"))
        assert (
            page.page.evaluate("document.querySelectorAll('#panel script, #panel img, #panel b b, main iframe').length")
            == 0
        )
        assert page.page.evaluate("[...document.links].every((a) => !/^javascript:/i.test(a.href))")
    assert {"<script>alert(1)</script>", "null", "__proto__", "{{7*7}} ${7*7} {% raw %} <%= 7*7 %>"} <= labels


def test_hostile_names_can_be_found_hovered_filtered_and_taken(opened: Open, hostile_file: Path) -> None:
    page = opened(hostile_file)
    for name in ("<script>alert(1)", "javascript:", "__proto__", "xxxxx", "{{7*7}}"):
        page.page.fill("#find", name)
        page.page.keyboard.press("Enter")
        key = page.page.evaluate("paperkg.view.selected.key")
        page.hover_node(key)
        for what in ("svg", "csv", "ttl"):
            _, content = take(page, what)
            if what == "svg":
                ET.fromstring(content)
            if what == "ttl":
                assert list(ox.parse(content, ox.RdfFormat.TURTLE))
    page.page.evaluate("paperkg.go('')")
    page.page.click("#filters summary")
    page.page.locator("label:has-text('Venue') select").select_option(index=1)
    _, content = take(page, "csv")
    cells = [c for row in csv.reader(io.StringIO(content.decode("utf-8-sig"))) for c in row]
    assert not [c for c in cells if c.startswith(("=", "+", "@"))]
    assert page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# ---- for everyone


@pytest.fixture(scope="module")
def axe(request: pytest.FixtureRequest) -> str:
    """axe-core, installed by npm into pytest's cache the first time."""
    folder = Path(request.config.cache.mkdir("axe-core"))  # type: ignore[union-attr]
    script = folder / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("npm, which installs axe-core, is not here")
        command = [npm, "install", "--no-save", "--no-fund", "--no-audit", "--prefix", str(folder), "axe-core@4"]
        subprocess.run(command, check=True, capture_output=True)
    return script.read_text(encoding="utf-8")


RESET = """() => {
    paperkg.go("");
    document.querySelectorAll("details.menu").forEach((menu) => { menu.open = false; });
    document.getElementById("help").close();
}"""
STATES = {
    "overview": "() => {}",
    "paper": "() => paperkg.go('paper/seed-a01')",
    "sentences": """() => {
        paperkg.go("paper/seed-a01");
        document.querySelectorAll("#panel .say").forEach((button) => button.click());
    }""",
    "concept": "() => paperkg.go(document.querySelector('#panel .bars a').getAttribute('href').slice(1))",
    "filters": "() => { document.getElementById('filters').open = true; }",
    "take away": "() => { document.getElementById('take').open = true; }",
    "help": "() => document.getElementById('help-open').click()",
    "found": """() => {
        const find = document.getElementById("find");
        find.focus();
        find.value = "a";
        find.dispatchEvent(new Event("input"));
        return new Promise((done) => setTimeout(done, 200));
    }""",
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing(opened: Open, seeds_file: Path, axe: str, scheme: str, width: int) -> None:
    page = opened(seeds_file, color_scheme=scheme, viewport={"width": width, "height": 844}, bypass_csp=True)
    page.page.evaluate(f"() => {{ {axe} }}")
    found = {}
    for state, act in STATES.items():
        page.page.evaluate(RESET)
        page.page.evaluate(act)
        page.page.wait_for_timeout(100)
        tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
        result = page.page.evaluate("(tags) => axe.run(document, { runOnly: tags })", tags)
        found[state] = [f"{v['id']}: {n['html'][:160]}" for v in result["violations"] for n in v["nodes"]]
    assert found == {state: [] for state in STATES}


def test_the_state_of_the_page_is_told_to_screen_readers(opened: Open, small_file: Path) -> None:
    page = opened(small_file).page
    assert page.get_attribute("#map", "aria-label")
    assert page.get_attribute("#found", "role") == "listbox"
    tree = json.dumps(page.locator("body").aria_snapshot())
    for said in (
        "Find a paper, model",
        "Legend: show or hide a type",
        "Map of papers and what they name",
        "Take away",
        "Overview",
    ):
        assert said in tree
