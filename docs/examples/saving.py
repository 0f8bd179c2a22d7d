"""
Saving without pickle
=====================

Save a forest to an archive of arrays and load it. Loading runs no code of the file.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons

import ironbark
from ironbark import RobustRandomForestClassifier

X, y = make_moons(500, noise=0.3, random_state=0)
forest = RobustRandomForestClassifier(random_state=0).fit(X, y)

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "forest.npz"
    ironbark.save(forest, path)
    loaded = ironbark.load(path)
    with np.load(path) as archive:
        print(f"{path.stat().st_size / 1000:.0f} kB:", ", ".join(archive.files[:6]), "...")

# %%
# The loaded forest predicts the same probabilities, bit for bit.

x0, x1 = np.meshgrid(np.linspace(-2, 3, 150), np.linspace(-1.5, 2, 150))
grid = np.c_[x0.ravel(), x1.ravel()]
assert np.array_equal(forest.predict_proba(grid), loaded.predict_proba(grid))

figure, axis = plt.subplots(layout="constrained")
shares = axis.contourf(x0, x1, loaded.predict_proba(grid)[:, 1].reshape(x0.shape), 20, cmap="coolwarm", alpha=0.7)
axis.scatter(*X.T, c=y, cmap="coolwarm", s=10, edgecolors="black", linewidths=0.3)
figure.colorbar(shares, label="Probability of class 1, loaded forest")
