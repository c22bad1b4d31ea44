"""AlignBench's categories and dimensions: upstream's names, ours, and how categories make up the overall score.

Source: THUDM/AlignBench, `show_result.py` (the two groups) and `config/`; English names after the paper.
"""

from __future__ import annotations

REASONING = ("mathematics", "logic")
LANGUAGE = ("fundamental", "chinese", "open_ended", "writing", "role_play", "professional")
CATEGORIES = (*REASONING, *LANGUAGE)

CATEGORY_BY_NAME = {
    "数学计算": "mathematics",
    "逻辑推理": "logic",
    "基本任务": "fundamental",
    "中文理解": "chinese",
    "综合问答": "open_ended",
    "文本写作": "writing",
    "角色扮演": "role_play",
    "专业能力": "professional",
}
DIMENSION_BY_NAME = {
    "事实正确性": "factuality",
    "满足用户需求": "user_satisfaction",
    "逻辑连贯性": "logical_coherence",
    "完备性": "completeness",
    "清晰度": "clarity",
    "创造性": "creativity",
    "丰富度": "richness",
    "公平与可负责程度": "fairness_and_responsibility",
}
