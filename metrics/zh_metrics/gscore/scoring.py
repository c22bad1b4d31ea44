"""Gscore of pairs of texts: the four parts, their weighted sum, their means, and what they depend on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NamedTuple

from zh_metrics.gscore.encoder import Encoder
from zh_metrics.gscore.lexical import lexical_parts, signature_fields
from zh_metrics.gscore.settings import GscoreSettings, gscore_settings
from zh_metrics.gscore.similarity import similarities
from zh_metrics.gscore.vectors import VectorCache
from zh_metrics.signature import signature


class PairScore(NamedTuple):
    """The parts of one pair's Gscore and the Gscore, each in [0, 1]; None for the last two without similarity."""

    bleu4: float
    rouge2: float
    chrf: float
    similarity: float | None
    gscore: float | None


@dataclass(frozen=True)
class GscoreResult:
    """Means over the pairs, NaN where there are none, and the score of each pair in the order given."""

    parts: PairScore
    pairs: tuple[PairScore, ...]
    signature: str

    @property
    def gscore(self) -> float | None:
        """The mean Gscore; None without similarity."""
        return self.parts.gscore

    def as_dict(self) -> dict[str, Any]:
        """What there is as plain values: the means, the pairs' scores as lists, the signature."""
        means = {name: value for name, value in self.parts._asdict().items() if value is not None}
        lists = {f"{name}_by_pair": [getattr(pair, name) for pair in self.pairs] for name in means}
        return {**means, **lists, "signature": self.signature}

    def __str__(self) -> str:
        means = {name: value for name, value in self.parts._asdict().items() if value is not None}
        shown = " ".join(f"{name} = {value:.4f}" for name, value in reversed(means.items()))
        return f"{shown} over {len(self.pairs)} pairs, {self.signature}"


class Gscore:
    """Scores pairs of texts. Construction loads the encoder, unless similarity is off.

    Raises EncoderError if there is none.
    """

    def __init__(self, settings: GscoreSettings | None = None, cache: VectorCache | None = None) -> None:
        self.settings = settings or GscoreSettings()
        self._cache = cache
        self._encoder = Encoder(self.settings) if self.settings.similarity == "on" else None

    def score(self, predictions: Sequence[str], references: Sequence[str]) -> GscoreResult:
        """The scores of each prediction against its reference.

        Raises ValueError if there are not as many of one as of the other, TypeError for what is no list of texts.
        """
        pairs = tuple(self.pairs(predictions, references))
        return GscoreResult(_means(pairs), pairs, signature(self.signature_fields()))

    def pairs(self, predictions: Sequence[str], references: Sequence[str]) -> list[PairScore]:
        """The score of each prediction against its reference, as `score` gives it, with the same errors."""
        for name, texts in (("predictions", predictions), ("references", references)):
            if isinstance(texts, str):
                raise TypeError(f"{name}: expected a list of texts, got one text")
            wrong = next((place for place, text in enumerate(texts) if not isinstance(text, str)), None)
            if wrong is not None:
                raise TypeError(f"{name}[{wrong}]: expected a text, got {texts[wrong]!r:.80}")
        if len(predictions) != len(references):
            raise ValueError(f"{len(predictions)} predictions, but {len(references)} references: expected as many")
        lexical = [lexical_parts(*pair) for pair in zip(predictions, references, strict=True)]
        if self._encoder is None:
            return [PairScore(*parts, None, None) for parts in lexical]
        similar = similarities(predictions, references, self._encoder, self._cache)
        return [
            PairScore(*parts, similarity, weighted((*parts, similarity), self.settings.weights))
            for parts, similarity in zip(lexical, similar, strict=True)
        ]

    def signature_fields(self) -> dict[str, str]:
        """What the scores depend on."""
        fields = {"metric": "gscore", **signature_fields(), "similarity": self.settings.similarity}
        if self._encoder is None:
            return fields
        weights = ",".join(f"{weight:g}" for weight in self.settings.weights)
        return {**fields, **self._encoder.signature_fields(), "weights": weights}


def gscore(
    predictions: Sequence[str],
    references: Sequence[str],
    settings: GscoreSettings | None = None,
    *,
    cache: VectorCache | None = None,
    **options: Any,
) -> GscoreResult:
    """Gscore of each prediction against its reference, and the means.

    Options are fields of `GscoreSettings`, in place of `settings` or on top of them: `encoder`, `device`, `dtype`,
    `backend`, `window`, `stride`, `similarity="off"` ... With a `cache`, vectors of references are kept for the next call.

    Raises GscoreSettingsError for options that can't be used, EncoderError if the encoder can't be had, ValueError for
    lists of different lengths, TypeError for what is no list of texts.

    >>> print(gscore(["猫坐在垫子上"], ["猫坐在垫子上"], similarity="off"))  # doctest: +ELLIPSIS
    chrf = 1.0000 rouge2 = 1.0000 bleu4 = 1.0000 over 1 pairs, metric:gscore|bleu:4,zh,exp,effective_order|...
    """
    chosen: Mapping[str, Any] = {**(settings.model_dump() if settings else {}), **options}
    return Gscore(gscore_settings(chosen), cache).score(predictions, references)


def weighted(parts: Sequence[float], weights: Sequence[float]) -> float:
    """The sum of the parts, each times its weight; at most 1 for weights that add up to 1."""
    return min(1.0, math.fsum(part * weight for part, weight in zip(parts, weights, strict=True)))


def _means(pairs: Sequence[PairScore]) -> PairScore:
    bleu4, rouge2, chrf = (_mean(pair[part] or 0.0 for pair in pairs) for part in range(3))
    if any(pair.gscore is None for pair in pairs):
        return PairScore(bleu4, rouge2, chrf, None, None)
    return PairScore(
        bleu4,
        rouge2,
        chrf,
        _mean(pair.similarity or 0.0 for pair in pairs),
        _mean(pair.gscore or 0.0 for pair in pairs),
    )


def _mean(values: Iterable[float]) -> float:
    there = list(values)
    return fmean(there) if there else math.nan
