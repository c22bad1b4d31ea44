"""CG-Eval's six categories, 55 subjects and five question types: upstream's names and ours.

Source: Felixgithub2017/CG-Eval, `all_questions_without_answers.csv`, and the paper's table of subjects.
"""

from __future__ import annotations

import re
import unicodedata

CATEGORY_BY_NAME = {
    "科技与工程": "science",
    "人文与社会科学": "humanities",
    "数学计算": "math",
    "医师资格考试": "medical",
    "司法考试": "judicial",
    "注册会计师考试": "cpa",
}
CATEGORIES = tuple(CATEGORY_BY_NAME.values())

TERM, SHORT_ANSWER = "名词解释", "简答题"
ARITHMETIC, WORD_PROBLEM, CALCULATION = "小学计算", "应用题", "计算求解"
EXPLANATIONS = (TERM, SHORT_ANSWER)  # scored by Gscore
CALCULATIONS = (ARITHMETIC, WORD_PROBLEM, CALCULATION)  # scored by their final answers
QUESTION_TYPES = (*EXPLANATIONS, *CALCULATIONS)

SUBJECTS: dict[str, tuple[tuple[str, str], ...]] = {
    "science": (
        ("初中物理", "middle_school_physics"),
        ("初中化学", "middle_school_chemistry"),
        ("初中生物", "middle_school_biology"),
        ("高中物理", "high_school_physics"),
        ("高中化学", "high_school_chemistry"),
        ("高中生物", "high_school_biology"),
        ("大学物理", "university_physics"),
        ("大学化学", "university_chemistry"),
        ("大学生物", "university_biology"),
        ("天文学", "astronomy"),
        ("计算机组成与接口", "computer_organization"),
        ("计算机网络", "computer_networks"),
        ("操作系统原理", "operating_systems"),
        ("数据库原理", "databases"),
        ("软件工程", "software_engineering"),
        ("注册建筑师考试题目", "registered_architect"),
    ),
    "humanities": (
        ("初中历史", "middle_school_history"),
        ("初中地理", "middle_school_geography"),
        ("初中政治", "middle_school_politics"),
        ("高中历史", "high_school_history"),
        ("高中地理", "high_school_geography"),
        ("高中政治", "high_school_politics"),
        ("宏观经济学", "macroeconomics"),
        ("微观经济学", "microeconomics"),
        ("哲学", "philosophy"),
        ("艺术", "art"),
        ("《理论知识》（心理咨询师考试）", "counselor_theory"),
        ("《技能操作》（心理咨询师考试）", "counselor_skills"),
    ),
    "math": (
        ("小学数学", "elementary_school_math"),
        ("初中数学", "middle_school_math"),
        ("高中数学", "high_school_math"),
        ("大学数学", "university_math"),
    ),
    "medical": (
        ("临床医学（医师资格考试）", "clinical_medicine"),
        ("基础医学（医师资格考试）", "basic_medicine"),
        ("预防医学（医师资格考试）", "preventive_medicine"),
        ("医学免疫学（医师资格考试）", "immunology"),
        ("病理学（医师资格考试）", "pathology"),
        ("药理学（医师资格考试）", "pharmacology"),
        ("传染学（医师资格考试）", "infectious_diseases"),
        ("儿科学（医师资格考试）", "pediatrics"),
        ("妇科学（医师资格考试）", "gynecology"),
        ("血液学（医师资格考试）", "hematology"),
        ("精神神经学（医师资格考试）", "psychiatry_neurology"),
    ),
    "judicial": (
        ("民法（司法考试）", "civil_law"),
        ("民事诉讼法（司法考试）", "civil_procedure"),
        ("刑法（司法考试）", "criminal_law"),
        ("刑事诉讼法（司法考试）", "criminal_procedure"),
        ("行政法与行政诉讼法（司法考试）", "administrative_law"),
        ("商法（司法考试）", "commercial_law"),
    ),
    "cpa": (
        ("《会计》（注册会计师考试）", "accounting"),
        ("《审计》（注册会计师考试）", "auditing"),
        ("《税法》（注册会计师考试）", "tax_law"),
        ("《经济法》（注册会计师考试）", "economic_law"),
        ("《财务成本管理》（注册会计师考试）", "financial_management"),
        ("《公司战略与风险管理》（注册会计师考试）", "strategy_and_risk"),
    ),
}


def _folded(name: str) -> str:
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", name))


_SUBJECT_BY_FOLDED_NAME = {_folded(name): (name, part) for group in SUBJECTS.values() for name, part in group}


def subject_of(name: str) -> tuple[str, str] | None:
    """The subject's one name and its part in our metrics; None for an unknown one.

    Blanks and the width of brackets do not matter: the CSV writes two of the 55 subjects in two ways each.
    """
    return _SUBJECT_BY_FOLDED_NAME.get(_folded(name))
