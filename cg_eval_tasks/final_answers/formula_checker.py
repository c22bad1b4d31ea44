"""The process in which formulas are compared: `[found, wanted]` a line in JSON, `[equal, seconds]` a line back.

Run by `equivalence`, which ends it when a comparison takes too long. Only TeX is parsed, by math-verify's own parser of it and
as strictly as that can be: whatever it would pass over, this module refuses to read.
"""

from __future__ import annotations

import json
import logging
import re
import signal
import sys
import time
from typing import Any

_MOST_MEMORY = 4 * 2**30  # bytes of address space
MOST_SECONDS = 10  # of processor time for one comparison, so that a busy machine gives the same verdicts; nearly all take milliseconds

_FUNCTIONS = r"arcsin|arccos|arctan|sinh|cosh|tanh|sin|cos|tan|cot|sec|csc|ln|lg|log|exp"
_SPELLED = (
    (re.compile(rf"(?<![\\a-zA-Z])({_FUNCTIONS})(?=[\s\d({{^|_\\+-]|[a-z](?![a-z]))"), r"\\\1 "),  # sinx
    (re.compile(r"\\lg(?![a-zA-Z])"), r"\\log_{10}"),
    (re.compile(r"(\d+(?:\.\d+)?) ?\^ ?\{ ?\\circ ?\}"), r"\\frac{\1\\pi}{180}"),
)
# Derivatives and transposes are read as the thing itself, degrees as nothing, percent as a product.
_PASSED_OVER = re.compile(r"'|\\circ|\\[lc]?dots|\.\.\.|\^ ?\{? ?(?:T|\\top|\*|H) ?\}?(?![a-zA-Z\d(\\])|%")
_VARIABLES = ("x", "t", "u", "y", "z", "v", "s", "r", "h", "theta")


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
    """Whether the formulas are equivalent, and `found` is worked out as far as `wanted` is.

    An integral beside its value, a sum beside a number, or a polynomial beside its factors is not.
    Antiderivatives, with their constant `C`, may differ by a constant. False for what can't be read.
    """
    from math_verify import verify
    from sympy import Eq

    if _PASSED_OVER.search(_spelled(found)) or _PASSED_OVER.search(_spelled(wanted)):
        return False
    answer, gold = _parsed(found), _parsed(wanted)
    if isinstance(answer, Eq) is not isinstance(gold, Eq) or not _as_far(answer, gold):
        return False
    if isinstance(gold, Eq):
        return _same_equation(answer, gold)
    if verify(gold, answer, allow_set_relation_comp=True, timeout_seconds=None):
        return True
    return _same_antiderivative(answer, gold)


def _spelled(formula: str) -> str:
    for pattern, replacement in _SPELLED:
        formula = pattern.sub(replacement, formula)
    return formula


def _parsed(formula: str) -> Any:
    """The formula for sympy, decimals as fractions. Raises whatever the parser does for what is no formula."""
    from latex2sympy2_extended import NormalizationConfig, latex2sympy
    from latex2sympy2_extended.latex2sympy2 import ConversionConfig
    from sympy import Float, Rational

    expression = latex2sympy(
        _spelled(formula),
        is_real=True,
        # Units would be cut out, letters made small, and 2x=4 taken for 4.
        normalization_config=NormalizationConfig(malformed_operators=True, units=False, boxed="none"),
        conversion_config=ConversionConfig(lowercase_symbols=False, interpret_contains_as_eq=False),
    )
    return expression.xreplace({number: Rational(str(number)) for number in expression.atoms(Float)})


def _as_far(answer: Any, gold: Any) -> bool:
    """Whether an answer is worked out as far as the reference is."""
    from sympy import (
        Add,
        Derivative,
        Function,
        Integer,
        Integral,
        Limit,
        Mul,
        Product,
        Rational,
        Sum,
        exp,
        preorder_traversal,
    )

    for operation in (Derivative, Integral, Limit, Product, Sum):
        if bool(answer.has(operation)) is not bool(gold.has(operation)):
            return False
    if _in_factors(gold) and not _in_factors(answer):
        return False
    if not gold.free_symbols and not _functions(answer) - {exp} <= _functions(gold):
        return False  # log 27 / log 9 is not worked out to 3/2
    if not isinstance(gold, Rational):
        return True
    return not any(
        isinstance(part, (Add, Function))
        or (isinstance(part, Mul) and sum(isinstance(factor, Integer) and factor > 1 for factor in part.args) > 1)
        for part in preorder_traversal(answer)
    )


def _functions(formula: Any) -> set[type]:
    from sympy import Function

    return {type(function) for function in formula.atoms(Function)}


def _in_factors(formula: Any) -> bool:
    """Whether a formula is a product with sums in it, as the question to factorise asks for; quotients and 1-x as -(x-1) are not."""
    from sympy import Add, Mul, Pow

    def is_sum(part: object) -> bool:
        return isinstance(part, Add) or (isinstance(part, Pow) and isinstance(part.base, Add) and part.exp.is_Integer)

    factors = [factor for factor in Mul.make_args(formula) if factor != -1]
    if any(isinstance(factor, Pow) and factor.exp.could_extract_minus_sign() for factor in factors):
        return False
    if formula.is_number or not any(map(is_sum, factors)):
        return False
    return len(factors) > 1 or isinstance(factors[0], Pow)


def _same_equation(answer: Any, gold: Any) -> bool:
    """Whether one equation is a multiple of the other."""
    from sympy import simplify

    ratio = simplify((answer.lhs - answer.rhs) / (gold.lhs - gold.rhs))
    return bool(ratio.is_number and ratio.is_finite and not ratio.is_zero)


def _same_antiderivative(answer: Any, gold: Any) -> bool:
    """Whether both have the constant of an integral, and are the same but for constants."""
    from sympy import Symbol

    constant = Symbol("C", real=True)
    functions = [formula - constant for formula in (answer, gold)]
    if not all(formula.has(constant) for formula in (answer, gold)) or any(
        function.has(constant) for function in functions
    ):
        return False
    names = {symbol.name: symbol for symbol in functions[1].free_symbols}
    variable = next((names[name] for name in _VARIABLES if name in names), None)
    if variable is None:
        return False
    return (functions[0] - functions[1]).diff(variable).equals(0) is True


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
        except (Exception, RecursionError):  # noqa: BLE001 - sympy raises whatever it likes on odd formulas
            verdict = False
        _limit_time(0)
        sys.stdout.write(f"{json.dumps([verdict, time.process_time() - start])}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
