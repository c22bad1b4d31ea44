"""`official_letters` against rules written here by scanning characters, named quirks and all recorded answers.

The rules are those of `extract_choice_answer` in Bench/bench_function.py of OpenLMLab/GAOKAO-Bench (at f140805 and
217256d, which were read for this, inline in `choice_test`), one `question_type ==` branch each.
No `re` here: an expectation that shares the technique of the code under test would share its mistakes.
"""

import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gaokao_tasks.extraction import official_letters

TAG = "【答案】"
CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
N_TEXTS = 2000  # generated texts per question type
LEAST_SHARE = 0.05  # of those texts, for each branch


def letters_in(text: str, allowed: str) -> list[str]:
    """The characters of `text` that are one of the ASCII capitals `allowed`, in order."""
    return [character for character in text if character in allowed]


def marked_letters(text: str) -> list[str]:
    """The capital of each tag, white space, colons, white space, capital; left to right, not overlapping."""
    letters = []
    i = 0
    while i < len(text):
        if text[i : i + len(TAG)] != TAG:
            i += 1
            continue
        i += len(TAG)
        end = i
        while end < len(text) and text[end].isspace():
            end += 1
        while end < len(text) and text[end] in ":：":
            end += 1
        while end < len(text) and text[end].isspace():
            end += 1
        if end < len(text) and text[end] in CAPITALS:
            letters.append(text[end])
            i = end + 1
    return letters


# Each expectation gives the answers, and for each branch of upstream's rule whether the text takes it.
def expect_single_choice(text: str, n_answers: int) -> tuple[list[str], dict[str, bool]]:
    last, after = "", ""
    for character in text:
        if character in "ABCD":
            last, after = character, ""
        else:
            after += character
    return [last] if last else [], {
        "letter": last != "",
        "no letter": last == "",
        "first letter differs": last != "" and letters_in(text, "ABCD")[0] != last,
        "other capital after it": last != "" and letters_in(after, CAPITALS) != [],
        "look-alike after it": last != "" and letters_in(after, "abcdＡＢＣＤ") != [],
    }


def expect_multi_question_choice(text: str, n_answers: int) -> tuple[list[str], dict[str, bool]]:
    marked, capitals = marked_letters(text), letters_in(text, CAPITALS)
    all_marked = len(marked) == n_answers
    return marked if all_marked else capitals[:n_answers], {
        "a mark per blank": all_marked,
        "marks differ from first capitals": all_marked and marked != capitals[:n_answers],
        "mark beyond D": all_marked and letters_in("".join(marked), CAPITALS[4:]) != [],
        "tag without letter": text.count(TAG) > len(marked),
        "more marks than blanks": len(marked) > n_answers,
        "fewer marks than blanks": len(marked) < n_answers,
        "first capitals": not all_marked and len(capitals) >= n_answers,
        "fewer capitals than blanks": not all_marked and 0 < len(capitals) < n_answers,
        "no capital": capitals == [],
    }


def expect_multi_choice(text: str, n_answers: int) -> tuple[list[str], dict[str, bool]]:
    squeezed = "".join(text.split())  # str.split() parts at what str.isspace() calls white space
    index = squeezed.find(TAG)
    later = index > 0
    letters = letters_in(squeezed[index:] if later else squeezed[-10:], "ABCD")
    return ["".join(letters)] if letters else [], {
        "tag later, letters": later and letters != [],
        "tag later, no letter": later and letters == [],
        "tag later, twice": later and squeezed.count(TAG) > 1,
        "tag later, split by white space": later and TAG not in text,
        "tag at 0, letters": index == 0 and letters != [],
        "tag at 0, no letter": index == 0 and letters == [],
        "no tag, letters": index < 0 and letters != [],
        "no tag, no letter": index < 0 and letters == [],
        "letter before the last ten": not later and letters_in(squeezed[:-10], "ABCD") != [],
        "white space inside the last ten": not later and letters != letters_in(text[-10:], "ABCD"),
    }


def expect_five_out_of_seven(text: str, n_answers: int) -> tuple[list[str], dict[str, bool]]:
    letters = letters_in(text, "ABCDEFG")
    return letters[:5], {
        "no letter": letters == [],
        "fewer than five": 0 < len(letters) < 5,
        "five": len(letters) == 5,
        "more than five": len(letters) > 5,
        "capital beyond G": letters != [] and letters_in(text, CAPITALS[7:]) != [],
    }


EXPECTATIONS = {
    "single_choice": expect_single_choice,
    "multi_question_choice": expect_multi_question_choice,
    "multi_choice": expect_multi_choice,
    "five_out_of_seven": expect_five_out_of_seven,
}

