"""A classifier of each kind, quick to fit."""

import pytest

import ironbark

TREE = ironbark.RobustDecisionTreeClassifier(random_state=0, ccp_alpha=0.0)
FOREST = ironbark.RobustRandomForestClassifier(3, bootstrap=False, random_state=0, ccp_alpha=0.0)
BINARY = [ironbark.AdaBoostClassifier(n_estimators=3), ironbark.RMBoostClassifier(n_estimators=2)]
CORRECTED = ironbark.NoiseCorrectedClassifier(ironbark.RobustRandomForestClassifier(9, random_state=0))
GBDT = [ironbark.RobustXGBClassifier(n_estimators=3), ironbark.RobustLGBMClassifier(n_estimators=3)]
MODELS = [TREE, FOREST, *BINARY, CORRECTED, *GBDT]


def each(models):
    return pytest.mark.parametrize("model", models, ids=lambda model: type(model).__name__)
