"""
Transition matrices
===================

Compare the matrix that generated the noise with its estimates from 300 checked samples and from the labels alone.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_blobs

from ironbark import NoiseCorrectedClassifier
from ironbark.noise import corrupt

X, y = make_blobs(3000, centers=4, cluster_std=1.8, random_state=3)
matrix = np.array([[0.9, 0.1, 0.0, 0.0], [0.0, 0.6, 0.4, 0.0], [0.0, 0.0, 0.8, 0.2], [0.1, 0.0, 0.0, 0.9]])
noisy = corrupt("matrix", None, y, matrix=matrix, random_state=0)

# %%
# For the trusted samples, the true label is passed.

trusted = np.arange(len(y)) < 300
some = NoiseCorrectedClassifier(random_state=0).fit(X, np.where(trusted, y, noisy), trusted=trusted)
alone = NoiseCorrectedClassifier(random_state=0).fit(X, noisy)

figure, axes = plt.subplots(1, 3, figsize=(9, 3.4), layout="constrained")
shown = {"true": matrix, "300 trusted samples": some.noise_matrix_, "labels alone": alone.noise_matrix_}
for axis, (name, values) in zip(axes, shown.items(), strict=True):
    axis.imshow(values, cmap="Blues", vmin=0, vmax=1)
    for (i, j), value in np.ndenumerate(values):
        axis.text(j, i, f"{value:.2f}", ha="center", va="center", color="white" if value > 0.5 else "black")
    axis.set(title=name, xlabel="label", xticks=range(4), yticks=range(4))
axes[0].set_ylabel("true class")
