"""How fast Gscore is, beside the encoder alone, beside the obvious loop, and for a second model on the same references.

    OMP_NUM_THREADS=1 python benchmarks/gscore_speed.py --encoder NAME_OR_FOLDER [--pairs 200] [--repeats 3]

Texts are made up, as long as CG-Eval's answers. All figures are from one run, the best of several repeats taken in turn; compare
ratios, the machine's load is in all of them. With one thread they are steadier on a busy machine. Loading the encoder is in none.

The encoder alone: one call of `encode` with each distinct window once. The obvious loop: encode two texts, score one pair with
sacrebleu and rouge_score, repeat.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import sacrebleu
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh
from sentence_transformers import SentenceTransformer
from zh_metrics.gscore import Gscore, GscoreSettings, VectorCache
from zh_metrics.gscore.encoder import Encoder

MEAN_LENGTH = 108  # characters of CG-Eval's reference answers
LONGEST = 1766
WEIGHTS = (0.2, 0.25, 0.25, 0.3)


def made_up_texts(count: int, chance: random.Random) -> list[str]:
    """Distinct texts with the frequent characters of Chinese, most of them short and a few very long."""
    frequent = [chr(ord("一") + number) for number in range(0, 20_000, 7)]
    lengths = [min(LONGEST, 4 + int(chance.expovariate(1 / (MEAN_LENGTH - 4)))) for _ in range(count)]
    return ["".join(chance.choices(frequent, k=length)) for length in lengths]


class ZhTokens:
    """sacrebleu's tokens for rouge_score."""

    def tokenize(self, text: str) -> list[str]:
        return str(TokenizerZh()(text)).split()


def obvious_loop(model: SentenceTransformer, predictions: Sequence[str], references: Sequence[str]) -> list[float]:
    """Gscore of each pair, one after another. Texts longer than the encoder takes are cut off, which saves it time."""
    rouge = RougeScorer(["rouge2"], tokenizer=ZhTokens())
    scores = []
    for prediction, reference in zip(predictions, references, strict=True):
        one, other = model.encode([prediction, reference], show_progress_bar=False)
        parts = (
            sacrebleu.sentence_bleu(prediction, [reference], tokenize="zh").score / 100,
            rouge.score(reference, prediction)["rouge2"].fmeasure,
            sacrebleu.sentence_chrf(prediction, [reference]).score / 100,
            float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other))),
        )
        scores.append(sum(weight * part for weight, part in zip(WEIGHTS, parts, strict=True)))
    return scores


class Taken(NamedTuple):
    """Seconds: by the clock, and of the processor, which other programs disturb less."""

    wall: float
    processor: float


def best(actions: dict[str, Callable[[], object]], repeats: int) -> dict[str, Taken]:
    """The shortest times of each action, all of them in turn in each repeat."""
    times: dict[str, list[Taken]] = {name: [] for name in actions}
    for _ in range(repeats):
        for name, action in actions.items():
            wall, processor = time.perf_counter(), time.process_time()
            action()
            times[name].append(Taken(time.perf_counter() - wall, time.process_time() - processor))
    return {name: Taken(*map(min, zip(*measured, strict=True))) for name, measured in times.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--encoder", required=True)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    settings = GscoreSettings(encoder=options.encoder, device=options.device)
    chance = random.Random(1)
    references, predictions, others = (made_up_texts(options.pairs, chance) for _ in range(3))

    model = SentenceTransformer(options.encoder, device=options.device)
    cut = Encoder(settings).windows([*references, *predictions])
    windows = list(dict.fromkeys(window for pieces in cut for window in pieces))
    metric = Gscore(settings)
    with tempfile.TemporaryDirectory() as folder:
        cached = Gscore(settings, VectorCache(folder))
        cached.score(predictions, references)
        seconds = best(
            {
                "encode": lambda: model.encode(windows, batch_size=settings.batch_size, show_progress_bar=False),
                "gscore": lambda: metric.score(predictions, references),
                "second model": lambda: cached.score(others, references),
                "obvious loop": lambda: obvious_loop(model, predictions, references),
            },
            options.repeats,
        )
    print(f"{options.pairs} pairs, {len(windows)} distinct windows, {settings.encoder}, {settings.device}")
    for name, taken in seconds.items():
        print(f"{name:22} {taken.wall:7.2f} s {taken.processor:7.2f} s of the processor")
    for above, below in (("gscore", "encode"), ("obvious loop", "gscore"), ("second model", "gscore")):
        wall, processor = (one / other for one, other in zip(seconds[above], seconds[below], strict=True))
        print(f"{above + ' / ' + below:22} {wall:7.3f}   {processor:7.3f}")


if __name__ == "__main__":
    main()
