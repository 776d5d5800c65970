"""Boosting: fit only; the result is the model, evaluated on rows that it did not see.

Every contender grows 100 trees (per class) of at most 31 leaves, with at least 20 rows each, over
255 bins, learning rate 0.1. snapml grows by depth, so its trees have depth 5; CatBoost takes ten
Newton steps per leaf, which is its default.
"""

from __future__ import annotations

import os
from functools import partial

import numpy as np

from benchmarks.harness.data import first_and_rest, real_table, tab_classes
from benchmarks.harness.run import THREADS
from benchmarks.harness.workload import Quality, Workload

TREES, LEAVES, ROUNDS = 100, 31, 200


def made(*, n, d):
    """A seeded table of two classes, and 50 000 further rows to test it on."""
    return tab_classes(n=n, d=d, held_out=min(50_000, n))


def shuttle(*, n=58_000):
    """The shuttle data of GRAMIAN_DATA: 9 columns, 7 classes; a quarter is held out.

    Classes that few of the n rows have are left out, since XGBoost needs all codes up to K.
    """
    X, y = real_table("shuttle", n=n, dtype="float32")
    labels, counts = np.unique(y, return_counts=True)
    kept = np.isin(y, labels[counts >= 5])
    codes = np.unique(y[kept], return_inverse=True)[1]
    return first_and_rest(X[kept], codes, len(codes) - min(len(X) // 4, len(codes) // 2))


def log_loss(model, _X, _y, Q, truth):
    p = np.asarray(model.predict_proba(Q))
    return float(-np.log(np.maximum(p[np.arange(len(truth)), truth], 1e-15)).mean())


def accuracy(model, _X, _y, Q, truth):
    return float(np.mean(np.asarray(model.predict(Q)).ravel() == truth))


def gramian(X, y, _Q, _truth):
    from gramian import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(max_iter=TREES, early_stopping=False).fit(X, y)


def gramian_steps(X, y, _Q, _truth):
    from gramian import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(max_iter=TREES, early_stopping=False, leaf_steps=5).fit(
        X, y
    )


def sklearn(X, y, _Q, _truth):
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(max_iter=TREES, early_stopping=False).fit(X, y)


def lightgbm(X, y, _Q, _truth, **more):
    from lightgbm import LGBMClassifier

    return LGBMClassifier(
        n_estimators=TREES, num_leaves=LEAVES, n_jobs=THREADS, verbose=-1, **more
    ).fit(X, y)


def xgboost(X, y, _Q, _truth):
    from xgboost import XGBClassifier

    return XGBClassifier(
        n_estimators=TREES,
        max_leaves=LEAVES,
        max_depth=0,
        grow_policy="lossguide",
        tree_method="hist",
        learning_rate=0.1,
        max_bin=255,
        n_jobs=THREADS,
    ).fit(X, y)


def catboost(X, y, _Q, _truth):
    from catboost import CatBoostClassifier

    return CatBoostClassifier(
        iterations=TREES,
        grow_policy="Lossguide",
        max_leaves=LEAVES,
        learning_rate=0.1,
        min_data_in_leaf=20,
        thread_count=THREADS,
        verbose=0,
        allow_writing_files=False,
    ).fit(X, y)


def snapml(X, y, _Q, _truth):
    from snapml import BoostingMachineClassifier

    model = BoostingMachineClassifier(
        num_round=TREES, min_max_depth=5, max_max_depth=5, learning_rate=0.1, n_jobs=THREADS
    )
    model.fit(X, y)
    return model


def adaboost(X, y, _Q, _truth):
    from gramian import AdaBoostClassifier

    return AdaBoostClassifier(n_estimators=ROUNDS).fit(X, y)


def sklearn_adaboost(X, y, _Q, _truth):
    from sklearn.ensemble import AdaBoostClassifier

    return AdaBoostClassifier(n_estimators=ROUNDS).fit(X, y)


CONTENDERS = {
    "gramian": gramian,
    "scikit-learn": sklearn,
    "LightGBM": lightgbm,
    "LightGBM quantised": partial(lightgbm, use_quantized_grad=True),
    "XGBoost": xgboost,
    "CatBoost": catboost,
    "snapml": snapml,
}
LOSS = Quality("held-out log loss", log_loss, better="lower", agree=0.01)
ACCURACY = Quality("held-out accuracy", accuracy, better="higher", agree=0.002)

WORKLOADS = [
    Workload(
        name="boosting, 20k x 30, 100 trees of 31 leaves",
        dtype="float32",
        data=partial(made, n=20_000, d=30),
        contenders=CONTENDERS,
        quality=LOSS,
        aim=2.0,
    ),
    Workload(
        name="boosting, 500k x 30, 100 trees of 31 leaves",
        dtype="float32",
        data=partial(made, n=500_000, d=30),
        contenders=CONTENDERS,
        quality=LOSS,
        aim=1.5,
    ),
    Workload(
        name="boosting, 20k x 30, several Newton steps per leaf",
        dtype="float32",
        data=partial(made, n=20_000, d=30),
        contenders={"gramian": gramian_steps, "scikit-learn": sklearn, "CatBoost": catboost},
        quality=LOSS,
        aim=1.0,
    ),
    Workload(
        name="AdaBoost, 20k x 30, 200 stumps",
        dtype="float32",
        data=partial(made, n=20_000, d=30),
        contenders={"gramian": adaboost, "scikit-learn": sklearn_adaboost},
        quality=ACCURACY,
        aim=150.0,
    ),
]
if os.environ.get("GRAMIAN_DATA"):
    WORKLOADS.append(
        Workload(
            name="boosting, shuttle, 43k x 9, 7 classes",
            dtype="float32",
            data=shuttle,
            contenders={k: v for k, v in CONTENDERS.items() if k != "snapml"},
            quality=ACCURACY,
            aim=1.5,
        )
    )
