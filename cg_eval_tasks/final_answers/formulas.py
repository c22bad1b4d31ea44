"""Whether two formulas are equivalent, by math-verify: its parser as strictly as that can be, and what it passes over refused.

Not to be called with what a model writes but in `formula_checker`'s process: it may take all time and memory.
"""

from __future__ import annotations

import re
from typing import Any

_FUNCTIONS = r"arcsin|arccos|arctan|sinh|cosh|tanh|sin|cos|tan|cot|sec|csc|ln|lg|log|exp"
_SPELLED = (
    (re.compile(rf"(?<![\\a-zA-Z])({_FUNCTIONS})(?=[\s\d({{^|_\\+-]|[a-z](?![a-z]))"), r"\\\1 "),  # sinx
    (re.compile(r"\\lg(?![a-zA-Z])"), r"\\log_{10}"),
    (re.compile(r"(\d+(?:\.\d+)?) ?\^ ?\{ ?\\circ ?\}"), r"\\frac{\1\\pi}{180}"),
)
# Derivatives and transposes are read as the thing itself, degrees as nothing, percent as a product.
_PASSED_OVER = re.compile(
    r"'|\\circ|\\[lc]?dots|\.\.\.|\^ ?\{? ?(?:T|\\top|\*|H) ?\}?(?![a-zA-Z\d(\\])|%|\\infty ?\]|\[ ?-\\infty"
)
# How many operations an answer may have: so many times those of the reference, and so many more.
_LONGER, _LONGER_NUMBER = (3, 8), (1.5, 3)
_VARIABLES = ("x", "t", "u", "y", "z", "v", "s", "r", "h", "theta")


def equal(found: str, wanted: str, factored: bool = True) -> bool:
    """Whether the formulas are equivalent, and `found` is worked out as far as `wanted` is.

    An integral beside its value is not, nor terms still to be put together, nor, if `factored`, a polynomial beside its factors.
    Antiderivatives, with their constant `C`, may differ by a constant. False for what can't be read.
    """
    from sympy import Eq

    if _PASSED_OVER.search(_spelled(found)) or _PASSED_OVER.search(_spelled(wanted)):
        return False
    answer, gold = _parsed(found), _parsed(wanted)
    if isinstance(answer, Eq) is not isinstance(gold, Eq):
        return False
    if isinstance(gold, Eq):
        return _same_equation(answer, gold)
    if not _as_far(answer, gold) or (factored and not _as_many_factors(answer, gold)):
        return False
    return _equivalent(answer, gold) or _same_antiderivative(answer, gold)


def _equivalent(answer: Any, gold: Any) -> bool:
    from math_verify import verify
    from sympy import Symbol, exp

    if isinstance(answer, Symbol) and isinstance(gold, Symbol):
        return bool(answer == gold)
    if exp(1) in (answer.doit(), gold.doit()) and any(isinstance(one, Symbol) for one in (answer, gold)):
        return False  # math-verify takes the symbol E for the number e
    if verify(gold, answer, allow_set_relation_comp=True, timeout_seconds=None):
        return True
    if not any(map(_has_odd_roots, (answer, gold))):
        return False
    # sympy takes (x^2)^{1/3} and x^{2/3} for different where x is negative; real odd roots are not.
    return bool(verify(*map(_positive, (gold, answer)), timeout_seconds=None))


def _has_odd_roots(formula: Any) -> bool:
    from sympy import Pow

    roots = [power.exp.q for power in formula.atoms(Pow) if power.exp.is_Rational]
    return any(root > 1 for root in roots) and all(root % 2 for root in roots)


def _positive(formula: Any) -> Any:
    from sympy import Symbol

    return formula.xreplace({symbol: Symbol(symbol.name, positive=True) for symbol in formula.free_symbols})


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
    from sympy import Derivative, Expr, Integral, Limit, Product, Sum, count_ops, exp, log

    if not isinstance(answer, Expr) or not isinstance(gold, Expr):
        return True  # sets, inequalities, matrices
    for operation in (Derivative, Integral, Limit, Product, Sum):
        if bool(answer.has(operation)) is not bool(gold.has(operation)):
            return False
    functions, expected = _functions(answer) - {exp}, _functions(gold) - {exp}
    if (functions and not expected) or (not gold.free_symbols and not functions <= expected):
        return False  # log 27 / log 9 is not worked out to 3/2, nor sin^2 x + cos^2 x to 1
    if log in functions and log not in expected:
        return False
    times, plus = _LONGER if gold.free_symbols else _LONGER_NUMBER
    return bool(count_ops(answer) <= times * count_ops(gold) + plus) and not _has_like_terms(answer, gold)


