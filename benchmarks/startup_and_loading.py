"""What the plugin costs: at interpreter start, and to load the documents of `gaokao_obj` from a warm cache.

Run: python benchmarks/startup_and_loading.py    (set LM_EVAL_ZH_MIRROR if the cache is empty and there is no network)
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable

REPEATS = 10


def start_up_milliseconds() -> tuple[float, float]:
    """Self time of our modules at interpreter start, and of everything imported at start, as -X importtime has it."""
    report = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", "pass"], capture_output=True, text=True, check=True
    ).stderr
    times = {name: int(own) / 1000 for own, name in re.findall(r"import time:\s+(\d+) \|\s+\d+ \|\s*(\S+)", report)}
    return sum(time_ for name, time_ in times.items() if name.startswith("lm_eval_zh")), sum(times.values())


def best_of(action: Callable[[], object]) -> float:
    """The shortest of several runs in seconds: what disturbs a run only ever makes it longer."""
    durations = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        action()
        durations.append(time.perf_counter() - start)
    return min(durations)


def main() -> None:
    ours, all_modules = min(start_up_milliseconds() for _ in range(REPEATS))
    print(f"interpreter start: {ours:.2f} ms of ours among {all_modules:.2f} ms of imports (best of {REPEATS})")

    from gaokao_tasks.docs import load

    load("gaokao_obj")  # fills the cache
    seconds = best_of(lambda: load("gaokao_obj"))
    print(f"gaokao_obj from a warm cache, digests checked: {seconds:.3f} s for 1,781 documents (best of {REPEATS})")


if __name__ == "__main__":
    main()
