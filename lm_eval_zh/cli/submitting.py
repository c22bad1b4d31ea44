"""CG-Eval's submission file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lm_eval_zh.cli.output import check_file, fail, plain, print_line
from lm_eval_zh.sources import SourceError


def export_cgeval(
    samples: Annotated[
        Path,
        typer.Argument(
            help="samples_cg_eval_*.jsonl of lm_eval --log_samples, or a folder with those of the categories."
        ),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="The CSV file to write.")],
    incomplete: Annotated[
        bool, typer.Option("--incomplete", help="Write the file although replies are missing; their cells stay empty.")
    ] = False,
    raw: Annotated[
        bool,
        typer.Option("--raw", help="No apostrophe in front of replies that a spreadsheet would take for formulas."),
    ] = False,
    drop_thinking: Annotated[
        bool, typer.Option("--drop-thinking", help="Leave out what replies hold in <think>, which would be scored too.")
    ] = False,
) -> None:
    """Write the CSV that CG-Eval's authors score: their rows and columns, and the replies in the column 回答."""
    from cg_eval_tasks.submission import IncompleteError, export
    from lm_eval_zh.matching import AnswersError

    try:
        check_file(output)
        written = export(samples, output, incomplete=incomplete, raw=raw, drop_thinking=drop_thinking)
    except (SourceError, AnswersError, IncompleteError, OSError) as error:
        fail(error)
    print_line(plain(f"{output}: {written.rows:,} rows, {written.empty:,} of them without a reply"))
    if written.guarded:
        print_line(
            f"{written.guarded:,} replies begin like a formula and have an apostrophe in front; --raw leaves it out"
        )
    if written.too_long:
        print_line(
            f"{written.too_long:,} replies are longer than a cell of Excel, which will show their beginning only"
        )
