"""Golden fits of single trees that choose their price of pruning."""

from functools import partial

from golden.cases import Case
from golden.pruning import ODD, chosen_of
from golden.tables import shares
from golden.trees import Tree, table, whole

DATA = partial(table, n_classes=3, n=120)
TABLES = {
    "plain": DATA,
    "weights": partial(table, n=120, weights=shares),
    "gaps": partial(DATA, gaps=True),
    "many classes": partial(table, n_classes=30, n=120),
    **ODD,
}
CASES = {"chosen among": Case(DATA, whole(Tree, "entropy", ccp_alpha=[0.3, 0.002]), chosen_of)}
CASES["compat"] = Case(DATA, whole(Tree, ccp_alpha="auto", compat="rdts"), chosen_of)
for name, rows in TABLES.items():
    limits = {"min_samples_split": 200} if name.startswith("most") else {}
    CASES[name] = Case(rows, whole(Tree, ccp_alpha="auto", **limits), chosen_of)
