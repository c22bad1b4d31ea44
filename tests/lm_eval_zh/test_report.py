"""The report as data, as a page, as Markdown and as CSV; what a browser makes of the page is in test_report_in_browser."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from finished_runs import MARKUP, answered, finished_run
from typer.testing import CliRunner

from lm_eval_zh import registry
from lm_eval_zh.analysis.numbers import Bootstrap
from lm_eval_zh.analysis.runs import read_runs
from lm_eval_zh.cli import app
from lm_eval_zh.report import as_html
from lm_eval_zh.report.as_csv import csv_text
from lm_eval_zh.report.as_markdown import markdown, text
from lm_eval_zh.report.contents import report_of

MARKUP_NAME = "</script><b>second</b><!--"
ROOT = Path(__file__).parents[2]
ASSETS = ROOT / "lm_eval_zh" / "report" / "assets"
# npm's chart.js 4.6.1, dist/chart.umd.min.js
CHART_JS = "87364cc2b2a76a6684929e7d6b80b18a897794db38400caff1fcf1791c6925d2"


class Page(HTMLParser):
    """The page's scripts, blocks of data and policy, as an HTML parser sees them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.scripts: list[str] = []
        self.styles: list[str] = []
        self.blocks: dict[str, Any] = {}
        self.policy = ""
        self._inside: tuple[str, dict[str, str | None]] = ("", {})
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._inside = (tag, dict(attrs))
        if dict(attrs).get("http-equiv") == "Content-Security-Policy":
            self.policy = dict(attrs)["content"] or ""

    def handle_data(self, data: str) -> None:
        tag, attributes = self._inside
        if tag == "script" and attributes.get("type") == "application/json":
            self.blocks[str(attributes["id"])] = json.loads(data)
        elif tag == "script":
            self.scripts.append(data)
        elif tag == "style":
            self.styles.append(data)

    def handle_endtag(self, tag: str) -> None:
        self._inside = ("", {})


@pytest.fixture(scope="module")
def page(first_run: Path, second_run: Path, alignbench_run: Path) -> Page:
    runs = [
        run
        for argument in (f"first={first_run}", f"{MARKUP_NAME}={second_run}", f"first={alignbench_run}")
        for run in read_runs(argument)
    ]
    return Page(as_html.html(report_of(runs, Bootstrap(resamples=200))))


def test_nothing_in_the_data_is_markup(page: Page) -> None:
    assert set(page.tags) == {
        "html", "head", "meta", "title", "style", "body", "header", "h1", "nav", "div", "main", "footer", "noscript",
        "script",
    }  # fmt: skip
    history = page.blocks["data-index-0"]["ids"].index("gaokao_sample/sample_history_mcqs/0")
    replies = page.blocks["data-texts-0-0"][history]["replies"]
    assert [reply["reply"] for reply in replies] == [MARKUP, MARKUP]
    assert page.blocks["data-report"]["sections"][0]["candidates"][1]["name"] == MARKUP_NAME


def test_only_our_own_scripts_may_run(page: Page) -> None:
    def digest(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    directives = dict(part.strip().split(" ", 1) for part in page.policy.split(";"))
    assert directives["default-src"] == "'none'"
    assert directives["script-src"].split() == [digest(script) for script in page.scripts]
    assert directives["style-src"].split() == [digest(style) for style in page.styles]
    assert len(page.scripts) == 8
    assert "unsafe" not in page.policy


def test_the_scripts_never_parse_text_as_html() -> None:
    ours = "".join(path.read_text(encoding="utf-8") for path in ASSETS.glob("*.js"))
    for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "srcdoc"):
        assert way not in ours


def test_the_page_asks_no_network(page: Page) -> None:
    ours = "".join(path.read_text(encoding="utf-8") for path in ASSETS.iterdir() if path.is_file())
    assert not re.search(r"https?://|fetch\(|XMLHttpRequest|import\(|@import|url\(", ours)


def test_the_chart_library_is_the_published_one() -> None:
    library = (ASSETS / "vendor" / "chart.umd.min.js").read_bytes()
    assert hashlib.sha256(library).hexdigest() == CHART_JS
    assert "MIT" in (ASSETS / "vendor" / "chart.js-LICENSE.md").read_text(encoding="utf-8")


def test_the_index_has_every_question_of_every_candidate(page: Page) -> None:
    index = page.blocks["data-index-0"]
    assert len(index["ids"]) == len(index["previews"]) == 41
    assert index["labels"].keys() == {"subject", "year", "question_type"}
    assert [reading.keys() for reading in index["readings"]] == [{"official", "robust"}] * 2
    for reading in index["readings"]:
        assert {len(column) for column in reading["robust"].values()} == {41}
    assert sum(len(page.blocks[name]) for name in page.blocks if name.startswith("data-texts-1")) == 16


