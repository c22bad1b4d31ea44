"""Metrics for Chinese text, usable without lm-eval: aggregation of partial credit, signatures of numbers."""
