"""
A self-tuned forest under label noise
=====================================

Compare ``RobustRandomForestClassifier`` with scikit-learn's forest while the share of wrong labels grows. Both use
their default parameters.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split

from ironbark import RobustRandomForestClassifier
from ironbark.noise import corrupt

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.4, random_state=0)

# %%
# Only the training labels are corrupted. Accuracy is measured on clean test labels.

rates = [0.0, 0.2, 0.4, 0.6]
forests = {
    "ironbark, self-tuned": RobustRandomForestClassifier(random_state=0),
    "scikit-learn": RandomForestClassifier(random_state=0),
}
accuracy = {name: [] for name in forests}
for rate in rates:
    noisy = corrupt("uniform", None, y_train, rate=rate, random_state=0)
    for name, forest in forests.items():
        accuracy[name].append(forest.fit(X_train, noisy).score(X_test, y_test))

figure, axis = plt.subplots(layout="constrained")
for name, values in accuracy.items():
    axis.plot(rates, np.multiply(100, values), marker="o", label=name)
axis.set(xlabel="Share of wrong training labels", ylabel="Accuracy (%)")
axis.legend()

# %%
# The forest chose this pruning price on the labels with 60 % noise:

print(forests["ironbark, self-tuned"].ccp_alpha_)
