"""A report's figures as Markdown, for a model card or an issue."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lm_eval_zh.analysis.standings import Standing
from lm_eval_zh.analysis.wording import judge_part, with_interval
from lm_eval_zh.cli.output import plain
from lm_eval_zh.report.contents import Report, Section

_ACTIVE = re.compile(r"([\\`*_\[\]<>|~#!&])")  # what Markdown or HTML would obey
_MARK = r"\*"


def markdown(report: Report) -> str:
    """Headline numbers, parts, published tables and signatures of each whole of questions."""
    lines = [line for section in report.sections for line in _section(section)]
    return "\n".join(("# lm-eval-zh", "", *lines, f"{report.bootstrap.describe()}. lm-eval-zh {report.version}.", ""))


def text(value: str) -> str:
    """`value` as a text of one line that Markdown shows as it is."""
    return _ACTIVE.sub(r"\\\1", plain(" ".join(value.split())))


def _section(section: Section) -> Iterator[str]:
    names = section.names
    yield from (f"## {names[section.whole]['en'] if section.whole in names else section.whole}", "")
    yield from _table(
        ("Model", "Pipeline", "Number", "Value", "Questions", "Failures"),
        [
            (
                text(account.candidate),
                account.pipeline,
                f"`{figure.number.name}`",
                " ".join(filter(None, (with_interval(figure), judge_part(figure)))),
                f"{figure.questions:,}",
                ", ".join(f"{status} {n}" for status, n in sorted(account.statuses.items())) or "none"
                if figure is account.headline[0]
                else "",
            )
            for account in section.accounts
            for figure in account.headline
        ],
    )
    headings = [f"{text(account.candidate)}, {account.pipeline}" for account in section.accounts]
    for kind in section.analysis.breakdowns:
        labels = list(dict.fromkeys(label for account in section.accounts for label, _ in account.parts[kind]))
        by_account = [dict(account.parts[kind]) for account in section.accounts]
        rows = [
            (text(label), *(with_interval(of[label]) if label in of else "" for of in by_account)) for label in labels
        ]
        yield from _table((kind, *headings), rows)
    for standing in section.standings:
        yield from _standing(standing)
    yield from ("Signatures:", "")
    for candidate in section.candidates:
        for run in candidate.runs:
            for signature in run.signatures.values():
                yield f"- {text(candidate.name)}: `{plain(signature).replace('`', '')}`"
    yield ""


def _standing(standing: Standing) -> Iterator[str]:
    table = standing.table
    yield from (f"### {table.title['en']} ({standing.pipeline} pipeline)", "")
    rows = [
        (
            f"**{text(row.model)}**{_MARK if row.remarks else ''}" if row.ours else text(row.model),
            *(
                with_interval(row.figures[name]) if row.ours else table.scale.shown(row.values[name])
                for name in table.columns
            ),
        )
        for row in standing.rows
    ]
    yield from _table(("Model", *(f"`{name}`" for name in table.columns)), rows)
    yield f"Published: {table.source['en']}, {table.date}; {f'judge {table.judge}' if table.judge else 'no judge'}."
    for row in standing.rows:
        for remark in row.remarks:
            yield f"{_MARK} {text(row.model)} differs from the table in {text(str(remark))}."
    yield ""


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(headings)} |"
    yield f"|{' --- |' * len(headings)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""
