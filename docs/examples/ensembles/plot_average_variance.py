"""
What averaging can and cannot remove
====================================

The variance of the mean of T predictions with variance s^2 and correlation r is r s^2 + (1 - r) s^2
/ T: more members remove the second term, but the first one remains. Here trees are grown on
bootstrap samples of many training sets. Trees that try one random column per node are worse alone,
but less correlated, so their average is better: the idea of random forests.
"""

import matplotlib.pyplot as plt
import numpy as np

from gramian import BaggingRegressor, DecisionTreeRegressor
from gramian.textbook.ensembles import average_variance, measured_variance
from gramian.textbook.figures import plot_average_variance

REPETITIONS, MEMBERS = 30, 32
Q = np.random.default_rng(99).uniform(size=(40, 4))
counts = [1, 2, 4, 8, 16, 32]
theory, measured, reports = {}, {}, {}
for name, columns in (("all columns", None), ("one column a node", 1)):
    answers = np.empty((REPETITIONS, MEMBERS, len(Q)))
    for repetition in range(REPETITIONS):
        rng = np.random.default_rng(repetition)
        X = rng.uniform(size=(100, 4))
        y = np.sin(5 * X[:, 0]) + X[:, 1] + 0.3 * rng.normal(size=100)
        trees = BaggingRegressor(
            DecisionTreeRegressor(max_features=columns),
            n_estimators=MEMBERS,
            random_state=repetition,
        ).fit(X, y)
        answers[repetition] = [tree.predict(Q) for tree in trees.estimators_]
    report = reports[name] = measured_variance(answers)
    label = f"{name}: r = {report.correlation:.2f}"
    theory[label] = average_variance(report.member, report.correlation, counts)
    measured[label] = [
        answers[:, :count].mean(axis=1).var(axis=0, ddof=1).mean() for count in counts
    ]

ax = plot_average_variance(counts, theory, measured=measured)
ax.set_title("lines: the formula; dots: measured")
plt.tight_layout()
