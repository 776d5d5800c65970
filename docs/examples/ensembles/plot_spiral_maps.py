"""
Four spirals, five ensembles
============================

The posterior maps of ensembles on four interleaved spirals: colours mix where the ensemble is
uncertain. Shallow trees cannot follow the arms, even in large numbers; deeper trees can, and random
splits smooth the posteriors. An ensemble of small networks, each with different initial weights and
a different bootstrap sample, has curved boundaries instead of steps.
"""

import matplotlib.pyplot as plt
import numpy as np

from gramian import (
    BaggingClassifier,
    DecisionTreeClassifier,
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    MLPClassifier,
)
from gramian.plot import plot_posterior_map

rng = np.random.default_rng(0)
angle = rng.uniform(0.3, 1.6 * np.pi, size=(4, 120))
turn = angle + np.pi / 2 * np.arange(4)[:, None]
X = np.stack([angle * np.cos(turn), angle * np.sin(turn)], axis=-1).reshape(-1, 2)
X += 0.12 * rng.normal(size=X.shape)
y = np.repeat(np.arange(4), 120)

net = MLPClassifier((24,), solver="lbfgs", max_iter=5000, tol=1e-3)
committees = {
    "bagged trees, depth 4": BaggingClassifier(
        DecisionTreeClassifier(max_depth=4), n_estimators=100, random_state=0
    ),
    "bagged trees, depth 12": BaggingClassifier(
        DecisionTreeClassifier(max_depth=12), n_estimators=100, random_state=0
    ),
    "random splits, depth 12": ExtraTreesClassifier(
        400, max_depth=12, max_features=1, random_state=0
    ),
    "boosting": HistGradientBoostingClassifier(min_samples_leaf=5),
    "8 networks": BaggingClassifier(net, n_estimators=8, random_state=0),
}
figure, axes = plt.subplots(2, 3, figsize=(10, 7), sharex=True, sharey=True)
axes[1, 2].axis("off")
accuracy = {}
for ax, (name, model) in zip(axes.flat, committees.items(), strict=False):
    accuracy[name] = model.fit(X, y).score(X, y)
    plot_posterior_map(model.predict_proba, X, y, resolution=120, ax=ax)
    ax.set(title=name, xticks=[], yticks=[])
figure.tight_layout()
plt.show()
