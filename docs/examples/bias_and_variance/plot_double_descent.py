"""
Double descent
==============

With more features D than points n, least squares has many perfect fits; the pseudo-inverse
selects the one whose weights have the smallest norm. As D increases, the test error rises to a
peak at D = n, where there is only one perfect fit, and then falls again, here below the error of
the best small model. This is called double descent.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline

from gramian import ExtraTreesRegressor, LinearRegression, MLPRegressor, RandomFeatures

rng = np.random.default_rng(0)
n, d, noise = 60, 6, 0.1
direction = rng.normal(size=d) / np.sqrt(d)


def draw(count):
    X = rng.normal(size=(count, d))
    return X, np.sin(2 * X @ direction) + noise * rng.normal(size=count)


X_new, y_new = draw(400)
samples = [draw(n) for _ in range(6)]

# %%
# Random features h(w_j . x + b_j) are drawn, not trained. A larger D keeps the features of a
# smaller one and adds more. `LinearRegression` returns the solution of smallest norm if the system
# is singular, so the same code works on both sides of the threshold. Errors are medians over 6
# samples.

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

# %%
# Networks and trees
# ------------------
#
# Trained networks behave in the same way: as the width grows, the test error rises until the
# network fits every row, and then falls again. The same happens with trees: first a single tree
# with up to n leaves, then averages of more and more such trees, each grown at random on all rows
# (Belkin, Hsu, Ma and Mandal 2019). All of these averages fit the training rows perfectly, and
# more trees give a lower test error.

warnings.simplefilter("ignore", ConvergenceWarning)  # interpolation is enough
X, y = samples[0]
widths = [1, 2, 4, 8, 16, 64, 256]
nets = np.empty((len(widths), 2))
for i, width in enumerate(widths):
    fits = [
        MLPRegressor(
            hidden_layer_sizes=(width,),
            alpha=0.0,
            solver="lbfgs",
            max_iter=2000,
            tol=1e-7,
            random_state=seed,
        ).fit(X, y)
        for seed in range(3)
    ]
    nets[i] = np.median(
        [[np.mean((m.predict(A) - b) ** 2) for A, b in ((X, y), (X_new, y_new))] for m in fits],
        axis=0,
    )

leaves, members = [2, 4, 8, 16, 32, n], [1, 2, 5, 20, 100]
settings = [(k, 1) for k in leaves] + [(n, m) for m in members[1:]]
trees = np.empty((len(settings), 2))
for i, (k, m) in enumerate(settings):
    model = ExtraTreesRegressor(m, max_leaf_nodes=k, random_state=0).fit(X, y)
    trees[i] = [np.mean((model.predict(A) - b) ** 2) for A, b in ((X, y), (X_new, y_new))]

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
parameters = [(d + 2) * width + 1 for width in widths]
for ax, places, errors in ((left, parameters, nets), (right, range(len(settings)), trees)):
    ax.plot(places, errors[:, 0].clip(1e-4), "--", color="#2f6db5", label="training")
    ax.plot(places, errors[:, 1], color="#e0742c", label="test")
    ax.set(yscale="log", ylabel="mean squared error")
left.axvline(n, color="#222222", linewidth=0.9, linestyle="-.", label="parameters = n")
left.set(xscale="log", xlabel="parameters of a network with one hidden layer")
left.legend()
right.axvline(len(leaves) - 1, color="#222222", linewidth=0.9, linestyle="-.")
right.set_xticks(range(len(settings)), [f"{k} / {m}" for k, m in settings], rotation=60)
right.set_xlabel("leaves / trees")
plt.show()
