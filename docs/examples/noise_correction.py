"""
Noise correction with a known matrix
====================================

Correct the probabilities of a forest when the rates at which the classes are confused are known.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split

from ironbark import NoiseCorrectedClassifier, RobustRandomForestClassifier
from ironbark.noise import corrupt

X, y = make_classification(4000, 8, n_informative=4, class_sep=0.8, flip_y=0.0, random_state=1)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0)

# %%
# 40 % of class 1 and 5 % of class 0 carry the other label.

matrix = [[0.95, 0.05], [0.4, 0.6]]
noisy = corrupt("matrix", None, y_train, matrix=matrix, random_state=0)

plain = RobustRandomForestClassifier(random_state=0).fit(X_train, noisy)
corrected = NoiseCorrectedClassifier(noise_matrix=matrix, random_state=0).fit(X_train, noisy)

# %%
# Without the correction, probabilities of class 1 are far below its frequencies.

figure, axis = plt.subplots(layout="constrained")
for name, model in {"no correction": plain, "known matrix": corrected}.items():
    p = model.predict_proba(X_test)[:, 1]
    bins = np.minimum((5 * p).astype(int), 4)
    points = [(p[bins == b].mean(), y_test[bins == b].mean()) for b in np.unique(bins)]
    label = f"{name}: accuracy {100 * model.score(X_test, y_test):.1f} %"
    axis.plot(*zip(*points, strict=True), marker="o", label=label)
axis.plot([0, 1], [0, 1], ":", color="black")
axis.set(xlabel="Predicted probability of class 1", ylabel="Share of class 1")
axis.legend()
