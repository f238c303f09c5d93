"""The tagger's two networks: spans with types over words, and roles over the entities of one abstract.

`Tagger` scores every span of up to WIDEST words at once. A span is seen through its first word, its last word, the mean
of its words, the words just outside it, and its width, each projected and added before one hidden layer: what decides
a boundary (a modifier to keep, a head to leave off) is just inside or just outside of it. A second head labels words by
BIO tags; it is there for the encoder's sake in training and is not exported.

`Roles` reads the entities of one abstract together, since a role is relative: what is compared is compared with what
is proposed. An entity is the mean and the maximum of its mentions' ends, its type and where it first stands; one
self-attention layer lets entities see each other.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from kg.extraction.decode import TYPES, WIDEST
from kg.train.attention import mixed
from kg.train.data import ROLES
from kg.train.encoder import Encoder

SPAN_HIDDEN, ROLE_HIDDEN, POSITIONS = 192, 192, 10


class Tagger(nn.Module):
    """Encoder and span head: (batch, pieces) and (batch, words) to (batch, words, WIDEST, 1 + types) logits."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        size = encoder.bert.config.hidden_size
        self.dropout = nn.Dropout(0.1)
        self.ends = nn.Linear(size, 4 * SPAN_HIDDEN)  # as first word, as last word, as word before, as word after
        self.content = nn.Linear(size, SPAN_HIDDEN, bias=False)
        self.width = nn.Embedding(WIDEST, SPAN_HIDDEN)
        self.score = nn.Linear(SPAN_HIDDEN, 1 + len(TYPES))
        self.tags = nn.Linear(size, 1 + 2 * len(TYPES))
        with torch.no_grad():
            self.score.bias[0] = 4.0  # nearly every span is none: start from there

    def forward(
        self, ids: Tensor, word_case: Tensor, piece_case: Tensor, mask: Tensor | None, first: Tensor, last: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Span logits, and each word's states at its first and last piece, (batch, words, hidden) each."""
        hidden = self.encoder(ids, word_case, piece_case, mask)
        size = hidden.shape[-1]
        starts = torch.gather(hidden, 1, first.unsqueeze(-1).expand(-1, -1, size))
        stops = torch.gather(hidden, 1, last.unsqueeze(-1).expand(-1, -1, size))
        return self.spans(self.dropout(starts), self.dropout(stops)), starts, stops

    def spans(self, starts: Tensor, stops: Tensor) -> Tensor:
        """(batch, words, hidden) twice to (batch, words, WIDEST, 1 + types)."""
        words = starts.shape[1]
        as_first, _, before, _ = self.ends(starts).chunk(4, dim=-1)
        _, as_last, _, after = self.ends(stops).chunk(4, dim=-1)
        sums = F.pad(torch.cumsum(self.content((starts + stops) / 2).float(), dim=1), (0, 0, 1, WIDEST))
        before = F.pad(before[:, :-1], (0, 0, 1, 0))
        at_first = as_first + before
        at_last = F.pad(as_last, (0, 0, 0, WIDEST)) + F.pad(after[:, 1:], (0, 0, 0, WIDEST + 1))
        columns = []
        for width in range(WIDEST):
            mean = (sums[:, width + 1 : width + 1 + words] - sums[:, :words]) / (width + 1)
            columns.append(at_first + at_last[:, width : width + words] + mean + self.width.weight[width])
        scores: Tensor = self.score(self.dropout(F.gelu(torch.stack(columns, dim=2))))
        return scores


class Roles(nn.Module):
    """Mentions and their entities to roles: (entities, ROLES) logits for one abstract.

    `starts`, `stops`: (mentions, hidden) states at the mentions' ends; `member`: (entities, mentions) 0/1; `types`:
    (entities,) index; `position`: (entities,) tenth of the abstract in which an entity first stands.
    """

    def __init__(self, size: int) -> None:
        super().__init__()
        self.ends = nn.Linear(2 * size, ROLE_HIDDEN)
        self.merge = nn.Linear(2 * ROLE_HIDDEN, ROLE_HIDDEN)
        self.kind = nn.Embedding(len(TYPES), ROLE_HIDDEN)
        self.position = nn.Embedding(POSITIONS, ROLE_HIDDEN)
        self.query_key_value = nn.Linear(ROLE_HIDDEN, 3 * ROLE_HIDDEN)
        self.mix = nn.Linear(ROLE_HIDDEN, ROLE_HIDDEN)
        self.norm = nn.LayerNorm(ROLE_HIDDEN)
        self.feed = nn.Sequential(
            nn.Linear(ROLE_HIDDEN, 2 * ROLE_HIDDEN), nn.GELU(), nn.Linear(2 * ROLE_HIDDEN, ROLE_HIDDEN)
        )
        self.last_norm = nn.LayerNorm(ROLE_HIDDEN)
        self.score = nn.Linear(ROLE_HIDDEN, len(ROLES))
        self.dropout = nn.Dropout(0.1)

    def forward(self, starts: Tensor, stops: Tensor, member: Tensor, types: Tensor, position: Tensor) -> Tensor:
        mentions = F.gelu(self.ends(torch.cat([starts, stops], dim=-1)))
        mean = member @ mentions / member.sum(dim=1, keepdim=True)
        highest = (mentions.unsqueeze(0) + (member.unsqueeze(-1) - 1) * 1e4).amax(dim=1)
        entities = self.merge(torch.cat([mean, highest], dim=-1)) + self.kind(types) + self.position(position)
        query, key, value = self.query_key_value(self.norm(entities)).chunk(3, dim=-1)
        heard = mixed(query @ key.transpose(0, 1) / ROLE_HIDDEN**0.5, value)
        entities = entities + self.dropout(self.mix(heard))
        entities = entities + self.dropout(self.feed(entities))
        scores: Tensor = self.score(self.last_norm(entities))
        return scores
