"""A report's figures as a table with one number in each row, for spreadsheets and further computing."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator

from lm_eval_zh.analysis.numbers import Figure
from lm_eval_zh.cli.output import cell
from lm_eval_zh.report.contents import Account, Candidate, Report

COLUMNS = (
    "questions_of", "model", "tasks", "pipeline", "number", "kind", "label", "value", "low", "high", "standard_error",
    "error_of_judge", "questions", "level", "resamples", "seed", "signatures",
)  # fmt: skip


def csv_text(report: Report) -> str:
    """The rows, with a heading. A number that does not exist is an empty cell; text is kept from being calculated."""
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow(COLUMNS)
    settings = (f"{report.bootstrap.level:g}", str(report.bootstrap.resamples), str(report.bootstrap.seed))
    for section in report.sections:
        by_name = {candidate.name: candidate for candidate in section.candidates}
        for account in section.accounts:
            candidate = by_name[account.candidate]
            tasks = " + ".join(run.task for run in candidate.runs)
            for kind, label, figure in _figures(account):
                texts = (section.whole, account.candidate, tasks, account.pipeline, figure.number.name, kind, label)
                signatures = cell(_signatures(candidate, account.pipeline))
                writer.writerow((*map(cell, texts), *_values(figure), *settings, signatures))
    return output.getvalue()


def _figures(account: Account) -> Iterator[tuple[str, str, Figure]]:
    for figure in account.headline:
        yield "", "", figure
    for kind, rows in account.parts.items():
        for label, figure in rows:
            yield kind, label, figure


def _values(figure: Figure) -> tuple[str, ...]:
    judge = figure.error_parts.judge if figure.error_parts else math.nan
    numbers = ("" if math.isnan(value) else repr(value) for value in (*figure.estimate, judge))
    return (*numbers, str(figure.questions))


def _signatures(candidate: Candidate, pipeline: str) -> str:
    return " ".join(run.signatures[pipeline] for run in candidate.runs if pipeline in run.signatures)
