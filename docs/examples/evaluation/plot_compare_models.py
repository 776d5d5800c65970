"""
Which model is better, and is the difference significant?
=========================================================

A table of mean scores always has a winner. Whether it would win again on other data of the same
kind is a statistical question: ``compare`` fits every model on the same splits, adds a baseline
that ignores the inputs, and reports which of them differ significantly.
"""

import matplotlib.pyplot as plt
from scipy import stats
from sklearn.datasets import load_breast_cancer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from gramian import (
    DecisionTreeClassifier,
    GaussianNB,
    KNeighborsClassifier,
    LogisticRegression,
    RandomForestClassifier,
    compare,
)
from gramian.evaluate import mcnemar_sample_size, t_test_sample_size
from gramian.plot import plot_intervals
from gramian.textbook.figures import plot_rejection_region

X, y = load_breast_cancer(return_X_y=True)
models = {
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
    "5 neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(5)),
    "forest": RandomForestClassifier(50),
    "naive Bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(),
    "stump": DecisionTreeClassifier(max_depth=1),
}
comparison = compare(models, X, y)
print(comparison)

# %%
# In the diagram, a bar joins models without a significant difference. Bars may overlap: two
# models may differ significantly from each other, while a third model between them differs from
# neither.

ax = comparison.plot(baseline=False)
plt.show()

# %%
# The table contains the scores, and also times and sizes, which help to choose between models
# that predict equally well. Letters mark the groups.

print(comparison.table().round(4).to_string())

# %%
# The intervals of single models estimate the accuracy on new data. Models whose intervals overlap
# may still differ significantly: a split that is hard for one model is hard for the others too, so
# the scores are correlated.

low, high = ([getattr(i, end) for i in comparison.intervals[:-1]] for end in ("low", "high"))
middle = [i.estimate for i in comparison.intervals[:-1]]
intervals = plot_intervals(middle, low, high, comparison.names[:-1])
intervals.set(xlabel="accuracy, with 95% confidence")
intervals.figure.set_size_inches(7, 2.6)
intervals.figure.set_layout_engine("constrained")
plt.show()

# %%
# A large p-value does not show that two models are equally good. The Bayesian columns can: they
# give the probabilities that the first model is better by more than 0.01, that the two differ by
# less, and that the first is worse.

pairs = comparison.pair_table()
print(pairs[["first", "second", "difference", "p_adjusted", "better", "same", "worse"]].head(5)
      .round(3).to_string())  # fmt: skip

# %%
# This is the test behind the comparison, for the first two models. The folds share training rows,
# so the statistic is corrected and smaller than that of a plain paired t test.

test = comparison.pairs[0].result
print(test)
reference = stats.t(*test.df)
picture = plot_rejection_region(
    reference.pdf, reference.ppf(0.025), reference.isf(0.025), statistic=test.statistic
)
picture.set_title("corrected resampled t test")
plt.show()

# %%
# How many test rows do we need to detect that one classifier's error rate is one percentage point
# lower, if the two disagree on 4% of the rows? How many paired differences do we need to detect a
# mean of half their standard deviation?

rows, differences = mcnemar_sample_size(0.025, 0.015), t_test_sample_size(0.5)
print(f"{rows} rows; {differences} differences")
