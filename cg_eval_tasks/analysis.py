"""CG-Eval's results for the comparison and the report."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from importlib.resources import files as package_files
from pathlib import Path
from typing import Any

from zh_metrics.gscore import PairScore

from cg_eval_tasks.catalog import CATEGORIES, EXPLANATIONS, QUESTION_TYPES, SUBJECTS
from cg_eval_tasks.scoring import AnswerOutcome, measure
from lm_eval_zh.analysis.fields import names_file, outcome_of, text_field
from lm_eval_zh.analysis.questions import MAIN, SHARE, Cell, Failure, Labels, Names, Number, Question, Reading, Table

CATEGORY, SUBJECT, TYPE = "category", "subject", "question_type"
GSCORE = "gscore"

_PARTS = PairScore._fields[:-1]  # of Gscore: each a quantity of its own
_OTHERS = ("calculation_acc", "arithmetic_acc", "length_ratio", "format_ok")
_FAILURES = (
    ("reply_missing", Failure.MISSING),
    ("reply_empty", Failure.EMPTY),
    ("extraction_failed", Failure.UNREAD),
)
_FOLDER = Path(str(package_files("cg_eval_tasks")))


class CgEvalAnalysis:
    """Scores in [0, 1], shown in percent; the overall one is the mean of the categories'."""

    scale = SHARE
    breakdowns = (CATEGORY, SUBJECT, TYPE)
    stacked: tuple[str, ...] = ()

    def question(self, where: str, doc: Mapping[str, Any], reply: str, filtered: Mapping[str, Any]) -> Question:
        """A sample's document with each pipeline's reading. Its reference is known where the question itself gives it."""
        (*_, subject) = doc["parts"]
        return Question(
            id=doc["id"],
            labels={
                CATEGORY: text_field(where, doc, "category"),
                SUBJECT: subject,
                TYPE: text_field(where, doc, "question_type"),
            },
            instruction="",
            text=text_field(where, doc, "question"),
            reference=text_field(where, doc, "target"),
            reply=reply,
            readings={pipeline: _reading(where, doc, value) for pipeline, value in filtered.items()},
        )

    def whole(self, collection: str) -> str:
        """The collection."""
        return collection

    def stratum(self, labels: Labels) -> str:
        """The subject: subjects have different numbers of questions and types of them."""
        return labels[SUBJECT]

    def headline(self, labels: Collection[Labels]) -> Sequence[Number]:
        """Gscore, its parts and what needs no references, as far as the run has them."""
        parts = tuple(Number(name, quantity=name) for name in (*_PARTS, *_OTHERS[:2]))
        if len({of[CATEGORY] for of in labels}) == 1:
            return (Number(GSCORE), *parts)
        return (_mean_of_categories(), Number(f"{GSCORE}_questions"), *parts)

    def has(self, number: Number, metrics: Collection[str]) -> bool:
        """Without references there is no Gscore, and without an encoder none and no similarity: the task leaves them out."""
        name = GSCORE if number.name.startswith(GSCORE) else number.name
        return not metrics or name in metrics

    def named(self, name: str) -> Number:
        """`gscore`, `gscore_questions`, a part's name, or `gscore_<category>`."""
        numbers = {number.name: number for number in (*self.headline([{CATEGORY: c} for c in CATEGORIES]),)}
        numbers |= {number.name: number for number in (self.part(CATEGORY, category) for category in CATEGORIES)}
        return numbers[name]

    def part(self, kind: str, value: str) -> Number:
        """The mean score of the questions with one label, a category's and a subject's under their names in results files."""
        name = f"{GSCORE}_{kind}_{value}" if kind == TYPE else f"{GSCORE}_{value}"
        return Number(name, (Cell({kind: value}),))

    def values(self, kind: str, labels: Collection[Labels]) -> Sequence[str]:
        """The labels there are, in the benchmark's order."""
        there = {of[kind] for of in labels}
        subjects = (slug for of_category in SUBJECTS.values() for _, slug in of_category)
        order = {CATEGORY: CATEGORIES, TYPE: QUESTION_TYPES}.get(kind, tuple(subjects))
        return [*(value for value in order if value in there), *sorted(there.difference(order))]

    def tables(self) -> Sequence[Table]:
        """None: no copy of the published figures was at hand to take them from."""
        return ()

    def names(self) -> Mapping[str, Names]:
        """What things are called in English and Chinese."""
        names = names_file(_FOLDER / "names.json")
        of_subjects = {
            slug: {"en": slug.replace("_", " ").capitalize(), "zh": name}
            for of_category in SUBJECTS.values()
            for name, slug in of_category
        }
        scores = {f"{GSCORE}_{name}": called for name, called in {**of_subjects, **names}.items()}
        return {**scores, **of_subjects, **names}


def _mean_of_categories() -> Number:
    return Number(GSCORE, tuple(Cell({CATEGORY: category}, 1 / len(CATEGORIES)) for category in CATEGORIES))


def _reading(where: str, doc: Mapping[str, Any], filtered: Any) -> Reading:
    outcome = outcome_of(where, AnswerOutcome, filtered)
    explains = doc[TYPE] in EXPLANATIONS
    if explains:
        outcome = outcome._replace(read=[float(value) for value in outcome.read])
    measured = measure(doc, outcome)
    shown = (
        (f"{name} {value:.3f}" for name, value in zip(_PARTS, outcome.read, strict=False)) if explains else outcome.read
    )
    return Reading(
        quantities={
            MAIN: (0.0, 0.0) if outcome.score is None else (outcome.score, 1.0),
            **{name: measured[name] for name in (*_PARTS, *_OTHERS)},
        },
        extracted="、".join(map(str, shown)),
        status=outcome.status,
        failure=next((failure for metric, failure in _FAILURES if measured[metric]), None) or _unscored(outcome),
    )


def _unscored(outcome: AnswerOutcome) -> Failure | None:
    return Failure.UNSCORED if outcome.score is None and outcome.correct is None else None


ANALYSIS = CgEvalAnalysis()