def _functions(formula: Any) -> set[type]:
    from sympy import Function

    return {type(function) for function in formula.atoms(Function)}


def _has_like_terms(answer: Any, gold: Any) -> bool:
    """Whether an answer still has terms or powers to put together, or brackets and quotients that the reference hasn't."""
    from sympy import Add, Mul, Pow, Symbol, expand, preorder_traversal

    if not isinstance(gold, Add) and not _functions(answer) and sum(map(_has_below, _parts(answer, Add))) > 1:
        return True  # fractions that are still to be added
    for part in preorder_traversal(answer):
        if isinstance(part, Pow) and isinstance(part.base, Pow) and part.exp.is_Integer and part.base.exp.is_Integer:
            return not part.exp.could_extract_minus_sign()
        terms = [term.doit() for term in _parts(part, Add)]
        if isinstance(part, Add) and len(Add.make_args(Add(*terms))) < len(terms):
            return True
        if isinstance(part, Mul):
            powers = [_base(factor) for factor in _parts(part, Mul)]
            # x^2\\sqrt{x} may stand, x^2 x and x^{1/2} x^{1/3} not.
            kinds = [(base, whole) for base, whole in powers if isinstance(base, Symbol)]
            if len(set(kinds)) < len(kinds):
                return True
    if _is_uncancelled(answer) and not _is_uncancelled(gold):
        return True
    variables = sorted(gold.free_symbols | answer.free_symbols, key=str)
    if not variables or not gold.is_polynomial(*variables):
        return False
    if not answer.is_polynomial(*variables):
        return True  # a quotient that has not been cancelled
    if not isinstance(answer, Add) or _sums(gold) or expand(gold.doit()) != gold.doit():
        return False
    return any(_sums(term) for term in answer.args)


def _has_below(term: Any) -> bool:
    return any(map(_is_below, _factors(term)))


def _base(factor: Any) -> tuple[Any, bool]:
    """The base of a power of a power, and whether it is raised to a whole number."""
    from sympy import Integer, Pow

    exponent = Integer(1)
    while isinstance(factor, Pow):
        factor, exponent = factor.base, exponent * factor.exp
    return factor, bool(exponent.is_Integer)


def _is_uncancelled(quotient: Any) -> bool:
    """Whether something can be cancelled in a quotient as it is written: 12a/3, x^2/(x^2+x)."""
    from sympy import Add, Poly, cancel, fraction, gcd

    variables = sorted(quotient.free_symbols, key=str)
    if isinstance(quotient, Add) or not variables or not quotient.is_rational_function(*variables):
        return False
    below, cancelled = (fraction(one)[1] for one in (quotient, cancel(quotient.doit())))
    content = Poly(fraction(quotient)[0].doit(), *variables).content()
    if below.is_number:
        return bool(below.is_Integer and below > 1 and content % below == 0)
    below_content = Poly(below.doit(), *variables).content()
    if content.is_Integer and below_content.is_Integer and gcd(content, below_content) > 1:
        return True
    return bool(Poly(below.doit(), *variables).total_degree() > Poly(cancelled, *variables).total_degree())


def _parts(formula: Any, kind: Any) -> list[Any]:
    """The terms of a sum, or the factors of a product, of those within it too."""
    if not isinstance(formula, kind):
        return [formula]
    return [part for inner in formula.args for part in _parts(inner, kind)]


def _as_many_factors(answer: Any, gold: Any) -> bool:
    """Whether the answer has as many factors, if the reference has sums among its own: x^2-1 is not (x-1)(x+1)."""
    from sympy import Expr

    return (
        not isinstance(gold, Expr)
        or not isinstance(answer, Expr)
        or not _sums(gold)
        or (
            _count(answer) >= _count(gold)
            and bool(_sums(answer))
            and (_content(gold) > 1 or _content(answer) == 1)  # 2x+2 is 2(x+1)
        )
    )


