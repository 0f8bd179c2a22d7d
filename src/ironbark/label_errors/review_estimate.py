"""What the answers of a review say."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ReviewEstimate:
    """What the answers say.

    Attributes
    ----------
    n_errors, rate : float
        Expected number and share of wrong labels among all rows that are judged.
    interval : tuple of float
        Of the share, 90 %, valid at all rounds together. Unsure answers count as right in its lower end, else wrong.
    n_answered, n_confirmed : int
        Rows with an answer, and those whose labels are wrong.
    n_left : float
        Expected number of wrong labels that are not confirmed yet, of rows without an answer or with an unsure one.
    next_errors : dict of int to tuple of float
        Expected number of errors among the 10, 20, 50 and 100 most suspicious rows without an answer, with an
        approximate 90 % band: (expected, lower, upper).
    others : float
        Expected number of errors among 20 of all rows without an answer or with an unsure one.
    goes_on : bool
        Whether at least `cost` errors are expected among the next 20 of these rows, or among 20 of all rows without an
        answer, once 20 rows of `sample` have one.
    n_rows, n_waiting : int
        Rows that are judged; answers to rows of `sample` that the interval leaves out, since one before them has none.
    """

    n_errors: float
    rate: float
    interval: tuple
    n_answered: int
    n_confirmed: int
    n_left: float
    next_errors: dict
    others: float
    goes_on: bool
    n_rows: int
    n_waiting: int
