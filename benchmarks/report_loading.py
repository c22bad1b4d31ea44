"""How long a browser takes to open a report, by the number of questions, beside a page of the same size that does nothing.

    python benchmarks/report_loading.py RESULTS [CHROMIUM] [CHROMEDRIVER]

RESULTS is a finished run, whose questions are repeated. Needs selenium, Chromium and its driver.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from selenium import webdriver

from lm_eval_zh.analysis.numbers import Bootstrap
from lm_eval_zh.analysis.runs import Run, read_runs
from lm_eval_zh.report.as_html import html
from lm_eval_zh.report.contents import report_of

SIZES = (1_000, 11_000)
TURNS = 5


def repeated(run: Run, size: int) -> Run:
    """The run with its questions repeated up to `size`."""
    originals = list(run.questions.values())
    many = (originals[number % len(originals)] for number in range(size))
    questions = {
        f"{question.collection}/{number}": replace(question, id=f"{question.collection}/{number}")
        for number, question in enumerate(many)
    }
    return replace(run, questions=questions, metrics={})


def milliseconds(driver: Any, page: Path) -> float:
    """From the navigation to the end of the page's own scripts, the median of some turns."""
    taken = []
    for _ in range(TURNS):
        driver.get("about:blank")
        driver.get(page.as_uri())
        taken.append(driver.execute_script("return performance.getEntriesByType('navigation')[0].loadEventEnd"))
    return statistics.median(taken)


def main(results: str, chromium: str = "/usr/bin/chromium", chromedriver: str = "/usr/bin/chromedriver") -> None:
    """Prints one line for each size."""
    (run, *_) = read_runs(results)
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-sync",
    ):
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(chromedriver))
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            page, idle = Path(folder, "report.html"), Path(folder, "idle.html")
            page.write_text(html(report_of([repeated(run, size)], Bootstrap(resamples=50))), encoding="utf-8")
            idle.write_text(f"<!doctype html><!--{'x' * page.stat().st_size}-->", encoding="utf-8")
            report, nothing = milliseconds(driver, page), milliseconds(driver, idle)
            megabytes = page.stat().st_size / 1e6
            print(
                f"{size:6,} questions, {megabytes:5.1f} MB: {report:5.0f} ms; a comment of that size: {nothing:5.0f} ms"
            )
    driver.quit()


if __name__ == "__main__":
    main(*sys.argv[1:])
