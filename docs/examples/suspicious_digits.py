"""
Suspicious digits
=================

Rank the labels of handwritten digits by their quality and look at the worst ones. 5 % of the labels were changed.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits

from ironbark import LabelErrorDetector
from ironbark.noise import corrupt

X, y = load_digits(return_X_y=True)
noisy = corrupt("uniform", None, y, rate=0.05, random_state=0)
detector = LabelErrorDetector(random_state=0).fit(X, noisy)
wrong, found = noisy != y, detector.is_error_
print(f"{wrong.sum()} labels are wrong; {found.sum()} are called errors, {wrong[found].sum()} of them correctly")

# %%
# Each title gives the label and the most likely other class. The title is red if the label is right.

figure, axes = plt.subplots(3, 8, figsize=(9, 4.2), layout="constrained")
for axis, i in zip(axes.flat, detector.ranking_, strict=False):
    axis.imshow(X[i].reshape(8, 8), cmap="gray_r")
    color = "black" if wrong[i] else "red"
    axis.set_title(f"{noisy[i]} → {detector.suggested_labels_[i]}", fontsize=10, color=color)
    axis.axis("off")
