"""
Linear and quadratic programs, and robust fits
==============================================

A linear program has its minimum at a corner of the feasible polygon; a quadratic program has it
at a corner, on an edge or inside. Thick edges are active constraints.
"""

import matplotlib.pyplot as plt
import numpy as np

from gramian import ChebyshevRegression, HuberRegressor, LeastAbsoluteDeviations, LinearRegression
from gramian.textbook.figures import plot_program
from gramian.textbook.optimization import linear_program, polygon_vertices, quadratic_program

# %%
# Minima at a corner and on an edge
# ---------------------------------

A = np.array([[-1.0, 0], [0, -1], [1, 1], [1, 3]])
b = np.array([0.0, 0, 4, 6])
corners = polygon_vertices(A, b)
c = np.array([-1.0, -2.0])
linear = linear_program(c, A, b)
Q, d = np.eye(2), np.array([-6.0, -3.0])  # the squared distance to (3, 1.5), less a constant
quadratic = quadratic_program(Q, d, A, b)
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
plot_program(corners, lambda x: float(c @ x), linear.x, ax=left)
left.set_title(f"linear: active {linear.active.tolist()}")
plot_program(corners, lambda x: float(x @ Q @ x + d @ x), quadratic.x, ax=right)
right.set_title(f"quadratic: active {quadratic.active.tolist()}")
plt.show()

# %%
# Least absolute deviations and the minimax fit are linear programs
# ------------------------------------------------------------------
#
# One outlier tilts the least-squares line and lifts the minimax line halfway to it; least absolute
# deviations and Huber's loss hardly change.

x = np.linspace(0, 10, 30)
y = 1 + 0.5 * x + 0.3 * np.random.default_rng(0).normal(size=30)
y[25] = 14
fits = {
    "least squares": LinearRegression(),
    "least absolute deviations": LeastAbsoluteDeviations(),
    "Huber": HuberRegressor(),
    "Chebyshev": ChebyshevRegression(),
}
figure, ax = plt.subplots(figsize=(7, 4.2), layout="constrained")
ax.plot(x, y, "o", color="#76777a", markersize=4)
slopes, typical = {}, {}
for name, model in fits.items():
    model.fit(x[:, None], y)
    slopes[name] = float(model.coef_[0])
    typical[name] = float(np.median(np.abs(y - model.predict(x[:, None]))))
    ax.plot(x, model.predict(x[:, None]), label=name)
ax.legend()
plt.show()
