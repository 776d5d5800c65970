"""
Step sizes, and Newton's method
===============================

Gradient descent takes steps down the slope, with a fixed step size. On a quadratic function it
converges if the step is below 2 / (largest eigenvalue of the Hessian); the rate depends on the
ratio of the largest to the smallest eigenvalue.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import scale

from gramian.objectives import L2, Function, LinearProblem, Logistic
from gramian.plot import plot_training_curves
from gramian.solvers import LBFGS, Adam, GradientDescent, Momentum, Newton
from gramian.textbook.figures import plot_newton_steps, plot_trajectory

# %%
# One step size, two functions
# ----------------------------
#
# A step of 0.4 converges on 2 w1^2 + w2^2 (limit 2 / 4) and diverges on 10 w1^2 + w2^2 (limit 2 /
# 20). On the second function, a step small enough for the steep direction is slow along the flat
# one. Newton's method multiplies by the inverse Hessian and reaches the minimum of any quadratic
# function in one step.

start = np.array([0.8, 2.2])


def walk(solver, steepness):
    """Iterates of a solver on steepness w1^2 + w2^2."""
    slopes = np.array([2.0 * steepness, 2.0])
    bowl = Function(lambda w: slopes @ w**2 / 2, lambda w: slopes * w, lambda _: np.diag(slopes))
    return solver.minimize(bowl, start).trace.iterates


def descent(step, count):
    return GradientDescent(step, halve=False, max_iter=count)


paths = {
    2: {"step 0.4": walk(descent(0.4, 12), 2), "Newton": walk(Newton(), 2)},
    10: {
        "step 0.4": walk(descent(0.4, 2), 10),
        "step 0.095": walk(descent(0.095, 12), 10),
        "step 0.02": walk(descent(0.02, 12), 10),
        "Newton": walk(Newton(), 10),
    },
}
figure, axes = plt.subplots(1, 2, figsize=(11, 4.8), layout="constrained")
for ax, (steepness, walks) in zip(axes, paths.items(), strict=True):
    bowl = lambda w, a=steepness: a * w[:, 0] ** 2 + w[:, 1] ** 2  # noqa: E731
    plot_trajectory(bowl, walks, box=(-1.6, 1.6, -1, 2.6), ax=ax)
    ax.set_title(f"${steepness}\\,w_1^2 + w_2^2$")
plt.show()

# %%
# Newton's parabolas
# ------------------
#
# In one variable, Newton's method fits a parabola to the value, slope and curvature of the
# function and moves to the lowest point of the parabola. If the function ahead curves more
# strongly than the parabola, as at the first step here, the step is too long; if it curves less,
# the step is too short. Close to the minimum the parabola approximates the function well, and the
# number of correct digits doubles with every step.


def f(x):
    return np.log1p(np.exp(-3 * x)) + 0.3 * x**2


def slope(x):
    return -3 / (1 + np.exp(3 * x)) + 0.6 * x


def curvature(x):
    return 9 / (2 + np.exp(3 * x) + np.exp(-3 * x)) + 0.6


line = Function(lambda x: f(x[0]), lambda x: [slope(x[0])], lambda x: np.array([[curvature(x[0])]]))
points = Newton(damped=False, max_iter=4, tol=0).minimize(line, [-1.5]).trace.iterates[:, 0]
plot_newton_steps(f, slope, curvature, points)
plt.show()

# %%
# Iteration by iteration
# ----------------------
#
# The plot shows the difference between the objective and its minimum, for a logistic regression
# with 30 variables. Gradient descent reduces it by a fixed factor per step, momentum by a little
# more; methods that use curvature converge faster and faster.

cancer = load_breast_cancer()
problem = LinearProblem(scale(cancer.data), cancer.target, Logistic(), L2(0.02))
least = Newton(tol=1e-12).minimize(problem).value
runs = {
    "gradient descent": GradientDescent("lipschitz", max_iter=100),
    "momentum": Momentum(0.1, max_iter=100),
    "Adam": Adam(0.1, max_iter=100),
    "L-BFGS": LBFGS(max_iter=100),
    "Newton": Newton(max_iter=100),
}
values = {name: solver.minimize(problem).trace.values for name, solver in runs.items()}
plot_training_curves(values, least=least).set_ylim(1e-10, 1)
plt.show()
