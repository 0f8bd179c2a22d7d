"""
Clean the labels, then train
============================

Wrap a classifier that is sensitive to label noise in ``CleanedClassifier``, which removes, relabels or downweights the
suspicious samples of the training set.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from ironbark import CleanedClassifier
from ironbark.noise import corrupt

X, y = load_breast_cancer(return_X_y=True)
tree = DecisionTreeClassifier(random_state=0)
models = {"no cleaning": tree}
models |= {action: CleanedClassifier(tree, action=action, random_state=0) for action in ("drop", "relabel", "weight")}

# %%
# Five splits with 20 % wrong training labels.

accuracy = {name: [] for name in models}
for seed in range(5):
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.4, random_state=seed)
    noisy = corrupt("uniform", None, y_train, rate=0.2, random_state=seed)
    for name, model in models.items():
        accuracy[name].append(100 * model.fit(X_train, noisy).score(X_test, y_test))

figure, axis = plt.subplots(layout="constrained")
for position, values in enumerate(accuracy.values()):
    axis.plot(np.full(len(values), position), values, "o", color="C0", alpha=0.5)
    axis.plot(position, np.mean(values), "_", color="black", markersize=30)
axis.set_xticks(range(len(accuracy)), accuracy)
axis.set(ylabel="Accuracy on clean test labels (%)", title="Decision tree, 20 % wrong labels; black: mean")
