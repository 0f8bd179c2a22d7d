"""A splitting criterion as the least mean loss of a node: Table I of the pairwise-gain paper, checked numerically.

Yang, Gao and Li (2019), Eq. (1): a split reduces the sum over the node of a pointwise loss, each side with its best
constant output. So the impurity that belongs to a loss is the least mean loss that one output can reach.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ironbark.pipeline.analysis.tables.result_table import Table

SHARES = np.arange(1, 40) / 40  # of class 1 in the node
N_SAMPLES, SEED = 20, 0  # regression targets of the check
GRID, ROUNDS = 2001, 8  # outputs tried at a time, and how often the search closes in on the best


@dataclass(frozen=True)
class Pair:
    """A row of the table."""

    task: str
    criterion: str
    loss: str
    formula: str
    loss_of: Callable  # loss of outputs w and targets y, arrays that broadcast; a class is y = 1 or -1
    closed_form: Callable  # least mean loss of a node, from the share of class 1 or from the targets


CLASSES, NUMBERS = "Classification", "Regression"

PAIRS = (
    Pair(
        CLASSES,
        "Gini impurity",
        "Square loss",
        "2p(1-p)",
        lambda w, y: 2 * (w - (y + 1) / 2) ** 2,  # over both entries of the class's unit vector
        lambda p: 2 * p * (1 - p),
    ),
    Pair(
        CLASSES,
        "Information gain",
        "Softmax loss",
        "-p ln p - (1-p) ln(1-p)",
        lambda w, y: np.logaddexp(0, -y * w),
        lambda p: -p * np.log(p) - (1 - p) * np.log(1 - p),
    ),
    Pair(
        CLASSES,
        "Sum minority",
        "0-1 loss",
        "min(p, 1-p)",
        lambda w, y: (y * np.where(w > 0, 1, -1) < 0).astype(float),
        lambda p: min(p, 1 - p),
    ),
    Pair(
        CLASSES,
        "DKM",
        "Exponential loss",
        "2 sqrt(p(1-p))",
        lambda w, y: np.exp(-y * w),
        lambda p: 2 * np.sqrt(p * (1 - p)),
    ),
    Pair(
        NUMBERS,
        "Variance reduction",
        "Square loss",
        "mean squared distance from the mean",
        lambda w, y: (y - w) ** 2,
        lambda y: np.mean((y - np.mean(y)) ** 2),
    ),
    Pair(
        NUMBERS,
        "Mean absolute error",
        "Absolute loss",
        "mean distance from a median",
        lambda w, y: np.abs(y - w),
        lambda y: np.mean(np.abs(y - np.median(y))),
    ),
)


def nodes(task):
    """Nodes of the check, as tuples of targets, their weights, and what the closed form takes."""
    if task == CLASSES:
        return [(np.array([1.0, -1.0]), np.array([p, 1 - p]), p) for p in SHARES]
    rng, found = np.random.default_rng(SEED), []
    for n in range(2, 2 + N_SAMPLES):
        y = rng.normal(size=n).round(1)  # with ties
        found.append((y, np.full(n, 1 / n), y))
    return found


def least_loss(loss_of: Callable, targets: np.ndarray, weights: np.ndarray):
    """Least mean loss of one output, by trying outputs on ever finer grids around the best."""
    low, high = min(-10.0, targets.min()), max(10.0, targets.max())
    for _ in range(ROUNDS):
        outputs = np.linspace(low, high, GRID)
        means = loss_of(outputs[:, None], targets) @ weights
        best, step = outputs[means.argmin()], (high - low) / (GRID - 1)
        low, high = best - step, best + step
    return float(means.min())


def deviation(pair):
    """Largest difference between the least loss found and the closed form, over `nodes`."""
    return max(
        abs(least_loss(pair.loss_of, targets, weights) - float(pair.closed_form(about)))
        for targets, weights, about in nodes(pair.task)
    )


def build(data, spec, context) -> Table:
    """Table I with the numeric check."""
    values = pd.DataFrame(
        [(p.task, p.criterion, p.loss, p.formula, deviation(p)) for p in PAIRS],
        columns=["task", "criterion", "loss", "least_loss", "largest_deviation"],
    )
    index = pd.MultiIndex.from_frame(values[["task", "criterion"]], names=["Task", "Splitting criterion"])
    shown = {"Loss function": values["loss"], "Least mean loss of a node": values["least_loss"]}
    shown["Largest deviation"] = values["largest_deviation"].map("{:.0e}".format)
    frame = pd.DataFrame(shown).set_axis(index)
    notes = [
        "p: share of class 1 in the node. Largest deviation: between that formula and the least mean loss found by "
        f"trying outputs, over {len(SHARES)} values of p, or {N_SAMPLES} sets of 2 to {N_SAMPLES + 1} numbers."
    ]
    return Table(frame, values, pd.DataFrame(False, index, frame.columns), spec.get("caption", ""), notes)
