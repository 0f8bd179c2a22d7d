"""
Cost-complexity path
====================

Plot the score that chooses the pruning price, and check the choice with labels that the forest did not see.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split

from ironbark import RobustRandomForestClassifier
from ironbark.noise import corrupt

X, y = make_classification(2000, 10, n_informative=5, random_state=0)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0)
noisy = corrupt("uniform", None, y_train, rate=0.3, random_state=0)
forest = RobustRandomForestClassifier(random_state=0).fit(X_train, noisy)

# %%
# The Brier score uses out-of-bag predictions and noisy labels. The accuracy of the same prices on clean test labels has
# its best value near the same price.

prices, scores = forest.ccp_path_["ccp_alpha"], forest.ccp_path_["brier_score"]
accuracy = [
    100 * RobustRandomForestClassifier(ccp_alpha=price, random_state=0).fit(X_train, noisy).score(X_test, y_test)
    for price in prices
]

figure, axes = plt.subplots(2, 1, layout="constrained", sharex=True)
axes[0].plot(prices, scores, marker="o")
axes[0].set(ylabel="Brier score, noisy labels", xscale="symlog")
axes[1].plot(prices, accuracy, marker="o", color="C1")
axes[1].set(ylabel="Test accuracy (%)", xlabel="Price per leaf")
axes[1].set_xscale("symlog", linthresh=prices[1])
for axis in axes:
    axis.axvline(forest.ccp_alpha_, color="black", linestyle=":")
