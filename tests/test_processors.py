"""The same records on processors with and without AVX-512 and VNNI: this one, and a Haswell that QEMU emulates.

Few texts are so near a boundary that another last bit shows in their records, so the network's numbers are compared.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys

import pytest

TEXT = (
    "We propose StirNet, a graph neural network for soup stirring. Unlike transformers, which scale quadratically, "
    "StirNet keeps one state for each ladle. On PotBench and CIFAR-10 it reaches 91.3% accuracy, 2.4 points above "
    "ResNet-50 and vision transformers (ViTs), with contrastive learning and knowledge distillation from a large "
    "language model (LLM). Ablations on PotBench show that the LLM matters most for rare soups."
)
PROGRAM = """
import sys
from kg.codec import dumps
from kg.extraction.model import load
from kg.extraction.pieces import windows
from kg.extraction.pipeline import extract
from kg.records import Paper

for window in windows(load().tokenizer, sys.argv[1]):
    print(*(numbers.tobytes().hex() for numbers in load().spans(window)))
print(*(dumps(e) for e in extract([Paper("a", sys.argv[1], title="StirNet"), Paper("b", sys.argv[1][:90])])))
"""
EMULATOR = shutil.which("qemu-x86_64")


@pytest.mark.skipif(platform.machine() != "x86_64", reason="one x86-64 processor is compared with another")
@pytest.mark.skipif(EMULATOR is None, reason="needs Debian's qemu-user")
def test_an_older_processor_gives_the_same_records() -> None:
    program = [sys.executable, "-c", PROGRAM, TEXT]
    here = subprocess.run(program, check=True, capture_output=True, text=True).stdout
    assert '"StirNet"' in here
    haswell = [str(EMULATOR), "-cpu", "Haswell", *program]
    assert subprocess.run(haswell, check=True, capture_output=True, text=True).stdout == here
