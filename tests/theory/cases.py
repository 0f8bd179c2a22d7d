"""Tests of statements: generators of cases, each of which must keep to a limit."""

from functools import wraps


def at_most(limit=0):
    """Make a test of a generator of deviations, or of pairs of a deviation and its case; NaN and no cases fail."""

    def decorator(cases):
        @wraps(cases)
        def test(*arguments, **named):
            found = [case if isinstance(case, tuple) else (case, "") for case in cases(*arguments, **named)]
            wrong = [case for case in found if not case[0] <= limit]
            assert found, f"{cases.__name__} has no cases"
            assert not wrong, f"{len(wrong)} of {len(found)} cases, such as {max(wrong, key=lambda case: case[0])}"

        return test

    return decorator
