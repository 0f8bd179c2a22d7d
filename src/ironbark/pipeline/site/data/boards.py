"""Leaderboards of many selections of data sets and noises, computed ahead for the browser."""

import numpy as np
import pandas as pd

from ironbark.pipeline.analysis.statistics import against_best, elo, ranks
from ironbark.pipeline.analysis.tables.ranks.leaderboard import normalised
from ironbark.pipeline.site.data import names
from ironbark.pipeline.site.data.aggregates import SECONDS, SHOWN

ALL = "*"  # in place of a data set
FEWEST_NOISES = 2  # of a selection on one data set: with a single noise, its cells say all
MOST_RATED = 60  # methods for which there are Elo ratings under some of the noises too; 100 take 16 seconds a board


def of_metric(cells, metric, described, *, main):
    """Leaderboards of one task by one metric.

    Parameters
    ----------
    cells : dict
        Of `ironbark.pipeline.site.data.aggregates.Aggregates`.
    metric : str
    described : dict
        Of `ironbark.pipeline.site.data.names.describe`.
    main : bool
        Whether to compute Elo ratings and wins over all data sets, which take most of the time: for all noises, and for
        groups of noises if there are at most `MOST_RATED` methods.

    Returns
    -------
    dict
        Keys boards (list of `board`) and places ("data set|kind|rate" -> index of its board). `ALL` and
        `ironbark.pipeline.site.data.names.ANY` stand for all.
    """
    found, places = [], {}
    there = set(cells[metric]["noise_id"])
    selections = names.selections({name: about for name, about in described.items() if name in there})
    for dataset in (ALL, *dict.fromkeys(cells[metric]["dataset"])):
        known = {}
        standing = Standing(cells, metric, None if dataset == ALL else dataset)
        for key, noises in selections.items():
            if dataset != ALL and len(noises) < FEWEST_NOISES:
                continue
            if tuple(noises) not in known:
                rated = main and dataset == ALL and _is_rated(standing, noises, there)
                made = standing.board(noises, main=rated)
                known[tuple(noises)] = len(found) if made else None
                found += [made] if made else []
            if known[tuple(noises)] is not None:
                places[f"{dataset}|{key}"] = known[tuple(noises)]
    return {"boards": found, "places": places}


def _is_rated(standing, noises, there):
    return len(noises) == len(there) or (len(noises) >= FEWEST_NOISES and standing.scores.shape[1] <= MOST_RATED)


class Standing:
    """Ranks and scores of methods in the settings that all of them have finished.

    Parameters
    ----------
    cells, metric
        As in `of_metric`.
    dataset : str or None
        Only settings of this data set.
    chosen : dict of str to list of str
        Ids that are kept of the columns dataset, noise_id and method.
    """

    def __init__(self, cells, metric, dataset=None, chosen=None):
        chosen = (chosen or {}) | ({"dataset": [dataset]} if dataset else {})
        part = cells[metric]
        for column, ids in chosen.items():
            part = part[part[column].isin(ids)]
        self.sign = 1 if SHOWN[metric].larger_is_better else -1
        self.scores, self.dropped = ranks.scores(part)
        self.scores *= self.sign
        self.ranks = ranks.setting_ranks(self.scores)
        self.normalised = normalised(self.scores)
        cost = cells[SECONDS].pivot(index=ranks.SETTING, columns="method", values="mean")
        self.log_seconds = np.log(cost.reindex(index=self.scores.index, columns=self.scores.columns))
        self.datasets = self.scores.index.get_level_values("dataset")
        self.noises = self.scores.index.get_level_values("noise_id")

    def board(self, noises=None, *, main):
        """Methods in the order of their average ranks, as lists; None if no two methods have a common setting.

        Returns
        -------
        dict or None
            Keys methods, rank, mean (of the metric), score (normalised), seconds, settings, datasets, dropped (settings
            that some method has not finished, of all noises); for several data sets also low and high (quartiles of
            the ranks), p (see `ironbark.pipeline.analysis.statistics.against_best.over_datasets`), difference
            (critical) and groups (first and last place); of `main` boards also elo (rating and interval) and wins (in
            percent, rows win against columns).
        """
        at = np.ones(len(self.scores), bool) if noises is None else self.noises.isin(noises)
        if not at.any() or self.scores.shape[1] < 2:
            return None
        rank = self.ranks[at].mean().sort_values(kind="stable")
        found = {"methods": list(rank.index), "rank": rank, "mean": self.sign * self._mean(self.scores, at)[rank.index]}
        found["score"] = self._mean(self.normalised, at)[rank.index]
        found["seconds"] = np.exp(self.log_seconds[at].mean()[rank.index])
        found |= {"settings": int(at.sum()), "datasets": self.datasets[at].nunique(), "dropped": self.dropped}
        if found["datasets"] > 1 or main:
            found |= self._compared(rank, at)
        return found | _rated(self.scores.loc[at, rank.index]) if main else found

    def _mean(self, values, at):
        """Mean of the means of data sets, so that each counts once."""
        return (ranks.by_dataset(values[at]) if self.datasets.nunique() > 1 else values[at]).mean()

    def _compared(self, rank, at):
        means = ranks.by_dataset(self.scores.loc[at, rank.index])
        difference = ranks.critical_difference(len(rank), int(at.sum()))
        names = list(rank.index)
        groups = [[names.index(group[0]), names.index(group[-1])] for group in ranks.groups(rank, difference)]
        quartiles = self.ranks.loc[at, names].quantile([0.25, 0.75])
        found = {"low": quartiles.iloc[0], "high": quartiles.iloc[1], "p": against_best.over_datasets(means)}
        return found | {"difference": difference, "groups": groups}


def _rated(scores):
    shares = elo.wins(scores)
    low, high = elo.shown_intervals(shares)
    return {
        "elo": pd.Series(elo.ratings(shares.sum(axis=0))),
        "elo_low": low,
        "elo_high": high,
        "wins": np.round(100 * shares.mean(axis=0)).astype(int).tolist(),
    }
