"""The map of the field that is shipped is in order; a faulty map is refused whole, in a sentence that says where."""

from __future__ import annotations

import re
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest

from kg.errors import InputError
from kg.field import FieldConcept, FieldMap, read_map
from kg.names import key
from kg.records import EntityType

# What is better depends on who asks: an attacker or a defender, a maximum or a minimum that is approximated
NO_DIRECTION = {
    "acceptance rate",
    "aleatoric uncertainty",
    "approximation ratio",
    "attack success rate",
    "competitive ratio",
    "entropy",
    "epistemic uncertainty",
    "predictive uncertainty",
    "response length",
    "uncertainty measure",
}
TERM = r"(?:field|area):[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?"
WORDS = r'"[^"\n]+"@en'
BLOCK = re.compile(
    rf"(?P<subject>{TERM}) a (?:skos:Concept|kg:(?P<type>\w+)) ;\n"
    rf"    skos:prefLabel \"(?P<label>[^\"\n]+)\"@en ;\n"
    rf"(?:    skos:altLabel (?P<aliases>{WORDS}(?:, {WORDS})*) ;\n)?"
    rf"    (?:skos:topConceptOf <https://w3id\.org/paperkg/field>|skos:broader {TERM})"
    r"(?: ;\n    kg:higherIsBetter (?:true|false))?"
    r"(?: ;\n    kg:unit \"[^\"\n]+\")?"
    rf"(?: ;\n    kg:forTask (?P<tasks>{TERM}(?:, {TERM})*))? \."
)
AREAS = "@prefix kg: <https://w3id.org/paperkg/ontology#> .\n@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
AREAS += "@prefix : <http://example.org/> .\n"
AREAS += ":scheme a skos:ConceptScheme .\n:food a skos:Concept ; skos:prefLabel 'food' ; skos:topConceptOf :scheme .\n"
HEAD = "label\ttype\tbroader\taliases\thigher_is_better\tunit\ttasks\n"


@pytest.fixture(scope="module")
def shipped() -> FieldMap:
    return read_map()


@pytest.fixture(scope="module")
def blocks() -> list[re.Match[str]]:
    """The blocks of the shipped file as they are written."""
    text = (files("kg.data") / "field.ttl").read_text("utf-8")
    written = [b for b in text.split("\n\n") if b.startswith(("field:", "area:"))]
    found = [(b, BLOCK.fullmatch(b.rstrip("\n"))) for b in written]
    assert [b for b, match in found if not match] == []
    return [match for _, match in found if match]


def read(tmp_path: Path, text: str, name: str = "map.tsv") -> FieldMap:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_map(path)


# ── The map that is shipped ──


def test_it_is_as_large_as_promised_and_each_block_is_a_concept(shipped: FieldMap, blocks: list[re.Match[str]]) -> None:
    assert len(shipped.concepts) == len(blocks) >= 1000
    assert {c.type for c in shipped.concepts} == {None, *EntityType}


def test_blocks_are_sorted_and_name_each_concept_once(blocks: list[re.Match[str]]) -> None:
    order = [(b["type"] or "", b["label"].casefold(), b["label"]) for b in blocks]
    assert order == sorted(order)
    assert [s for s, n in Counter(b["subject"] for b in blocks).items() if n > 1] == []
    for block in blocks:
        for several in (re.findall(r'"([^"]+)"', block["aliases"] or ""), (block["tasks"] or "").split(", ")):
            assert several == sorted(set(several), key=lambda name: (name.casefold(), name))


def test_labels_are_of_one_concept_whatever_their_dress(shipped: FieldMap) -> None:
    labels = Counter(key(c.label) for c in shipped.concepts)
    assert [label for label, n in labels.items() if n > 1] == []


def test_an_alias_says_something_new(shipped: FieldMap) -> None:
    for concept in shipped.concepts:
        keys = [key(name) for name in (concept.label, *concept.aliases)]
        assert len(keys) == len(set(keys)), concept.label


def test_every_concept_reaches_one_of_a_dozen_areas(shipped: FieldMap) -> None:
    areas = {c for c in shipped.concepts if c.type is None}
    assert 10 <= len(areas) <= 14
    for concept in shipped.concepts:
        *between, area = (concept, *shipped.chain(concept))
        assert area in areas
        assert {c.type for c in between} <= {concept.type}
    assert {shipped.area(c) for c in shipped.concepts if c.type} == areas


def test_a_kind_is_not_too_wide_to_say_something(shipped: FieldMap) -> None:
    below = Counter((c.broader, c.type) for c in shipped.concepts if c.broader and shipped.find(c.broader, c.type))
    assert max(below.values()) <= 40


