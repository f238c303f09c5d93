"""Classes of words by what stands around them, for `kg.extraction.scene`.

1. Count, for the frequent words of the unlabelled abstracts, the words at the two places before and after.
2. Positive pointwise mutual information; singular vectors (Levy, Goldberg and Dagan 2015); each word a unit vector.
3. k-means, from a fixed seed.

`words.txt` has a class a line, its words by frequency. Abstracts of dev and of the seeds' gold are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.vq import kmeans2
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import svds

from kg.extraction.scene import WORD
from kg.files import atomic_write

FREQUENT, CONTEXTS, LEAST = 9000, 2000, 25
PLACES = (-2, -1, 1, 2)
DIMENSIONS, CLASSES = 64, 256
SMOOTHING = 0.75


def write(texts: Iterable[str], path: Path) -> None:
    """Learn classes from abstracts and write them."""
    papers = [_forms(text) for text in texts]
    counts = Counter(w for paper in papers for w in paper)
    words = [w for w, n in sorted(counts.items(), key=lambda c: (-c[1], c[0]))[:FREQUENT] if n >= LEAST]
    vectors = _vectors(_counts(papers, words))
    _, labels = kmeans2(vectors, CLASSES, iter=40, minit="++", seed=0, missing="warn")
    classes: dict[int, list[str]] = {}
    for word, label in zip(words, labels, strict=True):
        classes.setdefault(int(label), []).append(word)
    with atomic_write(path) as file:
        file.writelines(" ".join(members) + "\n" for members in classes.values())


def _forms(text: str) -> list[str]:
    plain = text.replace("\\%", "%").replace("$", " ")
    return ["#" if m[0][0] in "0123456789" else m[0].lower() for m in WORD.finditer(plain)]


def _counts(papers: Sequence[Sequence[str]], words: Sequence[str]) -> csr_matrix:
    """Words × (place, context word)."""
    index = {w: i for i, w in enumerate(words)}
    shape = (len(words), len(PLACES) * CONTEXTS)
    total = csr_matrix(shape, dtype=np.float32)
    for begin in range(0, len(papers), 2000):
        stream = [i for paper in papers[begin : begin + 2000] for i in (-1, -1, *(index.get(w, -1) for w in paper))]
        codes = np.array(stream)
        for place, step in enumerate(PLACES):
            ours, theirs = (codes[:-step], codes[step:]) if step > 0 else (codes[-step:], codes[:step])
            both = (ours >= 0) & (theirs >= 0) & (theirs < CONTEXTS)
            cells = (np.ones(both.sum(), np.float32), (ours[both], theirs[both] + place * CONTEXTS))
            total += csr_matrix(cells, shape=shape)
    return total


def _vectors(counts: csr_matrix) -> NDArray[np.float64]:
    cells = counts.tocoo()
    rows, columns = (np.asarray(counts.sum(axis)).ravel() for axis in (1, 0))
    smooth = columns**SMOOTHING
    information = np.log(cells.data * smooth.sum() / (rows[cells.row] * smooth[cells.col]))
    kept = information > 0
    matrix = csr_matrix((information[kept], (cells.row[kept], cells.col[kept])), shape=counts.shape, dtype=float)
    left, values, _ = svds(matrix, k=DIMENSIONS, v0=np.ones(min(matrix.shape)))
    vectors = left * np.sqrt(values)
    return np.asarray(vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9))
