"""Published values of the Robust-GBDT paper."""

import pandas as pd

#: Printed name in the Robust-GBDT paper -> id of the data set, where more than hyphens differ.
IDS = {"SantanderCustomerSatisfaction": "santander"}
TABLES = {"binary": "1", "multiclass": "2"}


def ranks(path) -> pd.DataFrame:
    """Tables 1 and 2 of the Robust-GBDT paper: average ranks over five noise levels."""
    printed = pd.read_csv(path)[["task", "dataset", "method", "average_rank"]]
    ids = printed["dataset"].replace(IDS).str.replace("_", "-")
    return printed.assign(table=printed["task"].map(TABLES), dataset=ids)


def rank_averages(path):
    """The lines "Average" of both tables: columns ``task``, ``method`` and ``published_average``."""
    return pd.read_csv(path)[["task", "method", "published_average"]]
