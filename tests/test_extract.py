"""Extraction: what every record promises, whatever the text; and how good it is on the seeds, as a ratchet."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg import engines, gold
from kg.codec import dumps, loads
from kg.extraction.pipeline import extract
from kg.records import ROLES_OF, EntityType, Extraction, Paper, Place, Role
from kg.score import score

SEEDS_GOLD = Path(__file__).parent / "data" / "seeds-gold.jsonl"
PROPOSAL = (
    r"We propose \textbf{WaveSplit} (WS), a diffusion model for image denoising. On CIFAR-10 and ImageNet, WaveSplit "
    r"outperforms DDPM in FID by 3.2\%. WS builds on U-Net and needs no $k$-means clustering."
)


def one(text: str, *, title: str = "") -> Extraction:
    return next(extract([Paper("p", text, title=title)]))


def assert_sound(extraction: Extraction) -> None:
    """Every offset holds, nothing overlaps, every role is one that its type can have."""
    texts = {Place.ABSTRACT: extraction.paper.text, Place.TITLE: extraction.paper.title}
    for place, text in texts.items():
        mentions = sorted(m for e in extraction.entities for m in e.mentions if m.place is place)
        assert all(text[m.start : m.end] == m.text and m.text.strip() for m in mentions)
        assert all(a.end <= b.start for a, b in itertools.pairwise(mentions))
    for entity in extraction.entities:
        assert entity.mentions
        assert entity.role in ROLES_OF[entity.type]
        assert 0 <= entity.confidence <= 1
    for result in extraction.results:
        assert extraction.paper.text[result.start : result.end] == result.value
    for start, end in extraction.sentences:
        assert 0 <= start < end <= len(extraction.paper.text)


def test_finds_what_a_plain_abstract_names() -> None:
    found = one(PROPOSAL)
    assert_sound(found)
    by_name = {e.name: e for e in found.entities}
    assert by_name["WaveSplit"].role is Role.PROPOSES
    assert {m.text for m in by_name["WaveSplit"].mentions} == {"WaveSplit", "WS"}
    assert {"CIFAR-10", "ImageNet", "DDPM"} <= by_name.keys()
    assert by_name["CIFAR-10"].role is Role.EVALUATES_ON


def test_what_a_data_set_is_belongs_to_its_name_where_it_is_written_like_one() -> None:
    found = one("We evaluate our model on the FooQuad Benchmark and on the ImageNet dataset.")
    assert {e.name for e in found.entities if e.type is EntityType.DATASET} == {"FooQuad Benchmark", "ImageNet"}


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        (
            "We study few-shot named entity recognition (NER) in clinical notes. Prior methods for few-shot NER need a "
            "support set.",
            {"few-shot named entity recognition", "few-shot NER"},
        ),
        (
            "Variational auto-encoders learn latent codes of images. A VAE is trained by maximising the evidence lower "
            "bound. We compare VAEs with GANs.",
            {"Variational auto-encoders", "VAE", "VAEs"},
        ),
    ],
)
def test_names_that_are_worded_alike_or_spelled_by_an_abbreviation_are_one_entity(text: str, forms: set[str]) -> None:
    (found,) = extract([Paper("p", text)])
    assert any(forms <= {m.text for m in e.mentions} for e in found.entities)


def test_a_definition_makes_one_entity_of_long_and_short_form() -> None:
    found = one("We study graph neural networks (GNNs). A GNN is a model that reads graphs, and GNNs are popular.")
    forms = {frozenset(m.text for m in e.mentions) for e in found.entities}
    assert frozenset({"graph neural networks", "GNNs", "GNN"}) in forms


def test_a_title_is_read_and_its_mentions_say_so() -> None:
    found = one(PROPOSAL, title="WaveSplit: diffusion models for image denoising")
    assert_sound(found)
    wave = next(e for e in found.entities if e.name == "WaveSplit")
    assert {m.place for m in wave.mentions} == {Place.ABSTRACT, Place.TITLE}


@pytest.mark.parametrize(
    "text",
    ["", " ", "$", "(", "a", "😀 🙂", "\ufffd" * 20, "GAN" * 2000, "We use BERT. " * 16_000, "(" * 5000, "词" * 3000],
    ids=["empty", "space", "dollar", "bracket", "letter", "emoji", "replaced", "long-word", "200k", "brackets", "han"],
)
def test_no_text_breaks_it(text: str) -> None:
    assert_sound(one(text))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=300))
def test_offsets_hold_for_any_text(text: str) -> None:
    assert_sound(one(PROPOSAL[:90] + text + PROPOSAL[90:]))


def test_a_record_does_not_depend_on_the_papers_beside_it_nor_on_workers() -> None:
    papers = [Paper(g.id, g.text) for g in gold.read(SEEDS_GOLD)[:12]]
    together = [dumps(e) for e in engines.extract(papers)]
    assert together == [dumps(one_) for p in papers for one_ in extract([p])]
    assert together == [dumps(e) for e in engines.extract(papers, workers=2)]


def test_records_survive_their_file() -> None:
    found = one(PROPOSAL, title="WaveSplit")
    assert loads(dumps(found)) == found


def test_quality_on_the_seeds_does_not_fall() -> None:
    records = gold.read(SEEDS_GOLD)
    rows = {r.name: r for r in score(records, extract(Paper(g.id, g.text) for g in records))}
    assert rows["mention"].f1 >= FLOOR["mention"]
    assert rows["entity"].f1 >= FLOOR["entity"]
    assert rows["entity+role"].f1 >= FLOOR["entity+role"]


FLOOR = {"mention": 0.72, "entity": 0.67, "entity+role": 0.57}  # of the model that is shipped; raise it with the next
