"""Around a judge: what it will take, and what of it is kept."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Column, Table

from lm_eval_zh.cli.judge_arguments import JudgeArgs, JudgeOption, judge_setting
from lm_eval_zh.cli.output import console, fail, plain, print_line, size
from lm_eval_zh.sources import SourceError


def estimate(
    tasks: Annotated[str, typer.Option("--tasks", help="Judged tasks, separated by commas.")],
    reply_tokens: Annotated[int, typer.Option(min=1, help="How long the replies are expected to be.")] = 600,
    judge_tokens: Annotated[int, typer.Option(min=1, help="How long a judge's reply is expected to be.")] = 400,
    price_prompt: Annotated[float | None, typer.Option(min=0, help="Price of a million prompt tokens.")] = None,
    price_completion: Annotated[float | None, typer.Option(min=0, help="Price of a million reply tokens.")] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, max=10**6, help="Only the first documents, as with lm_eval --limit.")
    ] = None,
    judge: JudgeOption = None,
    judge_args: JudgeArgs = "",
) -> None:
    """Say how many calls and tokens a judge will need, before any is spent. Tokens are estimated from characters."""
    from zh_metrics.judge import JudgeSettingsError

    from lm_eval_zh.estimate import estimates

    if (price_prompt is None) != (price_completion is None):
        raise typer.BadParameter("a cost needs both prices: --price-prompt and --price-completion")
    names = [name.strip() for name in tasks.split(",") if name.strip()]
    try:
        found = estimates(names, reply_tokens, judge_tokens, limit, judge_setting(judge, judge_args))
    except (SourceError, JudgeSettingsError, ValueError) as error:
        fail(error)
    prices = None if price_prompt is None or price_completion is None else (price_prompt, price_completion)
    number = {"justify": "right"}
    named = any(one.judge for one in found)
    costs = [one.cost(prices) for one in found]
    priced = any(cost is not None for cost in costs)
    headings = ("Judged replies", "Calls", "At most", "Prompt tokens", "Reply tokens", *(("Cost",) if priced else ()))
    texts = (Column("Task", no_wrap=True), *((Column("Judge", overflow="fold"),) if named else ()))
    table = Table(*texts, *(Column(heading, **number) for heading in headings))  # type: ignore[arg-type]
    for one, price in zip(found, costs, strict=True):
        cost = ("" if price is None else f"{price:,.2f}",) if priced else ()
        counts = (one.replies, one.calls, one.most_calls, one.prompt_tokens, one.completion_tokens)
        judged_by = (escape(plain(one.judge)),) if named else ()
        table.add_row(one.task, *judged_by, *(f"{count:,}" for count in counts), *cost)
    console.print(table)
    print_line("Tokens are those of the calls; unread replies are asked for again, up to the calls at most.")


def cache(
    clear: Annotated[str | None, typer.Option(metavar="JUDGE", help="Remove this judge's replies.")] = None,
) -> None:
    """Show the judges' replies that are kept, or remove those of one judge."""
    from lm_eval_zh.judges import judge_cache

    kept = judge_cache()
    if clear is not None:
        try:
            print_line(f"{kept.clear(clear)} replies of {clear} removed from {kept.folder}")
        except KeyError:
            names = ", ".join(judge.name for judge in kept.judges()) or "none"
            fail(ValueError(f"{kept.folder} has no replies of {clear!r}; judges there: {names}"))
        except OSError as error:
            fail(error)
        return
    table = Table("Judge", Column("Replies", justify="right"), Column("Size", justify="right"))
    for judge in kept.judges():
        table.add_row(escape(judge.name), f"{judge.replies:,}", size(judge.size))
    console.print(table)
    print_line(f"Cache: {kept.folder}")
