"""Before a run: the task folders and upstream's files."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from lm_eval_zh import registry
from lm_eval_zh.cli.output import console, fail, print_line, size
from lm_eval_zh.sources import BENCHMARKS, SourceError, cache_folder, fetch_all, upstream_files
from lm_eval_zh.sources import fetch as fetch_file

ALL = "all"
_WITH_TASKS = {benchmark.name for benchmark in registry.BENCHMARKS}
_WITHOUT_TASKS = [name for name in BENCHMARKS if name not in _WITH_TASKS]
_NOT_YET = f"; without tasks yet: {', '.join(_WITHOUT_TASKS)}" if _WITHOUT_TASKS else ""


def path() -> None:
    """Print a folder with all task files, for lm_eval's --include_path."""
    from lm_eval_zh._hooks import task_folders
    from lm_eval_zh.include_folder import include_folder

    try:
        print_line(str(include_folder(task_folders(), cache_folder())))
    except OSError as error:
        fail(error)


def _known(name: str) -> str:
    if name not in (*BENCHMARKS, ALL):
        raise typer.BadParameter(f"{name!r} is not one of {', '.join(BENCHMARKS)}, {ALL}")
    return name


def fetch(
    what: Annotated[
        str,
        typer.Argument(
            callback=_known, metavar="BENCHMARK", help=f"One of {', '.join(BENCHMARKS)}, or {ALL}{_NOT_YET}."
        ),
    ] = ALL,
) -> None:
    """Fetch the benchmarks' files, so that runs need no network afterwards, and print what the cache holds."""
    chosen = BENCHMARKS if what == ALL else (what,)
    table = Table("Benchmark", "Repository", "Commit", "Files", "Size")
    missing = []
    for benchmark in chosen:
        files = [file for file in upstream_files(benchmark) if not file.literal]
        try:
            fetch_all(files)
        except SourceError as error:
            fail(error)
        for file in upstream_files(benchmark):
            if file.literal:  # a judge's prompt, without which the tasks still generate
                try:
                    fetch_file(file)
                    files.append(file)
                except SourceError as error:
                    missing.append(f"{benchmark}: judging needs one more file, generating does not: {error}")
        for repo, commit in dict.fromkeys((file.repo, file.commit) for file in files):
            of_repo = [file for file in files if (file.repo, file.commit) == (repo, commit)]
            table.add_row(benchmark, repo, commit[:10], str(len(of_repo)), size(sum(file.size for file in of_repo)))
    console.print(table)
    print_line(f"All digests are right. Cache: {cache_folder()}")
    for line in missing:
        print_line(line)
    for benchmark in chosen:
        if benchmark not in _WITH_TASKS:
            print_line(f"{benchmark}: the files are in the cache, but this version has no tasks that use them.")
