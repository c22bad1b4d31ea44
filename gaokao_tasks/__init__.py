"""GAOKAO-Bench (arXiv 2305.12474) as tasks of lm-evaluation-harness. See README.md in this folder."""
