"""Concepts: what is one thing and what isn't, by which evidence; independent of order, and stable."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

import pytest
from concept_corpus import concept_of, entity, paper, same
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.codec import dumps
from kg.concepts import concepts, part, replaced, settle
from kg.concepts.aliases import read as read_aliases
from kg.errors import InputError
from kg.names import key, words
from kg.records import Concept, Entity, EntityType, Extraction, Mention, Paper, Role
from kg.wording import keys, wording

ALIKE = [
    ("large language models", "Large Language Model", "m"),
    ("fine-tuned", "fine-tuning", ""),
    ("rate of convergence", "convergence rates", "x"),
    ("certifying robustness", "robustness certification", "t"),
    ("detecting hallucinations", "hallucination detection", "t"),
    ("LLM-based agents", "LLM agent", "m"),
    ("deep neural networks", "deep networks", "m"),
    ("primal-dual algorithm", "primal-dual method", ""),
    ("Frank-Wolfe algorithm", "Frank-Wolfe", ""),
    ("peak memory footprint", "peak memory usage", "x"),
    ("OpenAI o3", "o3", "m"),
    ("Qwen-2-VL-Chat", "Chat Qwen-2-VL", "m"),
    ("K-MNIST", "Kuzushiji-MNIST", "d"),
    ("GPT-4V", "GPT-4 Vision", "m"),
    ("robotic grasping", "robot grasping", "t"),
    ("chain of thought", "chain-of-thought", ""),
]
APART = [
    ("ResNet-50", "ResNet-101", "m"),
    ("Qwen2-VL", "Qwen2.5-VL", "m"),
    ("offline reinforcement learning", "online reinforcement learning", ""),
    ("convex optimization", "non-convex optimization", "t"),
    ("perfect-information games", "imperfect-information games", "t"),
    ("language models", "language modeling", "m"),
    ("large language models", "language models", "m"),
    ("text-to-image generation", "image-to-text generation", "t"),
    ("m: reward models", "x: reward", ""),
    ("ImageNet", "ImageNet-C", "d"),
    ("multilingual language model", "multimodal language model", "m"),
    ("graph networks", "graph neural networks", "m"),
]


@pytest.mark.parametrize(("a", "b", "kind"), ALIKE)
def test_names_worded_alike_are_one_concept(a: str, b: str, kind: str) -> None:
    assert same(a, b, kind=kind)


@pytest.mark.parametrize(("a", "b", "kind"), APART)
def test_names_of_different_things_are_apart(a: str, b: str, kind: str) -> None:
    assert not same(a, b, kind=kind)


def test_a_long_form_and_its_abbreviation_are_one_concept_across_papers() -> None:
    papers = [paper("a", "m: graph neural network, GNNs"), paper("b", "m: GNN"), paper("c", "m: Graph Neural Networks")]
    assert [m[0] for m in concept_of(papers, "a").members] == ["a", "b", "c"]


def test_an_abbreviation_inside_a_name_is_spelled_out() -> None:
    defining = [paper(str(n), "m: graph neural network, GNN") for n in range(2)]
    assert same("GNN pruning", "graph neural network pruning", *defining)


def test_an_abbreviation_that_the_paper_defines_beside_its_entity_counts() -> None:
    papers = [paper("a", "m: GNN", defines=(("GNN", "graph neural network"),)), paper("b", "m: graph neural networks")]
    assert ("b", 0) in concept_of(papers, "a").members


SSL = [
    paper("semi1", "semi-supervised learning, SSL", "label propagation", "d: Citeseer"),
    paper("semi2", "semi-supervised learning, SSL", "label propagation", "d: Cora"),
    paper("self1", "self-supervised learning, SSL", "masked image modeling", "d: ImageNet"),
    paper("self2", "self-supervised learning, SSL", "masked image modeling", "d: CIFAR-10"),
]


def test_an_ambiguous_abbreviation_is_what_its_own_paper_spells_out() -> None:
    assert ("self1", 0) not in concept_of(SSL, "semi1").members


def test_an_ambiguous_abbreviation_goes_by_the_words_of_its_paper() -> None:
    bare = paper("bare", "SSL", text="We study semi-supervised classification.")
    assert ("semi1", 0) in concept_of([*SSL, bare], "bare").members


def test_an_ambiguous_abbreviation_goes_by_the_company_it_keeps() -> None:
    bare = paper("bare", "SSL", "masked image modeling", "d: ImageNet")
    assert ("self1", 0) in concept_of([*SSL, bare], "bare").members


def test_an_ambiguous_abbreviation_without_company_is_kept_apart() -> None:
    bare = paper("bare", "SSL", "t: weather forecasting")
    assert concept_of([*SSL, bare], "bare").members == (("bare", 0),)
    assert settle([*SSL, bare], informed=False).resolved == {"kept apart": 1}


def test_abbreviations_differ_by_case() -> None:
    papers = [paper("a", "graph of thoughts, GoT"), paper("b", "t: generic object tracking, GOT"), paper("c", "t: GOT")]
    assert [m[0] for m in concept_of(papers, "c").members] == ["b", "c"]


def test_two_papers_that_coin_the_same_name_mean_two_things() -> None:
    coined = entity("Collision Avoidance by Repulsion, CAR", role=Role.PROPOSES)
    again = entity("CAR", role=Role.PROPOSES)
    assert not any(m[0] == "b" for m in concept_of([paper("a", coined), paper("b", again)], "a").members)


def test_what_is_known_beforehand_helps_a_small_corpus() -> None:
    papers = [paper("a", "m: LLMs"), paper("b", "m: large language models")]
    assert ("b", 0) in concept_of(papers, "a", informed=True).members


def test_what_the_corpus_says_beats_what_is_known_beforehand() -> None:
    own = [paper(str(n), "d: Grasping Annotated Novelties, GAN") for n in range(40)]
    assert ("0", 0) in concept_of([*own, paper("bare", "d: GAN")], "bare", informed=True).members


def test_one_type_by_evidence_and_the_disagreement_is_counted() -> None:
    papers = [paper("a", "t: clustering"), paper("b", "t: clustering"), paper("c", "clustering")]
    settled = settle(papers, informed=False)
    assert [(c.type, len(c.members)) for c in settled.concepts] == [(EntityType.TASK, 3)]
    assert (settled.disagreements, settled.overruled) == (1, 1)


def test_a_dataset_written_large_is_not_the_word_written_small() -> None:
    papers = [paper("a", "d: MATH"), paper("b", "t: math"), paper("c", "d: MATH")]
    assert [m[0] for m in concept_of(papers, "a").members] == ["a", "c"]


def test_one_wrong_grouping_does_not_merge_what_many_papers_name() -> None:
    first = [paper(f"a{n}", "t: image captioning") for n in range(5)]
    second = [paper(f"b{n}", "t: scene parsing") for n in range(5)]
    wrong = paper("wrong", "t: image captioning, scene parsing")
    settled = settle([*first, *second, wrong], informed=False)
    assert sorted(len(c.members) for c in settled.concepts) == [5, 6]
    assert [{d.name, d.other} for d in settled.doubts] == [{"scene parsing", "image captioning"}]


def test_names_that_papers_use_for_one_thing_become_one() -> None:
    both = [paper(f"a{n}", "t: dereflection, reflection removal") for n in range(2)]
    assert same("dereflection", "reflection removal", *both)


def test_a_name_used_for_several_things_joins_none_of_them() -> None:
    papers = [
        *(paper(f"a{n}", "t: feature ranking, attribution") for n in range(2)),
        *(paper(f"b{n}", "t: source citing, attribution") for n in range(2)),
    ]
    assert not same("feature ranking", "source citing", *papers)


def test_long_forms_of_one_abbreviation_that_differ_in_endings_are_one() -> None:
    papers = [paper("a", "differential privacy, DP"), paper("b", "differentially private, DP")]
    assert ("b", 0) in concept_of(papers, "a").members


FORMS = st.sampled_from(
    "LLM,LLMs,large language model,SSL,self-supervised learning,semi-supervised learning,GPT-4,BERT,math,MATH,RL agent,"
    "reinforcement learning,RL,$\\alpha$-GAN,—,**kern,C++,accuracy,top-1 accuracy".split(",")
)
ENTITIES = st.builds(
    lambda forms, kind: entity(f"{kind}: {', '.join(forms)}"),
    st.lists(FORMS, min_size=1, max_size=3),
    st.sampled_from("mdtx"),
)
CORPORA = st.lists(st.lists(ENTITIES, max_size=4), max_size=6).map(
    lambda papers: [paper(f"p{n}", *entities) for n, entities in enumerate(papers)]
)


@settings(deadline=None)
@given(CORPORA)
def test_every_entity_is_in_exactly_one_concept(papers: list[Extraction]) -> None:
    members = sorted(m for c in concepts(papers) for m in c.members)
    assert members == sorted((p.paper.id, n) for p in papers for n in range(len(p.entities)))


@settings(deadline=None)
@given(CORPORA)
def test_slugs_are_unique_within_their_type_and_labels_are_said(papers: list[Extraction]) -> None:
    made = concepts(papers)
    assert len({(c.type, c.slug) for c in made}) == len(made)
    assert all(c.slug and c.label and c.label not in c.alternatives for c in made)


@settings(deadline=None)
@given(CORPORA, st.randoms(use_true_random=False))
def test_the_order_of_papers_does_not_matter(papers: list[Extraction], chance: random.Random) -> None:
    shuffled = papers[:]
    chance.shuffle(shuffled)
    assert concepts(shuffled) == concepts(papers)


def test_the_order_of_a_larger_corpus_does_not_matter(varied: list[Extraction]) -> None:
    again = varied[:]
    random.Random(7).shuffle(again)
    assert settle(again) == settle(varied)


@pytest.fixture
def varied() -> list[Extraction]:
    """A few hundred papers with shared, ambiguous, nested and wrongly grouped names."""
    chance = random.Random(3)
    heads = ["model", "network", "method", "learning", "loss", "benchmark", "attack", "generation"]
    stems = ["graph", "language", "diffusion", "reward", "policy", "image", "speech", "causal", "neural", "kernel"]
    made = []
    for n in range(300):
        entities = []
        for _ in range(4):
            own = [chance.choice(stems), chance.choice(stems), chance.choice(heads)]
            short = "".join(w[0] for w in own).upper()
            forms = chance.choice(
                [[" ".join(own)], [" ".join(own), short], [short], [" ".join(own[1:]), " ".join(own)]]
            )
            entities.append(entity(f"{chance.choice('mdtx')}: {', '.join(forms)}"))
        made.append(paper(f"p{n}", *entities, text="About it."))
    return made


def test_hash_seeds_do_not_matter(varied: list[Extraction], tmp_path: Path) -> None:
    """Two processes with different hash seeds say the same, to the letter."""
    source = tmp_path / "extractions.jsonl"
    source.write_text("".join(dumps(e) + "\n" for e in varied), encoding="utf-8")
    program = (
        "import sys; from kg.codec import loads; from kg.concepts import settle;"
        "print(settle(loads(l) for l in open(sys.argv[1], encoding='utf-8')))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program, str(source)],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1


def test_adding_papers_leaves_the_iris_of_other_concepts_alone(varied: list[Extraction]) -> None:
    before = {(c.type, c.slug) for c in concepts(varied)}
    more = [paper(f"new{n}", "m: Zephyrion", "t: tide prediction") for n in range(20)]
    assert before <= {(c.type, c.slug) for c in concepts([*varied, *more])}


STAYS = [
    ("t: grid world", "t: gridworld", "grid-world"),
    ("t: tide prediction", "t: predicting tides", "tide-prediction"),
    ("m: Zephyrion-2", "m: Zephyrion 2", "zephyrion-2"),
    ("m: zephyr network", "m: Zephyr Networks, ZNs", "zephyr-network"),
    ("finetuning", "fine-tuning", "fine-tuning"),
    ("d: Poincaré ball", "d: poincare balls", "poincare-ball"),
    ("x: IoU", "x: Jaccard index", "iou"),
    ("x: Jaccard index", "x: IoU", "iou"),
]


@pytest.mark.parametrize(("one", "other", "slug"), STAYS)
def test_an_iri_stays_when_another_name_overtakes(one: str, other: str, slug: str) -> None:
    papers = [paper("a", one), *(paper(f"b{n}", other) for n in range(9))]
    assert [[c.slug for c in concepts(papers[:n])] for n in (1, 2, 10)] == [[slug]] * 3


def test_the_iri_of_what_two_concepts_become_is_that_of_one_of_them() -> None:
    one, other = paper("a", "t: fog removal"), paper("b", "t: single image dehazing")
    both = [paper(f"c{n}", "t: fog removal, single image dehazing") for n in range(2)]
    first, second = concepts([one]), concepts([other])
    assert [c.slug for c in concepts([one, other, *both])] == ["fog-removal"] == [c.slug for c in first]
    assert replaced(second, concepts([one, other, *both])) == {
        (EntityType.TASK, "single-image-dehazing"): (EntityType.TASK, "fog-removal")
    }


def test_a_short_form_in_an_iri_is_what_everybody_means_by_it() -> None:
    one = paper("a", "t: QXN pruning", defines=(("QXN", "quick xylophone network"),))
    other = paper("b", "t: QXN pruning", defines=(("QXN", "quiet xenon nozzle"),))
    assert [c.slug for c in concepts([one])] == ["qxn-pruning"]
    assert [c.slug for c in concepts([one, other])] == ["quick-xylophone-network-pruning", "quiet-xenon-nozzle-pruning"]


def test_a_concept_is_called_by_a_name_of_its_own() -> None:
    narrower = paper("a", "t: offline quince sorting, quince sorting, quince sorting (QS)")
    (made,) = concepts([narrower])
    assert (made.slug, made.label) == ("offline-quince-sorting", "offline quince sorting")


def test_a_word_that_is_also_a_dataset_does_not_take_its_iri() -> None:
    papers = [paper("a", "d: ZEBRA"), paper("b", "d: ZEBRA"), paper("c", "t: zebra"), paper("d", "d: zebra")]
    first = {c.slug for c in concepts(papers[:2])}
    after = {c.slug: len(c.members) for c in concepts([*papers, paper("e", "d: zebra")])}
    assert first == {"zebra"}
    assert after.pop("zebra") == 2
    assert list(after.values()) == [3]


def _addresses(made: Iterable[Concept]) -> set[tuple[EntityType, str]]:
    return {(c.type, c.slug) for c in made}


@settings(deadline=None, max_examples=50)
@given(CORPORA, st.randoms(use_true_random=False))
def test_an_iri_that_goes_as_papers_come_has_an_heir(papers: list[Extraction], chance: random.Random) -> None:
    """Whichever papers were there first: what goes is named, and nothing depends on who was first."""
    chance.shuffle(papers)
    before, after = concepts(papers[: len(papers) // 2]), concepts(papers)
    gone = _addresses(before) - _addresses(after)
    heirs = replaced(before, after)
    assert set(heirs) == gone
    assert set(heirs.values()) <= _addresses(after)


@settings(deadline=None, max_examples=50)
@given(CORPORA, st.randoms(use_true_random=False))
def test_an_iri_that_goes_as_papers_go_has_an_heir_if_anything_is_left(
    papers: list[Extraction], chance: random.Random
) -> None:
    chance.shuffle(papers)
    left = papers[: len(papers) // 2]
    before, after = concepts(papers), concepts(left)
    ids = {p.paper.id for p in left}
    orphans = {(c.type, c.slug) for c in before if not any(paper in ids for paper, _ in c.members)}
    assert _addresses(before) - _addresses(after) - set(replaced(before, after)) <= orphans


def test_what_went_is_replaced_by_what_has_its_entities() -> None:
    papers = [paper("a", "t: tide prediction"), paper("b", "tide prediction"), paper("c", "tide prediction")]
    before, after = concepts(papers[:1]), concepts(papers)
    old, new = (EntityType.TASK, "tide-prediction"), (EntityType.METHOD, "tide-prediction")
    assert replaced(before, after) == {old: new}
    assert replaced(after, after, earlier={old: new}) == {old: new}
    assert replaced(before, before) == {}


def test_a_narrower_name_is_parted_from_a_broader_one() -> None:
    whole = paper("a", "x: regret, cumulative regret")
    assert [e.name for e in part(whole).entities] == ["regret", "cumulative regret"]
    assert [m.text for e in part(whole).entities for m in e.mentions] == ["regret", "cumulative regret"]


def test_a_short_form_of_the_broader_name_goes_with_it() -> None:
    whole = paper("a", "t: zero-shot named entity recognition, NER")
    assert [[m.text for m in e.mentions] for e in part(whole).entities] == [
        ["zero-shot named entity recognition"],
        ["NER"],
    ]


@pytest.mark.parametrize(
    "forms",
    ["m: large language model, LLMs", "fine-tuning, finetuned", "t: dereflection, reflection removal", "GPT-4"],
)
def test_names_of_one_thing_stay_together(forms: str) -> None:
    whole = paper("a", forms)
    assert part(whole) is whole


def test_concepts_of_no_papers_are_none() -> None:
    assert concepts([]) == ()


def _decide(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "mine.tsv"
    path.write_text(text, encoding="utf-8")
    return path


PAIR = [paper("a", "t: dehazing"), paper("b", "t: fog removal"), paper("c", "t: dehazing")]


def _concept(papers: list[Extraction], path: Path, name: str) -> Concept:
    return next(c for c in concepts(papers, aliases=path) if (name, 0) in c.members)


def test_a_person_merges(tmp_path: Path) -> None:
    path = _decide(tmp_path, "# mine\n\nsame\tfog removal\tdehazing\tsurely\n")
    assert len(_concept(PAIR, path, "a").members) == 3


def test_a_person_merges_by_way_of_a_name_that_no_paper_has(tmp_path: Path) -> None:
    path = _decide(tmp_path, "same\tfog removal\tdefogging\nsame\tdefogging\tdehazing\n")
    assert len(_concept(PAIR, path, "a").members) == 3


def test_a_person_keeps_apart_what_rules_would_merge(tmp_path: Path) -> None:
    papers = [paper("a", "t: image generation"), paper("b", "t: image synthesis")]
    path = _decide(tmp_path, "apart\timage synthesis\timage generation\n")
    assert len(_concept(papers, path, "a").members) == 1


def test_a_person_takes_back_what_comes_with_the_program(tmp_path: Path) -> None:
    papers = [paper("a", "x: IoU"), paper("b", "x: Jaccard index")]
    assert len(concepts(papers)) == 1
    assert len(concepts(papers, aliases=_decide(tmp_path, "apart\tIoU\tJaccard index\n"))) == 2


def test_a_person_renames_and_retypes(tmp_path: Path) -> None:
    path = _decide(tmp_path, "label\tdehazing\tImage dehazing\ntype\tdehazing\tMethod\n")
    made = _concept(PAIR, path, "a")
    assert (made.label, made.type, "dehazing" in made.alternatives) == ("Image dehazing", EntityType.METHOD, True)


def test_decisions_about_names_that_do_not_occur_change_nothing(tmp_path: Path) -> None:
    path = _decide(tmp_path, "same\tfoo bar\tbaz qux\nlabel\tfoo bar\tFoo\napart\tfoo bar\tdehazing\n?\ta\tb\n")
    assert concepts(PAIR, aliases=path) == concepts(PAIR)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("merge\ta\tb", "'merge' is no decision"),
        ("same\tonly one", "needs two cells"),
        ("same a b", "'same a b' is no decision"),
        ("type\tdehazing\tThing", "'Thing' is no type"),
        ("same\tLLMs\tLLM", "spelled alike"),
        ("same\tdehazing\t—", "'—' is no name"),
    ],
)
def test_a_wrong_decision_is_named_by_file_and_line(tmp_path: Path, line: str, says: str) -> None:
    path = _decide(tmp_path, f"# one\n{line}\n")
    with pytest.raises(InputError, match=says) as raised:
        concepts(PAIR, aliases=path)
    assert f"{path}:2" in str(raised.value)


def test_a_missing_file_of_decisions_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read aliases"):
        concepts(PAIR, aliases=tmp_path / "none.tsv")


def _table(name: str) -> list[list[str]]:
    text = files("kg").joinpath(f"data/{name}").read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines() if not line.startswith("#")]


def test_alias_data_is_sorted_and_says_only_what_no_rule_sees() -> None:
    rows = _table("aliases.tsv")
    assert rows == sorted(rows, key=lambda row: (row[1].casefold(), row[2].casefold()))
    assert len({frozenset(map(key, row[1:3])) for row in rows}) == len(rows)
    assert not [row for row in rows if set(keys(words(row[1]))) & set(keys(words(row[2])))]
    assert len(read_aliases()) == len(rows)


def test_wording_data_is_sorted_folded_and_without_chains() -> None:
    rows = _table("wording.tsv")
    assert rows == sorted(rows)
    assert all(" ".join(words(phrase)) == phrase for _, phrase, _ in rows if phrase)
    becomes = {b for kind, _, b in rows if kind in ("same", "inner")}
    assert not becomes & {phrase for kind, phrase, _ in rows if kind == "same"}
    assert wording().heads.keys() >= wording().empty


def test_known_data_is_sorted_and_counts() -> None:
    for name in ("abbreviations.tsv", "known.tsv"):
        rows = _table(name)
        assert all(len(row) == 3 and int(row[2]) > 0 for row in rows)
        assert [row[0] for row in rows] == sorted(row[0] for row in rows)


def test_a_name_in_brackets_behind_another_says_they_are_one() -> None:
    text = "We present Finch (Kestrel-6) and Robin."
    mentions = [Mention(at, at + len(f), f, 0.9) for f in ("Finch", "Kestrel-6", "Robin") for at in [text.index(f)]]
    entities = tuple(Entity(m.text, EntityType.MODEL, Role.PROPOSES, 0.9, (m,)) for m in mentions)
    settled = settle([Extraction(Paper("a", text), entities)], informed=False)
    assert sorted(len(c.members) for c in settled.concepts) == [1, 2]


def test_an_instance_in_brackets_is_not_its_class() -> None:
    text = "We ask a language model (GPT-9)."
    mentions = [Mention(at, at + len(f), f, 0.9) for f in ("language model", "GPT-9") for at in [text.index(f)]]
    entities = tuple(Entity(m.text, EntityType.MODEL, Role.USES, 0.9, (m,)) for m in mentions)
    others = [paper(f"o{n}", "m: GPT-9", "m: language model") for n in range(4)]
    assert len(concepts([Extraction(Paper("a", text), entities), *others])) == 2
