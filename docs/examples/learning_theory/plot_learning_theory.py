"""
Bounds and measured errors
==========================

The number of errors of one classifier on n rows is binomial, and the spread of the error rate
decreases as 1 / sqrt(n). Hoeffding's inequality bounds its deviation from the risk even if the
risk is unknown. For a whole class of classifiers, the number of labellings matters: halfplanes
divide three points in all 8 ways, but four points in only 14 of 16 ways, and for more points the
number grows polynomially.
"""

import matplotlib.pyplot as plt
import numpy as np

from gramian.textbook.figures import plot_bounds, plot_dichotomies, plot_error_counts, plot_growth
from gramian.textbook.learning_theory import (
    HoeffdingBound,
    dichotomies,
    error_count_distribution,
    growth_report,
)

risk = 0.25
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
by_rows = {n: error_count_distribution(risk, n).probabilities for n in (20, 500)}
plot_error_counts(by_rows, risk, ax=left)

sizes = np.unique(np.geomspace(10, 1000, 25).astype(int))
far = [
    found.probabilities[np.abs(found.counts / n - risk) > 0.1].sum()
    for n, found in ((n, error_count_distribution(risk, int(n))) for n in sizes)
]
promised = [HoeffdingBound().delta(int(n), 0.1) for n in sizes]
plot_bounds(
    sizes,
    {"Hoeffding": promised},
    measured=far,
    ylabel="P(rate differs from the risk by more than 0.1)",
    ax=right,
)
plt.show()

# %%
# All 14 ways in which a line can divide four points. The two missing ones would separate the
# diagonals.

square = np.array([[0, 0], [1, 0], [0, 1], [1, 1]])
found = dichotomies(square)
print(f"{len(found)} of 16")
plot_dichotomies(square, found)
plt.show()

# %%
# The number of labellings in the plane, compared with the number of all subsets. Beyond the VC
# dimension, the growth is only polynomial.

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained", sharey=True)
for ax, sets in ((left, "halfspaces"), (right, "boxes")):
    report = growth_report(sets, d=2, most=6)
    plot_growth(report.n, report.counts, bound=report.polynomial, ax=ax)
    ax.set_title(f"{sets}: VC dimension {report.vc_dimension}")
plt.show()
