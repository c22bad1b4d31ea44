"""Gscore of real pairs, all at once, against the libraries and the encoder called one pair at a time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import sacrebleu
from alignbench_pairs import deepseek_pairs
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh
from sentence_transformers import SentenceTransformer
from small_encoder import encoder_folder
from zh_metrics.gscore import gscore

pytestmark = pytest.mark.slow

WINDOW = 254  # tokens that all-MiniLM-L6-v2 takes beside its own two


class Tokens:
    def tokenize(self, text: str) -> list[str]:
        return str(TokenizerZh()(text)).split()


def vector(model: SentenceTransformer, text: str) -> np.ndarray:
    """The mean over windows cut by token positions, the last one reaching back: written out anew."""
    places = model.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)[
        "offset_mapping"
    ]
    if len(places) <= WINDOW:
        return model.encode(text)
    starts = [start for start in range(0, len(places), WINDOW) if start + WINDOW < len(places)]
    windows = [places[start : start + WINDOW] for start in starts] + [places[-WINDOW:]]
    return np.mean([model.encode(text[window[0][0] : window[-1][1]]) for window in windows], axis=0)


def test_two_hundred_real_pairs(shared: Path) -> None:
    pairs = deepseek_pairs(shared)[::3][:210]
    predictions, references = zip(*pairs, strict=True)
    folder = str(encoder_folder())
    result = gscore(predictions, references, encoder=folder, device="cpu")
    model = SentenceTransformer(folder, device="cpu")
    rouge = RougeScorer(["rouge2"], tokenizer=Tokens())
    for (prediction, reference), found in zip(pairs, result.pairs, strict=True):
        one, other = vector(model, prediction), vector(model, reference)
        parts = (
            sacrebleu.sentence_bleu(prediction, [reference], tokenize="zh").score / 100,
            rouge.score(reference, prediction)["rouge2"].fmeasure,
            sacrebleu.sentence_chrf(prediction, [reference]).score / 100,
            float(one @ other / np.linalg.norm(one) / np.linalg.norm(other)),
        )
        assert found[:4] == pytest.approx(parts, abs=1e-6)
        assert found.gscore == pytest.approx(
            0.2 * parts[0] + 0.25 * parts[1] + 0.25 * parts[2] + 0.3 * parts[3], abs=1e-6
        )
    assert result.gscore == pytest.approx(np.mean([pair.gscore for pair in result.pairs]))
