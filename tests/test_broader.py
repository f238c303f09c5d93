"""What is a kind of what: by the names themselves, by what papers say, by the map of the field; never wrong in kind."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.field import FieldMap, read_map
from kg.names import key
from kg.records import Concept, Entity, EntityType, Extraction, Mention, Paper, Role
from kg.structure import AREA, Broader, Node, Said, Source, Structure, above_of, ancestors, areas_of, structure
from kg.structure.phrases import bases, kinds
from kg.structure.tidy import tidy
from kg.vocab import slug

JUDGED = Path(__file__).parent / "data" / "broader-judged.tsv"
LISTS = Path(__file__).parents[1] / "kg" / "data" / "structure.tsv"
BUILT_IN = read_map()
MAP = """\
label\ttype\tbroader\taliases\thigher_is_better\tunit\ttasks
kitchen science\tArea\t\t\t\t\t
cooking\tTask\tkitchen science\t\t\t\t
soup making\tTask\tcooking\tbroth making\t\t\t
stove\tModel\tkitchen science\t\t\t\t
gas stove\tModel\tstove\t\t\t\t
SpoonSet\tDataset\tkitchen science\t\t\t\tsoup making
taste score\tMetric\tkitchen science\tTS\ttrue\t%\t
"""


def concept(label: str, kind: EntityType = EntityType.TASK, *others: str, papers: int = 1) -> Concept:
    return Concept(slug(label), kind, label, others, tuple((f"{label}{n}", 0) for n in range(papers)))


def named(found: Structure) -> set[tuple[str, str]]:
    """Links by label."""
    label = {Node(c.type.lower(), c.slug): c.label for c in found.concepts} | {a.node: a.label for a in found.areas}
    return {(label[link.narrow], label[link.broad]) for link in found.links}


def by_name(*labels: str, kind: EntityType = EntityType.TASK) -> set[tuple[str, str]]:
    return named(structure([concept(label, kind) for label in labels]))


@pytest.fixture
def field(tmp_path: Path) -> FieldMap:
    path = tmp_path / "kitchen.tsv"
    path.write_text(MAP, encoding="utf-8")
    return read_map(path)


@pytest.mark.parametrize(
    ("narrow", "broad", "kind"),
    [
        ("GPT-2 Small", "GPT-2", "Model"),
        ("GPT-2-XL", "GPT-2", "Model"),
        ("Llama-3.1-8B-Instruct", "Llama-3.1-8B", "Model"),
        ("Llama 3.1", "LLaMA", "Model"),
        ("YOLOv5", "YOLO", "Model"),
        ("GPT-4o", "GPT-4", "Model"),
        ("Transformer-XL", "transformer", "Model"),
        ("two-layer transformer", "transformer", "Model"),
        ("transformer-based model", "transformer", "Model"),
        ("graph neural network", "neural network", "Model"),
        ("Mask R-CNN", "R-CNN", "Model"),
        ("CIFAR-100", "CIFAR", "Dataset"),
        ("Wikidata5M", "Wikidata", "Dataset"),
        ("Tiny ImageNet", "ImageNet", "Dataset"),
        ("RefCOCO+", "RefCOCO", "Dataset"),
        ("offline reinforcement learning", "reinforcement learning", "Method"),
        ("model-free reinforcement learning", "reinforcement learning", "Method"),
        ("reinforcement learning from human feedback", "reinforcement learning", "Method"),
        ("3D image segmentation", "image segmentation", "Task"),
        ("unsupervised detection of anomalies", "detection of anomalies", "Task"),
        ("top-1 accuracy", "accuracy", "Metric"),
    ],
)
def test_a_name_holds_a_broader_one(narrow: str, broad: str, kind: str) -> None:
    assert by_name(narrow, broad, kind=EntityType(kind)) == {(narrow, broad)}


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("image segmentation", "segmentation model", "Task"),  # the head is what counts
        ("language model evaluation", "language model", "Task"),
        ("reinforcement learning with a feedback graph", "feedback graph", "Method"),
        ("delegation of data collection", "data collection", "Task"),
        ("semi-supervised learning", "supervised learning", "Method"),
        ("weakly supervised learning", "supervised learning", "Method"),
        ("non convex optimization", "convex optimization", "Task"),
        ("fake news detection", "news detection", "Task"),
        ("vision language model", "language model", "Model"),
        ("segmentation and tracking", "tracking", "Task"),
        ("inverse reinforcement learning", "reinforcement learning", "Method"),
        ("Fashion MNIST", "MNIST", "Dataset"),
        ("Math23K", "math", "Dataset"),
        ("Reflection-2", "reflection", "Method"),
        ("learning pollution map", "pollution map", "Task"),
        ("graph convolutional network", "convolutional network", "Model"),
        ("ranking method", "method", "Method"),  # says too little
        ("GPT-4", "GPT-3", "Model"),
        ("BERT", "BER", "Model"),
    ],
)
def test_a_name_that_only_looks_so_holds_none(one: str, other: str, kind: str) -> None:
    assert by_name(one, other, kind=EntityType(kind)) == set()


def test_the_nearest_of_several_broader_names_is_taken() -> None:
    found = by_name("detection", "anomaly detection", "video anomaly detection")
    assert found == {("video anomaly detection", "anomaly detection"), ("anomaly detection", "detection")}


def test_a_short_form_is_found_in_its_very_letters() -> None:
    estimate = concept("maximum a posteriori", EntityType.METHOD, "MAP")
    found = named(
        structure([estimate, concept("kernel map", EntityType.METHOD), concept("neural MAP", EntityType.METHOD)])
    )
    assert found == {("neural MAP", "maximum a posteriori")}


def test_a_name_that_papers_use_for_another_thing_is_no_kind() -> None:
    cost = concept("time complexity", EntityType.METRIC, "time")
    assert structure([cost, concept("response time", EntityType.METRIC)]).links == ()


def test_a_version_of_an_abbreviation_is_none_of_the_words() -> None:
    linear = concept("generalized linear model", EntityType.MODEL, "GLM")
    assert structure([linear, concept("GLM-4", EntityType.MODEL)]).links == ()


def test_types_are_kept_apart() -> None:
    assert structure([concept("image retrieval"), concept("retrieval", EntityType.METHOD)]).links == ()


@pytest.mark.parametrize("name", ["", " ", "-", "a", "++", "of the", "x of", "αβγ δεζ", "a\x00b c", "\\dataset x"])
def test_odd_names_hold_nothing_that_breaks(name: str) -> None:
    assert all(isinstance(found, str) for found in (*kinds(name), *bases(name)))


def paper(text: str, *names: str, kind: EntityType = EntityType.MODEL, name: str = "p") -> Extraction:
    """One paper with an entity for each name, in every place where it stands."""
    entities = []
    for n in names:
        at = text.index(n)
        entities.append(Entity(n, kind, Role.USES, 0.9, (Mention(at, at + len(n), n, 0.9),)))
    return Extraction(Paper(name, text), tuple(entities), sentences=((0, len(text)),))


def said(*papers: Extraction) -> Structure:
    """The structure of concepts of these papers, a concept for each name."""
    members: dict[tuple[str, EntityType], list[tuple[str, int]]] = {}
    for extraction in papers:
        for n, e in enumerate(extraction.entities):
            members.setdefault((key(e.name), e.type), []).append((extraction.paper.id, n))
    label = {key(e.name): e.name for x in papers for e in x.entities}
    concepts = [Concept(slug(k), t, label[k], (), tuple(m)) for (k, t), m in members.items()]
    collected = Said()
    assert [*collected.passing(papers)] == [*papers]
    return structure(concepts, collected.of)


@pytest.mark.parametrize(
    ("text", "narrow", "broad"),
    [
        (
            "We try six language models (Gpt-2, Llama-3 and Gemma) here.",
            ["Gpt-2", "Llama-3", "Gemma"],
            "language models",
        ),
        ("We try language models such as Gpt-2 and Gemma.", ["Gpt-2", "Gemma"], "language models"),
        ("Language models, including Gpt-2, Gemma, and Olmo, fail.", ["Gpt-2", "Gemma", "Olmo"], "Language models"),
        ("Small language models (e.g., Gemma) fail.", ["Gemma"], "Small language models"),
        ("Gpt-2, Gemma and other language models fail.", ["Gpt-2", "Gemma"], "language models"),
        ("We propose Pan, a novel world model that cooks.", ["Pan"], "world model"),
        ("We propose Pot (PT), a recurrent transformer architecture.", ["Pot"], "recurrent transformer"),
        ("Ladle is an efficient transformer.", ["Ladle"], "transformer"),
        ("Spoon, a variant of Ladle, is small.", ["Spoon"], "Ladle"),
    ],
)
def test_papers_say_what_is_a_kind_of_what(text: str, narrow: list[str], broad: str) -> None:
    found = said(paper(text, *narrow, broad))
    assert named(found) == {(n, broad) for n in narrow}
    for link in found.links:
        assert (link.sources, link.papers) == ((Source.TEXT,), 1)
        assert {text[slice(*span)] for e in link.evidence for span in (e.narrow, e.broad)} <= {*narrow, broad}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("We use a language model (LM).", ["language model", "LM"]),
        ("Multi-object tracking (driving, robotics) is hard.", ["Multi-object tracking", "driving", "robotics"]),
        ("Pan, a proxy for soup quality, rises.", ["Pan", "soup quality"]),
        ("Pan, a challenging task solving object detection.", ["Pan", "object detection"]),
        ("It joins Pan, a stirring Pot, and a Ladle.", ["Pan", "Pot", "Ladle"]),
        ("Language models, including Gpt-style models.", ["Language models", "Gpt"]),
        ("Central to Pan is a transformer.", ["Pan", "transformer"]),
        ("Ladle is a transformer decoder.", ["Ladle", "transformer"]),
        ("The gain, such as Pan, counts.", ["gain", "Pan"]),
    ],
)
def test_papers_that_say_something_else_are_not_misread(text: str, names: list[str]) -> None:
    assert said(paper(text, *names)).links == ()


def test_more_papers_make_it_surer_and_are_counted() -> None:
    one = paper("Language models such as Gemma fail.", "Language models", "Gemma", name="a")
    two = paper("We love language models like Gemma.", "language models", "Gemma", name="b")
    (once,), (twice,) = said(one).links, said(one, two).links
    assert (once.papers, twice.papers) == (1, 2)
    assert once.confidence < twice.confidence
    assert [e.paper for e in twice.evidence] == ["a", "b"]


def test_of_what_many_papers_name_one_paper_alone_says_nothing() -> None:
    odd = paper("We try world models such as Gemma.", "world models", "Gemma", name="odd")
    others = [paper("Gemma cooks.", "Gemma", name=f"p{n}") for n in range(20)]
    assert said(odd, *others).links == ()


def test_the_map_gives_the_chain_up_to_the_area(field: FieldMap) -> None:
    found = structure([concept("broth making"), concept("gas stove", EntityType.MODEL)], field=field)
    assert named(found) == {
        ("broth making", "cooking"),
        ("cooking", "kitchen science"),
        ("gas stove", "stove"),
        ("stove", "kitchen science"),
    }
    assert {c.label for c in found.concepts if not c.members} == {"cooking", "stove"}
    assert [area.label for area in found.areas] == ["kitchen science"]
    assert areas_of(found)[Node("task", "broth-making")] == (Node(AREA, "kitchen-science"),)


def test_a_name_leads_to_the_map(field: FieldMap) -> None:
    found = structure([concept("vegan soup making")], field=field)
    assert ("vegan soup making", "soup making") in named(found)
    assert ("soup making", "cooking") in named(found)


def test_the_map_tells_tasks_of_datasets_and_how_metrics_are_read(field: FieldMap) -> None:
    found = structure([concept("SpoonSet", EntityType.DATASET), concept("TS", EntityType.METRIC)], field=field)
    assert found.tasks == {Node("dataset", "spoonset"): (Node("task", "soup-making"),)}
    (measure,) = found.measures.values()
    assert (measure.higher_is_better, measure.unit) == (True, "%")
    assert {c.label for c in found.concepts if not c.members} == {"soup making", "cooking"}


@pytest.mark.parametrize(
    "known",
    [
        Concept("soup-making", EntityType.TASK, "SM", (), (("p", 0),)),
        Concept("x", EntityType.TASK, "soup", ("soup making problem", "Soup Making"), (("p", 0),)),
    ],
)
def test_a_concept_is_found_in_the_map_by_what_its_slug_is_made_of(field: FieldMap, known: Concept) -> None:
    expected = known.slug == "soup-making"
    assert any(link.narrow.slug == known.slug for link in structure([known], field=field).links) is expected


def test_what_only_the_map_has_and_no_chain_needs_is_left_out(field: FieldMap) -> None:
    assert structure([concept("juggling")], field=field) == Structure((concept("juggling"),))


def test_two_concepts_that_the_map_has_as_one_hang_at_one_place(field: FieldMap) -> None:
    found = structure([concept("soup making", papers=3), concept("broth making")], field=field)
    assert named(found) >= {("soup making", "cooking"), ("broth making", "cooking")}


def link(narrow: str, broad: str, sure: float = 0.9) -> Broader:
    return Broader(Node("task", narrow), Node("task", broad), (Source.NAME,), sure)


def pairs(links: tuple[Broader, ...]) -> set[str]:
    return {link.narrow.slug + link.broad.slug for link in links}


def test_a_short_cut_is_left_out() -> None:
    assert pairs(tidy([link("a", "b"), link("b", "c"), link("c", "d"), link("a", "d"), link("a", "c")])) == {
        "ab",
        "bc",
        "cd",
    }


def test_a_cycle_is_cut_at_its_least_sure_link() -> None:
    assert pairs(tidy([link("a", "b", 0.9), link("b", "c", 0.5), link("c", "a", 0.7)])) == {"ab", "ca"}


def test_nothing_is_broader_than_itself() -> None:
    assert tidy([link("a", "a")]) == ()


def test_what_several_sources_say_is_one_surer_link() -> None:
    text = Broader(Node("task", "a"), Node("task", "b"), (Source.TEXT,), 0.8, 3)
    (one,) = tidy([link("a", "b", 0.9), text])
    assert (one.sources, one.papers) == ((Source.NAME, Source.TEXT), 3)
    assert 0.9 < one.confidence < 1


links_of_few = st.lists(
    st.builds(link, st.sampled_from("abcdefg"), st.sampled_from("abcdefg"), st.sampled_from([0.5, 0.7, 0.9])),
    max_size=25,
)


@given(links_of_few, st.randoms(use_true_random=False))
def test_there_is_no_cycle_and_no_short_cut_and_order_is_nothing(links: list[Broader], chance: random.Random) -> None:
    shuffled = links[:]
    chance.shuffle(shuffled)
    tidied = tidy(links)
    above = above_of(tidied)
    assert tidied == tidy(shuffled)
    for one in tidied:
        assert one.narrow not in ancestors(one.narrow, above)
        assert not any(one.broad in ancestors(other, above) for other in above[one.narrow])


words = st.sampled_from(
    "deep graph neural network model GPT GPT-2 small large language detection image of and -".split()
)
names = st.lists(words, min_size=1, max_size=4).map(" ".join)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(names, st.sampled_from(EntityType)), max_size=12, unique=True), st.randoms(use_true_random=False)
)
def test_no_link_across_types_whatever_the_order(found: list[tuple[str, EntityType]], chance: random.Random) -> None:
    concepts = list({(slug(label), kind): concept(label, kind) for label, kind in found}.values())
    shuffled = concepts[:]
    chance.shuffle(shuffled)
    whole = structure(concepts, field=BUILT_IN)
    assert whole == structure(shuffled, field=BUILT_IN)
    assert all(one.broad.kind in (one.narrow.kind, AREA) for one in whole.links)
    assert len({(c.type, c.slug) for c in whole.concepts}) == len(whole.concepts)
    assert {n for one in whole.links for n in (one.narrow, one.broad)} <= {
        *(Node(c.type.lower(), c.slug) for c in whole.concepts),
        *(area.node for area in whole.areas),
    }


def judged() -> list[tuple[str, str, EntityType, str, bool]]:
    lines = [line for line in JUDGED.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert lines == sorted(lines)
    rows = [line.split("\t") for line in lines]
    return [(child, parent, EntityType(kind), source, right == "1") for child, parent, kind, source, right in rows]


def test_what_was_judged_by_hand_is_mostly_right() -> None:
    rows = judged()
    assert len(rows) >= 200
    assert sum(right for *_, right in rows) / len(rows) >= 0.95


def test_links_by_name_that_were_judged_wrong_are_not_made_again() -> None:
    wrong = [(child, parent, kind) for child, parent, kind, source, right in judged() if source == "name" and not right]
    assert wrong
    for child, parent, kind in wrong:
        assert (child, parent) not in by_name(child, parent, kind=kind)


def test_links_by_name_that_were_judged_right_are_still_made() -> None:
    """But for those that another name of the child tells: the table has labels only."""
    told = [(child, parent, kind) for child, parent, kind, source, right in judged() if source == "name" and right]
    made = [pair for *pair, kind in told if tuple(pair) in by_name(*pair, kind=kind)]
    by_label = [pair for *pair, _ in told if pair[0].casefold().endswith(f" {pair[1].casefold()}")]
    assert len(made) >= len(by_label) > 100


def test_the_lists_are_sorted_and_whole() -> None:
    lines = [line for line in LISTS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert lines == sorted(set(lines))
    known = {"apart", "bound", "compound", "gerund", "hollow", "noun", "preposition", "tail"}
    for line in lines:
        kind, word, other = line.split("\t")
        assert kind in known
        assert word.strip() == word != ""
        assert bool(other) is (kind == "apart")
        assert len(word.split()) == 2 or kind != "compound"
