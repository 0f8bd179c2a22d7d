"""All statements, checked one after the other."""

from ironbark.pipeline.theory import gain_statements, loss_statements, tree_statements
from ironbark.pipeline.theory.statement import Outcome
from ironbark.seeding import generator

STATEMENTS = (*gain_statements.STATEMENTS, *tree_statements.STATEMENTS, *loss_statements.STATEMENTS)


def run(statements=STATEMENTS):
    """Check statements, each with random numbers of its own.

    Returns
    -------
    list of Outcome
        In order of their ids.
    """
    found = [Outcome(each, *each.check(generator("theory", each.id))) for each in statements]
    return sorted(found, key=_place)


def _place(outcome):
    name = outcome.statement.id
    return int("".join(filter(str.isdigit, name))), name
