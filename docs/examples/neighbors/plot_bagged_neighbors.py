"""
Why bagging does not help nearest neighbours
============================================

Bagging averages learners that were each fitted to a random part of the rows. It helps unstable
learners such as trees, which change strongly with the data. Nearest neighbours hardly change: the
nearest row is in a bootstrap sample with probability 63%, and otherwise the second nearest takes
its place. Bagged neighbours are smoother and cost more, and here they are no better; with small
samples they are worse.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from gramian import BaggingClassifier, DecisionTreeClassifier, KNeighborsClassifier

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0)

learners = {
    "1 neighbour": KNeighborsClassifier(n_neighbors=1),
    "5 neighbours": KNeighborsClassifier(n_neighbors=5),
    "tree": DecisionTreeClassifier(random_state=0),
}
parts = {"alone": None, "bagged": 1.0, "bagged, 10%": 0.1}
errors = {}
for name, learner in learners.items():
    for kind, part in parts.items():
        model = learner
        if part is not None:
            model = BaggingClassifier(learner, 25, max_samples=part, random_state=0)
        errors[name, kind] = 1 - model.fit(X_train, y_train).score(X_test, y_test)

figure, ax = plt.subplots(figsize=(7, 3.6), layout="constrained")
places = np.arange(len(learners))
for shift, kind in enumerate(parts):
    ax.bar(places + 0.27 * shift, [errors[name, kind] for name in learners], 0.25, label=kind)
ax.set_xticks(places + 0.27, list(learners))
ax.set(ylabel="test error")
ax.legend()
plt.show()
