"""What `kg info` tells of one concept, by any of its names, and what it says where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from kitchen import build
from typer.testing import CliRunner

from kg.about import About, about, lines
from kg.cli import app
from kg.errors import InputError
from kg.graphs import Graph


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("kitchen"))


def of(kitchen: Path, name: str) -> About:
    (found,) = about(Graph(kitchen), name)
    return found


@pytest.mark.parametrize("name", ["SoupNet", " soupnet", "model:soupnet", "<https://w3id.org/paperkg/model/soupnet>"])
def test_a_concept_is_found_by_name_and_iri(kitchen: Path, name: str) -> None:
    found = of(kitchen, name)
    assert (found.label, found.kind, found.papers, found.within) == ("SoupNet", "Model", 4, 4)


def test_all_that_is_known_of_it_is_told(kitchen: Path) -> None:
    found = of(kitchen, "SoupNet")
    assert found.chains == (("cooking network", "kitchen science"),)
    assert dict(found.roles) == {
        "proposes": ("SoupNet: a net that stirs",),
        "uses": ("Stirring under a lid",),
        "comparesWith": ("BrothFormer",),
        "studies": ("We study how SoupNet fails at spoon choice. No gentle …",),
    }
    assert found.results == ("SoupNet taste score 91.5% on PotBench (SoupNet: a net that stirs)",)


def test_what_is_narrower_gives_related_papers_with_their_reason(kitchen: Path) -> None:
    found = of(kitchen, "cooking network")
    assert found.narrower == (("SoupNet", 4), ("BrothFormer", 1))
    assert (found.papers, found.within, found.roles) == (0, 4, ())
    assert found.related[0] == ("BrothFormer", "names BrothFormer, SoupNet, of this kind")
    assert len(found.related) == 4


def test_an_area_has_what_is_in_it(kitchen: Path) -> None:
    found = of(kitchen, "kitchen science")
    assert (found.kind, found.chains) == ("Area", ())
    assert {label for label, _ in found.narrower} == {"kitchen work", "cooking network", "PotBench", "taste score"}


def test_what_has_nothing_above_or_below_is_told_in_few_lines(kitchen: Path) -> None:
    assert list(lines(of(kitchen, "lid search"))) == [
        "lid search (Method) <https://w3id.org/paperkg/method/lid-search>",
        "papers: 2",
        "proposes (1):",
        "  lid search",
        "uses (1):",
        "  Stirring under a lid",
    ]


@pytest.mark.parametrize("name", ["SupNet", "model:supnet", "<https://w3id.org/paperkg/model/x y>", "§§§", ""])
def test_an_unknown_name_gives_near_ones(kitchen: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"is called .*; (the nearest: soupnet|.*nearest: |nothing is near it)"):
        about(Graph(kitchen), name)


def test_the_command_prints_it_and_without_a_name_is_what_it_was(kitchen: Path) -> None:
    told = CliRunner().invoke(app, ["info", "soupnet", "--from", str(kitchen)])
    assert told.exit_code == 0
    assert "broader: cooking network → kitchen science" in told.stdout.splitlines()
    unknown = CliRunner().invoke(app, ["info", "supnet", "--from", str(kitchen)])
    assert isinstance(unknown.exception, InputError)
    assert "soupnet" in str(unknown.exception)
    assert CliRunner().invoke(app, ["info"]).stdout.startswith("paperkg ")
