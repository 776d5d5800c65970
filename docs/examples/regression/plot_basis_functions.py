"""
Linear models over basis functions
==================================

y = w_0 + sum_j w_j phi_j(x) is linear in the weights for any functions phi_j, so least squares fits
it as easily as a line. A power of x affects the fit everywhere; bumps and steps act near their
centres.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.pipeline import make_pipeline

from gramian import BasisFeatures, LinearRegression
from gramian.plot import plot_regression_line

rng = np.random.default_rng(3)
x = np.sort(rng.uniform(-1, 1, 40))[:, None]
y = np.sin(4 * x[:, 0]) + 0.5 * (x[:, 0] > 0.2) + rng.normal(scale=0.15, size=40)
grid = np.linspace(-1, 1, 300)[:, None]

# %%
# The upper panels show the columns of the design matrix, the lower panels the fit: their weighted
# sum. The last basis is a user-defined function, with centres and a scale like the others.


def hill(u):
    return 1 / (1 + u**2)


bases = {"polynomial": "polynomial", "gaussian": "gaussian", "sigmoid": "sigmoid", "own": hill}
figure, axes = plt.subplots(
    2, 4, figsize=(13, 5.2), sharex=True, sharey="row", layout="constrained"
)
fitted = {}
for (above, below), (name, basis) in zip(axes.T, bases.items(), strict=True):
    model = make_pipeline(BasisFeatures(basis, 8), LinearRegression()).fit(x, y)
    fitted[name] = model.predict(grid)
    above.plot(grid, model[0].transform(grid), linewidth=1.2)
    above.set_title(f"{name}: {len(model[0].get_feature_names_out())} functions")
    plot_regression_line(x, y, model.predict, ax=below)
    above.set_ylim(-1.1, 1.1)
    below.get_legend().set_visible(name == "polynomial")
plt.show()
