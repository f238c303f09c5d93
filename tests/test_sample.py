"""The sample that a visitor sees first is what the code makes today."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph
import pytest

from kg.flow import Options, build
from kg.vocab import KG_MENTIONS

ROOT = Path(__file__).parent.parent
TITLE = "NeurIPS 2026: 38 papers"  # as the README says
REFRESH = f'the sample is stale: run `kg build seeds/ --title "{TITLE}"`, take a new picture, and commit output/'


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("sample")
    build([ROOT / "seeds"], output, options=Options(title=TITLE))
    return output


def facts(path: Path) -> set[tuple[str, str, str]]:
    """What papers say of concepts: confidences may differ in a digit between processors, these may not."""
    roles = KG_MENTIONS.value.removesuffix("mentions")
    return {
        (q.subject.value, q.predicate.value, q.object.value)
        for q in pyoxigraph.parse(path=str(path))
        if q.predicate.value.startswith(roles) and isinstance(q.object, pyoxigraph.NamedNode)
    }


def test_the_graph_is_what_the_code_makes(fresh: Path) -> None:
    assert facts(ROOT / "output" / "graph.ttl") == facts(fresh / "graph.ttl"), REFRESH


def test_the_page_is_what_the_code_makes(fresh: Path) -> None:
    sample, made = (p.read_text(encoding="utf-8") for p in (ROOT / "output" / "graph.html", fresh / "graph.html"))
    assert TITLE in sample
    assert abs(len(sample) - len(made)) < 0.02 * len(made), REFRESH


def test_the_picture_is_there() -> None:
    assert (ROOT / "output" / "graph.png").read_bytes().startswith(b"\x89PNG")
