"""lm-eval-zh: GAOKAO-Bench, CG-Eval and AlignBench as tasks of lm-evaluation-harness.

Importing this package imports nothing else: the interpreter does it at every start (see `_autoload`).
"""
