"""Trained networks to the files that `kg.extraction.model` loads: ONNX, int8, with what is fitted after training.

Weights are int8 per channel with `reduce_range` (7 bits): on processors without VNNI, the kernel that multiplies
unsigned by signed bytes adds pairs in 16 bits and saturates with full-range weights, which would give other records
there. Activations are quantised from what is in the tensor, one window at a time, so nothing is masked. What is left
in floats gives the same bits on both kinds of processor: see `kg.train.attention`.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from dataclasses import asdict
from pathlib import Path

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn
from transformers import AttentionInterface

from kg.extraction.model import Calibration
from kg.train.attention import attention
from kg.train.encoder import base_folder
from kg.train.fit import Joint
from kg.train.tagger import Tagger

OPSET = 17
TAGGER_INPUTS = ("ids", "word_case", "piece_case", "first", "last")
ROLE_INPUTS = ("starts", "stops", "member", "types", "position")


class Window(nn.Module):
    """The tagger for one window alone, from then on: with attention that processors compute alike, without a mask."""

    def __init__(self, tagger: Tagger) -> None:
        super().__init__()
        self.tagger = tagger
        AttentionInterface.register("alike", attention)
        tagger.encoder.bert.set_attn_implementation("alike")

    def forward(
        self, ids: Tensor, word_case: Tensor, piece_case: Tensor, first: Tensor, last: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        scores: tuple[Tensor, Tensor, Tensor] = self.tagger(ids, word_case, piece_case, None, first, last)
        return scores


def export(model: Joint, folder: Path) -> None:
    """Write tagger.onnx, roles.onnx and tokenizer.json into `folder`; the model then reads one window at a time."""
    folder.mkdir(parents=True, exist_ok=True)
    model.eval()
    with tempfile.TemporaryDirectory() as scratch:
        plain = Path(scratch) / "tagger.onnx"
        pieces, words = torch.ones(1, 9, dtype=torch.long), torch.arange(1, 6)[None]
        axes = {n: {1: "pieces"} for n in TAGGER_INPUTS[:3]} | {n: {1: "words"} for n in ("first", "last")}
        outputs = ("logits", "starts_out", "stops_out")
        _to_onnx(Window(model.tagger), (pieces,) * 3 + (words, words), TAGGER_INPUTS, outputs, axes, plain)
        quantize_dynamic(
            plain, folder / "tagger.onnx", per_channel=True, reduce_range=True, weight_type=QuantType.QInt8
        )
    size = model.tagger.encoder.bert.config.hidden_size
    states, member = torch.randn(4, size), torch.tensor([[1.0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])
    index = torch.tensor([0, 1, 2])
    axes = {"starts": {0: "mentions"}, "stops": {0: "mentions"}, "member": {0: "entities", 1: "mentions"}}
    axes |= {"types": {0: "entities"}, "position": {0: "entities"}}
    _to_onnx(model.roles, (states, states, member, index, index), ROLE_INPUTS, ("scores",), axes, folder / "roles.onnx")
    shutil.copyfile(base_folder() / "tokenizer.json", folder / "tokenizer.json")


def write_fitted(folder: Path, *, mention: Calibration, role: Calibration) -> None:
    """Write model.json; the version is a digest of the networks and of what is fitted to them."""
    fitted = {"mention": asdict(mention), "role": asdict(role)}
    digest = hashlib.sha256(json.dumps(fitted).encode())
    for name in ("tagger.onnx", "roles.onnx", "tokenizer.json"):
        digest.update((folder / name).read_bytes())
    text = json.dumps({"version": digest.hexdigest()[:12], **fitted}, indent=1)
    (folder / "model.json").write_text(text + "\n", encoding="utf-8")


def _to_onnx(
    network: nn.Module,
    inputs: tuple[torch.Tensor, ...],
    names: tuple[str, ...],
    outputs: tuple[str, ...],
    axes: dict[str, dict[int, str]],
    path: Path,
) -> None:
    torch.onnx.export(
        network,
        inputs,
        str(path),
        input_names=list(names),
        output_names=list(outputs),
        dynamic_axes=axes,
        opset_version=OPSET,
        dynamo=False,
    )
