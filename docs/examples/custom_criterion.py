"""
A custom splitting criterion
============================

Write a criterion as a function of the class counts of the two children. This one is the decrease of Tsallis entropy.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons

from ironbark import RobustDecisionTreeClassifier
from ironbark.noise import corrupt


def tsallis(left, right, params):
    """Gain of a split for each sample, symmetric in the two children; numba compiles it."""
    order = params[0]
    n_left = n_right = 0
    for k in range(len(left)):
        n_left += left[k]
        n_right += right[k]
    n, gain = n_left + n_right, 0.0
    for k in range(len(left)):
        gain += n_left * (left[k] / n_left) ** order + n_right * (right[k] / n_right) ** order
        gain -= n * ((left[k] + right[k]) / n) ** order
    return gain / n / (order - 1.0)


# %%
# The gain of a split of 60 balanced samples, by the share of class 0 in a left child of 30.

shares = np.linspace(0.0, 1.0, 61)
figure, axis = plt.subplots(layout="constrained")
for order in (0.5, 2.0, 6.0):
    gains = [tsallis(30 * np.array([p, 1 - p]), 30 * np.array([1 - p, p]), [order]) for p in shares]
    axis.plot(shares, np.divide(gains, max(gains)), label=f"order {order:g}")
axis.set(xlabel="Share of class 0 in the left child", ylabel="Gain relative to a pure split")
axis.legend()

# %%
# Trees of two orders on noisy moons. Order 2 is the Gini impurity.

X, y = make_moons(400, noise=0.2, random_state=0)
noisy = corrupt("uniform", None, y, rate=0.2, random_state=0)
x0, x1 = np.meshgrid(np.linspace(-1.7, 2.7, 200), np.linspace(-1.2, 1.7, 200))
figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained", sharey=True)
for axis, order in zip(axes, (0.5, 6.0), strict=True):
    tree = RobustDecisionTreeClassifier(tsallis, criterion_params=[order], random_state=0).fit(X, noisy)
    axis.contourf(x0, x1, tree.predict(np.c_[x0.ravel(), x1.ravel()]).reshape(x0.shape), cmap="coolwarm", alpha=0.3)
    axis.scatter(*X.T, c=noisy, cmap="coolwarm", s=8)
    axis.set_title(f"order {order:g}: accuracy {100 * tree.score(X, y):.0f} % on the true labels")
