"""The same records on processors with and without AVX-512 and VNNI: this one, and a Haswell that QEMU emulates.

Few texts are so near a boundary that another last bit shows in their records, so the networks' numbers are compared.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TEXT = (
    "We propose StirNet, a graph neural network for soup stirring. Unlike transformers, which scale quadratically, "
    "StirNet keeps one state for each ladle. On PotBench and CIFAR-10 it reaches 91.3% accuracy, 2.4 points above "
    "ResNet-50 and vision transformers (ViTs), with contrastive learning and knowledge distillation from a large "
    "language model (LLM). Ablations on PotBench show that the LLM matters most for rare soups."
)
PROGRAM = """
import sys
import numpy as np
from kg.codec import dumps
from kg.extraction.model import load
from kg.extraction.pieces import windows
from kg.extraction.pipeline import extract
from kg.records import Paper

for window in windows(load().tokenizer, sys.argv[1]):
    scores, starts, stops = load().spans(window)
    some = np.arange(20)
    roles = load().role_scores(starts[:20], stops[:20], np.eye(20, dtype=np.float32), some % 5, some % 10)
    print(*(numbers.tobytes().hex() for numbers in (scores, starts, stops, roles)))
print(*(dumps(e) for e in extract([Paper("a", sys.argv[1], title="StirNet"), Paper("b", sys.argv[1][:90])])))
"""
EMULATOR = shutil.which("qemu-x86_64")
PROCESSOR = Path("/proc/cpuinfo")


@pytest.mark.skipif(
    "avx512f" not in (PROCESSOR.read_text("utf-8") if PROCESSOR.exists() else ""), reason="no AVX-512 here"
)
@pytest.mark.skipif(EMULATOR is None, reason="needs Debian's qemu-user")
def test_an_older_processor_gives_the_same_records() -> None:
    program = [sys.executable, "-c", PROGRAM, TEXT]
    here = subprocess.run(program, check=True, capture_output=True, text=True).stdout
    assert '"StirNet"' in here
    haswell = [str(EMULATOR), "-cpu", "Haswell", *program]
    assert subprocess.run(haswell, check=True, capture_output=True, text=True).stdout == here
