"""
Losses as curves
================

A loss is the cost of a prediction. For a classifier, it is drawn against the margin y f(x), which
is positive where the sign is correct; for regression, it is drawn against the residual y - f(x).
"""

import matplotlib.pyplot as plt
import numpy as np

from gramian.objectives import (
    AbsoluteError,
    EpsilonInsensitive,
    Exponential,
    Hinge,
    LogitMargin,
    SquaredError,
    ZeroOne,
)
from gramian.textbook.figures import plot_losses

# %%
# We would like to minimise the 0/1 loss, but its gradient is zero almost everywhere. The other
# losses are convex upper bounds on it. Squared error also penalises large positive margins; the
# hinge is zero beyond a margin of 1; the exponential loss is the most sensitive to outliers. The
# logarithm is to base 2 here, so that every curve passes through (0, 1).

margin = np.linspace(-2.2, 2.2, 441)
ones = np.ones_like(margin)  # y = 1, so that the score is the margin
for_classes = {
    "0/1": ZeroOne().value(ones, margin),
    "squared": 2 * SquaredError().value(ones, margin),
    "logistic": LogitMargin(1.0).value(ones, margin) / np.log(2),
    "hinge": Hinge().value(ones, margin),
    "exponential": Exponential().value(ones, margin),
}

residual = np.linspace(-3, 3, 601)
for_numbers = {
    "squared": 2 * SquaredError().value(residual, 0 * residual),
    "absolute": AbsoluteError().value(residual, 0 * residual),
    "epsilon-insensitive": EpsilonInsensitive(0.5).value(residual, 0 * residual),
}

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
plot_losses(margin, for_classes, ax=left).set_ylim(0, 4)
plot_losses(residual, for_numbers, xlabel="residual $y - f(x)$", ax=right).set_ylim(0, 4)
plt.show()
