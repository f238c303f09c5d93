"""Names: what has one key, what has not, and the words that are data."""

from __future__ import annotations

from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.names import american, is_short, key, plainly, short_key, singular, stands_for, words

ALIKE = [
    ("large language models", "Large-Language Model"),
    ("fine-tuning", "finetuning"),
    ("fine‑tuning", "fine – tuning"),
    (r"\emph{Gaussian processes}", "**Gaussian process**"),
    (r"$\beta$-VAEs", "Beta-VAE"),
    ("ε-greedy", r"$\varepsilon$-greedy"),
    ("behaviour cloning", "behavior cloning"),
    ("tokenisation", "tokenization"),
    ("image labelling", "image labeling"),
    ("GANs", "GAN"),
    ("MDPs", "MDP"),
    ("T5s", "T5"),
    ("Nesterov's method", "Nesterov method"),
    ("out-of-distribution (OOD) detection", "out of distribution detection"),
    ("StarCraft II", "StarCraft 2"),
    ("two-layer network", "2-layer network"),
    ("relative $L_2$ error", "relative L2 error"),
    (r"naïve Bayes", "naive Bayes"),
    ("policies", "policy"),
    ("matrices", "matrix"),
]
APART = [
    ("ResNet-50", "ResNet-101"),
    ("LLaMA-3.1", "LLaMA-31"),
    ("GPT-3.5", "GPT-4"),
    ("ImageNet", "ImageNet-C"),
    ("ScanNet", "ScanNet++"),
    ("HumanEval", "HumanEval+"),
    ("C", "C++"),
    ("pass@1", "pass@10"),
    ("A*", "A"),
    ("ATs", "ATS"),
    ("BERT-base", "BERT-large"),
    ("supervised learning", "unsupervised learning"),
    ("loss", "los"),
    ("10^5", "105"),
]


@pytest.mark.parametrize(("a", "b"), ALIKE)
def test_names_that_differ_in_dress_have_one_key(a: str, b: str) -> None:
    assert key(a) == key(b)


@pytest.mark.parametrize(("a", "b"), APART)
def test_versions_sizes_and_variants_are_apart(a: str, b: str) -> None:
    assert key(a) != key(b)


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=30))
def test_a_key_is_its_own_key_where_it_is_one_word(surface: str) -> None:
    """Folding twice folds no further than a plural of what is left, whatever the characters."""
    assert key(surface) == key(surface)
    assert not any(c.isspace() for c in key(surface))


@given(st.sampled_from([a for pair in ALIKE for a in pair]))
def test_white_space_around_a_name_does_not_matter(surface: str) -> None:
    assert key(f"  {surface}\n") == key(surface)


@pytest.mark.parametrize(
    ("short", "long", "yes"),
    [
        ("LLMs", "large language models", True),
        ("T2I", "text-to-image", True),
        ("VideoQA", "video question answering", True),
        ("NeRF", "neural radiance field", True),
        ("NER", "zero-shot named entity recognition", False),
        ("SVD", "Stein variational gradient descent", True),
        ("CNN", "recurrent neural network", False),
        ("A", "attention", False),
    ],
)
def test_what_a_short_form_can_stand_for(short: str, long: str, yes: bool) -> None:
    assert stands_for(short, long) is yes


@pytest.mark.parametrize("form", ["LLM", "kNN", "GPT-4", "mAP", "RoPE", "F1"])
def test_short_forms_look_short(form: str) -> None:
    assert is_short(form)


@pytest.mark.parametrize("form", ["Adam", "Gaussian", "large language model", "attention", "GPU memory"])
def test_words_do_not_look_short(form: str) -> None:
    assert not is_short(form)


def test_a_short_form_keeps_its_case() -> None:
    assert (short_key("CoTs"), short_key("COT"), short_key("**LLMs**")) == ("CoT", "COT", "LLM")


def test_markup_and_greek_are_written_out() -> None:
    assert plainly(r"**$\alpha$-divergence**") == "alpha-divergence"


def test_a_bracket_that_is_no_abbreviation_keeps_its_letters() -> None:
    assert key("GPT-4V(ision)") == key("GPT-4Vision")
    assert words("key-value (KV) cache") == ("key", "value", "cache")


WORDS = [
    line.split("\t")
    for line in files("kg").joinpath("data/words.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def test_word_data_is_sorted_small_and_without_repetition() -> None:
    assert sorted(WORDS) == WORDS
    assert len({(kind, word) for kind, word, _ in WORDS}) == len(WORDS)
    assert all(kind in ("word", "part") for kind, _, _ in WORDS)
    assert all(cell == cell.casefold().strip() and cell for row in WORDS for cell in row)


@pytest.mark.parametrize(("word", "becomes"), [(w, b) for kind, w, b in WORDS if kind == "word"])
def test_word_data_needs_no_second_step(word: str, becomes: str) -> None:
    assert american(singular(becomes)) in (becomes, american(becomes))
    assert key(word) == key(becomes)
