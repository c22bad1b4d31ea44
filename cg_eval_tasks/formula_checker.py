"""The process in which formulas are compared: `[found, wanted]` a line in JSON, `true` or `false` a line back.

Run by `equivalence`, which ends it when a comparison takes too long. Only TeX is parsed: math-verify's reader of plain
expressions would evaluate them as Python.
"""

from __future__ import annotations

import json
import logging
import signal
import sys

_MOST_MEMORY = 4 * 2**30  # bytes of address space
_MOST_SECONDS = 10  # of processor time for one comparison, so that a busy machine gives the same verdicts; nearly all take milliseconds


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


def equal(found: str, wanted: str) -> bool:
    """Whether the formulas are equivalent; False for what can't be parsed."""
    from math_verify import LatexExtractionConfig, parse, verify

    gold, answer = (
        parse(
            f"${text}$",
            extraction_config=[LatexExtractionConfig()],
            fallback_mode="no_fallback",
            parsing_timeout=None,
        )
        for text in (wanted, found)
    )
    if not gold or not answer or (_in_factors(gold[0]) and not _in_factors(answer[0])):
        return False
    return bool(verify(gold, answer, timeout_seconds=None))


def _in_factors(formula: object) -> bool:
    """Whether a formula is a product with sums in it, as the question to factorise asks for."""
    from sympy import Add, Mul, Pow

    def is_sum(part: object) -> bool:
        return isinstance(part, Add) or (isinstance(part, Pow) and isinstance(part.base, Add) and part.exp.is_Integer)

    if isinstance(formula, Mul):
        return not formula.is_number and any(map(is_sum, formula.args))
    return is_sum(formula) and isinstance(formula, Pow)


def main() -> None:
    """Answer until the input ends."""
    import math_verify  # noqa: F401 - imported now: the first comparison is not to wait for it

    logging.disable()
    _limit_memory()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        _limit_time(_MOST_SECONDS)
        try:
            verdict = equal(*json.loads(line))
        except (Exception, RecursionError):  # noqa: BLE001 - sympy raises whatever it likes on odd formulas
            verdict = False
        _limit_time(0)
        sys.stdout.write(f"{json.dumps(verdict)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
