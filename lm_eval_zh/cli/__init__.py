"""The command `lm-eval-zh`: what is needed around a run of `lm_eval`."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated

import typer

from lm_eval_zh import registry
from lm_eval_zh.cli import comparing, judging, ranking, reading, reporting, rescoring, setting_up, submitting, totals
from lm_eval_zh.cli.output import console, use_utf8

_SUMMARY = f"{', '.join(benchmark.title for benchmark in registry.BENCHMARKS)} for lm-evaluation-harness."

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_show_locals=False)


@app.callback(invoke_without_command=True, help=_SUMMARY)
def main(show_version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False) -> None:
    """What every command begins with: our output is UTF-8, whatever the locale, for it holds Chinese."""
    use_utf8()
    if show_version:
        console.print(version("lm-eval-zh"), highlight=False)
        raise typer.Exit


_COMMANDS = (
    *(setting_up.path, setting_up.fetch, judging.estimate, judging.cache),
    *(reading.differences, rescoring.rescore, totals.total, submitting.export_cgeval),
    *(comparing.compare, ranking.leaderboard, reporting.report),
)
for command in _COMMANDS:
    app.command()(command)
