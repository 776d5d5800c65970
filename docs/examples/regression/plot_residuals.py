"""
A line, a plane and their residuals
===================================

Least squares minimises the sum of the squared vertical distances between points and fit: not the
orthogonal distances, and not their absolute values.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes

from gramian import LinearRegression
from gramian.plot import plot_regression_line, plot_regression_plane

rng = np.random.default_rng(5)
patients = rng.choice(442, 45, replace=False)
data = load_diabetes(scaled=False)
X, y = data.data[patients][:, [2, 3]], data.target[patients]  # body mass index, blood pressure

line = LinearRegression().fit(X[:, :1], y)
plane = LinearRegression().fit(X, y)

figure = plt.figure(figsize=(11, 4.6), layout="constrained")
left = plot_regression_line(X[:, 0], y, line.predict, ax=figure.add_subplot(1, 2, 1))
left.set(xlabel="body mass index", ylabel="progression")
space = figure.add_subplot(1, 2, 2, projection="3d")
plot_regression_plane(X, y, plane.predict, ax=space)
space.set(xlabel="body mass index", ylabel="blood pressure", zlabel="progression")
plt.show()

# %%
# At the minimum the residuals are orthogonal to every column, including the column of ones, so they
# sum to zero. A second variable can only reduce the sum of squares.

residuals = y - plane.predict(X)
print("sum of residuals", round(residuals.sum(), 8))
print("with the columns", (residuals @ X).round(6))
