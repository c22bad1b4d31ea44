"""The lexical parts of Gscore, against the libraries called one pair at a time."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import sacrebleu
from alignbench_pairs import deepseek_pairs
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh
from zh_metrics.gscore import PairScore, gscore, weighted
from zh_metrics.gscore.lexical import chrf, lexical_parts


class Tokens:
    def tokenize(self, text: str) -> list[str]:
        return str(TokenizerZh()(text)).split()


def by_the_libraries(prediction: str, reference: str) -> tuple[float, float, float]:
    return (
        sacrebleu.sentence_bleu(prediction, [reference], tokenize="zh").score / 100,
        RougeScorer(["rouge2"], tokenizer=Tokens()).score(reference, prediction)["rouge2"].fmeasure,
        sacrebleu.sentence_chrf(prediction, [reference]).score / 100,
    )


def test_real_pairs_score_as_the_libraries_score_them_one_by_one(shared: Path) -> None:
    pairs = deepseek_pairs(shared)[:200]
    for prediction, reference in pairs:
        assert lexical_parts(prediction, reference) == pytest.approx(by_the_libraries(prediction, reference), abs=1e-6)


@pytest.mark.parametrize(
    "text",
    [
        "猫坐在垫子上。",
        "共情",
        "a b c d",
        "先测量，再记录",
        "2→3↑4≥1",
        "𠀀 𠀁 𠀂 𠀃",
        "㐀㐁㐂㐃",
        "x\n\ny z 好",
        "长" * 20_000,
    ],
    ids=["sentence", "two", "latin", "full_width", "arrows", "beyond_bmp", "extension_a", "lines", "very_long"],
)
def test_a_text_is_all_of_itself(text: str) -> None:
    assert lexical_parts(text, text) == pytest.approx((1, 1, 1))


def test_a_run_of_characters_beyond_the_basic_plane_is_one_token() -> None:
    assert lexical_parts("𠀀𠀁𠀂𠀃", "𠀀𠀁𠀂𠀃") == pytest.approx((1, 0, 1))


@pytest.mark.parametrize("blank", ["", " \n\u3000"])
def test_a_blank_text_shares_nothing(blank: str) -> None:
    assert lexical_parts(blank, "答案") == lexical_parts("答案", blank) == lexical_parts(blank, blank) == (0, 0, 0)
    assert chrf(blank, "答案") == chrf("答案", blank) == 0


@pytest.mark.parametrize(
    ("prediction", "reference"),
    [("猫坐在垫子上", "狗躺在地板上面"), ("甲乙丙丁", "丁丙乙甲"), ("机器学习", "機器學習"), ("ABC中文", "abc中文")],
)
def test_rouge_is_the_same_both_ways(prediction: str, reference: str) -> None:
    assert lexical_parts(prediction, reference).rouge2 == lexical_parts(reference, prediction).rouge2


def test_very_long_replies() -> None:
    reply, reference = "人工智能是一门学科。" * 2_000, "人工智能是计算机科学的一个分支。"
    assert all(0 <= part <= 1 for part in lexical_parts(reply, reference))
    assert lexical_parts(reply, reference) == pytest.approx(by_the_libraries(reply, reference))


def test_the_given_cases(shared: Path) -> None:
    seen = 0
    for line in (shared / "cases" / "cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if case["area"] != "text_metrics" or "hyp" not in case["input"]:
            continue
        expected = case["expected"].get("raw", case["expected"])  # widths are kept; see docs/gscore.md
        found = lexical_parts(case["input"]["hyp"], case["input"]["ref"])
        for name, value in {
            "bleu4": found.bleu4,
            "bleu_zh": found.bleu4 * 100,
            "rouge2": found.rouge2,
            "rouge2_char": found.rouge2,
            "chrf": found.chrf * (1 if "bleu4" in expected else 100),
        }.items():
            if name in expected:
                assert value == pytest.approx(expected[name], abs=1e-4), (case["id"], name)
                seen += 1
    assert seen >= 8


def test_without_similarity_there_are_three_parts_and_no_gscore() -> None:
    result = gscore(["猫坐在垫子上。", ""], ["猫坐在垫子上。", "狗"], similarity="off")
    assert result.pairs == (
        PairScore(pytest.approx(1), 1, pytest.approx(1), None, None),
        PairScore(0, 0, 0, None, None),
    )
    assert result.parts == PairScore(pytest.approx(0.5), 0.5, pytest.approx(0.5), None, None)
    assert result.gscore is None
    assert set(result.as_dict()) == {
        *("bleu4", "rouge2", "chrf", "bleu4_by_pair", "rouge2_by_pair", "chrf_by_pair", "signature")
    }
    assert "similarity:off" in str(result)


def test_nothing_to_score_has_no_mean() -> None:
    parts = gscore([], [], similarity="off").parts
    assert [str(value) for value in parts[:3]] == ["nan", "nan", "nan"]


def test_as_many_predictions_as_references() -> None:
    with pytest.raises(ValueError, match="2 predictions, but 1 references"):
        gscore(["a", "b"], ["a"], similarity="off")


@pytest.mark.parametrize(
    ("predictions", "message"),
    [
        ("猫", "predictions: expected a list of texts, got one text"),
        (["猫", None], r"predictions\[1\]: expected a text, got None"),
    ],
)
def test_what_is_no_list_of_texts(predictions: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        gscore(predictions, ["猫", "狗"], similarity="off")


@pytest.mark.parametrize(
    ("parts", "expected"), [((0.1, 0.2, 0.4, 0.0), 0.17), ((1, 1, 1, 1), 1), ((0, 0, 0, 0), 0), ((0, 0, 0, 1), 0.3)]
)
def test_the_weights_of_the_paper(parts: tuple[float, ...], expected: float) -> None:
    assert weighted(parts, (0.2, 0.25, 0.25, 0.3)) == pytest.approx(expected)


def test_lexical_parts_need_no_torch() -> None:
    code = (
        "import sys; from zh_metrics.gscore import gscore; gscore(['好'], ['好'], similarity='off'); "
        "print({'torch', 'sentence_transformers', 'transformers'} & set(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"
