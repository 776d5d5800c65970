"""
Losses as curves
================

A loss says what a prediction costs. For a classifier the curve runs over the margin y f(x), which
is positive where the sign is right; for a regression over the residual y - f(x).
"""

import matplotlib.pyplot as plt
import numpy as np

from gramian.plot import plot_losses

# %%
# The 0/1 loss is what one would like to minimise and cannot: it is flat almost everywhere. The
# others lie above it and are convex. Squared error punishes points for being right by too much;
# hinge stops caring beyond a margin of 1; exponential loss never forgives an outlier. The
# logarithm is to base 2 here, so that every curve passes through (0, 1).

margin = np.linspace(-2.2, 2.2, 441)
for_classes = {
    "0/1": np.where(margin < 0, 1.0, 0.0),
    "squared": (1 - margin) ** 2,
    "logistic": np.log2(1 + np.exp(-margin)),
    "hinge": np.maximum(1 - margin, 0),
    "exponential": np.exp(-margin),
}

residual = np.linspace(-3, 3, 601)
for_numbers = {
    "squared": residual**2,
    "absolute": np.abs(residual),
    "epsilon-insensitive": np.maximum(np.abs(residual) - 0.5, 0),
}

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
plot_losses(margin, for_classes, ax=left).set_ylim(0, 4)
plot_losses(residual, for_numbers, xlabel="residual $y - f(x)$", ax=right).set_ylim(0, 4)
plt.show()
