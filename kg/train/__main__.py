"""`python -m kg.train CORPUS -o kg/data/model`: from the corpus to the model folder, in one resumable run.

1. read the annotated abstracts; refuse to go on where one to train on is also in dev or the seeds' gold;
2. masked-word training on the unlabelled abstracts, dev's left out (`pretrain`);
3. fine-tuning, 200 of the training abstracts left out (`fit`);
4. export to ONNX int8 (`export`); the names of the training abstracts (`lexicon`); fit the calibration on those 200
   (`calibrate`);
5. score dev and the seeds' gold, and write the model card.

Checkpoints lie in `--work`; a run that was stopped goes on from there.
"""

from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path

import torch
from transformers.utils import logging as transformers_logging

from kg import gold
from kg.errors import KgError
from kg.extraction import model as runtime
from kg.extraction.pieces import Pieces, load_tokenizer, windows
from kg.extraction.pipeline import load_pipeline
from kg.train import calibrate, card, lexicon
from kg.train.data import examples, parted, refuse_held_out, unlabelled
from kg.train.encoder import Encoder, base_folder
from kg.train.export import export, write_fitted
from kg.train.fit import Options, fit
from kg.train.pretrain import pretrain

SHORTEST_ABSTRACT = 40  # pieces


def main() -> int:
    """Run the command line; 1 where the data cannot be trained on."""
    parser = argparse.ArgumentParser(prog="python -m kg.train", description=__doc__.split("\n", 1)[0])
    parser.add_argument(
        "corpus", type=Path, help="folder with train.jsonl, dev.jsonl, seeds-gold.jsonl, unlabelled.jsonl.gz"
    )
    parser.add_argument(
        "-o", "--output", type=Path, default=runtime.FOLDER, help="model folder (default: the package's)"
    )
    parser.add_argument("--work", type=Path, default=Path("build/train"), help="checkpoints (default: build/train)")
    parser.add_argument("--pretrain-steps", type=int, default=600, help="batches of masked-word training")
    parser.add_argument("--epochs", type=int, default=Options().epochs)
    parser.add_argument("--spoilt", type=float, default=Options().spoilt, help="share of spoilt versions")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    transformers_logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    options = Options(epochs=args.epochs, spoilt=args.spoilt, seed=args.seed)
    try:
        train(args.corpus, args.output, args.work, args.pretrain_steps, options)
    except KgError as error:
        sys.stderr.write(f"kg.train: {error}\n")
        return error.exit_code
    return 0


def train(corpus: Path, output: Path, work: Path, pretrain_steps: int, options: Options) -> None:
    """The five steps of the module's docstring."""
    work.mkdir(parents=True, exist_ok=True)
    annotated, dev, seeds = (gold.read(corpus / f"{n}.jsonl") for n in ("train", "dev", "seeds-gold"))
    refuse_held_out(annotated, [*dev, *seeds])
    learned, kept_out = parted(annotated)
    tokenizer = load_tokenizer(base_folder() / "tokenizer.json")

    encoder = Encoder.from_base()
    pretrain(
        encoder,
        lambda: _texts(corpus / "unlabelled.jsonl.gz", dev, tokenizer),
        steps=pretrain_steps,
        checkpoint=work / "pretrain.pt",
        seed=options.seed,
    )
    trained = fit(encoder, examples(learned, tokenizer), options=options, checkpoint=work / "fit.pt")
    export(trained, output)
    lexicon.write(learned)

    write_fitted(output, mention=runtime.Calibration(), role=runtime.Calibration())
    _forget()
    mention = calibrate.mention_calibration(calibrate.read(runtime.load(output), kept_out))
    role = calibrate.role_calibration(output, kept_out)
    write_fitted(output, mention=mention, role=role)
    _forget()
    card.write(output, {"dev": dev, "seeds": seeds}, options, pretrain_steps=pretrain_steps, trained_on=len(learned))


def _forget() -> None:
    """Let the next use of the model read its folder again."""
    runtime.load.cache_clear()
    load_pipeline.cache_clear()


def _texts(path: Path, without: list[gold.Gold], tokenizer: object) -> list[Pieces]:
    texts = (windows(tokenizer, text[:4000])[:1] for text in unlabelled(path, without=without))  # type: ignore[arg-type]
    return [w[0] for w in texts if w and len(w[0].ids) > SHORTEST_ABSTRACT]


if __name__ == "__main__":
    sys.exit(main())
