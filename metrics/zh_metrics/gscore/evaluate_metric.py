"""Gscore as a metric of Hugging Face's evaluate: `evaluate.load(zh_metrics.gscore.METRIC_PATH)`."""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from zh_metrics.gscore import VectorCache, gscore

_DESCRIPTION = (
    "How near Chinese texts are to their references: 0.2 BLEU-4 + 0.25 ROUGE-2 + 0.25 chrF + 0.3 cosine similarity."
)
_CITATION = """\
@article{zeng2023evaluating,
  title={Evaluating the Generation Capabilities of Large Chinese Language Models},
  author={Zeng, Hui and Xue, Jingyuan and Hao, Meng and Sun, Chen and Ning, Bin and Zhang, Na},
  journal={arXiv preprint arXiv:2308.04823},
  year={2023}
}"""
_INPUTS = """\
predictions: texts. references: one text for each. encoder, device, dtype, backend, window, stride, batch_size, similarity
("on" or "off") and the weights, as in zh_metrics.gscore.GscoreSettings; cache_folder: where vectors of references are kept.
Returns gscore, bleu4, rouge2, chrf and similarity, each in [0, 1] and as a mean, each also as a list named <part>_by_pair, and
the signature. With similarity "off" there is no gscore."""


class GscoreMetric(evaluate.Metric):  # type: ignore[misc]
    """Each in [0, 1], higher is better."""

    def _info(self) -> Any:
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=datasets.Features(
                {"predictions": datasets.Value("string"), "references": datasets.Value("string")}
            ),
            reference_urls=["https://arxiv.org/abs/2308.04823"],
        )

    def _compute(
        self, predictions: list[str], references: list[str], cache_folder: str | None = None, **options: Any
    ) -> dict[str, Any]:
        cache = VectorCache(cache_folder) if cache_folder else None
        return gscore(predictions, references, cache=cache, **options).as_dict()
