"""A statement of a paper, how it is checked, and what came out."""

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
    tolerance : float
        Largest deviation at which the statement counts as confirmed; 0 where things are counted.
    check : callable
        ``check(rng) -> (cases, deviation)`` or ``(cases, deviation, tightest)``: how many cases were tried, and the
        largest deviation, or the number of contradictions where `tolerance` is 0. The deviation from a bound is the
        left side less the right side, below 0 if the bound is never reached. `tightest` describes the case of the
        largest deviation.
    condition : str, default=""
        What the paper does not say and the statement needs; `check` keeps to it.
    refuted : bool, default=False
        Whether the statement is wrong; `check` has to find a deviation above the tolerance.
    """

    id: str
    text: str
    how: str
    tolerance: float
    check: object
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
