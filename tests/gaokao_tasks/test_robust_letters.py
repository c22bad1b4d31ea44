"""What a careful reader takes from a reply, kind by kind. The replies are written for these tests."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from gaokao_tasks.extraction import official_letters, robust_letters
from gaokao_tasks.question_types import (
    FIVE_OUT_OF_SEVEN,
    MULTI_CHOICE,
    MULTI_QUESTION_CHOICE,
    OBJECTIVE_TYPES,
    SINGLE_CHOICE,
)

SHARED_CASES = Path(__file__).parents[2].parent / "shared" / "cases" / "cases.jsonl"

SINGLE = {
    "options_echoed_and_broken_off": ("A．五分之二\nB．三分之一\nC", ""),
    "first_option_echoed_and_broken_off": ("A．五分之二\nB", ""),
    "options_echoed_then_chosen": ("A．五分之二\nB．三分之一\nC．四分之一\nD．二分之一\n\nC", "C"),
    "idiom_none_but": ("这题非C莫属。", "C"),
    "idiom_no_doubt": ("毫无疑问，C！", "C"),
    "chosen_from_the_set_of_options": ("因此，答案是 A、B、C、D 中的 C。", "C"),
    "english_heading_answer_is_next_line": ("The correct answer is:\n\n(C) 36 cm\n\nBecause V = 9 h with A = 4", "C"),
    # letters as they are written
    "tag_and_letter": ("【解析】略。<eoe>\n【答案】C <eoa>", "C"),
    "tag_with_colon": ("【答案】：C", "C"),
    "tag_with_ascii_colon": ("【答案】: C <eoa>", "C"),
    "tag_position_zero": ("【答案】D<eoa>【解析】由A、B两处可知。<eoe>", "D"),
    "fullwidth_letter": ("【答案】Ｃ<eoa>", "C"),
    "lowercase_after_label": ("answer: b", "B"),
    "lowercase_after_chinese_label": ("答案：c。", "C"),
    "lowercase_in_brackets": ("故选(b)。", "B"),
    "circled_letter": ("答案是Ⓑ", "B"),
    "parenthesised_letter_sign": ("应选⒟", "D"),
    "squared_emoji_letter": ("答案：🅱️", "B"),
    "fullwidth_brackets": ("所以答案为（Ｂ）。", "B"),
    "corner_brackets_around_letter": ("故选 【A】。", "A"),
    "square_brackets_around_letter": ("The answer is [B].", "B"),
    "cyrillic_lookalike": ("答案：С", "C"),
    "zero_width_between": ("【答案】\u200bB\u200b<eoa>", "B"),
    "non_breaking_space": ("答案：\u00a0D", "D"),
    "windows_line_ends": ("【解析】略\r\n【答案】B\r\n", "B"),
    "tex_boxed": ("于是 $x=3$，即 $\\boxed{C}$。", "C"),
    "tex_boxed_textbf_with_value": ("故所求为 $\\boxed{\\textbf{(A)}\\ \\frac{3}{5}}$", "A"),
    "tex_textbf_in_tag": ("【答案】 $\\textbf{(D)}\\ 2\\sqrt{3}$ <eoa>", "D"),
    "tex_text": ("所以选 $\\text{B}$。", "B"),
    "tex_mathrm": ("因此答案为 $\\mathrm{A}$，其余不符。", "A"),
    "tex_rm_group": ("故选 ${\\rm C}$", "C"),
    "tex_parentheses": ("The answer is \\(D\\).", "D"),
    "markdown_bold_line": ("推导如上。\n\n**答案：C**", "C"),
    "markdown_bold_letter": ("综上，本题选**B**。", "B"),
    "markdown_bold_label": ("**答案**：D", "D"),
    "markdown_heading": ("## 分析\n略\n### 答案\nC", "C"),
    "markdown_heading_bold_letter": ("### 最终答案\n\n**A**", "A"),
    "markdown_code_span": ("答案是 `B`。", "B"),
    "markdown_quote": ("> 答案：A", "A"),
    "markdown_struck_out": ("答案：~~A~~ C", "C"),
    "html_bold": ("答案：<b>C</b><br>", "C"),
    "answer_element": ("<answer>D</answer>", "D"),
    "answer_element_on_lines": ("<answer>\nD\n</answer>", "D"),
    "json_answer": ('{"analysis": "A is too broad", "answer": "C"}', "C"),
    "json_in_fence": ('```json\n{"answer": "B"}\n```', "B"),
    # traditional characters
    "traditional_choose": ("綜上所述，應選擇B。", "B"),
    "traditional_answer_is": ("本題答案為C，其餘選項皆有錯誤。", "C"),
    "traditional_correct_option": ("正確的選項是（D）。", "D"),
    "traditional_therefore": ("故選A。", "A"),
    # tags, broken and varied
    "tag_closing_half_missing": ("【答案：B", "B"),
    "tag_opening_half_missing": ("答案】A <eoa>", "A"),
    "tag_square_brackets": ("[答案]C", "C"),
    "tag_correct_answer": ("【正确答案】D", "D"),
    "tag_letter_in_brackets": ("【答案】（C）", "C"),
    "tag_letter_on_next_line": ("【解析】略\n【答案】\nB\n<eoa>", "B"),
    "tag_with_choose": ("【答案】选 A。 <eoa>", "A"),
    "tag_with_option_word": ("【答案】选项 D <eoa>", "D"),
    "tag_letter_and_text": ("【答案】B．光合作用 <eoa>", "B"),
    "tag_letter_and_text_unspaced": ("【答案】A分封制<eoa>", "A"),
    "tag_letter_and_statement_numbers": ("【答案】C．①④ <eoa>", "C"),
    "tag_text_then_letter": ("【答案】二氧化碳（C）<eoa>", "C"),
    "tag_twice_same": ("【答案】B <eoa>。故选【答案】B <eoa>", "B"),
    "label_da": ("答：C", "C"),
    "label_huida": ("回答: C", "C"),
    "label_final_answer": ("最终答案：A", "A"),
    "letter_before_empty_tag": ("B 【答案】", "B"),
    # phrases
    "therefore_choose": ("由题意可知，故选B。", "B"),
    "should_choose": ("本题应选D。", "D"),
    "so_choose_option": ("所以选择选项 C。", "C"),
    "answer_is": ("正确答案是C。", "C"),
    "answer_choose": ("答案选C", "C"),
    "answer_should_be": ("答案应该是D选项。", "D"),
    "correct_is_item": ("正确的是D项。", "D"),
    "therefore_correct": ("因此B正确。", "B"),
    "only_option_right": ("只有选项A是对的，其他三项都偏离原意。", "A"),
    "letter_is_answer": ("可见选项B是正确答案。其他选项与题意无关。", "B"),
    "best_fit": ("比较之下，最符合题意的是C。", "C"),
    "option_that": ("不属于哺乳动物的选项是A。", "A"),
    "i_choose": ("我选B。", "B"),
    "my_choice_is": ("我的选择是D。", "D"),
    "i_think": ("我认为应该是C。", "C"),
    "result_is": ("结果：C", "C"),
    "therefore_letter": ("因此，D。", "D"),
    "therefore_sign": ("∴B", "B"),
    "choose_with_reason": ("选B，因为温度升高。", "B"),
    "english_answer_is": ("The correct answer is (B).", "B"),
    "english_answer_colon": ("Answer: D", "D"),
    "english_go_with": ("I'd go with C.", "C"),
    "english_option_is_correct": ("So option B is correct.", "B"),
    "english_choose": ("Based on the passage, I choose A.", "A"),
    "english_best_option": ("The best option is D because it sums up the text.", "D"),
    "english_letter_first": ("C is the correct answer.", "C"),
    "english_must_be": ("Since x is even, it must be C.", "C"),
    "english_therefore": ("Both lines meet once. Therefore, B.", "B"),
    "english_bold": ("The answer is **A**.", "A"),
    # words that are no options
    "article_a": ("Answer: A careful reading of the second paragraph shows that the correct answer is C.", "C"),
    "article_starts_reply": ("A cat sat there, so the answer is D.", "D"),
    "confidence_line": ("故选B\nConfidence: high\nDifficulty: Advanced", "B"),
    "answer_word_twice": ("Answer\n\nAnswer: C", "C"),
    "words_dna": ("答案是B。该过程涉及DNA的复制。", "B"),
    "words_chemistry": ("产生的CO2与NaCl无关，答案选A，不必考虑CaCO3。", "A"),
    "words_units": ("结果约为3 A，功率为5 MeV每秒，故选D。", "D"),
    "geometry_points": ("连接A、B两点，过C作垂线，故选D。设交点为A。", "D"),
    "vitamin_after_answer": ("【答案】B\n维生素C和维生素D都溶解。", "B"),
    "blood_types": ("父亲是A型血，母亲是B型血，所以答案是C。", "C"),
    "jia_yi": ("甲说的是A市，乙说的是B市。答案：D", "D"),
    "both_word": ("Both statements are true. The answer is C. Consider Dr. Brown's note.", "C"),
    "formula_letters": ("由 $A\\cap B=\\{2\\}$ 得答案为 $\\text{C}$，其中 $B=\\{x\\mid x>1\\}$。", "C"),
    # denied, another's, supposed, asked
    "not_this_but_that": ("不选A，应选C。", "C"),
    "is_not_but": ("答案不是B，而是D。", "D"),
    "excluded_then_chosen": ("排除A、C，再比较B和D，选D。", "D"),
    "rather_than": ("应选C而非D。", "C"),
    "in_brackets_not": ("答案：C（不是B）", "C"),
    "english_rather_than": ("I would pick B rather than A.", "B"),
    "english_not": ("The answer is not A. The answer is B.", "B"),
    "misled_students": ("答案为C。有同学会误选B，是因为没有看清单位。", "C"),
    "students_choose": ("本题选D。不少同学选A，忽略了摩擦力。", "D"),
    "easy_to_choose_wrong": ("故选B。本题容易错选C。", "B"),
    "if_chosen": ("答案：A。如果选B，则与第二段矛盾。", "A"),
    "if_question_changed": ("【答案】B\n若题目改为求最小值，则选A。", "B"),
    "why_not": ("答案是C。为什么不选D？因为D过于绝对。", "C"),
    "asked_back": ("选A吗？选A不对。应选B。", "B"),
    "distractor_discussed": ("【答案】A\nB项错误，C项偷换概念，D项无关。", "A"),
    "explanation_before_tag": ("A项扩大范围，B项正确，C项颠倒因果。<eoe>\n【答案】B<eoa>", "B"),
    # corrections
    "correction": ("【答案】A\n更正：答案应为C。", "C"),
    "correction_bare": ("【答案】A\n更正：C", "C"),
    "changes_choice": ("先选A。再看题目，改选D。", "D"),
    "wait_actually": ("The answer is A. Wait, the second line says otherwise. Actually B.", "B"),
    "wait_statement": ("答案是A。等等，重新检查：A错误，C正确。", "C"),
    "no_should_be": ("选B。不对，应该是C。", "C"),
    "last_verdict_wins": ("初看答案是A。综合全文，答案是D。", "D"),
    "tag_then_new_tag": ("【答案】A <eoa>\n【答案】B <eoa>", "B"),
    "restated_same": ("【答案】C\n综上，本题选C。", "C"),
    "explanation_contradicts_tag": ("【答案】A\n【解析】由上可知，故选B。", "B"),
    "taken_back": ("答案是A。等等，不选A，我再想想", ""),
    # thinking
    "think_block": ("<think>像是A，又像是B。答案是B。</think>\n答案：C", "C"),
    "think_block_only_closed": ("先看A……再看B，故选B。</think>\n\n故选D。", "D"),
    "think_block_unclosed": ("<think>由第一段，答案应该是B，但是", ""),
    "think_block_unclosed_after_answer": ("答案：B\n<think>再检查一下，是不是A", "B"),
    "think_block_nested": ("<think>甲<think>乙：选A</think>丙：选B</think>选C", "C"),
    "think_block_repeated": ("<think>选A</think>初步看法。<think>选B</think>答案：D", "D"),
    "think_block_opened_twice": ("<think>\n<think>选A\n</think>\n【答案】C", "C"),
    "think_block_nothing_after": ("<think>选A</think>", ""),
    "think_block_stray_close_at_end": ("<think>选A</think>答案：C</think>", "C"),
    "thinking_tag": ("<thinking>选A</thinking>选B", "B"),
    "reasoning_tag": ("<reasoning>\nA? B?\n</reasoning>\nThe answer is B.", "B"),
    "thought_tokens": ("<|begin_of_thought|>选A<|end_of_thought|>选B", "B"),
    "bracket_think": ("[THINK]选A[/THINK]选B", "B"),
    # the prompt's example
    "example_echoed": ("例如：【答案】: A <eoa>\n【解析】略 <eoe>\n【答案】: C <eoa>", "C"),
    "example_echoed_only": ("我会把答案写好，例如：【答案】A <eoa>", ""),
    "example_in_the_working": ("例如代入x=1，可得答案为C。", "C"),
    "options_copied_then_chosen": ("A. 苹果\nB. 香蕉\nC. 樱桃\nD. 榴莲\n选C", "C"),
    "options_copied_after_cue": ("下列说法正确的是（ ）\nA. 甲\nB. 乙\nC. 丙\nD. 丁\n答案：B", "B"),
    "options_copied_only": ("下列说法正确的是：\nA. 甲\nB. 乙\nC. 丙\nD. 丁", ""),
    "choose_from_list": ("请从A、B、C、D中选出正确的一项。答案：D", "D"),
    # only letters
    "bare_letter": ("C", "C"),
    "bare_letter_lowercase": ("c", "C"),
    "bare_letter_full_stop": ("B.", "B"),
    "bare_letter_bracketed": ("（D）", "D"),
    "bare_letter_and_text": ("C. 小张", "C"),
    "bare_option_word": ("选项 C", "C"),
    "bare_last_line": ("由动量守恒得速度为零。\n\nB", "B"),
    "bare_first_line": ("B\n\n温度升高，平衡向右移动。", "B"),
    "bare_letter_and_text_in_brackets": ("C（叶绿体）", "C"),
    "bare_letter_dash_text": ("C - the leaf", "C"),
    "bare_letter_then_items": ("D。\n\nA项……\nB项……\nC项……", "D"),
    "bare_heading_of_options": ("| A | B | C | D |\n|---|---|---|---|\n| 甲 | 乙 | 丙 | 丁 |", ""),
    "bare_two_letters": ("BD", "BD"),
    # two letters for a one-letter question
    "two_letters_in_tag": ("【答案】A、C <eoa>", "AC"),
    "two_letters_or": ("答案是A或D。", "AD"),
    "two_letters_with_texts": ("【答案】A．①③ B．②④ <eoa>", "AB"),
    "two_letters_then_one": ("A和C都有道理，但选C最准确。", "C"),
    # statements on every option
    "statements_one_right": ("A项错误，B项错误，C项正确，D项错误。", "C"),
    "statements_one_wrong": ("A正确；B正确；C错误；D正确。", "C"),
    "statements_three_wrong": ("A与原文不符，排除。B项错误。D项偷换概念。", "C"),
    "statements_by_lines": ("A. 时间不对，错误\nB. 地点不对，错误\nC. 人物相符，正确\nD. 原因不对，错误", "C"),
    "statements_then_rest": ("C项正确，其余各项均错误。", "C"),
    "statements_all_but_one_right": ("除B外都正确。", "B"),
    "statements_all_but_one_wrong": ("除了D以外，其他选项都是错误的。", "D"),
    "statements_only_one_wrong": ("只有B错误。", "B"),
    "statements_conclusion_first": ("因此，选项C正确。A、B、D均与题意无关。", "C"),
    "statements_named_wrong": ("综上所述，错误的叙述为：B。", "B"),
    "statements_right_and_wrong_named": ("正确的是C，错误的是A、B、D。", "C"),
    "statements_wrong_named_after_right": ("A、B、C正确，错误的是D。", "D"),
    "statements_marks": ("A√ B× C× D×", "A"),
    "statements_incomplete": ("A项正确，B项错误，C项", ""),
    "statements_two_right": ("A正确，B正确，C错误，D错误。", "AB"),
    "statements_english": ("A is incorrect. B is incorrect. C is correct. D is incorrect.", "C"),
    "statements_only_one_right_said_last": ("A、C、D都错了，只有B对。", "B"),
    "statements_ruled_out": ("排除A、B，再排除D。", "C"),
    "statements_best": ("A选项有一定道理，B选项也说得通，但C选项更贴合题意。", "C"),
    "statements_again_named": ("Eliminate A and C. Between B and D, D fits better.", "D"),
    "statements_all_right": ("A、B、C、D都正确。", "ABCD"),
    "statements_except_named_too": ("除D外，A、B、C都正确。", "D"),
    "statements_question_marks": ("A？不对。B？不对。C？对。", "C"),
    # what is said of options is no answer
    "options_commented": ("A项，张冠李戴；B项，无中生有；D项，曲解文意；故选C", "C"),
    "options_commented_last_fits": ("A项，只是表象；B项，于文无据；C项，强加因果；D项，与原文一致。", "D"),
    "options_commented_first_right": ("B项正确。A项，“都”太绝对；C项，没有依据；D项，张冠李戴。", "B"),
    "options_commented_and_broken_off": ("A项，张冠李戴；B项，范围扩大；C项，", ""),
    "option_commented_only": ("B选项，说的是他的老师，不是他本人。", ""),
    "item_all_right": ("A项全部正确。", "A"),
    "item_all_right_in_words": ("C选项中的字形全部正确", "C"),
    "faulty_sentences": ("A项成分残缺，B项搭配不当，C项没有语病，D项句式杂糅。", "C"),
    "faulty_sentences_three": ("A项语序不当，B项缺主语，D项前后矛盾。", "C"),
    "three_rejected_then_chosen": ("1、A、B、C都不符合，选D。", "D"),
    "three_items_rejected": ("A、B、C三项说的都是结果，与题干不符；D项说的是原因。", "D"),
    "neither_nor": ("Neither A nor B nor C is correct.", "D"),
    "none_of": ("None of A, B and D is correct.", "C"),
    "only_fits": ("Only option C fits the context.", "C"),
    "only_consistent": ("Only C is consistent with the passage.", "C"),
    "only_wrong": ("Only C is incorrect.", "C"),
    "only_supported": ("Only D is supported by the text.", "D"),
    "statement_after_tag": ("【答案】B A项说法片面……", "B"),
    "statements_after_tag": ("【答案】B A. 错误 C. 错误 D. 错误", "B"),
    "explanation_opens_with_item": ("符合题意的选项是：\nB．内容\n\n解析：A项……", "B"),
    "statement_run_into_answer": ("答案：CA项错误，B项错误。", "C"),
    # second thoughts that change nothing, and ones that do
    "looks_at_others": ("答案：B。再看其他选项：A项正确但与题无关。", "B"),
    "looks_again_at_one": ("选D。再仔细看看B项，B项没有错误，但不切题。", "D"),
    "rechecks_english": ("The correct answer is B. Let me recheck option C: it is true but beside the point.", "B"),
    "actually_of_an_option": ("Answer: B\n\nMany think A is right. Actually, A is true only in part.", "B"),
    "corrects_the_question": ("故选B。更正一下题目中的笔误：C项正确表述应为“三年”。", "B"),
    "wait_fits_better": ("应该是B吧？等等，D似乎更符合。对，D。", "D"),
    "wait_first_wrong": ("Answer: A. Hold on, A is incorrect; D is correct.", "D"),
    "denies_then_statement": ("故选B。不对，C项正确。", "C"),
    "asks_then_confirms": ("So the answer is B? Let me check. Yes, B.", "B"),
    "first_thought": ("我原本认为答案是C，后来发现是B。", "B"),
    "first_thought_english": ("I originally chose B. On closer reading, C fits best.", "C"),
    # others' answers, mistakes, other questions
    "tempting": ("It is tempting to choose A, but D is correct.", "D"),
    "mistake_only": ("A common mistake is to choose A.", ""),
    "mistake_then_answer": ("It would be a mistake to choose A. The answer is B.", "B"),
    "mistake_after": ("答案：D\n常见错误：选A。", "D"),
    "mistake_in_sentence": ("答案：C。易错点：看漏“不”字而选B。", "C"),
    "mistake_heading": ("故选D。\n【易错警示】单位没有换算，得到选A。", "D"),
    "other_question_supposed": ("答案：D\n拓展：若改为“不属于”，应选A", "D"),
    "other_question_similar": ("答案：D\n类似题：下列属于爬行动物的是（A）", "D"),
    "other_question_to_think_about": ("答案：B\n\n思考题：如果是酸性溶液呢？答案为C。", "B"),
    "other_question_under_heading": ("答案：D\n\n### 变式训练\n下列说法正确的是（ ）\nA. 甲 B. 乙\n答案：A", "D"),
    "key_differs": ("此题选C，但参考答案给的是D。", "C"),
    "key_differs_in_book": ("我选B，虽然答案册写的是D。", "B"),
    "key_is_own": ("参考答案是D。", "D"),
    # caveats
    "caveat_strictly": ("选C。严格来说没有正确的选项。", "C"),
    "caveat_note": ("【答案】C\n注：由于没有图，无法确定答案是否正确。", "C"),
    "caveat_bracketed": ("【答案】C\n（由于缺少图，无法给出确切答案）", "C"),
    "caveat_english": ("B\n\nNote: none of the options is perfect.", "B"),
    "caveat_conceded": ("虽然无法确定答案，但C最合理。", "C"),
    "caveat_must_choose": ("由于图片缺失，无法作答。如果必须选择，我选C。", "C"),
    "caveat_had_to_choose": ("I can't determine the answer, but if I had to choose, I would pick B.", "B"),
    "caveat_certainty": ("The answer is C. However, I cannot determine the answer with certainty.", "C"),
    "caveat_nearest": ("严格来说没有正确选项，选最接近的C。", "C"),
    "none_of_the_others": ("The answer is B. None of the options A, C, D is mentioned.", "B"),
    "no_answer_despite": ("虽然A有道理，但无法确定答案。", ""),
    "no_answer_in_the_end": ("由条件应选B，但B又不成立，因此没有正确选项。", ""),
    # layouts
    "worth": ("【答案】B（3分）", "B"),
    "worth_before": ("（5分）【答案】C", "C"),
    "worth_english": ("Answer: C (5 points)", "C"),
    "letter_and_text_on_next_line": ("正确选项是：\n\nC. 内容", "C"),
    "letter_and_text_on_next_line_choice": ("因此，我选择：\n\n**B. 内容**\n\nA错在时间。", "B"),
    "explained_lines_after_answer": ("**正确答案：C. 叶**\n\n解释：\n- A. 根：吸水\n- B. 茎：运输\n- D. 花：繁殖", "C"),
    "options_after_colon_only": ("下列说法正确的是：\nA. 甲方的看法\nB. 乙方的看法\nC. 丙\nD. 丁", ""),
    "options_after_colon_two_a_line": ("下列说法正确的是：\nA. 甲 B. 乙\nC. 丙 D. 丁", ""),
    "table_row": ("| 答案 | B |", "B"),
    "table_column": ("| 题号 | 答案 |\n|---|---|\n| 1 | B |", "B"),
    "table_of_options": ("| 选项 | 判断 |\n|---|---|\n| A | 错误 |\n| B | 正确 |\n| C | 错误 |\n| D | 错误 |", "B"),
    "table_of_options_marks": (
        "| 选项 | 分析 | 结论 |\n|:-:|---|---|\n| **A** | 时间错 | ❌ |\n| **B** | 地点错 | ❌ |\n| **C** | 全对 | ✅ |\n| **D** | 人物错 | ❌ |",
        "C",
    ),
    "marks_before_inline": ("❌A ❌B ✅C ❌D", "C"),
    "check_boxes": ("- [ ] A\n- [ ] B\n- [x] C\n- [ ] D", "C"),
    "marks_before": ("❌ A\n❌ B\n✅ C\n❌ D", "C"),
    "mark_in_list": ("A. 3\nB. 4\nC. 5 ✓\nD. 6", "C"),
    "mark_and_letter": ("✅ B", "B"),
    "dashes": ("A-错 B-错 C-对 D-错", "C"),
    "highlighted": ("答案：==B==", "B"),
    "underscores": ("答案：_B_", "B"),
    "tex_colour": ("答案为 $\\textcolor{red}{B}$", "B"),
    "html_space": ("答案：&nbsp;B", "B"),
    # phrases
    "corresponds_to": ("Thus x = 3, which corresponds to option B.", "B"),
    "matches_in_passing": ("Answer: C. The first line matches option A, but not the rest.", "C"),
    "no_doubt_phrase": ("答案无疑是D", "D"),
    "can_only_be": ("答案只可能是D。", "D"),
    "answer_none_but": ("答案非D莫属。", "D"),
    "is_bound_to_be": ("答案必为C。", "C"),
    "in_accord_with": ("这与选项C一致。", "C"),
    "in_accord_with_in_passing": ("答案：C。首段与选项A一致，后文却不同。", "C"),
    "table_english": ("| Question | Answer |\n|---|---|\n| 1 | B |", "B"),
    "letter_and_text_on_next_line_english": ("I choose:\n\nB. carry on", "B"),
    "solution_is": ("正解为B", "B"),
    "true_solutions": ("他没有真正解决A问题，答案选C。", "C"),
    # no answer
    "empty": ("", ""),
    "blank": (" \n\t", ""),
    "refusal": ("抱歉，我无法回答这个问题。", ""),
    "refusal_english": ("I'm sorry, but I can't answer this question.", ""),
    "tag_says_none": ("【解析】A、B、C、D都不对。<eoe>\n【答案】无正确答案 <eoa>", ""),
    "tag_says_question_faulty": ("经计算与选项D不同。\n【答案】: 题目可能有误 <eoa>", ""),
    "tag_says_none_after_phrase": ("看起来应选B，但条件矛盾。\n【答案】无法确定", ""),
    "tag_empty": ("A和B都提到了。\n【答案】", ""),
    "tag_holds_value_only": ("因此概率为 $\\frac{7}{10}$。\n【答案】 $\\frac{7}{10}$ <eoa>", ""),
    "tag_holds_value_after_phrase": ("故选C。\n【答案】 $\\{2\\}$ <eoa>", "C"),
    "letter_outside_options": ("【解析】A、B都不对。\n【答案】E <eoa>", ""),
    "truncated": ("【解析】A选项说的是光合作用，B选项说的是呼吸作用，而题干中", ""),
    "cannot_determine": ("选项C可能是正确答案，选项D可能是正确答案。综上所述，无法确定正确答案。", ""),
    "none_of_the_options": ("None of the options is right: A, B, C and D all fail.", ""),
    "chat_about_c": ("抱歉，您没有提供有关C选项的更多信息。", ""),
    "chemistry_prose_only": ("把A与B混合后生成C，再加入D。", ""),
}

MULTI = {
    "multi_tag": ("【答案】AC <eoa>", "AC"),
    "multi_unsorted": ("【答案】 CA <eoa>", "AC"),
    "multi_repeats": ("【答案】AAC", "AC"),
    "multi_pauses": ("【答案】A、C、D <eoa>", "ACD"),
    "multi_commas": ("【答案】: B, D <eoa>", "BD"),
    "multi_fullwidth_comma": ("答案：Ｂ，Ｃ", "BC"),
    "multi_spaces": ("【答案】 A D <eoa>", "AD"),
    "multi_and": ("正确的选项是A和D。", "AD"),
    "multi_yu_ji": ("应选A、B及D。", "ABD"),
    "multi_english_and": ("The correct answers are A, C and D.", "ACD"),
    "multi_english_oxford_comma": ("Answer: A, B, and D", "ABD"),
    "multi_two_items": ("答案为AC两项。", "AC"),
    "multi_option_each": ("故选选项A、选项C。", "AC"),
    "multi_choose_twice": ("故选A、选C。", "AC"),
    "multi_all_correct": ("ABD均正确。", "ABD"),
    "multi_bracketed": ("答案：（A）（C）", "AC"),
    "multi_boxed_each": ("$\\boxed{A}$ 和 $\\boxed{D}$", "AD"),
    "multi_boxed_list": ("$\\boxed{A, C}$", "AC"),
    "multi_one_letter": ("选项(B)，可见射线的能量为 $2.2\\,\\mathrm{MeV}$。", "B"),
    "multi_tag_first": ("【答案】BD <eoa>\n【解析】A项把条件弄反，C项单位是MeV。", "BD"),
    "multi_statements": ("A正确，B错误，C正确，D错误。", "AC"),
    "multi_statements_by_lines": (
        "A. 能量守恒，正确。\nB. 方向相反，错误。\nC. 大小不变，错误。\nD. 周期相同，正确。",
        "AD",
    ),
    "multi_statements_incomplete": ("A正确，B错误，C", ""),
    "multi_all_but_one": ("除B外都正确。", "ACD"),
    "multi_all_of_the_above": ("以上选项都正确。", "ABCD"),
    "multi_all_four": ("【答案】ABCD", "ABCD"),
    "multi_comma_then_rejected": ("答案是A、C，B、D错误。", "AC"),
    "multi_comma_then_rejected_item": ("选B，A项错误，C项错误。", "B"),
    "multi_example_echoed": ("例如：【答案】 AB <eoa>\n【答案】 C <eoa>", "C"),
    "multi_correction": ("【答案】AB\n更正：应为ABD。", "ABD"),
    "multi_either": ("答案是A或C，二者无法区分。", ""),
    "multi_lowercase": ("答案：acd", "ACD"),
    "multi_bare": ("B、D", "BD"),
    "multi_bare_lines": ("A\nC", "AC"),
    "multi_lettered_lines": ("答案：\nA. 动能增大\nD. 动量守恒", "AD"),
    "multi_plus": ("答案：A+C", "AC"),
    "multi_units_after": ("【答案】AD（约3.0 A，电压5 V）", "AD"),
    "multi_none": ("所以选项A、B、C、D都不正确。\n【答案】无", ""),
    "multi_think": ("<think>AB?</think>【答案】CD", "CD"),
    "multi_points": ("电荷从A点运动到B点，电势能减小，故选BC。", "BC"),
    "multi_wrong_named": ("A、B、D正确，错误的是C。", "ABD"),
    "multi_semicolon": ("答案是A；D", "AD"),
    "multi_not_chosen_in_brackets": ("答案是A，D（不选B、C）", "AD"),
    "multi_some_ruled_out": ("排除B、C，剩下A、D正确。", "AD"),
    "multi_some_ruled_out_only": ("排除B、C", ""),
    "multi_json_list": ('{"answer": ["A", "D"]}', "AD"),
    "multi_both": ("Both A and D are correct.", "AD"),
    "multi_taken_back": ("选ACD。想了想，不选C。", "AD"),
    "multi_worth": ("答案：AC（6分）", "AC"),
    "multi_worth_in_part": ("BD（6分，漏选得3分）", "BD"),
    "multi_also_later": ("A正确，因此应选A；同理D也应选。", "AD"),
    "multi_each_should": ("A应选，C应选，B、D不选", "AC"),
    "multi_also": ("应选A，D也应选", "AD"),
    "multi_chosen_each": ("A当选，D也当选，B、C错误", "AD"),
    "multi_lines_after_label": ("答案：A\nC", "AC"),
    "multi_list_after_heading": ("**答案：**\n\n- A\n- C", "AC"),
    "multi_lettered_lines_after_phrase": ("正确的选项有：\nA. 动能增大\nD. 动量守恒", "AD"),
    "multi_table": ("| A | 正确 |\n| B | 错误 |\n| C | 正确 |\n| D | 错误 |", "AC"),
    "multi_marks_before": ("✅ A\n❌ B\n✅ C\n❌ D", "AC"),
    "multi_item": ("故选AC项。", "AC"),
    "multi_statement_run_into_answer": ("答案：BDA项错误", "BD"),
    "multi_sections": (
        "**A选项**：动能增大。**正确**。\n**B选项**：**错误**。\n**C选项**：**错误**。\n**D选项**：**错误**。",
        "A",
    ),
    "multi_refusal": ("对不起，我看不到图片。", ""),
}

THREE = {
    "options_echoed_under_their_numbers": ("1. A. in  B. on  C. at  D. of\n2. A. he  B. she  C. it  D. we", ""),
    "corrected_in_brackets": ("1. A\n2. B（应为D）\n3. C", "A D C"),
    "blanks_tags_numbered": ("（1）【答案】 A <eoa>\n（2）【答案】 C <eoa>\n（3）【答案】 B <eoa>", "A C B"),
    "blanks_tags_unnumbered": (
        "【解析】甲<eoe>\n【答案】B\n【解析】乙<eoe>\n【答案】D\n【解析】丙<eoe>\n【答案】A",
        "B D A",
    ),
    "blanks_number_then_section": (
        "（1）【解析】由A可知\n【答案】C\n（2）【解析】B不符\n【答案】D\n（3）【答案】A",
        "C D A",
    ),
    "blanks_one_without_letter": ("（1）【答案】A\n（2）【答案】无法作答\n（3）【答案】D", "A - D"),
    "blanks_english_no_letter": (
        "1.【答案】 The text does not say. <eoa>\n2.【答案】 B <eoa>\n3.【答案】 C <eoa>",
        "- B C",
    ),
    "blanks_names_are_no_options": (
        "（1）【答案】B\n（2）【答案】文中没有比较Dickens与Austen\n（3）【答案】A",
        "B - A",
    ),
    "blanks_missing_middle_number": ("1. C\n3. A", "C - A"),
    "blanks_missing_last_number": ("21. 【答案】C\n22. 【答案】B\n23. The passage gives no answer.", "C B -"),
    "blanks_points": ("1. C\n2. A\n3. D", "C A D"),
    "blanks_pauses": ("1、C 2、A 3、D", "C A D"),
    "blanks_half_brackets": ("1）C\n2）A\n3）D", "C A D"),
    "blanks_fullwidth_points": ("36．B\n37．A\n38．D", "B A D"),
    "blanks_ordinals": ("第1题：C\n第2题：A\n第3题：D", "C A D"),
    "blanks_ordinals_inline": ("第1题选C，第2题选A，第3题选D。", "C A D"),
    "blanks_chinese_ordinals": ("第一题的答案是C；第二题的答案是A；第三题的答案是D。", "C A D"),
    "blanks_small_question_tags": ("【小题1】C\n【小题2】A\n【小题3】D", "C A D"),
    "blanks_circled": ("① C ② A ③ D", "C A D"),
    "blanks_circled_unspaced": ("①C②A③D", "C A D"),
    "blanks_keycaps": ("1️⃣ C\n2️⃣ A\n3️⃣ D", "C A D"),
    "blanks_q": ("Q1: C\nQ2: A\nQ3: D", "C A D"),
    "blanks_question": ("Question 1: C\nQuestion 2: A\nQuestion 3: D", "C A D"),
    "blanks_bold_numbers": ("**1.** C\n**2.** A\n**3.** D", "C A D"),
    "blanks_brackets_inline": ("(1)C (2)A (3)D", "C A D"),
    "blanks_brackets_unspaced": ("（1）C（2）A（3）D", "C A D"),
    "blanks_letters_after_tag": ("【答案】(1) B (2) C (3) A", "B C A"),
    "blanks_letters_in_brackets": ("1. (B)\n2. (C)\n3. (A)", "B C A"),
    "blanks_lowercase": ("1. b\n2. c\n3. a", "B C A"),
    "blanks_tex": ("1. $\\text{B}$\n2. $\\boxed{C}$\n3. $\\mathrm{A}$", "B C A"),
    "blanks_option_text": ("1. B. 喜悦\n2. C. 担忧\n3. A. 愤怒", "B C A"),
    "blanks_with_reason": ("1. B，因为第二段提到雨。\n2. C，见第三段。\n3. A，主旨题。", "B C A"),
    "blanks_table": ("| 题号 | 答案 |\n| --- | --- |\n| 1 | C |\n| 2 | A |\n| 3 | D |", "C A D"),
    "blanks_table_across": ("| 题号 | 1 | 2 | 3 |\n|---|---|---|---|\n| 答案 | C | A | D |", "C A D"),
    "blanks_json": ('{"1": "C", "2": "A", "3": "D"}', "C A D"),
    "blanks_json_list": ('["C", "A", "D"]', "C A D"),
    "blanks_json_answers": ('{"answers": ["C", "A", "D"]}', "C A D"),
    "blanks_range": ("21-23 CAD", "C A D"),
    "blanks_range_colon": ("1~3：C A D", "C A D"),
    "blanks_out_of_order": ("3. D\n1. C\n2. A", "C A D"),
    "blanks_answer_line": ("【答案】C A D <eoa>", "C A D"),
    "blanks_answer_line_pauses": ("答案依次为C、A、D。", "C A D"),
    "blanks_bare_run": ("CAD", "C A D"),
    "blanks_bare_lines": ("C\nA\nD", "C A D"),
    "blanks_verdicts_in_order": ("由第一段，故选C。\n由第二段，故选A。\n由第三段，故选D。", "C A D"),
    "blanks_sections": ("（1）本题考查词义。A项过窄，故选B。\n（2）D项错误，答案是C。\n（3）选A。", "B C A"),
    "blanks_section_rejections": ("（1）答案：C（不是B）\n（2）答案：A，不选D\n（3）选B而非C", "C A B"),
    "blanks_answered_twice": ("1. C\n2. A\n3. D\n检查后：\n2. B", "C B D"),
    "blanks_corrected": ("（1）C（2）A（3）D\n更正：第2题应选B。", "C B D"),
    "blanks_explained_after": (
        "【答案】\n24. B\n25. C\n26. D\n<eoa>\n【解析】\n24. 由首段可知，选B。\n25. A项不符。\n26. 略。",
        "B C D",
    ),
    "blanks_example_echoed": (
        "例如：（1）【答案】 A <eoa>\n（2）【答案】 B <eoa>\n请按以上格式作答。\n（1）【答案】 D <eoa>\n（2）【答案】 C <eoa>\n（3）【答案】 C <eoa>",
        "D C C",
    ),
    "blanks_two_letters_for_one": ("（1）【答案】AB\n（2）【答案】C\n（3）【答案】D", "AB C D"),
    "blanks_letter_before_tag": ("41. D 【答案】\n42. C 【答案】\n43. B 【答案】", "D C B"),
    "blanks_think": ("<think>1. A 2. A 3. A</think>\n1. B\n2. C\n3. D", "B C D"),
    "blanks_too_few_unnumbered": ("【答案】C A", "C A -"),
    "blanks_too_many_unnumbered": ("【答案】C A D B", ""),
    "blanks_single_letter": ("C", ""),
    "blanks_refusal": ("抱歉，文章太长，我无法作答。", ""),
    "blanks_truncated": ("（1）【解析】本题考查的是文章主旨，A项", ""),
    "blanks_half_done": ("（1）【答案】B\n（2）【解析】A项过于", "B - -"),
    "blanks_traditional": ("第1題：應選C\n第2題：應選A\n第3題：應選D", "C A D"),
    "blanks_answer_english": ("The answer to question 1 is C, to question 2 is A, and to question 3 is D.", "C A D"),
    "blanks_choice_dense": ("1C2A3D", "C A D"),
    "blanks_numbers_in_text": ("（1）1919年的事件，故选C。\n（2）3.5%的增长，故选A。\n（3）第2段，故选D。", "C A D"),
    "blanks_numbered_labels": ("答案1：C\n答案2：A\n答案3：D", "C A D"),
    "blanks_no": ("No. 24: C\nNo. 25: A\nNo. 26: D", "C A D"),
    "blanks_listed": ("一、C\n二、A\n三、D", "C A D"),
    "blanks_first_without_answer": ("56. 文中没有提到。\n57. C\n58. A", "- C A"),
    "blanks_lists_inside_sections": (
        "### 第1题\n1. 题干问主旨；\n2. A项以偏概全。\n**答案：B**\n### 第2题\n1. 见第三段。\n**答案：D**\n### 第3题\n**答案：A**",
        "B D A",
    ),
    "blanks_reasons_name_options": ("1. B（不是A）\n2. C（而非D）\n3. A（B、C、D均不符）", "B C A"),
    "blanks_english_statements": (
        "1. The answer is C because A is wrong.\n2. The answer is A.\n3. D is correct.",
        "C A D",
    ),
    "blanks_explanations_after": ("1) B\n2) C\n3) A\nReasons:\n1) Line 1.\n2) A and D are not mentioned.", "B C A"),
    "blanks_labels_twice_each": (
        "答案为：C. 喜悦\n【答案】C. 喜悦\n答案为：A. 悲伤\n【答案】A. 悲伤\n答案为：D. 愤怒\n【答案】D. 愤怒",
        "C A D",
    ),
    "blanks_lettered_lines": ("C. 喜悦\nA. 悲伤\nD. 愤怒", "C A D"),
    "blanks_options_copied": ("A. 喜悦\nB. 悲伤\nC. 愤怒", ""),
    "blanks_labels_unfinished": ("【答案】C\n【答案】A", "C A -"),
    "blanks_outside_options": ("1. C\n2. F\n3. A", "C - A"),
    # explanations under the same numbers replace nothing
    "blanks_explained_options_colon": (
        "1. C\n2. A\n3. D\n\n【解析】\n1. A：说得片面。\n2. B：与文意不符。\n3. C：没有提到。",
        "C A D",
    ),
    "blanks_explained_options_points": (
        "答案：1. C 2. A 3. D\n\n选项分析：\n1. A. 以偏概全 B. 无据\n2. B. 太宽\n3. A. 太窄",
        "C A D",
    ),
    "blanks_explained_options_english": (
        "1. C\n2. A\n3. D\nNotes:\n1. Option A is named but is no reason.\n2. Option B refers to the uncle.\n3. Option C goes too far.",
        "C A D",
    ),
    "blanks_explained_options_sentences": (
        "1. C\n2. A\n3. D\n\n**Reasoning**\n1. A, as it names the boy, tempts readers...\n2. B contradicts line 4.\n3. C overstates it.",
        "C A D",
    ),
    "blanks_explained_items": (
        "（1）选C。\n（2）选A。\n（3）选D。\n逐题说明：\n（1）A项以偏概全；B项无据。\n（2）B项……\n（3）C项……",
        "C A D",
    ),
    "blanks_explained_items_only": ("1. A项过窄，B项过宽，故选C。\n2. C项无据，选A。\n3. 选D。", "C A D"),
    "blanks_explained_one_unanswered": (
        "1. C\n2. A\n3. 文中没有提到\n\n说明：\n1. A：太窄。\n2. B：太宽。",
        "C A -",
    ),
    "blanks_items_with_texts": ("1. C项，愤怒\n2. A项，喜悦\n3. D项，恐惧", "C A D"),
    "blanks_options_with_texts": ("1. Option C: anger\n2. Option A: joy\n3. Option D: fear", "C A D"),
    "blanks_paragraph_numbers": ('1. B (paragraph 1: "A man sang")\n2. D (see line 3, C side)\n3. A', "B D A"),
    "blanks_paragraph_number_after": (
        '1. C. According to paragraph 2, "A girl sang"\n2. A. In line 3, D.\n3. D.',
        "C A D",
    ),
    "blanks_listed_anew_therefore": ("1. A\n2. A\n3. A\n因此最终答案为：\n1. C. 喜\n2. A. 怒\n3. D. 哀", "C A D"),
    "blanks_ordinals_bracketed": ("第(1)题：C\n第(2)题：A\n第(3)题：D", "C A D"),
    "blanks_ordinals_without_noun": ("第一个是C，第二个是A，第三个是D", "C A D"),
    "blanks_listed_anew": ("1. A\n2. A\n3. A\n最终答案：\n1. C. 喜悦\n2. A. 悲伤\n3. D. 愤怒", "C A D"),
    "blanks_second_thought_on_one": ("1. C\n2. A\n3. B\n\n等等，第3题重新看应该是D。", "C A D"),
    "blanks_second_thought_english": ("1. C\n2. A\n3. B\n\nCorrection: Question 3 should be D.", "C A D"),
    "blanks_owned_up": ("1. B\n2. A\n3. D\n\n抱歉，第1题选错了，应为C。", "C A D"),
    "blanks_all_rejected_then_chosen": ("1、A、B、D都不符合，选C。\n2、选A。\n3、选D。", "C A D"),
    # numbering and layouts
    "blanks_worth": ("1. C (2分)\n2. A（2分）\n3. D（2 points）", "C A D"),
    "blanks_bracketed_list": ("答案：(C) (A) (D)", "C A D"),
    "blanks_bracketed_list_commas": ("The answers are (C), (A), (D).", "C A D"),
    "blanks_tag_brackets": ("答案：【C】【A】【D】", "C A D"),
    "blanks_alike_bare": ("都选C", "C C C"),
    "blanks_line_with_ellipsis": ("1. C. Line 4: “B…”\n2. A. Line 14: “B…”\n3. D. It says C.", "C A D"),
    "blanks_changed_in_words": ("1. C\n2. B\n3. D\n\nOn reflection, I would change question 2 to A.", "C A D"),
    "blanks_square_brackets": ("【答案】[C][A][D]", "C A D"),
    "blanks_text_then_letter": ("1. angry (C)\n2. go (A)\n3. cow (D)", "C A D"),
    "blanks_text_then_letter_fullwidth": ("1. 愤怒（C）\n2. 前往（A）\n3. 奶牛（D）", "C A D"),
    "blanks_text_then_dash": ("1. angry - C\n2. go - A\n3. cow - D", "C A D"),
    "blanks_table_with_kind": (
        "| 题号 | 题型 | 答案 |\n|---|---|---|\n| 1 | 主旨 | C |\n| 2 | 细节 | A |\n| 3 | 推断 | D |",
        "C A D",
    ),
    "blanks_json_words": ('{"question_1": "C", "question_2": "A", "question_3": "D"}', "C A D"),
    "blanks_json_answer_keys": ('{"answer_1": "C", "answer_2": "A", "answer_3": "D"}', "C A D"),
    "blanks_listed_inline": ("一、C 二、A 三、D", "C A D"),
    "blanks_roman": ("Ⅰ. C Ⅱ. A Ⅲ. D", "C A D"),
    "blanks_lowercase_inline": ("1.c 2.a 3.d", "C A D"),
    "blanks_all_alike": ("这三题都选C。", "C C C"),
    "blanks_all_alike_answers": ("三道题的答案均为B。", "B B B"),
    "blanks_all_alike_english": ("All three answers are C.", "C C C"),
    "blanks_some_alike": ("后两题都选C。", ""),
}

FIVE = {
    "english_ordinals": (
        "First blank: G. Second blank: E. Third blank: B. Fourth blank: C. Fifth blank: F.",
        "G E B C F",
    ),
    "seven_tag_run": ("【答案】 C A E F G <eoa>", "C A E F G"),
    "seven_tag_unspaced": ("【答案】CAEFG", "C A E F G"),
    "seven_bare": ("CAEFG", "C A E F G"),
    "seven_commas": ("答案：C, A, E, F, G", "C A E F G"),
    "seven_blank_words": ("Blank 36: G\nBlank 37: B\nBlank 38: F\nBlank 39: E\nBlank 40: A", "G B F E A"),
    "seven_numbered": ("36. G\n37. B\n38. F\n39. E\n40. A", "G B F E A"),
    "seven_numbered_unspaced": ("36G 37B 38F 39E 40A", "G B F E A"),
    "seven_range": ("36-40 GBFEA", "G B F E A"),
    "seven_range_long_dash": ("36—40：G B F E A", "G B F E A"),
    "seven_missing_first": ("37. B\n38. F\n39. E\n40. A", "- B F E A"),
    "seven_missing_middle": ("36. G\n38. F\n39. E\n40. A", "G - F E A"),
    "seven_starts_at_71": ("71. G\n72. B\n73. F\n74. E\n75. A", "G B F E A"),
    "seven_line_and_notes": (
        "【答案】 D G F B A <eoa>\n\n36. B Wherever they go，此处引出话题。\n37. A 此处承上。\n38. C 略。\n39. G 略。\n40. F 略。",
        "D G F B A",
    ),
    "seven_numbers_in_tag": ("【答案】 36. F 37. E 38. A 39. C 40. G <eoa>", "F E A C G"),
    "seven_example_echoed": (
        "例如“【答案】 A B C D E <eoa>\n请用此格式回答。\n【答案】 G F E B A <eoa>",
        "G F E B A",
    ),
    "seven_unneeded_named": ("答案为E、G、A、F、C。B、D为多余选项。", "E G A F C"),
    "seven_four_letters": ("【答案】 BCFE <eoa>", "B C F E -"),
    "seven_all_letters": ("A B C D E F G", ""),
    "seven_lowercase": ("36. g\n37. b\n38. f\n39. e\n40. a", "G B F E A"),
    "seven_sections": (
        "36. 空前提到雨，空后提到伞，故选G。\n37. 总起句，故选B。\n38. 转折，故选F。\n39. 举例，故选E。\n40. 总结，故选A。",
        "G B F E A",
    ),
    "seven_words_with_capitals": ("For each gap: Gap 36: G. Gap 37: B. Gap 38: F. Gap 39: E. Gap 40: A.", "G B F E A"),
    "seven_final_summary": (
        "36. 略，选G。\n37. 略，选B。\n38. 略，选F。\n39. 略，选E。\n40. 略，选A。\n综上，答案为：G B F E A",
        "G B F E A",
    ),
    "seven_order": ("正确顺序：F-A-C-E-B", "F A C E B"),
    "seven_vertical_tag": ("【答案】F\nA\nC\nE\nB", "F A C E B"),
    "seven_table_across": ("| 36 | 37 | 38 | 39 | 40 |\n|---|---|---|---|---|\n| E | G | B | A | C |", "E G B A C"),
    "seven_in_a_sentence": ("The blanks should be filled with E, G, B, A, and C.", "E G B A C"),
    "seven_corrected": ("【答案】 F A C E B <eoa>\n更正：第40题应为G。", "F A C E G"),
    "seven_said_again": ("【答案】 F A C E B <eoa>\n【答案】 F A C E G <eoa>", "F A C E G"),
    "seven_underlined_numbers": ("_36_ G\n_37_ B\n_38_ F\n_39_ E\n_40_ A", "G B F E A"),
    "seven_lowercase_inline": ("36.g 37.b 38.f 39.e 40.a", "G B F E A"),
    "seven_line_numbers": ("36. G (line 2: A)\n37. B (line 5)\n38. F\n39. E\n40. A", "G B F E A"),
    "seven_arrow": ("36 → G\n37 → B\n38 → F\n39 → E\n40 → A", "G B F E A"),
}

TWENTY = list("CADBC" * 4)
MANY = {
    "twenty_numbered": ("\n".join(f"{41 + i}. {letter}" for i, letter in enumerate(TWENTY)), " ".join(TWENTY)),
    "twenty_ranges": ("1-5 CADBC 6-10 CADBC 11-15 CADBC 16-20 CADBC", " ".join(TWENTY)),
    "twenty_ranges_lines": ("41-45: CADBC\n46-50: CADBC\n51-55: CADBC\n56-60: CADBC", " ".join(TWENTY)),
    "twenty_run": ("".join(TWENTY), " ".join(TWENTY)),
    "twenty_run_after_tag": (f"【答案】{''.join(TWENTY)}\n【解析】略", " ".join(TWENTY)),
    "twenty_run_after_range": (f"1-20 {''.join(TWENTY)}", " ".join(TWENTY)),
    "twenty_run_boxed": (f"\\boxed{{{''.join(TWENTY)}}}", " ".join(TWENTY)),
    "twenty_runs_on_lines": ("【答案】CADBC CADBC\nCADBC CADBC", " ".join(TWENTY)),
    "twenty_runs_of_five": ("答案：CADBC CADBC CADBC CADBC", " ".join(TWENTY)),
    "twenty_from_21": (
        "\n".join(f"{21 + i}. {letter} 【解析】见Ben一句" for i, letter in enumerate(TWENTY)),
        " ".join(TWENTY),
    ),
    "twenty_one_missing": (
        "\n".join(f"{41 + i}. {letter}" for i, letter in enumerate(TWENTY) if i != 6),
        " ".join("-" if i == 6 else letter for i, letter in enumerate(TWENTY)),
    ),
}

CASES = [
    *(pytest.param(SINGLE_CHOICE, 1, *case, id=name) for name, case in SINGLE.items()),
    *(pytest.param(MULTI_CHOICE, 1, *case, id=name) for name, case in MULTI.items()),
    *(pytest.param(MULTI_QUESTION_CHOICE, 3, *case, id=name) for name, case in THREE.items()),
    *(pytest.param(FIVE_OUT_OF_SEVEN, 5, *case, id=name) for name, case in FIVE.items()),
    *(pytest.param(MULTI_QUESTION_CHOICE, 20, *case, id=name) for name, case in MANY.items()),
    pytest.param(MULTI_QUESTION_CHOICE, 1, "（1）【解析】略<eoe>\n【答案】B <eoa>", "B", id="one_blank"),
    pytest.param(MULTI_QUESTION_CHOICE, 1, "本题选C，有同学选A。", "C", id="one_blank_like_single_choice"),
    pytest.param(
        MULTI_QUESTION_CHOICE, 2, "【答案：C（不是B）\n【答案：A（不是D）", "C A", id="two_blanks_broken_tags"
    ),
    pytest.param(MULTI_QUESTION_CHOICE, 5, "（一）1. A 2. B 3. C\n（二）1. D 2. A", "A B C D A", id="numbers_restart"),
    pytest.param(
        MULTI_QUESTION_CHOICE,
        4,
        "48. 【答案】A\n49. 没有提到。\n50. 没有提到。\n51. 【答案】D",
        "A - - D",
        id="ends_filled",
    ),
]


@pytest.mark.parametrize(("question_type", "n_answers", "reply", "expected"), CASES)
def test_reads_as_a_careful_person_would(question_type: str, n_answers: int, reply: str, expected: str) -> None:
    assert robust_letters(reply, question_type, n_answers) == _letters(expected)


def _letters(expected: str) -> list[str]:
    """The answers of a row: separated by spaces, - for a blank without one."""
    return ["" if answer == "-" else answer for answer in expected.split()]


def test_unknown_question_type() -> None:
    with pytest.raises(ValueError, match="true_or_false"):
        robust_letters("A", "true_or_false", 1)


def _shared_cases() -> list[dict[str, Any]]:
    if not SHARED_CASES.exists():
        return []
    rows = [json.loads(line) for line in SHARED_CASES.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row["area"] == "choice_extraction"]


@pytest.mark.skipif(not SHARED_CASES.exists(), reason=f"{SHARED_CASES} is not beside this repository")
@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in _shared_cases()])
def test_shared_cases(case: dict[str, Any]) -> None:
    def answers(letters: list[str | None] | None) -> list[str]:
        return [letter or "" for letter in letters or []]

    allowed = [answers(case["expected"]), *map(answers, case.get("also_ok", []))]
    assert robust_letters(case["input"], case["question_type"], case["n_answers"]) in allowed
    assert official_letters(case["input"], case["question_type"], case["n_answers"]) == answers(case["official"])


# Pieces of replies that patterns are made of, and characters that break careless ones.
PIECES = [
    *"ABCDEFGHabcdeg 0123456789①⑳ⒷＢⓑ一十.,;:!?。，、；：！？（）()[]【】{}<>|/\\$^_*~#-—=+'\"“”\n\t\r",
    "\u200b", "\ufeff", "\u0301", "\ud800", "\U0001f171", "ﷺ",
    "答案", "【答案】", "答案】", "【答案：", "选", "不选", "故选", "正确", "错误", "不正确的是", "正确的是", "选项", "项",
    "和", "或", "除", "外", "其余", "都", "均", "只有", "更正", "等等", "如果", "同学", "例如：", "第", "题", "空", "无法",
    "<think>", "</think>", "<answer>", "</answer>", "<eoa>", "\\boxed{", "\\text{", "}", "~~", "**", "1. ", "(2)", "36-40 ",
    "The answer is ", "Answer: ", "option ", " is correct", " and ", " or ", "not ", "Wait, ", "Blank 36: ", "Q1: ",
]  # fmt: skip
OPTIONS = {SINGLE_CHOICE: "ABCD", MULTI_CHOICE: "ABCD", MULTI_QUESTION_CHOICE: "ABCD", FIVE_OUT_OF_SEVEN: "ABCDEFG"}


def _assert_convention(letters: list[str], question_type: str, n_answers: int) -> None:
    several_blanks = question_type in (MULTI_QUESTION_CHOICE, FIVE_OUT_OF_SEVEN)
    assert letters == [] or len(letters) == (n_answers if several_blanks else 1)
    assert letters == [] or any(letters)
    for answer in letters:
        assert set(answer) <= set(OPTIONS[question_type])
        assert list(answer) == sorted(set(answer))


@pytest.mark.parametrize("question_type", OBJECTIVE_TYPES)
def test_any_text_gives_letters_by_the_convention(question_type: str) -> None:
    rng = random.Random(20240607)
    for _ in range(1500):
        text = "".join(rng.choices(PIECES, k=rng.randrange(40)))
        n_answers = rng.choice((1, 2, 3, 5, 20)) if question_type == MULTI_QUESTION_CHOICE else 1
        n_answers = 5 if question_type == FIVE_OUT_OF_SEVEN else n_answers
        _assert_convention(robust_letters(text, question_type, n_answers), question_type, n_answers)


TAGGED = [
    (SINGLE_CHOICE, 1, "【解析】略。<eoe>\n【答案】{} <eoa>", ["C"]),
    (MULTI_CHOICE, 1, "【答案】{} <eoa>", ["BD"]),
    (MULTI_QUESTION_CHOICE, 3, "（1）【答案】{} <eoa>\n（2）【答案】{} <eoa>\n（3）【答案】{} <eoa>", ["B", "D", "A"]),
    (FIVE_OUT_OF_SEVEN, 5, "【答案】 {} {} {} {} {} <eoa>", ["G", "B", "F", "A", "E"]),
]
NEUTRAL = [
    "以上就是本题的解答。",
    "希望对你有帮助！",
    "本题考查集合的运算，难度适中。",
    "如需进一步讲解，请告诉我。",
    "Hope this helps!",
    "The passage is adapted from a magazine.",
    "注意单位换算：1 kW·h = 3.6 MJ。",
]


@pytest.mark.parametrize("sentence", NEUTRAL)
@pytest.mark.parametrize(("question_type", "n_answers", "form", "letters"), TAGGED)
def test_neutral_sentence_after_a_tagged_answer_changes_nothing(
    question_type: str, n_answers: int, form: str, letters: list[str], sentence: str
) -> None:
    reply = form.format(*letters)
    for after in (f"\n{sentence}", f" {sentence}", sentence):
        assert robust_letters(reply + after, question_type, n_answers) == letters


@pytest.mark.parametrize(("question_type", "n_answers", "reply", "expected"), CASES)
def test_thinking_before_a_reply_changes_nothing(question_type: str, n_answers: int, reply: str, expected: str) -> None:
    thinking = "<think>\n先看A项，再看B项。答案应该是A……不对，【答案】B。1. C 2. D\n</think>\n\n"
    assert robust_letters(thinking + reply, question_type, n_answers) == _letters(expected)


ADVERSARIAL = [
    "A", "A ", "A、", "A\n", "1. A\n", "(1)", "【答案】", "答案：A", "<think>", "</think>", "<think></think>", "\\boxed{",
    "\\text{", "$A$", "**", "~~", "例如：【答案】", "不选A", "A正确，", "除A外", "如果选A", "更正：1. A", "正确的是", "，",
    "1-5 CADBE ", "A或", "（A", "| 1 | A |", "第1题", "Blank 36: E\n", "the answer is A ", "A a b c d e ", "\u0301", "ﷺ",
    "√ A\n", "√ A ", "【C】【A】", "ABCDE ", "(6分，", "==A", "| A | 错误 |\n", "Neither A nor ", "答案：\nA. x\n", "A. 答案：\n", "A项，", "CA项", "1. x (C)\n", "| 1 | x | C |\n", "(A) (B)（2分）",
    "这三题都选", "易错", "更正：A项正确。", "_A ", "corresponds to option A ", "1. A\n1. Option A x",
    "(A) (B) (C) (D) ", "[A] [B] [C] [D] ", "【C】 【A】 ", "(A)(B)",
]  # fmt: skip


@pytest.mark.parametrize("token", ADVERSARIAL)
@pytest.mark.parametrize(("question_type", "n_answers"), [(SINGLE_CHOICE, 1), (MULTI_QUESTION_CHOICE, 20)])
def test_repeated_token_does_not_hang(token: str, question_type: str, n_answers: int) -> None:
    _assert_convention(robust_letters(token * 5000, question_type, n_answers), question_type, n_answers)
