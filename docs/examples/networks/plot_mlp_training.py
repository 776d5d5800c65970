"""
Training a multi-layer perceptron
=================================

Learning curves show whether a network was trained for too few epochs, with too high a learning
rate, or has too many units for the number of rows. Early stopping and dropout help against
overfitting.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons
from sklearn.exceptions import ConvergenceWarning

from gramian import MLPClassifier
from gramian.plot import draw_decision_regions

warnings.simplefilter("ignore", ConvergenceWarning)  # all epochs are wanted here
X, y = make_moons(150, noise=0.3, random_state=0)
X_val, y_val = make_moons(1000, noise=0.3, random_state=1)

# %%
# Cost and error per epoch
# ------------------------
#
# A network with 300 hidden units has more weights than there are rows. Its training loss keeps
# falling, while its validation loss rises again. `history_` contains both curves.

common = {
    "hidden_layer_sizes": (300,),
    "learning_rate_init": 0.02,
    "batch_size": 30,
    "alpha": 0.0,
    "tol": 0.0,
    "n_iter_no_change": 300,
    "max_iter": 300,
    "random_state": 0,
}
held = {"X_val": X_val, "y_val": y_val}
models = {
    "plain": MLPClassifier(**common),
    "weight decay": MLPClassifier(**{**common, "alpha": 0.03}),
    "dropout 0.5": MLPClassifier(dropout=0.5, **common),
}
figure, axes = plt.subplots(1, 3, figsize=(10, 3.2), sharey=True, layout="constrained")
for ax, (name, model) in zip(axes, models.items(), strict=True):
    model.fit(X, y, **held)
    ax.plot(model.history_["loss"], label="training rows")
    ax.plot(model.history_["validation_loss"], label="other rows")
    ax.set(title=name, xlabel="epoch", ylim=(0, 0.8))
axes[0].set_ylabel("loss")
axes[0].legend()
plt.show()

# %%
# Where to stop
# -------------
#
# Early stopping on validation rows keeps the weights of the best epoch: the second network stops
# training after 10 epochs without improvement.

last = MLPClassifier(**common).fit(X, y)
best = MLPClassifier(**{**common, "n_iter_no_change": 10}).fit(X, y, **held)
figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
for ax, model, name in zip(axes, (last, best), ("last", "best"), strict=True):
    draw_decision_regions(model.predict, X, y, ax=ax)
    accuracy = model.score(X_val, y_val)
    ax.set_title(f"{name} of {model.n_iter_} epochs: {accuracy:.3f} of other rows right")
plt.show()

# %%
# Optimisers
# ----------
#
# The learning rate of each optimiser is chosen on a subsample.

figure, ax = plt.subplots(figsize=(6, 4), layout="constrained")
for solver in ("sgd", "adagrad", "rmsprop", "adam", "amsgrad"):
    settings = {**common, "hidden_layer_sizes": (30,), "learning_rate_init": "auto"}
    model = MLPClassifier(solver=solver, **{**settings, "max_iter": 100}).fit(X, y)
    ax.semilogy(model.loss_curve_, label=f"{solver}, {model.learning_rate_init_:.2g}")
ax.set(xlabel="epoch", ylabel="loss")
ax.legend()
plt.show()
print(f"rows right, at the end: {np.mean(last.predict(X) == y):.3f}")
