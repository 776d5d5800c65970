"""
Rows with several labels
========================

A song may be both calm and sad, so each row has a set of labels. Learners differ in how they use
labels that occur together, and metrics differ in what they count. The data here are synthetic:
ten labels, some of which depend on each other.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_multilabel_classification

from gramian import (
    HOMER,
    BinaryRelevance,
    ClassifierChain,
    DecisionTreeClassifier,
    EnsembleOfClassifierChains,
    LogisticRegression,
    MLkNN,
    RAkELo,
)
from gramian.evaluate import multilabel_report
from gramian.plot import (
    plot_label_cooccurrence,
    plot_label_scores,
    plot_label_tree,
    plot_precision_at_k,
)

X, Y = make_multilabel_classification(900, 20, n_classes=10, n_labels=3, random_state=3)
names = [f"label {chr(97 + j)}" for j in range(10)]
train, test = slice(0, 600), slice(600, 900)

# %%
# Labels that occur together
# --------------------------
#
# The matrix shows the proportion of the rows with one label that also have another. HOMER groups
# labels that occur in similar rows, with balanced k-means over the label columns, and first
# predicts the groups to which a row belongs.

homer = HOMER(BinaryRelevance(LogisticRegression()), n_children=3, random_state=0)
homer.fit(X[train], Y[train])
tree = homer.hierarchy_
leaves = {node: names[own[0]] for node, own in enumerate(tree.labels) if len(own) == 1}
sizes = [len(own) for own in tree.labels]

figure, axes = plt.subplots(1, 2, figsize=(12, 5), layout="constrained")
plot_label_cooccurrence(Y, names, ax=axes[0])
plot_label_tree(tree.parents, leaves, sizes, ax=axes[1])
axes[1].set_title(f"HOMER: depth {tree.depth}, {tree.n_nodes} nodes")
plt.show()

# %%
# Comparing learners
# ------------------
#
# `multilabel_report` computes the metrics with bootstrap intervals over the test rows.

trees = DecisionTreeClassifier(random_state=0)
learners = {
    "binary relevance": BinaryRelevance(LogisticRegression()),
    "chain": ClassifierChain(LogisticRegression()),
    "HOMER": homer,
    "ML-kNN": MLkNN(),
    "RAkEL of trees": RAkELo(trees, random_state=0),
    "chains of trees": EnsembleOfClassifierChains(trees, random_state=0),
}
shown = ("hamming_loss", "subset_accuracy", "f1_micro", "ranking_loss", "average_precision")
reports = {}
print(f"{'':18}" + "".join(f"{name:>19}" for name in shown))
for name, learner in learners.items():
    learner.fit(X[train], Y[train])
    reports[name] = multilabel_report(
        Y[test],
        learner.decision_function(X[test]),
        learner.predict(X[test]),
        labels=names,
        ks=range(1, 11),
        n_bootstrap=50,
    )
    values = [reports[name].metrics[metric].estimate for metric in shown]
    print(f"{name:18}" + "".join(f"{value:19.3f}" for value in values))

# %%
# Scores of each label, and precision at k
# ----------------------------------------

figure, axes = plt.subplots(1, 2, figsize=(12, 4.5), layout="constrained")
of_labels = reports["binary relevance"].labels
plot_label_scores(
    [each.f1 for each in of_labels], names, rows=[each.rows for each in of_labels], ax=axes[0]
)
axes[0].set_title("binary relevance")
plot_precision_at_k(
    {
        name: [report.metrics[f"precision_at_{k}"].estimate for k in range(1, 11)]
        for name, report in reports.items()
    },
    ax=axes[1],
)
plt.show()
