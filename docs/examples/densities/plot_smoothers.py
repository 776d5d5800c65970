"""
Smoothers
=========

Kernel regression with local means is biased at the ends, where all neighbours lie on one side;
with local straight lines it is not. A smoothing spline chooses its smoothness by generalised
cross-validation and continues as a straight line beyond the data.
"""

import matplotlib.pyplot as plt
import numpy as np

from gramian import KernelRegressor, SmoothingSpline
from gramian.plot import plot_fits

rng = np.random.default_rng(2)
x = np.sort(rng.uniform(0, 6, 80))
y = np.sin(x) + x / 2 + rng.normal(0, 0.25, 80)
X = x[:, None]

fits = {
    "local means": KernelRegressor(bandwidth=0.4).fit(X, y).predict,
    "local lines": KernelRegressor(bandwidth=0.4, degree=1).fit(X, y).predict,
    "smoothing spline": SmoothingSpline().fit(X, y).predict,
    "spline, lam=100": SmoothingSpline(100.0).fit(X, y).predict,
}
figure, ax = plt.subplots(figsize=(8, 5), layout="constrained")
plot_fits(x, y, fits, ax=ax)
plt.show()
