"""From planned seconds to those of this machine: a least-squares fit to the fits that have run here."""

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from ironbark.pipeline.results.records import TIMINGS

CELL = ["study", "scale", "dataset", "task", "noise_id", "method"]
EFFECTS = (["method"], ["dataset", "task"])
DOUBT = 1.0  # variance of a cell's logarithm around the effects, over the variance of an effect
SPEED_DOUBT = 0.05  # the same for the speed of the machine, of which there is one


@dataclass(frozen=True)
class Calibration:
    """What to multiply planned seconds with."""

    speed: float  # for a cell of which nothing is known but the machine
    effects: dict = field(default_factory=dict)  # (method,) or (data set, task) -> factor
    smear: float = 1.0  # mean over median of the measured cells around the fit: sums are made of means
    cells: int = 0  # measured ones behind it
    spread: float = float("nan")  # factor that two thirds of these are within

    def seconds(self, planned: pd.DataFrame):
        """CPU seconds of a fit on this machine."""
        result = planned["seconds"] * self.speed * self.smear
        for columns in EFFECTS:
            ids = planned[columns].itertuples(index=False, name=None)
            result = result * [self.effects.get(key, 1.0) for key in ids]
        return result


def measured(rows: pd.DataFrame, planned: pd.DataFrame) -> pd.DataFrame:
    """Mean CPU seconds of each finished cell beside the planned ones."""
    done = rows[rows["status"] == "ok"]
    spent = done[[*TIMINGS]].sum(axis=1).groupby([done[column] for column in CELL]).mean()
    return planned.merge(spent[spent > 0].rename("measured").reset_index(), on=CELL)


def calibrate(cells: pd.DataFrame, speed: float = 1.0) -> Calibration:
    """Fit the speed of the machine and the effects of methods and data sets.

    Ridge regression of ``log(measured / (planned speed))`` on a constant and indicators, that is least squares with the
    effects drawn towards none: what has been measured often counts in full, what never was stays as planned.
    """
    if cells.empty:
        return Calibration(speed)
    y = np.log((cells["measured"] / (cells["seconds"] * speed)).to_numpy())
    groups = [pd.MultiIndex.from_frame(cells[columns]) for columns in EFFECTS]
    codes = [group.factorize() for group in groups]
    X = np.hstack([np.ones((len(cells), 1)), *(np.eye(len(known))[code] for code, known in codes)])
    penalty = np.full(X.shape[1], DOUBT)
    penalty[0] = SPEED_DOUBT
    solution = np.linalg.solve(X.T @ X + np.diag(penalty), X.T @ y)
    names = [key for _, known in codes for key in known]
    effects = dict(zip(names, np.exp(solution[1:]).tolist(), strict=True))
    rest = y - X @ solution
    smear, spread = np.exp(rest).mean(), np.exp(np.quantile(np.abs(rest), 2 / 3))
    return Calibration(speed * float(np.exp(solution[0])), effects, float(smear), len(cells), float(spread))