def test_every_text_of_the_interface_is_in_both_languages() -> None:
    strings = json.loads((ASSETS / "strings.json").read_text(encoding="utf-8"))
    names = {key: value for b in registry.BENCHMARKS for key, value in b.analysis().names().items()}
    for key, value in {**strings, **names}.items():
        assert set(value) == {"en", "zh"}, key
        assert all(value.values()), key
        fields = [sorted(re.findall(r"\{\w+\}", text)) for text in value.values()]
        assert fields[0] == fields[1], key
    used = set(re.findall(r"\bt\(\"(\w+)\"", "".join(p.read_text(encoding="utf-8") for p in ASSETS.glob("*.js"))))
    assert used <= strings.keys()


@pytest.mark.parametrize("benchmark", registry.BENCHMARKS, ids=lambda benchmark: benchmark.name)
def test_every_label_of_a_benchmark_has_a_name(benchmark: registry.Benchmark) -> None:
    (collection,) = (name for name in benchmark.collections if name.endswith("_sample"))
    analysis = benchmark.analysis()
    names = analysis.names()
    docs = benchmark.documents(collection)
    labels = [analysis.question("here", doc, "", {}).labels for doc in docs]
    for kind in analysis.breakdowns:
        assert kind in names
        for value in analysis.values(kind, labels):
            assert value in names or value.isdecimal() or not value.isascii(), value
    assert {number.name for number in analysis.headline(labels)} <= names.keys()
    assert {column for table in analysis.tables() for column in table.columns} <= names.keys()
    assert {analysis.whole(collection) for collection in benchmark.collections} <= names.keys()


def run(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    return result.exit_code, result.stdout, result.stderr


def test_the_command_writes_what_the_ending_says(first_run: Path, tmp_path: Path) -> None:
    for ending, beginning in (
        ("html", "<!doctype html>"),
        ("md", "# lm-eval-zh"),
        ("csv", "questions_of,"),
        ("json", "{"),
    ):
        file = tmp_path / f"report.{ending}"
        status, out, _ = run("report", f"A={first_run}", "-o", file)
        assert status == 0
        assert "gaokao_sample; " in out
        assert file.read_text(encoding="utf-8").startswith(beginning)
    assert run("report", f"A={first_run}", "--format", "csv")[1] == (tmp_path / "report.csv").read_text(
        encoding="utf-8"
    )
    assert run("report", first_run, "-o", tmp_path / "report.docx")[0] == 2
    assert run("report", tmp_path / "nowhere.json")[0] == 1


def test_two_reports_of_one_run_are_the_same(first_run: Path) -> None:
    pages = {as_html.html(report_of(read_runs(f"A={first_run}"), Bootstrap(resamples=50))) for _ in range(2)}
    assert len(pages) == 1


def test_csv_cells_are_safe_and_numbers_are_numbers(first_run: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(csv_text(report_of(read_runs(f"@SUM(1)={first_run}"), Bootstrap(200))))))
    assert {row["model"] for row in rows} == {"'@SUM(1)"}
    headline = next(row for row in rows if row["number"] == "scoring_rate" and row["pipeline"] == "robust")
    assert float(headline["low"]) <= float(headline["value"]) <= float(headline["high"])
    assert headline["signatures"].startswith("task:gaokao_sample|")
    assert {row["resamples"] for row in rows} == {"200"}


def test_markdown_shows_names_as_they_are(first_run: Path) -> None:
    page = markdown(report_of(read_runs(f"<b>a|b</b>={first_run}"), Bootstrap(resamples=50)))
    assert "\\<b\\>a\\|b\\</b\\>" in page
    assert "| `scoring_rate_objective` |" in page
    assert text("[x](y)\n# z") == "\\[x\\](y) \\# z"


def test_numbers_with_an_interval_and_the_judges_part(judged_twice: Path) -> None:
    """The two teachers are a point apart in every question: no scatter, but a number of its own by each."""
    report = report_of(read_runs(str(judged_twice)), Bootstrap(resamples=200))
    (robust,) = (account for account in report.sections[0].accounts if account.pipeline == "robust")
    by_name = {figure.number.name: figure for figure in robust.headline}
    assert by_name["scoring_rate_objective"].error_parts is None
    figure = by_name["scoring_rate_subjective"]
    parts = figure.error_parts
    assert parts is not None
    assert parts.judge == pytest.approx(0, abs=1e-9)
    assert parts.by_judge == pytest.approx((figure.value * 2 / 3, figure.value * 4 / 3))
    assert "by each judge alone" in markdown(report)


def test_a_part_of_a_run_gives_no_totals(tmp_path: Path) -> None:
    part = finished_run(tmp_path, "gaokao_sample", lambda doc: answered(doc, lambda _: True), limit=3)
    (section,) = report_of(read_runs(str(part)), Bootstrap(resamples=50)).sections
    page = Page(as_html.html(report_of(read_runs(str(part)), Bootstrap(resamples=50))))
    values = {
        one["number"]: one["value"] for one in page.blocks["data-report"]["sections"][0]["accounts"][0]["headline"]
    }
    assert values.get("total_sciences") is None
    assert len(section.candidates[0].questions) == 3
