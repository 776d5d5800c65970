"""
Decisions with costs and a reject option
========================================

A classifier gives probabilities; the best decision also depends on what mistakes cost. Here a
missed case costs ten times as much as a false alarm, and the classifier may reject a case, that is,
send it to an expert.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split

from gramian import BayesDecision, LogisticRegression
from gramian.evaluate import (
    calibration_points,
    confusion,
    error_reject_points,
    expected_cost_points,
    roc_points,
    threshold_for_costs,
    threshold_for_limit,
)
from gramian.plot import plot_roc

X, y = make_classification(
    4000, 8, n_informative=4, weights=[0.85], flip_y=0.08, class_sep=1.3, random_state=1
)
X, X_new, y, y_new = train_test_split(X, y, test_size=0.5, stratify=y, random_state=0)
model = LogisticRegression().fit(X, y)

# %%
# In the cost matrix, rows are actions and columns are true classes. Decisions by expected cost make
# more errors than decisions by the largest probability, but cost less.

costs = np.array([[0.0, 10.0], [1.0, 0.0]])
decision = BayesDecision(model, costs=costs)
rules = {"likeliest class": model.predict(X_new), "least cost": decision.predict(X_new)}
for name, predicted in rules.items():
    counts = confusion(y_new, predicted).of(1)
    print(
        f"{name}: error rate {counts.error_rate:.3f}, hit rate {counts.tpr:.2f}, "
        f"cost of a case {costs[predicted, y_new].mean():.3f}"
    )

# %%
# The costs determine a point on the ROC curve; a limit on false alarms determines another one.
# The probabilities are nearly calibrated, so the cheapest threshold is near 1 / (1 + 10).

proba = model.predict_proba(X_new)
roc = roc_points(y_new, proba[:, 1])
cheapest = threshold_for_costs(roc, false_alarm=1, miss=10)
careful = threshold_for_limit(roc, 0.05)
print(f"least cost at {cheapest.threshold:.3f}, at most 5% false alarms at {careful.threshold:.3f}")

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.4), layout="constrained")
area = (roc.area.auc, roc.area.low, roc.area.high)
plot_roc(roc.false_alarms, roc.hits, roc.thresholds, area=area, chosen=cheapest.threshold, ax=left)

expected = expected_cost_points(roc, false_alarm=1, miss=10)
right.plot(expected.thresholds[1:], expected.costs[1:], color="#2f6db5")
right.axvline(1 / 11, color="black", linewidth=1, linestyle="--", label="1 / (1 + 10)")
right.set(xlabel="threshold", ylabel="expected cost of a case")
right.legend()
plt.show()

# %%
# The least certain predictions are rejected first, and the error rate of the others falls.

curve = error_reject_points(y_new, proba)
figure, ax = plt.subplots(figsize=(5.5, 4), layout="constrained")
ax.plot(curve.rejected, curve.errors, color="#2e9c6a")
ax.set(xlabel="proportion rejected", ylabel="error rate among the accepted rows")
plt.show()

# %%
# If a rejection costs 0.5, the mean cost falls again.

with_expert = BayesDecision(model, costs=costs, reject=0.5)
rejected = with_expert.decide(X_new) == -1
print(
    f"rejected {rejected.mean():.2f} of the cases; cost {with_expert.mean_cost(X_new, y_new):.3f} "
    f"instead of {decision.mean_cost(X_new, y_new):.3f}"
)

# %%
# All this relies on calibrated probabilities.

calibration = calibration_points(y_new, proba[:, 1])
for predicted, observed, count in zip(
    calibration.prob_pred, calibration.prob_true, calibration.counts, strict=True
):
    print(f"predicted {predicted:.2f}, observed {observed:.2f} in {count} rows")
