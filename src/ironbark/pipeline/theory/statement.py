"""A statement of a paper, how it is checked, and what came out."""

from typing import NamedTuple


class Statement(NamedTuple):
    """A statement with its check.

    Attributes
    ----------
    id : str
        Such as ``I5``; where the paper has a number of its own, it stands in `text`.
    text : str
        What is stated.
    how : str
        What is compared with what.
    tolerance : float
        Largest deviation at which the statement counts as confirmed; 0 where things are counted.
    check : callable
        ``check(rng) -> (cases, deviation)``: how many cases were tried, and the largest deviation, or the number of
        contradictions where `tolerance` is 0.
    """

    id: str
    text: str
    how: str
    tolerance: float
    check: object


class Outcome(NamedTuple):
    """What the check of a statement gave."""

    statement: Statement
    cases: int
    deviation: float

    @property
    def holds(self):
        return self.cases > 0 and self.deviation <= self.statement.tolerance
