"""Golden fits of AdaBoost."""

from functools import partial

from golden.cases import Case
from golden.stagewise import kept, of_any, table

from ironbark import AdaBoostClassifier

SLOW = partial(AdaBoostClassifier, n_estimators=8, learning_rate=0.3, random_state=0)

CASES = {**dict(of_any(AdaBoostClassifier)), "learning rate": Case(table, SLOW, kept)}