def test_metrics_have_a_direction_and_datasets_a_task(shipped: FieldMap) -> None:
    directionless = {c.label for c in shipped.concepts if c.type == EntityType.METRIC and c.higher_is_better is None}
    assert directionless == NO_DIRECTION
    for concept in shipped.concepts:
        assert bool(concept.tasks) == (concept.type == EntityType.DATASET), concept.label
        assert all(shipped.find(task, EntityType.TASK) for task in concept.tasks)
        if concept.type != EntityType.METRIC:
            assert (concept.higher_is_better, concept.unit) == (None, None), concept.label


@pytest.mark.parametrize(
    ("name", "kind", "label"),
    [
        ("Convolutional Neural Networks", EntityType.MODEL, "convolutional neural network"),
        ("CNNs", EntityType.MODEL, "convolutional neural network"),
        ("large-language models (LLMs)", EntityType.MODEL, "large language model"),
        ("resnet50", EntityType.MODEL, "ResNet-50"),
        ("$\\beta$-VAE", EntityType.MODEL, "β-VAE"),
        ("CIFAR10", EntityType.DATASET, "CIFAR-10"),
        ("Visual Question Answering", EntityType.TASK, "visual question answering"),
        ("part of speech tagging", EntityType.TASK, "part-of-speech tagging"),
        ("Finetuning", EntityType.METHOD, "fine-tuning"),
        ("few-shot learning", EntityType.METHOD, "few-shot learning method"),
        ("few-shot learning", EntityType.TASK, "few-shot learning"),
        ("F1-Score", EntityType.METRIC, "F1 score"),
        ("nlp", None, "natural language processing"),
    ],
)
def test_a_name_is_found_in_any_dress(shipped: FieldMap, name: str, kind: EntityType | None, label: str) -> None:
    found = shipped.find(name, kind)
    assert found
    assert found.label == label


def test_a_name_is_found_only_within_its_type(shipped: FieldMap) -> None:
    assert shipped.find("ImageNet", EntityType.MODEL) is None
    assert shipped.find("a thing that nobody wrote of", EntityType.TASK) is None


def test_it_knows_families_directions_units_and_tasks(shipped: FieldMap) -> None:
    def chain(name: str, kind: EntityType) -> list[str]:
        found = shipped.find(name, kind)
        assert found
        return [c.label for c in shipped.chain(found)]

    assert chain("GPT-2", EntityType.MODEL)[:3] == ["GPT", "large language model", "language model"]
    assert chain("offline reinforcement learning", EntityType.METHOD)[0] == "reinforcement learning"
    latency, imagenet = shipped.find("latency", EntityType.METRIC), shipped.find("ImageNet", EntityType.DATASET)
    assert latency
    assert (latency.higher_is_better, latency.unit) == (False, "ms")
    assert imagenet
    assert imagenet.tasks == ("image classification",)


# ── Maps of users ──


