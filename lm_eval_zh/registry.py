"""The benchmarks we know, and where each keeps its parts. Importing this imports none of them."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lm_eval_zh.analysis.questions import Analysis


@dataclass(frozen=True)
class Benchmark:
    """One benchmark: its name in our commands, the package with its task YAMLs, its question collections."""

    name: str
    title: str
    package: str
    collections: tuple[str, ...]

    def documents(self, collection: str) -> list[dict[str, Any]]:
        """All documents of a collection, by the function `documents` of the package's module `docs`."""
        documents: list[dict[str, Any]] = import_module(f"{self.package}.docs").documents(collection)
        return documents

    def analysis(self) -> Analysis:
        """What the benchmark says of its results: `ANALYSIS` of the package's module `analysis`."""
        analysis: Analysis = import_module(f"{self.package}.analysis").ANALYSIS
        return analysis


BENCHMARKS = (
    Benchmark(
        "gaokao",
        "GAOKAO-Bench",
        "gaokao_tasks",
        ("gaokao_obj", "gaokao_subj", "gaokao", "gaokao_obj_2023", "gaokao_obj_2024", "gaokao_sample"),
    ),
    Benchmark("cg_eval", "CG-Eval", "cg_eval_tasks", ("cg_eval", "cg_eval_sample")),
    Benchmark("alignbench", "AlignBench", "alignbench_tasks", ("alignbench", "alignbench_sample")),
)


def benchmark_of(collection: str) -> Benchmark | None:
    """The benchmark that has a collection of this name."""
    return next((benchmark for benchmark in BENCHMARKS if collection in benchmark.collections), None)
