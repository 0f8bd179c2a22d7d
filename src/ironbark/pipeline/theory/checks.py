"""All statements, checked one after the other."""

from ironbark.entries import find
from ironbark.pipeline.theory.statements import (
    concentration_statements,
    curvature_statements,
    gain_statements,
    loss_statements,
    minimax_statements,
    tree_statements,
)
from ironbark.pipeline.theory.statements.statement import Outcome
from ironbark.seeding import generator

_TREES = (*gain_statements.STATEMENTS, *tree_statements.STATEMENTS, *loss_statements.STATEMENTS)

#: Paper -> statements. Those on criteria and trees are all listed for the first paper.
STATEMENTS = {
    "ane": _TREES,
    "pg": tuple(statement for statement in _TREES if statement.text.startswith("PG")),
    "rmb": (*minimax_statements.STATEMENTS, *concentration_statements.STATEMENTS),
    "rgbdt": curvature_statements.STATEMENTS,
}


def of_paper(paper="ane"):
    """Outcomes of the statements of a paper.

    Raises
    ------
    InputError
        If there are no statements of this paper.
    """
    return run(find("paper", paper, STATEMENTS)[1])


def run(statements):
    """Check statements, each with random numbers that only depend on its id.

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
