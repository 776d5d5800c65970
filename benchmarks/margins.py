"""Linear machines row by row: the whole `fit`; the answer is the coefficients and the bias.

For LinearSVC the judge computes |(w, b)|^2 / 2 + sum of slack (squared, C = 1; the bias is
penalised by all) in float64, and everybody gets the loosest tolerance of 1, 0.5, 0.2, 0.1, ... that
reaches the relative objective in the workload's name, looked for beforehand on the same data.
scikit-learn-intelex has no linear machine of its own, so there is none of it. For SGDClassifier all
make five epochs of the same steps in an order of their own, and the judge computes the mean hinge
loss and the penalty.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import scipy.sparse as sp

from benchmarks.harness.workload import Quality, Workload
from benchmarks.logistic import answer, text, two_classes

ALPHA = 1e-4


def scores(answer, X):
    coef, bias = (np.asarray(part, dtype=np.float64) for part in answer)
    step = max(1, 10_000_000 // (100 if sp.issparse(X) else X.shape[1]))
    parts = [X[first : first + step] @ coef[0] for first in range(0, X.shape[0], step)]
    return np.concatenate(parts) + bias[0]


def slack_and_length(answer, X, y):
    """|(w, b)|^2 / 2 and the squares of the slack."""
    coef, bias = (np.asarray(part, dtype=np.float64) for part in answer)
    slack = np.maximum(0, 1 - (2 * y - 1) * scores(answer, X))
    return float(((coef**2).sum() + (bias**2).sum()) / 2 + (slack**2).sum())


def mean_hinge(answer, X, y):
    """The mean hinge loss and alpha |w|^2 / 2."""
    slack = np.maximum(0, 1 - (2 * y - 1) * scores(answer, X))
    return float(slack.mean() + ALPHA / 2 * (np.asarray(answer[0], dtype=float) ** 2).sum())


def gramian(X, y, **settings):
    from gramian import LinearSVC

    return answer(LinearSVC(random_state=0, max_iter=100_000, **settings).fit(X, y))


def sklearn(X, y, **settings):
    from sklearn.svm import LinearSVC

    return answer(LinearSVC(random_state=0, max_iter=100_000, **settings).fit(X, y))


EPOCHS = {"max_iter": 5, "tol": None, "alpha": ALPHA, "random_state": 0}


def gramian_sgd(X, y):
    from gramian import SGDClassifier

    return answer(SGDClassifier(**EPOCHS).fit(X, y))


def sklearn_sgd(X, y):
    from sklearn.linear_model import SGDClassifier

    return answer(SGDClassifier(**EPOCHS).fit(X, y))


def svc(name, data, goal, aim, ours, peers):
    return Workload(
        name=name,
        dtype="float64",
        data=data,
        contenders={"gramian": partial(gramian, **ours)}
        | {peer: partial(sklearn, **settings) for peer, settings in peers.items()},
        quality=Quality("objective", slack_and_length, better="lower", agree=goal),
        aim=aim,
    )


def sgd(name, data):
    return Workload(
        name=name,
        dtype="float64",
        data=data,
        contenders={"gramian": gramian_sgd, "scikit-learn": sklearn_sgd},
        quality=Quality("mean hinge loss", mean_hinge, better="lower", agree=0.05),
        aim=1.5,
    )


WORKLOADS = [
    svc(
        "LinearSVC, sparse 20k x 100k, 100 a row, to 1e-4",
        partial(text, n=20_000),
        1e-4,
        1.5,
        {"tol": 0.02},
        {
            "scikit-learn": {"dual": True, "tol": 0.05},
            "scikit-learn primal": {"dual": False, "tol": 1e-3},
        },
    ),
    svc(
        "LinearSVC, sparse 20k x 100k, 100 a row, to 1e-6",
        partial(text, n=20_000),
        1e-6,
        1.5,
        {"tol": 2e-3},
        {
            "scikit-learn": {"dual": True, "tol": 5e-3},
            "scikit-learn primal": {"dual": False, "tol": 1e-4},
        },
    ),
    svc(
        "LinearSVC, 200k x 50, to 1e-6",
        partial(two_classes, n=200_000, d=50),
        1e-6,
        3.0,
        {"tol": 2e-3},
        {"scikit-learn": {"dual": False, "tol": 2e-3}},
    ),
    sgd("SGDClassifier, 1M x 50, 5 epochs", partial(two_classes, n=1_000_000, d=50)),
    sgd("SGDClassifier, sparse 100k x 100k, 5 epochs", partial(text, n=100_000)),
]
