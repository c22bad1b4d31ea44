"""Whether two formulas are equivalent, by math-verify in a process of its own.

What a model writes can keep a computer algebra system busy for ever, or make it take all memory: that process can be ended.
"""

from __future__ import annotations

import atexit
import json
import logging
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import accumulate
from threading import Lock
from typing import NamedTuple

from cg_eval_tasks.final_answers.formula_checker import MOST_SECONDS

log = logging.getLogger(__name__)

SECONDS = 300  # by the clock, for one comparison: the process has a limit of its own, of processor time
_START_SECONDS = 600  # to import sympy on a slow machine
_LONGEST = 500  # characters of a formula
_DEEPEST = 20  # brackets in one another
PACKAGE = "math_verify"


class Comparison(NamedTuple):
    """Whether two formulas are equivalent, and the seconds of the processor that it took to find out."""

    equal: bool
    seconds: float


def is_available() -> bool:
    """Whether math-verify is installed."""
    return find_spec(PACKAGE) is not None


@lru_cache(maxsize=4096)
def compared(found: str, wanted: str, factored: bool = True) -> Comparison:
    """Whether the two formulas, as TeX without delimiters, are equivalent, and `found` is worked out as far as `wanted`.

    A product of sums is only matched by such a product, unless not `factored`.

    Different is what can't be read, takes more than ten seconds of the processor, is longer than 500 characters or nests
    more than 20 brackets, and, wherever math-verify is not installed, everything.
    """
    if not is_available() or not all(map(_is_readable, (found, wanted))):
        return Comparison(False, 0.0)
    return _checker().ask(found, wanted, factored)


def _is_readable(formula: str) -> bool:
    """Whether it is worth a try: deep or unbalanced brackets take the parser all its time."""
    depths = list(accumulate((char in "([{") - (char in ")]}") for char in formula))
    return 0 < len(formula) <= _LONGEST and max(depths) <= _DEEPEST and depths[-1] == 0


@cache
def _checker() -> _Checker:
    checker = _Checker()
    atexit.register(checker.stop)
    return checker


class _Checker:
    """The process that compares; it is started when first needed, and again after it had to be ended."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._lock = Lock()

    def ask(self, found: str, wanted: str, factored: bool) -> Comparison:
        with self._lock:
            if self._process is None and not self._start():
                return Comparison(False, 0.0)
            assert self._process and self._process.stdin
            try:
                self._process.stdin.write(json.dumps([found, wanted, factored]) + "\n")
                self._process.stdin.flush()
                verdict = self._line(SECONDS)
            except OSError:  # the process has ended
                self.stop()
                verdict = ""
            if not verdict:
                log.warning(
                    "formulas taken for different, their comparison had to be ended: %.80r, %.80r", found, wanted
                )
                return Comparison(False, MOST_SECONDS)
            return Comparison(*json.loads(verdict))

    def stop(self) -> None:
        process, self._process = self._process, None
        if process:
            process.kill()
            process.communicate()

    def _start(self) -> bool:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "cg_eval_tasks.final_answers.formula_checker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )
        ready = self._line(_START_SECONDS) == "ready"
        if not ready:
            log.warning("math-verify could not be started: formulas are compared as texts and numbers only")
        return ready

    def _line(self, seconds: float) -> str:
        """The next line of the process; empty if it took too long, and then the process is ended."""
        process = self._process
        assert process and process.stdout
        with ThreadPoolExecutor(1) as reader:
            line = reader.submit(process.stdout.readline)
            try:
                text = line.result(seconds)
            except FutureTimeoutError:
                process.kill()  # ends the reading too
                text = ""
        if not text:
            self.stop()
        return text.strip()
