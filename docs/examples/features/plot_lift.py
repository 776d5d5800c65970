"""
Separating a circle by a plane
==============================

No line separates the inside of a circle from its outside. But if we append the squared length of
each point as a third coordinate, a plane does. This is the parabolic lifting map ``(x, |x|^2)``.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.pipeline import make_pipeline

from gramian import LogisticRegression, ParabolicLift
from gramian.plot import draw_decision_regions
from gramian.textbook.figures import plot_lift

rng = np.random.default_rng(0)
X = rng.uniform(-2, 2, size=(220, 2))
y = np.where(((X - [0.4, 0.2]) ** 2).sum(axis=1) < 1.2, "inside", "outside")

line = LogisticRegression(C=100).fit(X, y)
circle = make_pipeline(ParabolicLift(), LogisticRegression(C=100)).fit(X, y)
print(f"errors of the line {np.mean(line.predict(X) != y):.1%}")
print(f"errors after the lift {np.mean(circle.predict(X) != y):.1%}")

# %%
# The weights of the plane determine the circle: if ``w . x + a |x|^2 + b = 0``, the centre is ``-w
# / (2a)`` and the squared radius ``|centre|^2 - b / a``. ``sphere`` computes both, in any
# dimension.

lift, plane = circle[0], circle[-1]
sphere = lift.sphere(plane.coef_, plane.intercept_[0])
print(f"centre {sphere.center.round(2)}, radius {sphere.radius:.2f}; true (0.4, 0.2), 1.10")

figure = plt.figure(figsize=(11, 4.6), layout="constrained")
space = figure.add_subplot(1, 2, 1, projection="3d")
plot_lift(X, y, plane.coef_, plane.intercept_[0], ax=space)
flat = figure.add_subplot(1, 2, 2, aspect="equal")
draw_decision_regions(circle.predict, X, y, ax=flat)
flat.plot(*sphere.center, "+", color="black", markersize=12)
plt.show()
