"""Random forests: fit and predictions of rows held out; then predictions alone.

scikit-learn-intelex and LightGBM put values in 255 bins, the others try every threshold; "gramian,
256 bins" is ours with bins too. LightGBM's trees have at most 1023 leaves, each tree draws its rows
without replacement (63 % of them), and the columns are drawn per node as elsewhere. For predictions
alone a model is fitted by the first call of a process and kept; the median of the calls is then
that of the others.
"""

from __future__ import annotations

from functools import partial

from benchmarks.harness.data import tab_classes, tab_numeric
from benchmarks.harness.judges import accuracy, r_squared
from benchmarks.harness.workload import Quality, Workload
from benchmarks.harness.ydf_model import YdfModel

TREES = 100


def fitted_rows(*, n):
    """n rows that a forest is fitted to and n others to predict."""
    return tab_classes(n=n, d=30, held_out=n)


def one_row(*, n):
    """n rows to fit, one to predict."""
    X, y, T, truth = fitted_rows(n=n)
    return X, y, T[:1], truth[:1]


def gramian_forest(X, y, number, max_bins=None):
    from gramian import RandomForestClassifier, RandomForestRegressor

    if number:
        model = RandomForestRegressor(TREES, max_features=1 / 3, max_bins=max_bins, random_state=0)
    else:
        model = RandomForestClassifier(TREES, max_bins=max_bins, random_state=0)
    return model.fit(X, y)


def like_sklearn(module, X, y, number):
    if number:
        model = module.RandomForestRegressor(TREES, max_features=1 / 3, n_jobs=2, random_state=0)
    else:
        model = module.RandomForestClassifier(TREES, n_jobs=2, random_state=0)
    return model.fit(X, y)


def sklearn_forest(X, y, number):
    import sklearn.ensemble

    return like_sklearn(sklearn.ensemble, X, y, number)


def intelex_forest(X, y, number):
    import sklearnex.ensemble

    return like_sklearn(sklearnex.ensemble, X, y, number)


def snapml_forest(X, y, number):
    import snapml

    kind = snapml.RandomForestRegressor if number else snapml.RandomForestClassifier
    model = kind(
        n_estimators=TREES,
        max_features=max(1, X.shape[1] // 3) if number else "sqrt",
        n_jobs=2,
        use_histograms=False,
        random_state=0,
    )
    model.fit(X, y)
    return model


def ydf_forest(X, y, number):
    options = {"num_trees": TREES, "max_depth": -1, "min_examples": 1, "winner_take_all": False}
    return YdfModel("RandomForestLearner", X, y, number, compute_oob_performances=False, **options)


def lightgbm_forest(X, y, number):
    import lightgbm

    kind = lightgbm.LGBMRegressor if number else lightgbm.LGBMClassifier
    fraction = 1 / 3 if number else X.shape[1] ** -0.5
    model = kind(
        boosting_type="rf",
        n_estimators=TREES,
        num_leaves=1023,
        min_child_samples=1,
        min_child_weight=0.0,
        subsample=0.632,
        subsample_freq=1,
        feature_fraction_bynode=fraction,
        n_jobs=2,
        random_state=0,
        verbose=-1,
    )
    return model.fit(X, y)


FITS = {
    "gramian": gramian_forest,
    "gramian, 256 bins": partial(gramian_forest, max_bins=256),
    "scikit-learn": sklearn_forest,
    "scikit-learn-intelex": intelex_forest,
    "snapml": snapml_forest,
    "ydf": ydf_forest,
    "LightGBM rf": lightgbm_forest,
}


def fit_and_predict(fit, X, y, T, _truth, *, number=False):
    return fit(X, y, number).predict(T)


def contenders(**settings):
    return {name: partial(fit_and_predict, fit, **settings) for name, fit in FITS.items()}


KEPT = {}  # the model of this process: its contender and the number of rows it was fitted to


def predict_only(name, X, y, T, _truth):
    if (name, len(X)) not in KEPT:
        KEPT[name, len(X)] = FITS[name](X, y, False)
    return KEPT[name, len(X)].predict(T)


PREDICTORS = {name: partial(predict_only, name) for name in FITS if "bins" not in name}

SLOW = ("scikit-learn", "ydf", "LightGBM rf")

WORKLOADS = [
    Workload(
        name="forest, 50k x 30, 2 classes, 100 trees grown out",
        dtype="float32",
        data=partial(tab_classes, n=50_000, d=30),
        contenders=contenders(),
        quality=Quality("accuracy", accuracy, better="higher", agree=0.01),
        aim=2.0,
        once=SLOW,
    ),
    Workload(
        name="forest regression, 30k x 20, 100 trees, a third of the columns",
        dtype="float32",
        data=partial(tab_numeric, n=30_000, d=20),
        contenders=contenders(number=True),
        quality=Quality("R^2", r_squared, better="higher", agree=0.02),
        aim=2.0,
        once=SLOW,
    ),
    Workload(
        name="forest of 50k x 30, 100 trees: predict 50k rows",
        dtype="float32",
        data=partial(fitted_rows, n=50_000),
        contenders=PREDICTORS,
        quality=Quality("accuracy", accuracy, better="higher", agree=0.01),
        aim=2.0,
        repeat=3,
    ),
    Workload(
        name="forest of 50k x 30, 100 trees: predict one row",
        dtype="float32",
        data=partial(one_row, n=50_000),
        contenders=PREDICTORS,
        quality=Quality("accuracy", accuracy, better="neither", agree=1.0),
        aim=2.0,
        repeat=30,
    ),
]
