"""The arguments that name a judge, or a panel of them."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

JudgeOption = Annotated[
    str | None,
    typer.Option(
        "--judge",
        help="A model of the harness such as hf or vllm, a model at an endpoint, overlap, recorded, or the JSON of the setting.",
    ),
]
JudgeArgs = Annotated[
    str,
    typer.Option("--judge_args", help="pretrained=DIR,... for a model of the harness, else base_url=... and so on."),
]


def judge_setting(judge: str | None, arguments: str) -> dict[str, Any] | None:
    """The setting `judge` of `--metadata` that the two options stand for; None without them."""
    from lm_eval_zh.panels import setting_of

    if judge is None:
        if arguments:
            raise typer.BadParameter("--judge_args needs --judge")
        return None
    if not judge.lstrip().startswith(("{", "[")):
        return setting_of(judge, arguments)
    if arguments:
        raise typer.BadParameter("--judge in JSON takes no --judge_args: put them into it")
    try:
        setting: dict[str, Any] = json.loads(judge)
    except json.JSONDecodeError as error:
        raise typer.BadParameter(f"--judge is no JSON: {error}") from error
    if not isinstance(setting, dict):
        raise typer.BadParameter(f'--judge: expected an object such as {{"panel": [...]}}, got {setting!r:.60}')
    if list(setting) == ["judge"]:
        raise typer.BadParameter(
            '--judge takes what stands behind "judge" in --metadata, without {"judge": ...} around it'
        )
    return setting
