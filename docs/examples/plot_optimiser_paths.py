"""
Steps too large, too small, and Newton's
========================================

Gradient descent goes down the slope by a step of fixed size. On a quadratic function it converges
if the step is below 2 / (largest eigenvalue of the Hessian), and how fast depends on the ratio of
the largest to the smallest.
"""

import matplotlib.pyplot as plt
import numpy as np

from gramian.plot import plot_newton_steps, plot_trajectory

# %%
# One step, two bowls
# -------------------
#
# A step of 0.4 converges on 2 w1^2 + w2^2 (limit 2 / 4) and flies off on 10 w1^2 + w2^2 (limit
# 2 / 20). There a step small enough for the steep direction crawls along the flat one; Newton's
# method divides by the Hessian and is at the bottom of any quadratic bowl in one step.

start = np.array([0.8, 2.2])


def descend(steepness, step, count):
    """Iterates of gradient descent on steepness w1^2 + w2^2."""
    path = [start]
    for _ in range(count):
        path.append(path[-1] - step * np.array([2 * steepness, 2.0]) * path[-1])
    return np.array(path)


paths = {
    2: {"step 0.4": descend(2, 0.4, 12), "Newton": np.array([start, [0.0, 0.0]])},
    10: {
        "step 0.4": descend(10, 0.4, 2),
        "step 0.095": descend(10, 0.095, 12),
        "step 0.02": descend(10, 0.02, 12),
        "Newton": np.array([start, [0.0, 0.0]]),
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
# In one variable Newton's method fits a parabola to value, slope and curvature, and goes to its
# lowest point. Where the function bends more ahead than the parabola, as at the first step here,
# that is too far; where it bends less, too short. Close to the minimum the parabola is the
# function, and the number of right digits doubles with every step.


def f(x):
    return np.log1p(np.exp(-3 * x)) + 0.3 * x**2


def slope(x):
    return -3 / (1 + np.exp(3 * x)) + 0.6 * x


def curvature(x):
    return 9 / (2 + np.exp(3 * x) + np.exp(-3 * x)) + 0.6


points = [-1.5]
for _ in range(4):
    points.append(points[-1] - slope(points[-1]) / curvature(points[-1]))
plot_newton_steps(f, slope, curvature, points)
plt.show()
