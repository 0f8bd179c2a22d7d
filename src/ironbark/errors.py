"""Exception type for mistakes that a user can fix."""

import contextlib


class InputError(ValueError):
    """A mistake in a config file, a data set or an argument.

    The message is one sentence that names the culprit and the remedy. Commands print it without a traceback.

    Examples
    --------
    >>> import ironbark
    >>> try:
    ...     ironbark.RobustDecisionTreeClassifier("ginni").fit([[0.0], [1.0]], [0, 1])
    ... except ironbark.InputError as error:
    ...     print(error)
    unknown criterion 'ginni'; did you mean 'gini'?
    """


class MissingPackage(InputError, ImportError):
    """An optional package that is not installed."""


@contextlib.contextmanager
def located(place: str):
    """Let an InputError that is raised within name the place."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
