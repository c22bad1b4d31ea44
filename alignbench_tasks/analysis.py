"""AlignBench's results for the comparison, the leaderboards and the report."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from importlib.resources import files as package_files
from pathlib import Path
from typing import Any

from alignbench_tasks.categories import CATEGORIES, DIMENSION_BY_NAME, LANGUAGE, REASONING
from alignbench_tasks.judgment import HIGHEST, LOWEST
from alignbench_tasks.scoring import ScoreOutcome, measure
from lm_eval_zh.analysis.fields import judge_words, names_file, outcome_of, text_field
from lm_eval_zh.analysis.questions import MAIN, Cell, Failure, Labels, Names, Number, Question, Reading, Scale, Table
from lm_eval_zh.analysis.tables import read_tables

CATEGORY, SUBCATEGORY, DIMENSION = "category", "subcategory", "dimension"
SCORE = "score"

_SCALE = Scale(LOWEST, HIGHEST)
_FOLDER = Path(str(package_files("alignbench_tasks")))


def _mean_of_means(name: str, *groups: Sequence[str]) -> Number:
    """The mean over the groups of the mean over their categories."""
    cells = (
        Cell({CATEGORY: category}, 1 / len(groups) / len(categories))
        for categories in groups
        for category in categories
    )
    return Number(name, tuple(cells), scale=_SCALE)


_GROUPS = (
    _mean_of_means(SCORE, REASONING, LANGUAGE),
    _mean_of_means("score_reasoning", REASONING),
    _mean_of_means("score_language", LANGUAGE),
)


class AlignBenchAnalysis:
    """Scores from 1 to 10; the overall one weighs categories, as `scoring.overall_score`."""

    scale = _SCALE
    breakdowns = (CATEGORY, DIMENSION, SUBCATEGORY)
    stacked: tuple[str, ...] = ()

    def question(self, where: str, doc: Mapping[str, Any], reply: str, filtered: Mapping[str, Any]) -> Question:
        """A sample's document with each pipeline's reading."""
        return Question(
            id=doc["id"],
            labels={name: text_field(where, doc, name) for name in (CATEGORY, SUBCATEGORY)},
            instruction="",
            text=text_field(where, doc, "question"),
            reference=text_field(where, doc, "reference"),
            reply=reply,
            readings={pipeline: _reading(where, doc, value) for pipeline, value in filtered.items()},
        )

    def whole(self, collection: str) -> str:
        """The collection."""
        return collection

    def stratum(self, labels: Labels) -> str:
        """The category, which the overall score weighs."""
        return labels[CATEGORY]

    def headline(self, labels: Collection[Labels]) -> Sequence[Number]:
        """The overall score and its halves, or the mean of the one category there is."""
        return (Number("score_of_category", scale=_SCALE),) if len({of[CATEGORY] for of in labels}) == 1 else _GROUPS

    def has(self, number: Number, metrics: Collection[str]) -> bool:
        """Every run has all of them."""
        return True

    def named(self, name: str) -> Number:
        """`score`, `score_reasoning`, `score_language` or `score_<category>`."""
        for number in _GROUPS:
            if number.name == name:
                return number
        category = name.removeprefix(f"{SCORE}_")
        if category not in CATEGORIES:
            raise KeyError(name)
        return self.part(CATEGORY, category)

    def part(self, kind: str, value: str) -> Number:
        """The mean score of the questions with one label, or the mean of one dimension."""
        if kind == DIMENSION:
            return Number(f"{DIMENSION}_{value}", quantity=value, scale=_SCALE)
        name = f"{SCORE}_{value}" if kind == CATEGORY else f"{SCORE}_{kind}_{value}"
        return Number(name, (Cell({kind: value}),), scale=_SCALE)

    def values(self, kind: str, labels: Collection[Labels]) -> Sequence[str]:
        """The labels there are, categories and dimensions in the benchmark's order."""
        if kind == DIMENSION:
            return tuple(DIMENSION_BY_NAME.values())
        there = {of[kind] for of in labels}
        return [category for category in CATEGORIES if category in there] if kind == CATEGORY else sorted(there)

    def tables(self) -> Sequence[Table]:
        """The two leaderboards of upstream's README."""
        return read_tables(_FOLDER / "leaderboards")

    def names(self) -> Mapping[str, Names]:
        """What things are called in English and Chinese; a category's score by the category's name."""
        names = names_file(_FOLDER / "names.json")
        return {**{f"{SCORE}_{category}": names[category] for category in CATEGORIES}, **names}


def _reading(where: str, doc: Mapping[str, Any], filtered: Any) -> Reading:
    outcome = outcome_of(where, ScoreOutcome, filtered)
    outcome = outcome._replace(rating=[[name, float(score)] for name, score in outcome.rating])
    measured = measure(doc, outcome)
    score = outcome.score
    dimensions = {name: measured[f"{DIMENSION}_{name}"] for name in DIMENSION_BY_NAME.values()}
    return Reading(
        quantities={
            MAIN: (0.0, 0.0) if score is None else (score, 1.0),
            **{name: (0.0, 0.0) if value is None else (value, 1.0) for name, value in dimensions.items()},
        },
        extracted="、".join(f"{name} {value:g}" for name, value in outcome.rating),
        status=outcome.status,
        failure=_failure(measured),
        flags=tuple(str(flag) for flag in outcome.flags),
        judged=judge_words(where, outcome.judgments),
        repeats=tuple(outcome.judge_scores) if len(outcome.judge_scores) > 1 else (),
    )


def _failure(measured: Mapping[str, Any]) -> Failure | None:
    for metric, failure in (
        ("reply_missing", Failure.MISSING),
        ("reply_empty", Failure.EMPTY),
        ("judge_failed", Failure.UNJUDGED),
    ):
        if measured[metric]:
            return failure
    return None


ANALYSIS = AlignBenchAnalysis()
