"""Single ratings, and CritiqueLLM's scores, read off judges' replies."""

from __future__ import annotations

import random
import re

import pytest

from alignbench_tasks.critiques import official_critique_score
from alignbench_tasks.judgment import NO_SCORES, OUT_OF_RANGE, TRUNCATED, official_scores
from alignbench_tasks.ratings import official_rating, robust_rating


@pytest.mark.parametrize(
    ("judgment", "official", "robust"),
    [
        pytest.param("有小错。\n[[7]]", 7, 7, id="plain"),
        pytest.param("评分：[[7.5]]", 7.5, 7.5, id="decimal"),
        pytest.param("[[6]] 之后想了想，改为 [[4]]", 6, 4, id="the last counts"),
        pytest.param("［［8］］", -1, 8, id="full width"),
        pytest.param("【【8】】", -1, 8, id="lenticular"),
        pytest.param("[[8分]]", -1, 8, id="with its unit"),
        pytest.param("[[8/10]]", -1, 8, id="of ten"),
        pytest.param("[[ 8 ]]", -1, 8, id="blanks"),
        pytest.param("**[[8]]**", 8, 8, id="bold"),
        pytest.param(r"\[\[8\]\]", -1, 8, id="escaped"),
        pytest.param("`[[8]]`", 8, 8, id="code"),
        pytest.param("[[八]]", -1, 8, id="Chinese numeral"),
        pytest.param("按格式，例如：[[5]]，我给 [[3]]", 5, 3, id="echoed example"),
        pytest.param("<think>大概 [[9]]</think>[[4]]", 9, 4, id="thinking"),
        pytest.param("<think>大概 [[9]]", 9, None, id="thinking only"),
        pytest.param("评分：[7]", 7, 7, id="single brackets"),
        pytest.param("参考[1]中的说法。[[6]]", 6, 6, id="a citation"),
        pytest.param("参考[1]中的说法，还不错。", 1, None, id="a citation only"),
        pytest.param("我的评分是 7 分。", -1, 7, id="stated"),
        pytest.param("Rating: 7", -1, 7, id="stated in English"),
        pytest.param("评分：7/10", -1, 7, id="stated, of ten"),
        pytest.param("评分：70/100", -1, None, id="stated, of a hundred"),
        pytest.param("得分为6-7分", -1, None, id="a range"),
        pytest.param("[[6-7]]", -1, None, id="a range in brackets"),
        pytest.param("[[6]]……不，[[无法评价]]", 6, None, id="no rating in the end"),
        pytest.param("格式应为 [[5]]", 5, None, id="an example alone"),
        pytest.param("[[rating]]", -1, None, id="a placeholder"),
        pytest.param("评分：[[7]]\n参考文献 [[1]]", 7, 7, id="a citation in double brackets"),
        pytest.param("评分：[[3]]。矩阵应为 [[5]]", 3, 3, id="a matrix"),
        pytest.param("[[7]]\n根据标准，[[7]]到[[8]]分表示好", 7, 7, id="the rules repeated"),
        pytest.param("评分：[[7]]\n参考答案评分：[[8]]", 7, 7, id="the reference's"),
        pytest.param("[[7]]/5", 7, None, id="of five"),
        pytest.param("[[8]]/10", 8, 8, id="of ten, outside"),
        pytest.param("综合评分：7\n准确性评分：9", -1, 7, id="part of it"),
        pytest.param("准确性得分：9", -1, None, id="a part only"),
        pytest.param("格式正确，内容准确，评分为：[[9]]", 9, 9, id="format as a word"),
        pytest.param("例如计算错误，所以 [[4]]", 4, 4, id="for example as a word"),
        pytest.param("按要求的格式给出评分：[[8]]", 8, 8, id="in the format asked for"),
        pytest.param("[[评分：7]]", -1, 7, id="label inside"),
        pytest.param("[[\n7\n]]", -1, 7, id="over lines"),
        pytest.param("[[6]]\n`x[[`", 6, 6, id="brackets of something else"),
        pytest.param("写得不错。", -1, None, id="none"),
        pytest.param("", -1, None, id="empty"),
    ],
)
def test_a_rating(judgment: str, official: float, robust: float | None) -> None:
    assert official_rating(judgment) == official
    read = robust_rating(judgment)
    assert read.score == robust
    assert read.reason == ("" if robust else NO_SCORES)


@pytest.mark.parametrize(
    ("judgment", "reason"),
    [
        ("[[85]]", OUT_OF_RANGE),
        ("[[0]]", OUT_OF_RANGE),
        ("[[-1]]", OUT_OF_RANGE),
        ("[[11]] 或者 [[12]]", OUT_OF_RANGE),
        ("总的来说 [[1", TRUNCATED),
        ("先看 [[6]]，最后 [[1", TRUNCATED),
        ("[[8]", TRUNCATED),
    ],
)
def test_a_rating_that_is_none_has_its_reason(judgment: str, reason: str) -> None:
    assert robust_rating(judgment)[1:] == (None, reason)


@pytest.mark.parametrize(
    ("critique", "score"),
    [
        ("……{'事实正确性': 1, '综合得分': 3}", 3),
        ("综合得分: 7", 7),
        ("综合得分：7", 7),
        ("综合得分：7，也就是 {'综合得分': 4}", 4),  # the quoted form first, wherever it stands
        ("综合得分：7，综合得分: 6", 6),
        ("'综合得分': 7.5", 7.5),
        ("'综合得分': 7.", 7),
        ("'综合得分': 10", 10),
        ("'综合得分': 10.0", 10),
        ("'综合得分': 10.5", 10),
        ("'综合得分': 85", 8),
        ("'综合得分': 100", 10),
        ("'综合得分': 0.5", 0),
        ("'综合得分': 05", 0),
        ("'综合得分':7", None),
        ("“综合得分”： 7", None),
        ('{"综合得分": 7}', None),
        ("", None),
    ],
)
def test_critiquellms_score_as_its_own_code_reads_it(critique: str, score: float | None) -> None:
    assert official_critique_score(critique) == score


PIECES = (
    "[[7]]",
    "[[",
    "]]",
    "[",
    "]",
    "7",
    "10",
    ".",
    "评分：",
    "综合得分",
    "': ",
    ": ",
    "：",
    "'",
    "例如",
    "\n",
    "<think>",
    "分",
    "好",
)


def test_readings_of_any_text_are_total() -> None:
    chance = random.Random(17)
    for _ in range(3000):
        text = "".join(chance.choice(PIECES) for _ in range(chance.randint(0, 12)))
        read = robust_rating(text)
        assert (read.score is None) == bool(read.reason)
        assert read.score is None or 1 <= read.score <= 10
        bracketed = re.findall(r"\[\[(\d+\.?\d*)\]\]", text) or re.findall(r"\[(\d+\.?\d*)\]", text) or [-1]
        assert official_rating(text) == float(bracketed[0])
        critique = official_critique_score(text)
        assert critique is None or 0 <= critique <= 10


@pytest.mark.parametrize("text", ["[[", "[[7]", "[" * 3, "评分：", "例如", "[[1]]", "<think>", "'综合得分': "])
def test_long_replies_are_read_quickly(text: str) -> None:
    """Each of these would take minutes if a pattern took more than time in proportion to the text."""
    long = text * 30_000
    robust_rating(long)
    official_rating(long)
    official_critique_score(long)
    official_scores(long)
