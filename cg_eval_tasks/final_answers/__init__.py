"""What final answers say, and whether two of them say the same, step by step. `cg_eval_tasks.answers.robust_match` puts it together.

`spelling` brings an answer into one spelling; `items` takes it apart into alternatives, items, `names` and values; `matching`
pairs those of two answers; `quantities` (with `numerals`) compares numbers with units exactly, `formulas` all else, in the
process of `formula_checker` that `equivalence` keeps.
"""
