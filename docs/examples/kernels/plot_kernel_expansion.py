"""
A decision function is a sum of kernels
=======================================

Every kernel method fits f(x) = sum_i a_i k(x_i, x). With the Gaussian kernel, f has a hill at
each row of one class and a hollow at each row of the other; the boundary is where the two cancel
out.
"""

import matplotlib.pyplot as plt
import numpy as np

from gramian.kernels import RBF
from gramian.linear_model import KernelLogisticRegression, KernelPerceptron
from gramian.plot import plot_score_contours

# %%
# Six points
# ----------
#
# The weights of the kernel perceptron are counts of mistakes, with the sign of the class. Kernels
# that are narrow compared with the distances form separate bumps; wide ones add up to a smooth
# surface.

points = np.array([[0.0, 0.0], [1.0, 0.6], [-0.8, 0.7], [2.2, 2.0], [-2.0, 2.1], [0.3, -2.4]])
labels = np.array([1, 1, 1, 0, 0, 0])
figure = plt.figure(figsize=(11, 4.6), layout="constrained")
surfaces = {}
for place, width in enumerate((0.4, 1.2), start=1):
    model = KernelPerceptron(kernel=RBF.from_length_scale(width)).fit(points, labels)
    surfaces[width] = model
    ax = figure.add_subplot(1, 2, place, projection="3d")
    plot_score_contours(model.decision_function, points, labels, resolution=80, ax=ax)
    ax.set_title(f"length scale {width}")
plt.show()

# %%
# Many points
# -----------
#
# Kernel logistic regression on two rings with noise, for three length scales. The narrow kernel
# follows single points; the wide one is nearly a quadratic boundary.

rng = np.random.default_rng(0)
radius = np.repeat([1.0, 2.2], 80) + rng.normal(0.0, 0.45, 160)
angle = rng.uniform(0.0, 2 * np.pi, 160)
X = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
y = np.repeat([0, 1], 80)
X_new = np.column_stack([3 * rng.uniform(-1, 1, 2000), 3 * rng.uniform(-1, 1, 2000)])
truth = (np.hypot(*X_new.T) > 1.6).astype(int)

figure, axes = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
accuracy = {}
for ax, width in zip(axes, (0.15, 0.8, 4.0), strict=True):
    kernel = RBF.from_length_scale(width)
    fitted = KernelLogisticRegression(alpha=0.1, kernel=kernel).fit(X, y)
    accuracy[width] = fitted.score(X_new, truth)
    plot_score_contours(fitted.decision_function, X, y, levels=(-2, 0, 2), ax=ax)
    ax.set_title(f"length scale {width}: {accuracy[width]:.0%} of the plane right")
plt.show()
