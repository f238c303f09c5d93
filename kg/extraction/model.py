"""The trained networks behind the tagger, run by ONNX Runtime.

`tagger.onnx` (int8) reads one window of pieces and scores its spans; `roles.onnx` reads the entities of one abstract.
One window a run, one thread a session: int8 scales are taken from what is in a tensor, so a window beside it would
change the answer, and on these sizes two processes beat two threads. `model.json` holds the calibration fitted after
training and the version.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kg.errors import ServiceError
from kg.extraction.pieces import Pieces, load_tokenizer
from kg.records import EntityType, Role

if TYPE_CHECKING:
    from tokenizers import Tokenizer

FOLDER = Path(__file__).parent.parent / "data" / "model"
TYPES, ROLES = tuple(EntityType), tuple(Role)
POSITIONS = 10  # tenths of an abstract
SLOWER = ("SkipLayerNormFusion",)  # than what it fuses: 0.47 ms against 0.1 for 240 pieces, ONNX Runtime 1.32


@dataclass(frozen=True, slots=True)
class Calibration:
    """Platt scaling of a probability's log-odds x: 1 / (1 + exp(-(factor · x + offset))); Platt 1999."""

    factor: float = 1.0
    offset: float = 0.0

    def __call__(self, probability: float) -> float:
        """Calibrated probability of a raw one, both in (0, 1).

        >>> Calibration()(0.25), round(Calibration(2.0, -1.0)(0.5), 3)
        (0.25, 0.269)
        """
        clipped = min(max(probability, 1e-6), 1 - 1e-6)
        odds = self.factor * math.log(clipped / (1 - clipped)) + self.offset
        return 1 / (1 + math.exp(-odds))


@dataclass(frozen=True, slots=True)
class Model:
    """Sessions, tokenizer and fitted constants; `load` makes it once a process."""

    version: str
    tokenizer: Tokenizer
    tagger: Any
    roles: Any
    mention: Calibration
    role: Calibration

    def spans(self, pieces: Pieces) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Logits (words, WIDEST, 1 + types), and words' states at first and last piece, (words, hidden) each."""
        inputs = {
            "ids": pieces.ids[None],
            "word_case": pieces.word_case[None],
            "piece_case": pieces.piece_case[None],
            "first": pieces.first[None],
            "last": pieces.last[None],
        }
        logits, starts, stops = self.tagger.run(None, inputs)
        return logits[0], starts[0], stops[0]

    def role_scores(
        self, starts: np.ndarray, stops: np.ndarray, member: np.ndarray, types: np.ndarray, position: np.ndarray
    ) -> np.ndarray:
        """Logits (entities, roles); the arguments are those of `kg.train.tagger.Roles`."""
        inputs = {"starts": starts, "stops": stops, "member": member, "types": types, "position": position}
        scores: np.ndarray = self.roles.run(None, inputs)[0]
        return scores


@lru_cache(maxsize=2)
def load(folder: Path = FOLDER) -> Model:
    """Read a model folder; ServiceError where it is incomplete."""
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        fitted = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        tagger, roles = (
            ort.InferenceSession(
                str(folder / name), options, providers=["CPUExecutionProvider"], disabled_optimizers=SLOWER
            )
            for name in ("tagger.onnx", "roles.onnx")
        )
        tokenizer = load_tokenizer(folder / "tokenizer.json")
        version, mention, role = fitted["version"], Calibration(**fitted["mention"]), Calibration(**fitted["role"])
    except Exception as error:  # ONNX Runtime and tokenizers raise types of their own, unrelated to OSError
        raise ServiceError(f"cannot load the model in {folder} ({error}); install paperkg again") from error
    return Model(version, tokenizer, tagger, roles, mention, role)
