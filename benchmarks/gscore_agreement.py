"""How well Gscore and its parts agree with people: correlations with CritiqueLLM's human scores of 100 answers.

    python benchmarks/gscore_agreement.py FILE.jsonl [--encoder NAME_OR_FOLDER]

FILE is thu-coai/CritiqueLLM's `data/evaluation/pointwise/alignbench_reference_based_sample.jsonl`: answers of several models to
AlignBench's questions, each with a reference and a human score from 1 to 5.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from scipy.stats import kendalltau, spearmanr
from zh_metrics.gscore import GscoreSettings, gscore

LOWEST_OF_A_GROUP = 10  # answers: a correlation over fewer says nothing


def correlations(values: Sequence[float], human: Sequence[float]) -> str:
    """Spearman's rho and Kendall's tau-b, with the p-value of the first."""
    rho = spearmanr(values, human)
    return f"{rho.statistic:7.3f}  {kendalltau(values, human).statistic:7.3f}  {rho.pvalue:9.2g}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--encoder", default=GscoreSettings().encoder)
    options = parser.parse_args()
    records = [json.loads(line) for line in options.file.read_text(encoding="utf-8").splitlines()]
    human = [float(record["human_score"]) for record in records]
    replies = [record["response"] for record in records]
    result = gscore(replies, [record["reference"] for record in records], encoder=options.encoder)
    print(f"{len(records)} answers, mean human score {sum(human) / len(human):.2f}")
    print(result.signature)
    print(f"{'':12}  Spearman  Kendall          p")
    for name in (*result.parts._fields[::-1],):
        print(f"{name:12}  {correlations([getattr(pair, name) for pair in result.pairs], human)}")
    print(f"{'length':12}  {correlations([len(reply) for reply in replies], human)}")
    for category in dict.fromkeys(record["category"] for record in records):
        chosen = [place for place, record in enumerate(records) if record["category"] == category]
        if len(chosen) >= LOWEST_OF_A_GROUP:
            values = [result.pairs[place].gscore or 0.0 for place in chosen]
            print(f"gscore, {category} ({len(chosen)})  {correlations(values, [human[place] for place in chosen])}")


if __name__ == "__main__":
    main()
