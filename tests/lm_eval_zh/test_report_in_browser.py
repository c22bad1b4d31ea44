"""The report as a reader has it: in Chromium, from a file, without a network.

With LM_EVAL_ZH_SCREENSHOTS=FOLDER the tests leave pictures there, as docs/ has them.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from finished_runs import MARKUP, finished_run
from judge_server import JudgeServer, Step

from lm_eval_zh.analysis.numbers import Bootstrap
from lm_eval_zh.analysis.questions import Failure
from lm_eval_zh.analysis.runs import Run, read_runs
from lm_eval_zh.report.as_html import html
from lm_eval_zh.report.contents import report_of

webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium: pip install -e '.[test]'")
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import Select, WebDriverWait  # noqa: E402

CHROMIUM, DRIVER = shutil.which("chromium") or shutil.which("google-chrome"), shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="needs Chromium and its driver, Debian's packages chromium and chromium-driver"
)
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--window-size=1440,1000",
    "--lang=en-US",
)  # fmt: skip
GPT_4 = "OpenLMLab/GAOKAO-Bench/6dbb24f8d8439041e5431c4c184a582182a6ce9c/Results/gpt_4_0314"
MARKS = "gpt-4-1106-preview_correction_wo_marking_criterion"
DEEPSEEK = "deepseek-ai/DeepSeek-LLM/6712a86bfb7dd25c73383c5ad2eb7a8db540258b/evaluation/deepseek-67b-1206-no-sp.jsonl"


class Reader:
    """A browser with a report open in it, and what a reader does there."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, runs: list[Run], folder: Path, fragment: str = "en") -> None:
        """Writes the report and opens it."""
        path = folder / "report.html"
        path.write_text(html(report_of(runs, Bootstrap())), encoding="utf-8")
        self.driver.get("about:blank")
        self.driver.get_log("browser")  # what an earlier page left
        self.driver.get(f"{path.as_uri()}#{fragment}")
        self.wait(lambda: self.all(".row"))

    def wait(self, condition: Callable[[], Any]) -> Any:
        """Until the condition holds: the list is painted in the browser's own time."""
        return WebDriverWait(self.driver, 20).until(lambda _: condition())

    def all(self, selector: str) -> list[Any]:
        """The elements that fit."""
        return list(self.driver.find_elements(By.CSS_SELECTOR, selector))

    def text(self, selector: str) -> str:
        """The text of the first element that fits."""
        return str(self.all(selector)[0].get_attribute("textContent"))

    def shown(self) -> int:
        """How many questions pass the filters."""
        return int(re.sub(r"\D", "", self.text(".shown").split(" of ")[0].split("/")[0]))

    def choose(self, field: str, value: str) -> None:
        """Sets a filter's list."""
        Select(self.driver.find_element(By.NAME, field)).select_by_value(value)

    def tick(self, field: str) -> None:
        """Sets or lifts a filter's mark."""
        self.driver.find_element(By.NAME, field).click()

    def press(self, text: str) -> None:
        """A button at the top."""
        next(button for button in self.all("header button") if button.text == text).click()

    def search(self, text: str) -> None:
        """Types into the search field."""
        field = self.driver.find_element(By.NAME, "search")
        field.clear()
        field.send_keys(text)

    def harm(self) -> list[str]:
        """Signs that a text of a model has become more than text, or that the policy had to stop it."""
        hurt = self.driver.execute_script("return window.hurt")
        elements = [element.tag_name for element in self.all("main img, main script, main iframe")]
        return [
            *([f"ran: {hurt}"] if hurt else []),
            *elements,
            *(str(entry) for entry in self.driver.get_log("browser")),
        ]

    def shoot(self, name: str, top: str = "h2", height: int = 1000) -> None:
        """A picture for docs/ from the element `top` on, where it is asked for."""
        if folder := os.environ.get("LM_EVAL_ZH_SCREENSHOTS"):
            self.driver.set_window_size(1440, height)
            script = "document.querySelector(arguments[0]).scrollIntoView(); window.scrollBy(0, -4)"
            self.driver.execute_script(script, top)
            self.wait(lambda: self.driver.execute_script("return document.fonts.status") == "loaded")
            self.driver.save_screenshot(str(Path(folder) / f"{name}.png"))
            self.driver.set_window_size(1440, 1000)


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(str(DRIVER)))
    yield Reader(driver)
    driver.quit()


@pytest.fixture
def sample_runs(first_run: Path, second_run: Path, alignbench_run: Path) -> list[Run]:
    arguments = (f"model A={first_run}", f"model B={second_run}", f"model A={alignbench_run}")
    return [run for argument in arguments for run in read_runs(argument)]


