"""
Robust boosting
===============

Follow the test accuracy of boosters along the rounds, with and without wrong labels.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split

from ironbark import AdaBoostClassifier, BrownBoostClassifier, LogitBoostClassifier, RobustBoostClassifier
from ironbark.noise import corrupt

X, y = make_classification(1000, 10, n_informative=5, random_state=3)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0)

# %%
# RobustBoost and BrownBoost reduce the weights of samples that are wrong again and again.
# On these data the best accuracy under noise is about the same for all four.

figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained", sharey=True)
for axis, rate in zip(axes, (0.0, 0.2), strict=True):
    noisy = corrupt("uniform", None, y_train, rate=rate, random_state=0)
    boosters = [AdaBoostClassifier(), LogitBoostClassifier(), BrownBoostClassifier(), RobustBoostClassifier()]
    for booster in boosters:
        booster.set_params(random_state=0, max_leaf_nodes=4).fit(X_train, noisy)
        right = [(margin > 0) == (y_test == 1) for margin in booster.staged_decision_function(X_test)]
        rounds = np.arange(1, len(right) + 1)
        axis.plot(rounds, 100 * np.mean(right, axis=1), label=type(booster).__name__.removesuffix("Classifier"))
    axis.set(title=f"{100 * rate:.0f} % wrong training labels", xlabel="Round", xscale="log")
axes[0].set_ylabel("Test accuracy (%)")
axes[1].legend()