GAPS = ("", "", " ", "\n", "\t", "\u3000", "\u00a0", "\x1f", " \r\n\u3000")  # each white space to str.isspace
COLONS = ("", "", ":", ":", "：", "：", "：:：", ": :", "\u200b:")  # the last two break a mark
TAGS = (TAG, TAG, TAG, TAG, TAG, TAG, "【答 案】", "【\u3000答\n案】", "【\n答案】", "答案：", "【答案")
LOOK_ALIKES = ("a", "c", "Ａ", "Ｄ", "\u0391", "\u0412", "\u24b7", "甲", "7")  # Greek, Cyrillic, circled capitals
WORDS = ("由题意可知", "所以本题应选", "<eoa>", "<eoe>", "【解析】", "（2）", "12.5 m/s", "the answer is ")
CAPITAL_WORDS = ("The ", "DNA", "Because of ", "NaOH", "<EOA>", "GDP", "Kobe")
LONG_RUN = "故其余选项均不符合题目要求"  # longer than the ten characters that multi_choice falls back on


def letter(rng: random.Random) -> str:
    return rng.choice((rng.choice("ABCD"), rng.choice("ABCD"), rng.choice("EFG"), rng.choice("HKTXZ")))


def piece(rng: random.Random, lettered: bool) -> str:
    """One part of a reply; without ASCII capitals unless `lettered`."""
    kind = rng.choice(("mark", "mark", "mark", "mark", "letters", "word", "word", "gap"))
    if kind == "mark":
        end = letter(rng) if lettered and rng.random() < 0.9 else rng.choice(LOOK_ALIKES)
        return rng.choice(TAGS) + rng.choice(GAPS) + rng.choice(COLONS) + rng.choice(GAPS) + end
    if kind == "letters":
        source: Callable[[], str] = (lambda: letter(rng)) if lettered else (lambda: rng.choice(LOOK_ALIKES))
        return "".join(source() + rng.choice(("", "", " ", "、", "\n\u3000 ")) for _ in range(rng.randint(1, 3)))
    if kind == "word":
        return rng.choice(CAPITAL_WORDS if lettered and rng.random() < 0.3 else WORDS)
    return rng.choice(GAPS)


def reply(rng: random.Random) -> str:
    """A reply of up to ten parts; a quarter start with the tag, a sixth have hardly any ASCII capital."""
    opening = rng.choice((TAG, rng.choice(GAPS) + TAG, "", "", "", rng.choice(WORDS), rng.choice(WORDS), "A、C错误。"))
    lettered = rng.random() < 5 / 6
    parts = [piece(rng, lettered) for _ in range(rng.randint(0, 8))]
    spaced = f"选{letter(rng)} 和\u3000\n{letter(rng)}" if lettered else ""
    return opening + "".join(parts) + rng.choice(("", "", LONG_RUN, spaced))


def n_blanks(rng: random.Random, text: str) -> int:
    """As many as marks, one fewer, or 1 to 5; at least 1."""
    n_marks = len(marked_letters(text))
    return max(1, rng.choice((n_marks, n_marks - 1, rng.randint(1, 5))))


@pytest.mark.parametrize("question_type", EXPECTATIONS)
def test_generated_replies(question_type: str) -> None:
    reached: Counter[str] = Counter()
    for seed in range(N_TEXTS):
        rng = random.Random(seed)
        text = reply(rng)
        n_answers = n_blanks(rng, text)
        expected, branches = EXPECTATIONS[question_type](text, n_answers)
        reached.update(branches)  # adds 0 or 1 to each
        found = official_letters(text, question_type, n_answers)
        assert found == expected, f"seed {seed}, {n_answers} blanks: {text!r}"
    too_rare = {branch: n for branch, n in reached.items() if n < LEAST_SHARE * N_TEXTS}
    assert not too_rare, f"branches reached by fewer than {LEAST_SHARE:.0%} of {N_TEXTS} texts: {too_rare}"


