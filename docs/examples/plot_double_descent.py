"""
Through the interpolation threshold
===================================

With more features D than points n, least squares has many perfect fits; the pseudo-inverse takes
the one whose weights have the smallest norm. As D grows through n, the test error rises to a peak
at D = n, where there is only one perfect fit, and then falls again, here below the best of the
small models: double descent.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.pipeline import make_pipeline

from gramian import LinearRegression, RandomFeatures

rng = np.random.default_rng(0)
n, d, noise = 60, 6, 0.1
direction = rng.normal(size=d) / np.sqrt(d)


def draw(count):
    X = rng.normal(size=(count, d))
    return X, np.sin(2 * X @ direction) + noise * rng.normal(size=count)


X_new, y_new = draw(400)
samples = [draw(n) for _ in range(6)]

# %%
# Random features h(w_j . x + b_j), drawn and not trained. A larger D keeps the features of a
# smaller one and adds to them. `LinearRegression` gives the least norm when the system is singular,
# so the same code serves both sides of the threshold; errors are medians over 6 samples.

sizes = np.unique(np.round(np.geomspace(5, 800, 16)).astype(int))
sizes = np.unique(np.append(sizes, [n - 5, n, n + 5]))
train, test, length = (np.empty((len(sizes), len(samples))) for _ in range(3))
for i, D in enumerate(sizes):
    for j, (X, y) in enumerate(samples):
        model = make_pipeline(
            RandomFeatures(D, random_state=j), LinearRegression(fit_intercept=False)
        ).fit(X, y)
        train[i, j] = np.mean((model.predict(X) - y) ** 2)
        test[i, j] = np.mean((model.predict(X_new) - y_new) ** 2)
        length[i, j] = np.linalg.norm(model[-1].coef_)

# %%
# At the threshold the weights must be large to fit every noisy target; beyond it the smallest norm
# decreases as D grows, and the fit becomes smoother.

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
left.plot(sizes, np.median(train, axis=1).clip(1e-4), "--", color="#2f6db5", label="training")
left.plot(sizes, np.median(test, axis=1), color="#e0742c", label="test")
left.axhline(noise**2, color="#999999", linewidth=0.8, linestyle=":", label="noise")
left.set(xscale="log", yscale="log", xlabel="number of features D", ylabel="mean squared error")
right.plot(sizes, np.median(length, axis=1), color="#2e9c6a")
right.set(xscale="log", yscale="log", xlabel="number of features D", ylabel="norm of the weights")
for ax in (left, right):
    ax.axvline(n, color="#222222", linewidth=0.9, linestyle="-.", label="D = n")
left.legend()
plt.show()
