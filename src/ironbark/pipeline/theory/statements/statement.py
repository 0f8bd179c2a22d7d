"""A statement of a paper, how it is checked, and what came out."""

import math
from functools import wraps
from typing import NamedTuple


class Statement(NamedTuple):
    """A statement with its check.

    Attributes
    ----------
    id : str
        Such as ``I5``; the number in the paper, if there is one, is in `text`.
    text : str
        What is stated.
    how : str
        What is compared with what.
    check : callable
        ``check(rng) -> (cases, deviation)`` or ``(cases, deviation, tightest)``: how many cases were tried, and the
        largest deviation, or the number of contradictions where `tolerance` is 0. The deviation from a bound is the
        left side less the right side, below 0 if the bound is never reached. `tightest` describes the case of the
        largest deviation.
    tolerance : float, default=0
        Largest deviation at which the statement counts as confirmed; 0 where things are counted.
    condition : str, default=""
        What the paper does not say and the statement needs; `check` keeps to it.
    refuted : bool, default=False
        Whether the statement is wrong; `check` has to find a deviation above the tolerance.
    """

    id: str
    text: str
    how: str
    check: object
    tolerance: float = 0
    condition: str = ""
    refuted: bool = False


class Outcome(NamedTuple):
    """Result of the check of a statement."""

    statement: Statement
    cases: int
    deviation: float
    tightest: str = ""

    @property
    def holds(self):
        return self.cases > 0 and self.deviation <= self.statement.tolerance

    @property
    def verdict(self):
        """Verdict of the check; "FAILS" if it is not what `Statement` declares."""
        if self.cases == 0 or self.holds == self.statement.refuted:
            return "FAILS"
        if self.statement.refuted:
            return "does not hold"
        return f"holds if {self.statement.condition}" if self.statement.condition else "holds"


def of_cases(summary):
    """Make the summary of a list of cases a decorator, which turns a generator of cases into a check.

    The check raises ValueError if a case has a NaN, which would pass every comparison unseen.
    """

    def decorator(cases):
        @wraps(cases)
        def check(*arguments):
            found = list(cases(*arguments))
            for case in found:
                values = case if isinstance(case, tuple) else (case,)
                if any(math.isnan(value) for value in values if not isinstance(value, str)):
                    raise ValueError(f"a case of {cases.__name__} is not a number: {case}")
            return summary(found)

        return check

    return decorator


@of_cases
def largest(deviations):
    """Number of cases and the largest of their deviations, at least 0."""
    return len(deviations), max(0.0, *map(float, deviations))


@of_cases
def contradictions(found):
    """Number of cases and of those that are true."""
    return len(found), float(sum(found))


@of_cases
def tightest(found):
    """Number of pairs of a deviation and its case, and the pair of the largest deviation."""
    return len(found), *max(found)
