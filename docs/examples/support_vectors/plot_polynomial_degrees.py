"""
Boundaries by polynomial degree
===============================

A support vector machine with the kernel (1 + x.z)^p separates by a polynomial of degree p. Degree 1
is a line; degree 2 can be a circle; higher ones follow the points ever more closely, until they
follow the noise.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_moons

from gramian import SVC
from gramian.plot import draw_decision_regions

X, y = make_moons(120, noise=0.25, random_state=3)
X_new, y_new = make_moons(2000, noise=0.25, random_state=4)

degrees = [1, 2, 3, 5, 8, 12]
train, test = [], []
figure, axes = plt.subplots(2, 3, figsize=(11, 6.4), layout="constrained", sharex=True, sharey=True)
for ax, degree in zip(axes.flat, degrees, strict=True):
    model = SVC(kernel="poly", degree=degree, gamma=1.0, coef0=1.0, C=10.0).fit(X, y)
    train.append(1 - model.score(X, y))
    test.append(1 - model.score(X_new, y_new))
    draw_decision_regions(model.predict, X, y, resolution=200, ax=ax)
    ax.get_legend().remove()
    ax.set_title(f"degree {degree}: train {train[-1]:.1%}, test {test[-1]:.1%}", fontsize=10)
plt.show()
