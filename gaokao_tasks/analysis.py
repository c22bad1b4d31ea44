"""GAOKAO-Bench's results for the comparison, the leaderboards and the report."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from importlib.resources import files as package_files
from pathlib import Path
from typing import Any

from zh_metrics.judge import Verdict

from gaokao_tasks.catalog import SUBJECTS
from gaokao_tasks.judged import MarkOutcome, official_mark_outcome, robust_mark_outcome
from gaokao_tasks.measures import measure
from gaokao_tasks.question_types import KINDS, OBJECTIVE, OBJECTIVE_TYPES, SUBJECTIVE_TYPES, kind_of
from gaokao_tasks.scoring import EMPTY_REPLY, Outcome
from gaokao_tasks.totals import HUMANITIES, POINTS, SCIENCES
from lm_eval_zh.analysis.fields import judge_words, judgments, names_file, outcome_of, text_field
from lm_eval_zh.analysis.questions import (
    MAIN,
    SHARE,
    Cell,
    Failure,
    Labels,
    Names,
    Number,
    Question,
    Reading,
    Scale,
    Table,
)
from lm_eval_zh.analysis.tables import read_tables

SUBJECT, KIND, YEAR, TYPE = "subject", "kind", "year", "question_type"
RATE = "scoring_rate"

_FOLDER = Path(str(package_files("gaokao_tasks")))
_MARKED_BY: Mapping[str, Callable[..., MarkOutcome]] = {
    "official": official_mark_outcome,
    "robust": robust_mark_outcome,
}
GAOKAO, _HALVES = "gaokao", ("gaokao_obj", "gaokao_subj")
_EXAM = Scale(0, 750)
_EXAMS = {"total_sciences": SCIENCES, "total_humanities": HUMANITIES}


def _total(name: str) -> Number:
    cells = (Cell({SUBJECT: subject, KIND: kind}, POINTS[subject, kind]) for subject in _EXAMS[name] for kind in KINDS)
    return Number(name, tuple(cells), scale=_EXAM)


class GaokaoAnalysis:
    """Scoring rates are points over points; totals are out of 750."""

    scale = SHARE
    breakdowns = (SUBJECT, YEAR, TYPE)
    stacked = tuple(_EXAMS)

    def question(self, where: str, doc: Mapping[str, Any], reply: str, filtered: Mapping[str, Any]) -> Question:
        """A sample's document with each pipeline's reading."""
        analysis = text_field(where, doc, "analysis")
        labels = {
            SUBJECT: text_field(where, doc, "subject"),
            YEAR: text_field(where, doc, "year"),
            TYPE: text_field(where, doc, "question_type"),
            KIND: kind_of(doc["question_type"]),
        }
        return Question(
            id=doc["id"],
            labels=labels,
            instruction=text_field(where, doc, "prompt"),
            text=text_field(where, doc, "question").strip(),
            reference=" ".join(doc["answer"]) + (f"\n\n{analysis}" if analysis else ""),
            reply=reply,
            readings={pipeline: _reading(where, doc, pipeline, value) for pipeline, value in filtered.items()},
        )

    def whole(self, collection: str) -> str:
        """`gaokao` for both of its halves."""
        return GAOKAO if collection in _HALVES else collection

    def stratum(self, labels: Labels) -> str:
        """Subject and kind, whose points the totals weigh apart."""
        return f"{labels[SUBJECT]} {labels[KIND]}"

    def headline(self, labels: Collection[Labels]) -> Sequence[Number]:
        """The scoring rate; with both kinds of question each kind's too, and the totals."""
        if len({of[KIND] for of in labels}) < len(KINDS):
            return (Number(RATE),)
        return (*map(_total, _EXAMS), *(self.named(f"{RATE}_{kind}") for kind in KINDS), Number(RATE))

    def has(self, number: Number, metrics: Collection[str]) -> bool:
        """Every run has all of them."""
        return True

    def named(self, name: str) -> Number:
        """`total_<exam>`, `scoring_rate`, `scoring_rate_<kind>` or `scoring_rate_<subject>_<kind>`."""
        if name in _EXAMS:
            return _total(name)
        rest = name.removeprefix(RATE).removeprefix("_")
        kind = next((kind for kind in KINDS if rest.endswith(kind)), "")
        subject = rest.removesuffix(kind).removesuffix("_")
        if not name.startswith(RATE) or subject not in ("", *SUBJECTS):
            raise KeyError(name)
        labels = {**({SUBJECT: subject} if subject else {}), **({KIND: kind} if kind else {})}
        return Number(name, (Cell(labels),))

    def part(self, kind: str, value: str) -> Number:
        """The scoring rate of the questions with one label, a subject's under the name it has in results files."""
        return Number(f"{RATE}_{value}" if kind == SUBJECT else f"{RATE}_{kind}_{value}", (Cell({kind: value}),))

    def values(self, kind: str, labels: Collection[Labels]) -> Sequence[str]:
        """The labels there are, subjects and types in the benchmark's order, years in theirs."""
        there = {of[kind] for of in labels}
        order = {SUBJECT: SUBJECTS, TYPE: (*OBJECTIVE_TYPES, *SUBJECTIVE_TYPES)}.get(kind, ())
        return [*(value for value in order if value in there), *sorted(there.difference(order))]

    def tables(self) -> Sequence[Table]:
        """Tables 1, 2, 4 and 5 of the paper."""
        return read_tables(_FOLDER / "leaderboards")

    def names(self) -> Mapping[str, Names]:
        """What things are called in English and Chinese; a subject's rate of one kind by both their names."""
        names = names_file(_FOLDER / "names.json")
        rates = {
            f"{RATE}_{subject}_{kind}": {
                "en": f"{names[subject]['en']}, {names[kind]['en']}",
                "zh": f"{names[subject]['zh']}{names[kind]['zh']}",
            }
            for subject, kind in POINTS
        }
        return {**rates, **names}


def _reading(where: str, doc: Mapping[str, Any], pipeline: str, filtered: Any) -> Reading:
    outcome: Outcome | MarkOutcome
    if kind_of(doc["question_type"]) == OBJECTIVE:
        outcome = outcome_of(where, Outcome, filtered)
        extracted = " ".join(letter or "·" for letter in outcome.letters)
    else:
        outcome = outcome_of(where, MarkOutcome, filtered)
        extracted = " / ".join(f"{mark:g}" for mark in outcome.marks)
    measured = measure(doc, outcome)
    records = outcome.judgments if isinstance(outcome, MarkOutcome) else []
    return Reading(
        quantities={MAIN: measured[RATE]},
        extracted=extracted,
        status=outcome.status,
        failure=_failure(measured, outcome.status),
        judged=judge_words(where, records),
        repeats=_repeats(where, doc, pipeline, records),
    )


def _failure(measured: Mapping[str, Any], status: str) -> Failure | None:
    if measured["reply_missing"]:
        return Failure.MISSING
    if measured["judge_failed"]:
        return Failure.UNJUDGED
    if measured["extraction_failed"]:
        return Failure.EMPTY if status == EMPTY_REPLY else Failure.UNREAD
    return None


def _repeats(where: str, doc: Mapping[str, Any], pipeline: str, records: Any) -> tuple[float | None, ...]:
    """The points by each judge alone, where there are several."""
    given = judgments(where, records)
    if len(given) < 2 or pipeline not in _MARKED_BY:
        return ()
    return tuple(_MARKED_BY[pipeline](Verdict((judgment,)), doc["score"]).points for judgment in given)


ANALYSIS = GaokaoAnalysis()
