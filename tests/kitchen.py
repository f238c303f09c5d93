"""A small corpus for the tests of queries: six made-up papers about kitchens, in which every question has an answer."""

from __future__ import annotations

from pathlib import Path

from graph_sample import by_name, mentions, result

from kg.field import read_map
from kg.graph import Run, write
from kg.records import Entity, EntityType, Extraction, Paper, Result, Role
from kg.structure import structure

MAP = Path(__file__).parent / "data" / "kitchen-map.tsv"
TYPES = {
    "SoupNet": EntityType.MODEL,
    "BrothFormer": EntityType.MODEL,
    "StirBase": EntityType.MODEL,
    "lid search": EntityType.METHOD,
    "gentle attention": EntityType.METHOD,
    "PotBench": EntityType.DATASET,
    "PanSet": EntityType.DATASET,
    "taste score": EntityType.METRIC,
    "spill rate": EntityType.METRIC,
    "soup stirring": EntityType.TASK,
    "spoon choice": EntityType.TASK,
}


def corpus() -> tuple[Extraction, ...]:
    """The six papers."""
    return (
        _paper(
            Paper(
                "k1",
                "We propose SoupNet for soup stirring. SoupNet uses gentle attention. "
                "On PotBench it beats StirBase: its taste score rises to 91.5%, from 88.0%.",
                title="SoupNet: a net that stirs",
                venue="KitchenConf",
                year=2024,
                authors=("Ada Ladle", "Bo Whisk"),
                doi="10.5555/Kitchen.1",
            ),
            {
                "SoupNet": (Role.PROPOSES, 0.99),
                "soup stirring": (Role.ADDRESSES, 0.9),
                "gentle attention": (Role.USES, 0.8),
                "PotBench": (Role.EVALUATES_ON, 0.95),
                "StirBase": (Role.COMPARES_WITH, 0.9),
                "taste score": (Role.REPORTS, 0.9),
            },
            {
                "91.5%": {
                    "subject": "SoupNet",
                    "metric": "taste score",
                    "dataset": "PotBench",
                    "baseline": "StirBase",
                    "baseline_value": "88.0%",
                }
            },
        ),
        _paper(
            Paper(
                "k2",
                "BrothFormer is proposed for soup stirring with gentle attention. It beats SoupNet and StirBase on "
                "PotBench with a taste score of 93.2%. On PanSet its spill rate is 4.1%, and it is 3 times faster.",
                title="BrothFormer",
                venue="KitchenConf",
                year=2025,
                authors=("Bo Whisk",),
            ),
            {
                "BrothFormer": (Role.PROPOSES, 0.97),
                "soup stirring": (Role.ADDRESSES, 0.9),
                "gentle attention": (Role.USES, 0.85),
                "SoupNet": (Role.COMPARES_WITH, 0.9),
                "StirBase": (Role.COMPARES_WITH, 0.9),
                "PotBench": (Role.EVALUATES_ON, 0.9),
                "PanSet": (Role.EVALUATES_ON, 0.7),
                "taste score": (Role.REPORTS, 0.9),
                "spill rate": (Role.REPORTS, 0.6),
            },
            {
                "93.2%": {
                    "subject": "BrothFormer",
                    "metric": "taste score",
                    "dataset": "PotBench",
                    "baseline": "SoupNet",
                },
                "4.1%": {"subject": "BrothFormer", "metric": "spill rate", "dataset": "PanSet"},
                "3 times": {"subject": "BrothFormer", "metric": "faster"},
            },
        ),
        _paper(
            Paper(
                "k3",
                "We study how SoupNet fails at spoon choice. No gentle attention helps.",
                venue="Spoons",
                year=2025,
            ),
            {
                "SoupNet": (Role.STUDIES, 0.9),
                "spoon choice": (Role.ADDRESSES, 0.9),
                "gentle attention": (Role.MENTIONS, 0.45),
            },
        ),
        _paper(
            Paper("k4", "A method, lid search, is proposed. It is tried on PanSet.", venue="Spoons", year=2025),
            {"lid search": (Role.PROPOSES, 0.8), "PanSet": (Role.EVALUATES_ON, 0.3)},
        ),
        _paper(
            Paper("k5", "We use SoupNet and lid search for soup stirring.", title="Stirring under a lid", year=2025),
            {
                "SoupNet": (Role.USES, 0.9),
                "lid search": (Role.USES, 0.9),
                "soup stirring": (Role.ADDRESSES, 0.9),
            },
        ),
        _paper(Paper("k6", "We propose StirBase.", title="StirBase", year=2022), {"StirBase": (Role.PROPOSES, 0.9)}),
    )


def build(folder: Path) -> Path:
    """Build the graph of the six papers in a folder."""
    papers = corpus()
    write(folder, papers, structure(by_name(papers), field=read_map(MAP)), run=Run("test", "by hand"))
    return folder


def _paper(
    paper: Paper, roles: dict[str, tuple[Role, float]], values: dict[str, dict[str, str]] | None = None
) -> Extraction:
    text = paper.text
    entities = [Entity(name, TYPES[name], role, sure, mentions(text, name)) for name, (role, sure) in roles.items()]
    results: list[Result] = [result(text, value, **fields) for value, fields in (values or {}).items()]
    ends = [i + 1 for i in range(len(text)) if text[i] == "." and text[i + 1 : i + 2] in ("", " ")]
    starts = [0, *(end + 1 for end in ends[:-1])]
    return Extraction(paper, tuple(entities), tuple(results), (), tuple(zip(starts, ends, strict=True)))
