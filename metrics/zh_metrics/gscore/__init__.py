"""Gscore: how near a Chinese text is to a reference, from n-grams, characters and meaning. CG-Eval's metric.

    from zh_metrics.gscore import gscore

    result = gscore(["猫坐在垫子上。"], ["一只猫坐在垫子上。"], encoder="BAAI/bge-large-zh-v1.5")
    result.gscore, result.parts.bleu4, result.pairs[0], result.signature

Gscore = 0.2 BLEU-4 + 0.25 ROUGE-2 + 0.25 chrF + 0.3 cosine similarity, each in [0, 1]. Source: arXiv 2308.04823.
`evaluate.load(METRIC_PATH)` gives the same as a metric of Hugging Face's evaluate.
"""

from __future__ import annotations

from pathlib import Path

from zh_metrics.gscore.scoring import Gscore, GscoreResult, PairScore, gscore, weighted
from zh_metrics.gscore.settings import EncoderError, GscoreSettings, GscoreSettingsError, gscore_settings
from zh_metrics.gscore.vectors import VectorCache

METRIC_PATH = str(Path(__file__).with_name("evaluate_metric.py"))

__all__ = [
    "METRIC_PATH",
    "EncoderError",
    "Gscore",
    "GscoreResult",
    "GscoreSettings",
    "GscoreSettingsError",
    "PairScore",
    "VectorCache",
    "gscore",
    "gscore_settings",
    "weighted",
]