SINGLE, BLANKS, MULTI, FIVE = "single_choice", "multi_question_choice", "multi_choice", "five_out_of_seven"
QUIRKS: list[tuple[str, str, int, str, list[str]]] = [
    ("last_letter_wins", SINGLE, 1, "A不对，选C", ["C"]),
    ("letter_after_the_mark_wins", SINGLE, 1, "【答案】B <eoa>\n（D 项错误）", ["D"]),
    ("english_capital_counts_as_answer", SINGLE, 1, "【答案】C <eoa> Done", ["D"]),
    ("capital_eoa_counts_as_a", SINGLE, 1, "【答案】C <EOA>", ["A"]),
    ("letter_beyond_d_skipped", SINGLE, 1, "选B，没有E", ["B"]),
    ("one_answer_of_several", SINGLE, 1, "【答案】ABD", ["D"]),
    ("number_of_blanks_unused", SINGLE, 3, "A B C", ["C"]),
    ("fullwidth_letter_ignored", SINGLE, 1, "【答案】Ｃ", []),
    ("fullwidth_letter_leaves_an_earlier_one", SINGLE, 1, "A项错。【答案】Ｃ", ["A"]),
    ("lower_case_ignored", SINGLE, 1, "the answer is c", []),
    ("greek_alpha_ignored", SINGLE, 1, "【答案】\u0391", []),
    ("empty_reply", SINGLE, 1, "", []),
    ("marks_beat_earlier_capitals", BLANKS, 2, "A、B两项错。（1）【答案】C（2）【答案】D", ["C", "D"]),
    ("more_marks_than_blanks", BLANKS, 2, "B项错。【答案】A【答案】C【答案】D", ["B", "A"]),
    ("echoed_example_makes_too_many_marks", BLANKS, 2, "【答案】A【答案】B……【答案】C【答案】D", ["A", "B"]),
    ("fewer_marks_than_blanks", BLANKS, 2, "（1）【答案】A <eoa>（2）选B", ["A", "B"]),
    ("english_capital_fills_a_blank", BLANKS, 2, "The first: 【答案】A", ["T", "A"]),
    ("one_mark_many_letters_many_blanks", BLANKS, 3, "【答案】DBC", ["D", "B", "C"]),
    ("one_mark_many_letters_one_blank", BLANKS, 1, "【答案】DBC", ["D"]),
    ("letter_z_is_an_answer", BLANKS, 1, "【答案】Z", ["Z"]),
    ("first_letter_of_a_word_is_an_answer", BLANKS, 1, "A项错。【答案】None", ["N"]),
    ("white_space_round_the_colon", BLANKS, 1, "A项错。【答案】\n：\u3000B", ["B"]),
    ("colons_of_both_widths", BLANKS, 1, "A项错。【答案】:：:B", ["B"]),
    ("second_colon_after_a_space_breaks_the_mark", BLANKS, 1, "A项错。【答案】: :B", ["A"]),
    ("zero_width_space_breaks_the_mark", BLANKS, 1, "A项错。【答案】\u200bB", ["A"]),
    ("bracket_breaks_the_mark", BLANKS, 1, "A项错。【答案】（B）", ["A"]),
    ("tag_split_by_white_space_is_no_mark", BLANKS, 1, "A项错。【答 案】B", ["A"]),
    ("tag_twice_is_one_mark", BLANKS, 1, "A项错。【答案】【答案】B", ["B"]),
    ("fullwidth_letter_is_no_mark", BLANKS, 1, "B项错。【答案】Ｃ", ["B"]),
    ("fewer_capitals_than_blanks", BLANKS, 3, "【答案】A <eoa>", ["A"]),
    ("no_capital", BLANKS, 3, "【答案】略", []),
    ("letters_before_the_tag_ignored", MULTI, 1, "B对D错。【答案】AC <eoa>", ["AC"]),
    ("tag_at_0_uses_the_last_ten", MULTI, 1, "【答案】AC，因为BD两项都不对", ["BD"]),
    ("tag_at_0_and_no_letter_in_the_last_ten", MULTI, 1, "【答案】AC <eoa>其余两项的说法都不正确", []),
    ("tag_at_0_and_nothing_more", MULTI, 1, "【答案】AC <eoa>", ["AC"]),
    ("tag_at_1_is_not_0", MULTI, 1, "解【答案】AC，因为BD两项都不对", ["ACBD"]),
    ("white_space_before_the_tag_is_still_0", MULTI, 1, "\n \u3000【答案】AC，因为BD两项都不对", ["BD"]),
    ("tag_at_0_hides_a_later_tag", MULTI, 1, "【答案】A <eoa>【答案】B <eoa>重力不做功所以机械能守恒", []),
    ("everything_after_the_first_tag", MULTI, 1, "解：【答案】AC <eoa>【答案】B", ["ACB"]),
    ("order_and_repeats_kept", MULTI, 1, "解：【答案】DAD", ["DAD"]),
    ("separators_dropped", MULTI, 1, "解：【答案】A、C 和\nD", ["ACD"]),
    ("tag_split_by_white_space_found", MULTI, 1, "B对。【答\n案 】A <eoa>", ["A"]),
    ("no_letter_after_the_tag", MULTI, 1, "选AB。【答案】如上", []),
    ("english_capital_joins", MULTI, 1, "解：【答案】A, Because", ["AB"]),
    ("letter_beyond_d_dropped", MULTI, 1, "解：【答案】AE", ["A"]),
    ("fullwidth_letter_dropped", MULTI, 1, "解：【答案】AＣ", ["A"]),
    ("number_of_blanks_unused", MULTI, 3, "解：【答案】AC", ["AC"]),
    ("no_tag_tenth_from_the_end", MULTI, 1, "BA一二三四五六七八九", ["A"]),
    ("no_tag_white_space_not_counted", MULTI, 1, "B A 一 二 三 四 五\n六七\u3000八九", ["A"]),
    ("no_tag_eleventh_from_the_end", MULTI, 1, "A一二三四五六七八九十", []),
    ("first_five", FIVE, 5, "【答案】C F A E D G B", ["C", "F", "A", "E", "D"]),
    ("fewer_than_five", FIVE, 5, "【答案】CF", ["C", "F"]),
    ("capital_beyond_g_skipped", FIVE, 5, "I think it is C, then H, then G", ["C", "G"]),
    ("english_capital_takes_a_blank", FIVE, 5, "Choices: G F E D A", ["C", "G", "F", "E", "D"]),
    ("tag_has_no_meaning", FIVE, 5, "A不合适。【答案】GFEDC", ["A", "G", "F", "E", "D"]),
    ("repeats_kept", FIVE, 5, "AABBC", ["A", "A", "B", "B", "C"]),
    ("always_five_whatever_the_blanks", FIVE, 3, "ABCDEFG", ["A", "B", "C", "D", "E"]),
    ("fullwidth_and_lower_case_ignored", FIVE, 5, "ａＢc G", ["G"]),
    ("no_letter", FIVE, 5, "【答案】略", []),
]


