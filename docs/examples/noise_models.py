"""
Noise models on a toy set
=========================

Corrupt the labels of two moons in six ways. The color is the noisy label, and a ring marks a label that changed.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_moons

from ironbark.noise import corrupt

X, y = make_moons(300, noise=0.2, random_state=0)

# %%
# Each model has a name and a rate. Some models use the features, so ``X`` is passed to all of them.

noises = {
    "clean": None,
    "uniform": 0.2,
    "class_conditional": (0.05, 0.35),
    "borderline": 0.2,
    "threshold": 0.2,
    "adversarial": 0.2,
}
figure, axes = plt.subplots(2, 3, figsize=(9, 6), layout="constrained", sharex=True, sharey=True)
for axis, (name, rate) in zip(axes.flat, noises.items(), strict=True):
    noisy = corrupt(name, X, y, rate=rate, random_state=0)
    wrong = noisy != y
    axis.scatter(*X.T, c=noisy, cmap="coolwarm", s=12)
    axis.scatter(*X[wrong].T, s=50, facecolors="none", edgecolors="black", linewidths=0.8)
    axis.set(title=f"{name}: {wrong.sum()} wrong", xticks=[], yticks=[])