def test_markup_of_a_model_stays_text(reader: Reader, sample_runs: list[Run], tmp_path: Path) -> None:
    hostile = [
        replace(run, name=f"{MARKUP}{run.name}", task=MARKUP, judge_reports=[{"model": MARKUP}]) for run in sample_runs
    ]
    for run in hostile:
        object.__setattr__(run, "signatures", {"robust": MARKUP, "official": "task:x"})
    reader.open(hostile, tmp_path)
    reader.search("sample_history_mcqs/0")
    reader.wait(lambda: reader.shown() == 1)
    reader.all(".row")[0].click()
    assert reader.text("pre.reply") == MARKUP
    assert MARKUP in reader.text(".card h3")
    assert reader.harm() == []
    reader.press("Sample questions, not AlignBench's")
    reader.wait(lambda: reader.shown() == 16)
    reader.search("alignbench_sample/2")
    reader.wait(lambda: reader.shown() == 1)
    reader.all(".row")[0].click()
    assert MARKUP in reader.text("pre.reply")
    assert reader.harm() == []


def test_a_run_without_its_main_number_has_a_report(reader: Reader, sample_runs: list[Run], tmp_path: Path) -> None:
    cg_eval = read_runs(
        str(finished_run(tmp_path / "run", "cg_eval_sample", lambda doc: doc["target"] or "最终答案：1"))
    )
    reader.open([*sample_runs, *cg_eval], tmp_path)
    reader.press(reader.all("#sections button")[-1].text)
    reader.wait(lambda: reader.shown() == 30)
    assert "arithmetic" in reader.text("main").lower()
    assert len(reader.all("main h2")) >= 3
    assert reader.harm() == []


def test_filters_show_what_they_say(reader: Reader, sample_runs: list[Run], tmp_path: Path) -> None:
    reader.open(sample_runs, tmp_path)
    questions = list(sample_runs[1].questions.values())
    assert reader.shown() == len(questions) == 41
    reader.choose("candidate", "1")
    reader.choose("subject", "physics")
    in_physics = [question for question in questions if question.labels["subject"] == "physics"]
    reader.wait(lambda: reader.shown() == len(in_physics))
    reader.choose("subject", "")
    readings = [question.readings["robust"] for question in questions]
    for field, expected in (
        ("wrong_only", sum(reading.failure is not None or reading.earned < reading.possible for reading in readings)),
        ("not_read", sum(reading.failure is Failure.UNREAD for reading in readings)),
        ("judge_failed", sum(reading.failure is Failure.UNJUDGED for reading in readings)),
        ("differ", sum(question.readings["official"] != question.readings["robust"] for question in questions)),
    ):
        reader.tick(field)
        reader.wait(lambda expected=expected: reader.shown() == expected)
        reader.tick(field)
    reader.search("no such text anywhere")
    reader.wait(lambda: reader.shown() == 0)
    assert "No question fits" in reader.text(".detail")
    assert reader.harm() == []


def test_a_question_has_all_that_was_said_about_it(reader: Reader, sample_runs: list[Run], tmp_path: Path) -> None:
    reader.open(sample_runs, tmp_path)
    reader.search("sample_geography")
    reader.wait(lambda: reader.shown() < 41)
    reader.all(".row")[0].click()
    id_ = reader.text(".detail h3")
    question, other = (run.questions[id_] for run in sample_runs[:2])
    assert reader.text("pre.question") == question.text
    assert reader.text("pre.reference") == question.reference
    assert reader.text("pre.reply") == question.reply
    assert [node.get_attribute("textContent") for node in reader.all("pre.reply")] == [question.reply, "(no text)"]
    assert other.reply == ""
    cells = [cell.get_attribute("textContent") for cell in reader.all(".readings tbody th, .readings tbody td")]
    official = question.readings["official"]
    points = f"{official.earned:g} / {official.possible:g}"
    assert cells[:4] == ["model A · official", official.extracted, points, "scored"]
    reader.search("sample_history_open")
    reader.wait(lambda: "history" in reader.text(".row b") and "open" in reader.text(".row b"))
    reader.all(".row")[0].click()
    judged = sample_runs[0].questions[reader.text(".detail h3")].readings["robust"].judged
    assert reader.text("pre.judge") == judged[0].replies[0][1]
    reader.shoot("report_question", "h2:last-of-type")


def test_the_language_is_the_readers(reader: Reader, sample_runs: list[Run], tmp_path: Path) -> None:
    reader.open(sample_runs, tmp_path)
    assert reader.text("#title") == "Evaluation report"
    reader.press("中文")
    assert reader.text("#title") == "评测报告"
    assert {option.text for option in reader.all("select[name=subject] option")} >= {"全部", "物理", "理科数学"}
    assert reader.driver.execute_script("return document.documentElement.lang") == "zh-CN"
    reader.press("English")
    assert "Where the points come from" in [node.text for node in reader.all("h2")]
    reader.open(sample_runs, tmp_path, "zh")
    assert reader.text("#title") == "评测报告"
    assert reader.harm() == []


