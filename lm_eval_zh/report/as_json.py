"""A report's figures in values that JSON can hold."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from lm_eval_zh.analysis.numbers import Figure
from lm_eval_zh.analysis.questions import Scale
from lm_eval_zh.analysis.standings import Row, Standing
from lm_eval_zh.report.contents import Account, Candidate, Report, Section


def report_record(report: Report) -> dict[str, Any]:
    """All figures, without the questions."""
    bootstrap = report.bootstrap
    return {
        "version": report.version,
        "bootstrap": {"resamples": bootstrap.resamples, "level": bootstrap.level, "seed": bootstrap.seed},
        "sections": [_section(section) for section in report.sections],
    }


def figure_record(figure: Figure) -> dict[str, Any]:
    """A number with its interval; null where there is none."""
    parts = figure.error_parts
    return {
        **{name: or_none(value) for name, value in figure.estimate._asdict().items()},
        "questions": figure.questions,
        **(
            {"error_of_judge": parts.judge, "error_of_questions": parts.questions, "by_judge": list(parts.by_judge)}
            if parts
            else {}
        ),
    }


def or_none(value: float) -> float | None:
    """JSON has no NaN."""
    return None if math.isnan(value) else value


def _section(section: Section) -> dict[str, Any]:
    return {
        "whole": section.whole,
        "scale": _scale(section.analysis.scale),
        "names": section.names,
        "breakdowns": list(section.analysis.breakdowns),
        "candidates": [_candidate(candidate) for candidate in section.candidates],
        "accounts": [_account(account) for account in section.accounts],
        "standings": [standing_record(standing) for standing in section.standings],
    }


def _scale(scale: Scale) -> dict[str, Any]:
    return {"low": scale.low, "high": scale.high, "percent": scale.percent, "digits": scale.digits}


def _candidate(candidate: Candidate) -> dict[str, Any]:
    return {
        "name": candidate.name,
        "runs": [
            {
                "task": run.task,
                "model": run.model,
                "date": run.date,
                "questions": len(run.questions),
                "signatures": dict(run.signatures),
                "judges": [_judge(report) for report in run.judge_reports],
            }
            for run in candidate.runs
        ],
    }


def _judge(report: Mapping[str, Any]) -> dict[str, Any]:
    """What of a judge's report is shown: not its address, which is nobody else's business."""

    def number(name: str) -> float | None:
        value = report.get(name)
        return or_none(float(value)) if isinstance(value, (int, float)) else None

    outcomes = report.get("outcomes")
    return {
        "model": str(report.get("model", "")),
        "outcomes": {str(k): v for k, v in outcomes.items() if isinstance(v, int)}
        if isinstance(outcomes, dict)
        else {},
        **{name: number(name) for name in ("calls", "cached_replies", "prompt_tokens", "completion_tokens", "cost")},
    }


def _account(account: Account) -> dict[str, Any]:
    return {
        "candidate": account.candidate,
        "pipeline": account.pipeline,
        "headline": [
            {"number": figure.number.name, "scale": _scale(figure.number.scale), **figure_record(figure)}
            for figure in account.headline
        ],
        "parts": {
            kind: [{"label": label, **figure_record(figure)} for label, figure in rows]
            for kind, rows in account.parts.items()
        },
        "stacks": {
            number: [{"labels": dict(part.labels), "value": or_none(part.value), "most": part.most} for part in slices]
            for number, slices in account.stacks.items()
        },
        "outcomes": dict(account.outcomes),
        "statuses": dict(account.statuses),
        "flags": dict(account.flags),
    }


def standing_record(standing: Standing) -> dict[str, Any]:
    """A published table with runs in it."""
    table = standing.table
    return {
        "table": table.name,
        "title": dict(table.title),
        "source": dict(table.source),
        "date": table.date,
        "judge": table.judge,
        "note": dict(table.note),
        "pipeline": standing.pipeline,
        "scale": _scale(table.scale),
        "columns": list(table.columns),
        "rows": [_row(row, table.columns) for row in standing.rows],
    }


def _row(row: Row, columns: Sequence[str]) -> dict[str, Any]:
    values = {
        name: figure_record(row.figures[name]) if row.ours else {"value": or_none(row.values[name])} for name in columns
    }
    remarks = [{"what": remark.what, "run": remark.run, "table": remark.table} for remark in row.remarks]
    return {"model": row.model, "ours": row.ours, "values": values, "remarks": remarks}


def json_text(report: Report) -> str:
    """The figures as a JSON document."""
    return json.dumps(report_record(report), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