def _sums(formula: Any) -> list[Any]:
    """The sums in a product or power, as the question to factorise asks for; none in quotients, numbers and -(x-1)."""
    from sympy import Add, Pow

    factors = [factor for factor in _factors(formula) if factor != -1]
    if formula.is_number or any(_is_below(factor) for factor in factors):
        return []
    sums = [
        factor
        for factor in factors
        if isinstance(factor, Add)
        or (isinstance(factor, Pow) and isinstance(factor.base, Add) and factor.exp.is_Integer)
    ]
    return sums if len(factors) > 1 or (sums and isinstance(sums[0], Pow)) else []


def _content(formula: Any) -> Any:
    """The largest number that can be taken out of one of the sums."""
    from sympy import Pow

    sums = [factor.base if isinstance(factor, Pow) else factor for factor in _sums(formula)]
    return max((one.doit().primitive()[0] for one in sums), default=1)


def _is_below(factor: Any) -> bool:
    from sympy import Pow

    return isinstance(factor, Pow) and bool(factor.free_symbols) and factor.exp.could_extract_minus_sign()


def _factors(formula: Any) -> list[Any]:
    from sympy import Mul

    return _parts(formula, Mul)


def _count(formula: Any) -> int:
    """How many factors with symbols there are, each as often as it stands there."""
    from sympy import Pow

    powers = [factor for factor in _factors(formula) if factor.free_symbols]
    return sum(
        int(factor.exp) if isinstance(factor, Pow) and factor.exp.is_Integer and factor.exp > 0 else 1
        for factor in powers
    )


def _same_equation(answer: Any, gold: Any) -> bool:
    """Whether one equation is a multiple of the other."""
    from sympy import simplify

    ratio = simplify((answer.lhs - answer.rhs) / (gold.lhs - gold.rhs))
    return bool(ratio.is_number and ratio.is_finite and not ratio.is_zero)


def _same_antiderivative(answer: Any, gold: Any) -> bool:
    """Whether both have the constant of an integral, and are the same but for constants."""
    from sympy import Symbol

    constant = Symbol("C", real=True)
    if not all(formula.has(constant) for formula in (answer, gold)):
        return False
    functions = [(formula - constant).doit() for formula in (answer, gold)]
    if any(function.has(constant) for function in functions):
        return False
    if functions[0].free_symbols != functions[1].free_symbols:
        return False
    names = {symbol.name: symbol for symbol in functions[1].free_symbols}
    variables = [names[name] for name in _VARIABLES if name in names]
    if not variables or not _real_together(functions[0], functions[1], variables[0]):
        return False
    difference = _without_bars(functions[0]) - _without_bars(functions[1])
    positive = difference.free_symbols if _has_odd_roots(difference) else difference.free_symbols - set(variables)
    difference = difference.xreplace({symbol: Symbol(symbol.name, positive=True) for symbol in positive})
    variables = [symbol for symbol in difference.free_symbols if symbol.name in _VARIABLES]
    return all(difference.diff(variable).equals(0) is True for variable in variables)


def _without_bars(function: Any) -> Any:
    """ln|u| as ln u, which has the same derivative."""
    from sympy import Abs, log

    return function.replace(
        lambda part: isinstance(part, log) and part.has(Abs),
        lambda part: log(part.args[0].replace(Abs, lambda inner: inner)),
    )


def _real_together(function: Any, other: Any, variable: Any) -> bool:
    """Whether both are real at the same of a few points: ln x is not ln|x|."""
    from sympy import Rational

    for point in map(Rational, ("-9.7", "-5.3", "-2.3", "-0.7", "0.6", "1.9", "4.1", "8.3")):
        others = {symbol: Rational(11, 10) for symbol in function.free_symbols if symbol != variable}
        values = [part.subs({**others, variable: point}).evalf(6) for part in (function, other)]
        if values[0].is_real is not values[1].is_real:
            return False
    return True
