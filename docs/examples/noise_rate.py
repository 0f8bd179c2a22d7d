"""
Estimating the noise rate
=========================

Estimate the share of wrong labels, with an interval, and compare it with the true share.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_wine

from ironbark import LabelErrorDetector
from ironbark.noise import corrupt

tables = {"digits": load_digits, "breast cancer": load_breast_cancer, "wine": load_wine}
rates = [0.0, 0.1, 0.2, 0.3]

figure, axis = plt.subplots(layout="constrained")
for shift, (name, load) in zip((-0.008, 0.0, 0.008), tables.items(), strict=True):
    X, y = load(return_X_y=True)
    true, estimates, intervals = [], [], []
    for rate in rates:
        noisy = corrupt("uniform", None, y, rate=rate, random_state=0)
        detector = LabelErrorDetector(random_state=0).fit(X, noisy)
        true.append((noisy != y).mean() + shift)
        estimates.append(detector.noise_rate_)
        intervals.append(detector.noise_rate_interval_)
    low, high = np.transpose(intervals)
    errors = np.maximum([estimates - low, high - estimates], 0)
    axis.errorbar(true, estimates, errors, fmt="o", capsize=3, label=f"{name}, {len(y)} samples")
axis.plot([0, 0.35], [0, 0.35], ":", color="black")
axis.set(xlabel="True share of wrong labels", ylabel="Estimate, 0 and nominal 95 % upper bound")
axis.legend()
