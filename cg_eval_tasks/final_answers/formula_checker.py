"""The process in which formulas are compared: `[found, wanted, factored]` a line in JSON, `[equal, seconds]` a line back.

Run by `equivalence`, which ends it when a comparison takes too long.
"""

from __future__ import annotations

import json
import logging
import signal
import sys
import time

from cg_eval_tasks.final_answers.formulas import equal

_MOST_MEMORY = 4 * 2**30  # bytes of address space
MOST_SECONDS = 10  # of processor time for one comparison, so that a busy machine gives the same verdicts; nearly all take milliseconds


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))


def _limit_time(seconds: float) -> None:
    """End this process once it has used so much processor time from now on; 0 takes the limit away."""
    if hasattr(signal, "setitimer"):  # Windows has none: there the clock of `equivalence` is the limit
        signal.setitimer(signal.ITIMER_PROF, seconds)


def main() -> None:
    """Answer until the input ends."""
    import math_verify  # noqa: F401 - imported now: the first comparison is not to wait for it

    logging.disable()
    _limit_memory()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        start = time.process_time()
        _limit_time(MOST_SECONDS)
        try:
            verdict = equal(*json.loads(line))
        except (ImportError, NameError):
            raise  # no formula's fault: a process that ends is in the log, a wrong verdict would not be
        except (Exception, RecursionError):  # noqa: BLE001 - sympy raises whatever it likes on odd formulas
            verdict = False
        _limit_time(0)
        sys.stdout.write(f"{json.dumps([verdict, time.process_time() - start])}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