def test_a_table_and_turtle_say_the_same(tmp_path: Path) -> None:
    table = read(
        tmp_path,
        "# my map\n" + HEAD + "food\tArea\n"
        "Soup\tTask\tfood\tBroth|Potage\n"
        "pea soup\tTask\tsoups\n"
        "spice level\tMetric\tfood\t\tTrue\tSHU\n"
        "Ladle-5\tDataset\tfood\t\t\t\tpea soups\n",
    )
    turtle = AREAS + (
        ":soup a kg:Task ; skos:prefLabel 'Soup'@en, 'Suppe'@de ; skos:altLabel 'Broth', 'Potage'@en-GB ;"
        " skos:broader :food .\n"
        ":peas a skos:Concept, kg:Task ; skos:prefLabel 'pea soup' ; skos:broader :soup .\n"
        ":hot a kg:Metric ; skos:prefLabel 'spice level' ; skos:broader :food ; kg:unit 'SHU' ; kg:higherIsBetter 1 .\n"
        ":ladle a kg:Dataset ; skos:prefLabel 'Ladle-5' ; skos:broader :food ; kg:forTask :peas .\n"
        "<http://example.org/me> <http://xmlns.com/foaf/0.1/name> 'The cook' .\n"
    )
    assert table == read(tmp_path, turtle, "map.ttl")
    assert table.concepts[2] == FieldConcept("spice level", EntityType.METRIC, (), "food", True, "SHU")
    assert table.concepts[4] == FieldConcept("Soup", EntityType.TASK, ("Broth", "Potage"), "food")


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("a\tTask\tb\nb\tTask\tc\nc\tTask\ta\n", "map.tsv:3: broader goes in a circle: a → b → c → a"),
        ("a\tTask\ta\n", "circle: a → a"),
        ("a\tTask\tfood\nA's\tTask\tfood\n", "map.tsv:4: \"A's\" and 'a' (Task) share the name 'a'"),
        ("a\tTask\tfood\tx\nb\tTask\tfood\tX\n", "map.tsv:4: 'b' and 'a' (Task) share the name 'x'"),
        ("a\tTask\tfood\tfoods\n", "map.tsv:3: 'a' has the name of an area, 'food'"),
        ("a\tSong\tfood\n", "map.tsv:3: 'a': type 'Song' is unknown; use one of Model, Dataset"),
        ("a\t\tfood\n", "map.tsv:3: 'a': has no type"),
        ("a\tTask\tdrinks\n", "map.tsv:3: the parent of 'a', 'drinks', is not in the map"),
        ("a\tTask\t\n", "map.tsv:3: 'a' has no parent; give it a broader Task or an area"),
        ("a\tTask\tfood\nb\tModel\ta\n", "map.tsv:4: the parent of 'b', 'a', is a Task, it is a Model"),
        ("drink\tArea\tfood\n", "map.tsv:3: area 'drink' has the parent 'food'"),
        ("a\tMetric\tfood\t\tup\n", "map.tsv:3: 'a': direction 'up'; say true or false"),
        ("a\tDataset\tfood\t\t\t\tsoup\n", "map.tsv:3: the task of 'a', 'soup', is no Task of the map"),
        ("\tTask\tfood\n", "map.tsv:3: no label"),
        ("a\tTask\tfood\t\t\t\t\tmore\n", "map.tsv:3: 8 cells where the first line has 7"),
    ],
)
def test_a_faulty_table_is_refused(tmp_path: Path, lines: str, told: str) -> None:
    with pytest.raises(InputError) as refused:
        read(tmp_path, HEAD + "food\tArea\n" + lines)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (":a a kg:Task ; skos:prefLabel 'a' skos:broader :food .\n", "map.ttl:6: broken Turtle:"),
        (
            ":a a kg:Task ; skos:prefLabel 'a', 'b' ; skos:broader :food .\n",
            "<http://example.org/a> has 2 skos:prefLabel",
        ),
        (":a a kg:Task ; skos:broader :food .\n", "<http://example.org/a> has no skos:prefLabel"),
        (":a a kg:Task ; skos:prefLabel 'a' ; skos:broader :food, :b .\n", "'a' has 2 skos:broader"),
        (
            ":a a kg:Task ; skos:prefLabel 'a' ; skos:broader :b .\n",
            "the parent of 'a', '<http://example.org/b>', is not",
        ),
        (":a a kg:Song ; skos:prefLabel 'a' ; skos:broader :food .\n", "'a': type 'Song' is unknown"),
        (":a a kg:Task, kg:Model ; skos:prefLabel 'a' ; skos:broader :food .\n", "type 'Model and Task' is unknown"),
        (":a a skos:Concept ; skos:prefLabel 'a' ; skos:broader :food .\n", "'a': has no type"),
        (
            ":a a kg:Task ; skos:prefLabel 'a' ; skos:broader :b .:b a kg:Task ; skos:prefLabel 'b' ; skos:broader :a.",
            "broader goes in a circle: a → b → a",
        ),
    ],
)
def test_faulty_turtle_is_refused(tmp_path: Path, lines: str, told: str) -> None:
    with pytest.raises(InputError) as refused:
        read(tmp_path, AREAS + lines, "map.ttl")
    assert told in str(refused.value)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("map.ttl", b"", "holds no concept"),
        ("map.tsv", b"", "holds no concept"),
        ("map.tsv", b"# nothing\n" + HEAD.encode(), "holds no concept"),
        ("map.tsv", b"name\tkind\n", "map.tsv:1: column 'label' is missing or unknown"),
        ("map.tsv", HEAD.encode() + b"caf\xe9\tArea\n", "is not UTF-8"),
        ("map.xlsx", b"PK", "is no map of the field: give SKOS in Turtle (.ttl) or a table"),
        ("gone.ttl", None, "gone.ttl: No such file"),
    ],
)
def test_a_file_that_is_no_map_is_refused(tmp_path: Path, name: str, content: bytes | None, told: str) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError) as refused:
        read_map(path)
    assert told in str(refused.value)
