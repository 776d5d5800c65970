"""
AdaBoost, round by round
========================

Each round fits a stump, a single split x_j <= t, to weighted points. Misclassified points gain
weight, so the next stump concentrates on them. In the end the stumps vote, and more accurate
stumps have larger votes. The areas of the points show their weights.
"""

import matplotlib.pyplot as plt
import numpy as np

from gramian import AdaBoostClassifier
from gramian.ensemble import vote_weight
from gramian.plot import plot_training_curves
from gramian.textbook.figures import plot_votes, plot_weighted_points

rng = np.random.default_rng(1)
X = rng.uniform(-1, 1, size=(120, 2))
y = np.where(X[:, 0] ** 2 + X[:, 1] ** 2 < 0.55, "in", "out")

figure, axes = plt.subplots(2, 2, figsize=(9, 8.4), sharex=True, sharey=True)
weights = np.full(len(X), 1 / len(X))
for ax, rounds in zip(axes.flat, (1, 2, 3, 40), strict=True):
    model = AdaBoostClassifier(n_estimators=rounds).fit(X, y)
    learner = model.estimators_[-1] if rounds <= 3 else model
    plot_weighted_points(X, y, weights, predict=learner.predict, ax=ax)
    name = f"stump {rounds}" if rounds <= 3 else f"the vote of {rounds}"
    ax.set_title(f"{name}: {np.mean(learner.predict(X) != y):.0%} wrong")
    weights = model.final_sample_weight_
figure.tight_layout()
plt.show()

# %%
# A learner's vote depends on its weighted error. With an error of 1/2 the learner is only
# guessing, and its vote is zero; the vote grows as the error approaches 0. A learner that is
# wrong more often than right has a negative vote.

errors = np.linspace(0.005, 0.995, 199)
votes = [vote_weight(error) for error in errors]
ax = plot_votes(errors, votes, seen=list(model.estimator_errors_))
ax.set_title("the vote of an error; dots: the 40 stumps")
plt.show()

# %%
# The mean exponential loss on the training points is the product of the factors
# 2 sqrt(err (1 - err)); it lies above the training error and falls in every round.

training = [np.mean(stage != y) for stage in model.staged_predict(X)]
loss = list(model.staged_exponential_loss(X, y))
plot_training_curves(
    {"training error": training, "exponential loss": loss},
    xlabel="round",
    ylabel="error",
)
plt.show()
