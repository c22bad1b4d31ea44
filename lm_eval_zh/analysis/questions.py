"""Questions of a finished run in terms that all benchmarks share, and what a benchmark has to say for that.

A benchmark's package has a module `analysis` with an object `ANALYSIS` of the type `Analysis`. That is all the comparison,
the leaderboards and the report know of it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from enum import Enum
from pathlib import Path
from typing import Any, Protocol

Names = Mapping[str, str]
"""A text by language, `en` and `zh`."""

Labels = Mapping[str, str]
"""What a question belongs to, by kind of part: `{"subject": "physics", "year": "2012"}`."""

MAIN = "score"  # the quantity that a benchmark's headline number is made of


class Failure(str, Enum):
    """Why a reading is no verdict on the reply."""

    UNREAD = "unread"  # the pipeline could not take an answer from the reply
    UNJUDGED = "unjudged"  # no judge's score could be had
    EMPTY = "empty"  # the model gave no text
    UNSCORED = "unscored"  # there is nothing to score it against
    MISSING = "missing"  # a replayed run has no reply to the question


@dataclass(frozen=True)
class JudgeWords:
    """One judge's replies about one answer, oldest first, and what became of the request."""

    status: str
    reason: str
    replies: tuple[tuple[str, str], ...]  # the judge's name as the server gives it, its text


@dataclass(frozen=True)
class Reading:
    """What one pipeline made of the reply to one question.

    `quantities` has points earned and points possible by name, `MAIN` first; (0, 0) for a question that is in no number.
    Where points are scores whose mean counts, points possible is 1.
    """

    quantities: Mapping[str, tuple[float, float]]
    extracted: str  # what was read, for people
    status: str
    failure: Failure | None = None
    flags: tuple[str, ...] = ()
    judged: tuple[JudgeWords, ...] = ()
    repeats: tuple[float | None, ...] = ()  # each judge's score, where there are several judgments

    @property
    def earned(self) -> float:
        """Points earned, or the score."""
        return self.quantities[MAIN][0]

    @property
    def possible(self) -> float:
        """Points possible, or 1 for a score; 0 for a question that is in no number."""
        return self.quantities[MAIN][1]


@dataclass(frozen=True)
class Question:
    """One question of a run: its text, the reply, and each pipeline's reading of it."""

    id: str
    labels: Labels
    instruction: str  # the system message, if the benchmark has one
    text: str
    reference: str
    reply: str
    readings: Mapping[str, Reading]  # by pipeline

    @property
    def collection(self) -> str:
        """The collection of questions it is from."""
        return self.id.split("/")[0]


@dataclass(frozen=True)
class Cell:
    """The questions with all of these labels, and what their ratio of points counts for in a number."""

    labels: Labels = field(default_factory=dict)
    coefficient: float = 1.0


@dataclass(frozen=True)
class Scale:
    """What numbers range over, and whether they are shown in percent."""

    low: float
    high: float
    percent: bool = False

    @property
    def digits(self) -> int:
        """How many decimals are shown: two for scores, one for percent and totals."""
        return 1 if self.percent or self.high > 100 else 2

    def shown(self, value: float, signed: bool = False, more_digits: int = 0) -> str:
        """A number as it is printed; a dash where there is none."""
        if math.isnan(value):
            return NO_NUMBER
        unit = Decimal(1).scaleb(-self.digits - more_digits)
        rounded = Decimal(value * (100 if self.percent else 1)).quantize(unit, ROUND_HALF_UP)  # as browsers do
        return f"{rounded:{'+' if signed else ''}f}"


NO_NUMBER = "–"
"""What tables show where there is no number."""

SHARE = Scale(0, 1, percent=True)


@dataclass(frozen=True)
class Number:
    """A number as it is named in results files: the sum over cells of coefficient times points over points possible."""

    name: str
    cells: tuple[Cell, ...] = (Cell(),)
    quantity: str = MAIN
    scale: Scale = SHARE


@dataclass(frozen=True)
class Table:
    """A published table: where it is from, who judged, and each model's numbers by the names they have here."""

    name: str
    title: Names
    source: Names
    date: str
    judge: str  # empty where no judge marks
    collections: frozenset[str]  # whose questions the numbers are of
    questions: int  # how many there are in them
    signature: Mapping[str, str]  # fields that the signature of a comparable run has
    edition: tuple[str, str] | None  # of the questions here and of the table's, where they are not the same
    scale: Scale
    columns: tuple[str, ...]  # the numbers by the names they have here, the one to rank by first
    rows: Mapping[str, Mapping[str, float]]  # by model and number; in the unit of our own numbers
    note: Names
    path: Path


class Analysis(Protocol):
    """What a benchmark says of its results."""

    scale: Scale  # of a part's number, and of a score that is not points over points
    breakdowns: tuple[str, ...]  # the kinds of labels to tell numbers apart by, the most important first
    stacked: tuple[str, ...]  # the numbers whose parts are worth seeing on top of each other

    def question(self, where: str, doc: Mapping[str, Any], reply: str, filtered: Mapping[str, Any]) -> Question:
        """A sample's document with each pipeline's `filtered_resps`.

        Raises SourceError naming `where` and the field for one that isn't as expected.
        """

    def whole(self, collection: str) -> str:
        """What a collection of questions is a part of: only numbers of one whole may be mixed."""

    def stratum(self, labels: Labels) -> str:
        """What a bootstrap keeps the share of."""

    def headline(self, labels: Collection[Labels]) -> Sequence[Number]:
        """The numbers to read first of a run whose questions have these labels; the first one is the most important."""

    def has(self, number: Number, metrics: Collection[str]) -> bool:
        """Whether a run has the number whose results file has these metrics; of a run without such a file, all."""

    def named(self, name: str) -> Number:
        """A number by its name in a published table. Raises KeyError for an unknown one."""

    def part(self, kind: str, value: str) -> Number:
        """The number of the questions with one label, or of one quantity where the breakdown is into quantities."""

    def values(self, kind: str, labels: Collection[Labels]) -> Sequence[str]:
        """What a breakdown tells apart, in the benchmark's order."""

    def tables(self) -> Sequence[Table]:
        """The published tables."""

    def names(self) -> Mapping[str, Names]:
        """What labels, their kinds, numbers and statuses are called, by the name used here.

        A label that means something else for one kind stands there as `kind.label` too.
        """
