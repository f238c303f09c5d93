"""The model card: what the weights were made from, how, and what they score.

Figures are measured on the exported int8 model by `kg.score`; what was tried and what it gave is `tried.md` beside this
module, written by hand and copied in.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from kg import gold
from kg.extraction.pipeline import extract
from kg.records import Extraction, Paper, Role
from kg.score import Row, score
from kg.train import robust
from kg.train.calibrate import expected_calibration_error
from kg.train.fit import Options

TRIED = Path(__file__).with_name("tried.md")
HEAD = """# Model card: paperkg tagger

Finds mentions of models, datasets, methods, metrics and tasks in English machine-learning abstracts, with the part each
plays in the paper. `tagger.onnx` (int8) reads an abstract, `roles.onnx` its entities; `model.json` holds the
calibration.

**Base**: all-MiniLM-L6-v2 (Apache-2.0; 6 layers of 384, uncased). **These weights**: Apache-2.0.
**Trained on**: {trained_on} annotated abstracts ({steps} batches of masked-word training on unlabelled ones first);
200 more for calibration. The abstracts are third parties' and not part of this repository; no dev or seed
abstract was trained on.
**Recorded command**: `{command}`
**Options**: {options}
**Versions**: {versions}

**Limits**: abstracts of machine learning and near it, in English; long lists of names and metrics in words (`errors`,
`cost`) are missed most; a paper's own unnamed proposal is often left out. Confidence is a probability, see calibration.
"""


def write(
    folder: Path, sets: Mapping[str, Sequence[gold.Gold]], options: Options, *, pretrain_steps: int, trained_on: int
) -> None:
    """Score each set and write README.md into the model folder."""
    parts = [
        HEAD.format(
            trained_on=f"{trained_on:,}",
            steps=f"{pretrain_steps:,}",
            command=f"python -m kg.train ../shared/corpus --pretrain-steps {pretrain_steps} --epochs {options.epochs} "
            f"--spoilt {options.spoilt:g} --seed {options.seed}",
            options=", ".join(f"{k} {v}" for k, v in asdict(options).items()),
            versions=", ".join(f"{p} {version(p)}" for p in ("torch", "transformers", "onnxruntime", "tokenizers")),
        )
    ]
    for name, records in sets.items():
        papers = [Paper(r.id, r.text) for r in records]
        parts.append(_section(name, records, list(extract(papers, folder=folder)), folder))
    if TRIED.exists():
        parts.append(TRIED.read_text(encoding="utf-8"))
    (folder / "README.md").write_text("\n".join(parts), encoding="utf-8")


def _section(name: str, records: Sequence[gold.Gold], found: Sequence[Extraction], folder: Path) -> str:
    lines = [
        f"## Scores: {name} ({len(records)} abstracts)\n",
        "| | P | R | F1 | gold |",
        "| --- | --- | --- | --- | --- |",
    ]
    lines += map(_line, score(records, found))
    lines += ["", "| role | right of gold | gold |", "| --- | --- | --- |"]
    lines += [f"| {role} | {right / max(1, n):.3f} | {n} |" for role, (right, n) in _by_role(records, found).items()]
    venues = defaultdict(list)
    for record in records:
        venues[record.venue or "–"].append(record)
    if len(venues) > 1:
        lines += ["", "| venue | mention F1 | entity+role F1 | abstracts |", "| --- | --- | --- | --- |"]
        for venue, members in sorted(venues.items()):
            rows = {r.name: r for r in score(members, found)}
            lines.append(f"| {venue} | {rows['mention'].f1:.3f} | {rows['entity+role'].f1:.3f} | {len(members)} |")
    error = expected_calibration_error(_confidences(records, found))
    lines += ["", f"Expected calibration error of mentions, ten bins of equal mass: {error:.3f}", ""]
    lines += ["| confidence at least | P | R |", "| --- | --- | --- |", *_curve(records, found)]
    lines += ["", "| written differently (`kg.train.robust`) | mention F1 |", "| --- | --- |"]
    lines += [f"| {way} | {f1:.3f} |" for way, f1 in robust.table(records, folder)]
    return "\n".join(lines) + "\n"


def _line(row: Row) -> str:
    return f"| {row.name.strip()} | {row.precision:.3f} | {row.recall:.3f} | {row.f1:.3f} | {row.gold} |"


def _by_role(records: Sequence[gold.Gold], found: Sequence[Extraction]) -> dict[Role, tuple[int, int]]:
    by_id = {e.paper.id: e for e in found}
    counts = dict.fromkeys(Role, (0, 0))
    for record in records:
        here = {(e.type, m.text.casefold()): e.role for e in by_id[record.id].entities for m in e.mentions}
        for entity in record.entities:
            right = any(here.get((entity.type, form.casefold())) is entity.role for form in entity.forms)
            counts[entity.role] = counts[entity.role][0] + right, counts[entity.role][1] + 1
    return counts


def _confidences(records: Sequence[gold.Gold], found: Sequence[Extraction]) -> list[tuple[float, bool]]:
    by_id = {e.paper.id: e for e in found}
    pairs = []
    for record in records:
        expected = {(s.start, s.end, record.entities[s.entity].type) for s in gold.spans(record.text, record.entities)}
        for entity in by_id[record.id].entities:
            pairs += [(m.confidence, (m.start, m.end, entity.type) in expected) for m in entity.mentions]
    return pairs


def _curve(records: Sequence[gold.Gold], found: Sequence[Extraction]) -> list[str]:
    pairs = _confidences(records, found)
    expected = sum(len(gold.spans(r.text, r.entities)) for r in records)
    lines = []
    for least in (0.0, 0.5, 0.6, 0.7, 0.8, 0.9):
        kept = [right for confidence, right in pairs if confidence >= least]
        lines.append(f"| {least} | {sum(kept) / max(1, len(kept)):.3f} | {sum(kept) / expected:.3f} |")
    return lines
