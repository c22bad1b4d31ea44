"""Metrics for Chinese text, usable without lm-eval: aggregation of partial credit, intervals, signatures of numbers."""