@pytest.mark.parametrize(
    ("question_type", "n_answers", "text", "expected"),
    [pytest.param(*case, id=f"{case[0]}-{quirk}") for quirk, *case in QUIRKS],
)
def test_quirk(question_type: str, n_answers: int, text: str, expected: list[str]) -> None:
    assert official_letters(text, question_type, n_answers) == expected


def test_unknown_question_type_is_named() -> None:
    with pytest.raises(ValueError, match="true_or_false"):
        official_letters("【答案】A", "true_or_false", 1)


UPSTREAM = Path(__file__).parents[2].parent / "shared" / "upstream" / "OpenLMLab" / "GAOKAO-Bench"
CURRENT = UPSTREAM / "6dbb24f8d8439041e5431c4c184a582182a6ce9c"
EARLIER = UPSTREAM / "b82e164ac1616abd203ecb5c6acc8058136e82dd" / "result"
GPT_35 = EARLIER / "gpt-3.5-turbo_选择题"
SUMMARY = GPT_35 / "gpt-3.5-turbo_选择题_1" / "result.json"  # has the types under the earlier, Chinese, file names
RUNS = {  # folder, records with a recorded answer (MOSS has 1,815 records, most of them without)
    "gpt-4-0314": (CURRENT / "Results" / "gpt_4_0314_obj", 1781),
    "gpt-3.5-turbo_1": (GPT_35 / "gpt-3.5-turbo_选择题_1", 1781),
    "gpt-3.5-turbo_2": (GPT_35 / "gpt-3.5-turbo_选择题_2", 1781),
    "gpt-3.5-turbo_3": (GPT_35 / "gpt-3.5-turbo_选择题_3", 1781),
    "moss": (EARLIER / "moss_选择题" / "moss_Multiple-choice_Questions_1", 299),
}


def examples(path: Path) -> list[dict[str, Any]]:
    """The records of a file: a list itself, or an object with one under `example` or `examples`."""
    content: Any = json.loads(path.read_text(encoding="utf-8"))
    return content if isinstance(content, list) else content.get("example") or content["examples"]


@pytest.mark.parametrize("run", RUNS)
def test_released_answers(run: str) -> None:
    folder, n_recorded = RUNS[run]
    prompts = CURRENT / "Bench" / "Obj_Prompt.json"
    for needed in (folder, prompts, SUMMARY):
        if not needed.exists():
            pytest.skip(f"absent: {needed}")
    types = {entry["keyword"]: entry["type"] for path in (prompts, SUMMARY) for entry in examples(path)}
    n_compared = n_files = 0
    for path in sorted(set(folder.glob("*.json")) - {SUMMARY}):
        question_type = types[path.stem.split("_", 1)[1]]
        n_files += 1
        for record in examples(path):
            if "model_answer" not in record:
                continue
            recorded = record["model_answer"]
            if isinstance(recorded, str):  # 64 records each of two runs
                recorded = [recorded] if recorded else []
            found = official_letters(record["model_output"], question_type, len(record["standard_answer"]))
            assert found == recorded, f"{path}: index {record['index']}: found {found}, recorded {recorded}"
            n_compared += 1
    assert (n_files, n_compared) == (14, n_recorded)