def test_charts_are_drawn_for_both_pipelines_and_tabs(reader: Reader, sample_runs: list[Run], tmp_path: Path) -> None:
    reader.open(sample_runs, tmp_path)

    def drawn() -> list[bool]:
        script = """return [...document.querySelectorAll('canvas')].map((canvas) =>
            new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer).some(Boolean))"""
        return list(reader.driver.execute_script(script))

    def headline() -> str:
        return reader.text(".card:nth-child(2) .number:nth-child(3) b")

    robust = headline()
    for pipeline in ("official", "robust"):
        reader.press(pipeline)
        assert len(drawn()) == 6  # radar, subjects, totals, years, types, outcomes
        assert all(drawn())
    assert headline() == robust
    reader.press("Sample questions, not AlignBench's")
    assert all(drawn())
    reader.all("figure details summary")[0].click()
    assert "Mathematics" in reader.text("figure table")


def test_the_keyboard_goes_through_the_list(reader: Reader, sample_runs: list[Run], tmp_path: Path) -> None:
    reader.open(sample_runs, tmp_path)
    reader.all(".row")[0].click()
    first = reader.text(".detail h3")
    reader.all(".list")[0].send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    assert reader.text(".detail h3") != first
    assert reader.all(".row[aria-selected=true]")[0].get_attribute("aria-posinset") == "3"
    reader.all(".list")[0].send_keys(Keys.ARROW_UP, Keys.ARROW_UP)
    assert reader.text(".detail h3") == first


def test_eleven_thousand_questions(reader: Reader, sample_runs: list[Run], tmp_path: Path) -> None:
    run = sample_runs[0]
    originals = list(run.questions.values())
    many = [
        replace(originals[number % len(originals)], id=f"gaokao_sample/many/{number}", text=f"{number} {'题' * 300}")
        for number in range(11_000)
    ]
    reader.open([replace(run, questions={question.id: question for question in many}, metrics={})], tmp_path)
    assert reader.shown() == 11_000
    assert len(reader.all(".row")) < 40
    reader.driver.execute_script("const list = document.querySelector('.list'); list.scrollTop = list.scrollHeight")
    reader.wait(lambda: any("10999" in row.text for row in reader.all(".row")))
    assert len(reader.all(".row")) < 40
    reader.all(".row")[-1].click()
    assert reader.text("pre.question").startswith("10999 ")
    reader.search("10998 题")
    reader.wait(lambda: reader.shown() == 1)


def test_the_real_gpt_4_and_deepseek(reader: Reader, mirror: Path, tmp_path: Path) -> None:
    """The released replies and marks of GPT-4-0314, and DeepSeek's answers judged by a local server."""

    def judge(body: dict[str, Any], before: int) -> Step:
        number = int(hashlib.sha256(body["messages"][-1]["content"].encode()).hexdigest(), 16)
        return Step(
            text="没有分数。" if number % 50 == 0 else f"评语。\n{{'清晰度': 7, '综合得分': {number % 10 + 1}}}"
        )

    marks = {"model": "recorded", "name": "gpt-4-1106-preview", "path": str(mirror / f"{GPT_4}_sub" / MARKS)}
    finished_run(tmp_path / "gpt_4", "gaokao_obj", mirror / f"{GPT_4}_obj")
    finished_run(tmp_path / "gpt_4", "gaokao_subj", mirror / f"{GPT_4}_sub", marks)
    with JudgeServer(judge) as server:
        setting = {"model": "local-judge", "base_url": server.url}
        finished_run(tmp_path / "deepseek", "alignbench", mirror / DEEPSEEK, setting)
    runs = [*read_runs(f"GPT-4-0314={tmp_path / 'gpt_4'}"), *read_runs(f"DeepSeek 67B={tmp_path / 'deepseek'}")]
    reader.open(runs, tmp_path)
    reader.press("official")
    assert [node.text for node in reader.all(".number b")] == ["466.0", "548.3", "72.2", "64.8", "68.1"]
    assert reader.shown() == 2811
    assert any("GPT-4-0613" in table.get_attribute("textContent") for table in reader.all("figure table"))
    reader.shoot("report_headline", height=1420)
    reader.shoot("report_published", "h2:nth-of-type(3)", height=1300)
    reader.tick("differ")
    reader.wait(lambda: 0 < reader.shown() < 300)
    reader.all(".row")[0].click()
    id_ = reader.text(".detail h3")
    assert reader.text("pre.reply") == next(run.questions[id_] for run in runs if id_ in run.questions).reply
    reader.press("AlignBench")
    reader.press("robust")
    reader.wait(lambda: reader.shown() == 683)
    alignbench = runs[-1].questions.values()
    failed = sum(question.readings["robust"].failure is Failure.UNJUDGED for question in alignbench)
    assert failed > 0
    reader.tick("judge_failed")
    reader.wait(lambda: reader.shown() == failed)
    reader.all(".row")[0].click()
    assert reader.text("pre.judge") == "没有分数。"
    reader.press("中文")
    assert "数学计算" in reader.text("figure table")
    reader.shoot("report_chinese", height=1100)
    assert reader.harm() == []
