"""Multi-layer perceptrons against scikit-learn, a plain loop over PyTorch tensors, and skorch.

Everybody has the same layers, Adam with the rate 0.001, batches of 200 rows in a new order in every
epoch, and the same number of epochs; the starts are random. The loop of PyTorch has no DataLoader:
one permutation per epoch, slices of it, `zero_grad(set_to_none=True)`, the fused Adam. The answer
is the mean loss on the training rows after the last epoch. The data sets of the names with "B" are
others of the same shape, on which nothing was tuned.
"""

from __future__ import annotations

import warnings
from functools import partial
from itertools import pairwise

import numpy as np

from benchmarks.harness.workload import Quality, Workload

RATE, BATCH = 1e-3, 200


def classes(*, n, d, k, spread, seed=0, dtype="float64"):
    """Classes of several overlapping clusters each; columns of unit size."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(3 * k, d)) * spread
    place = rng.integers(3 * k, size=n)
    X = centres[place] + rng.normal(size=(n, d))
    return X.astype(dtype), (place % k).astype(np.int64)


def waves(*, n, d, seed=0, dtype="float64"):
    """A smooth function of the columns with noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.sin(X @ rng.normal(size=d) / 2) + 0.5 * X[:, 0] * X[:, 1] + 0.1 * rng.normal(size=n)
    return X.astype(dtype), y.astype(dtype)


def log_loss(P, _, y):
    """Mean -log p of the rows' classes."""
    p = np.asarray(P, dtype=float)[np.arange(len(y)), y]
    return float(-np.log(np.maximum(p, 1e-15)).mean())


def squared_error(z, _, y):
    """Mean squared error."""
    return float(np.mean((np.asarray(z, dtype=float) - y) ** 2))


def _estimator(package, task, hidden, epochs, dtype=None):
    """A contender with scikit-learn's interface."""

    def run(X, y):
        from importlib import import_module

        X = X if dtype is None else X.astype(dtype)
        make = getattr(import_module(f"{package}.neural_network"), f"MLP{task}")
        model = make(hidden_layer_sizes=hidden, max_iter=epochs, tol=0, random_state=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(X, y)
        return model.predict_proba(X) if task == "Classifier" else model.predict(X)

    return run


def _module(torch, X, y, task, hidden):
    widths = [X.shape[1], *hidden, int(y.max()) + 1 if task == "Classifier" else 1]
    layers = []
    for a, b in pairwise(widths):
        layers += [torch.nn.Linear(a, b), torch.nn.ReLU()]
    dtype = torch.float32 if X.dtype == np.float32 else torch.float64
    return torch.nn.Sequential(*layers[:-1]).to(dtype)


def _torch(task, hidden, epochs):
    """A plain loop."""

    def run(X, y):
        import torch

        torch.manual_seed(0)
        torch.set_num_threads(2)
        net = _module(torch, X, y, task, hidden)
        optimizer = torch.optim.Adam(net.parameters(), lr=RATE, fused=True)
        loss = torch.nn.CrossEntropyLoss() if task == "Classifier" else torch.nn.MSELoss()
        A, b = torch.from_numpy(X), torch.from_numpy(y)
        b = b if task == "Classifier" else b[:, None]
        for _ in range(epochs):
            order = torch.randperm(len(A))
            for first in range(0, len(A), BATCH):
                at = order[first : first + BATCH]
                optimizer.zero_grad(set_to_none=True)
                loss(net(A[at]), b[at]).backward()
                optimizer.step()
        with torch.inference_mode():
            out = net(A)
            return (torch.softmax(out, 1) if task == "Classifier" else out[:, 0]).numpy()

    return run


def _skorch(task, hidden, epochs):
    def run(X, y):
        import skorch
        import torch

        torch.manual_seed(0)
        torch.set_num_threads(2)
        make = skorch.NeuralNetClassifier if task == "Classifier" else skorch.NeuralNetRegressor
        loss = torch.nn.CrossEntropyLoss if task == "Classifier" else torch.nn.MSELoss
        model = make(
            _module(torch, X, y, task, hidden),
            criterion=loss,
            optimizer=torch.optim.Adam,
            lr=RATE,
            batch_size=BATCH,
            max_epochs=epochs,
            train_split=None,
            iterator_train__shuffle=True,
            verbose=0,
        )
        model.fit(X, y if task == "Classifier" else y[:, None])
        if task == "Classifier":
            return torch.softmax(torch.from_numpy(model.forward(X).numpy()), 1).numpy()
        return model.predict(X)[:, 0]

    return run


def _contenders(task, hidden, epochs, dtype):
    made = {
        "gramian": _estimator("gramian", task, hidden, epochs),
        "scikit-learn": _estimator("sklearn", task, hidden, epochs),
        "torch": _torch(task, hidden, epochs),
        "skorch": _skorch(task, hidden, epochs),
    }
    if dtype == "float32":
        made["scikit-learn in float64"] = _estimator("sklearn", task, hidden, epochs, "float64")
    return made


_FITTED: dict[str, object] = {}  # of this process: a contender runs in one of its own


def _predict(package):
    """Prediction by a fitted network: the first call fits, the median of the calls counts."""

    def run(X, fitted_to, y):
        from importlib import import_module

        if package not in _FITTED:
            make = import_module(f"{package}.neural_network").MLPClassifier
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                _FITTED[package] = make((100,), max_iter=1, random_state=0).fit(fitted_to, y)
        return _FITTED[package].predict_proba(X)

    return run


def _predict_torch(X, fitted_to, y):
    import torch

    if "torch" not in _FITTED:
        torch.manual_seed(0)
        torch.set_num_threads(2)
        _FITTED["torch"] = _module(torch, fitted_to, y, "Classifier", (100,))
    with torch.inference_mode():
        return torch.softmax(_FITTED["torch"](torch.from_numpy(X)), 1).numpy()


def rows_to_predict(*, n, d=50, dtype="float64"):
    """Rows, and others to fit to."""
    X, y = classes(n=2000, d=d, k=10, spread=1.0, dtype=dtype)
    return np.resize(X, (n, d)), X, y


def total(P, *_):
    """The sum of the probabilities, which is that of the rows."""
    return float(np.sum(P))


LOSS = Quality("log loss", log_loss, better="lower", agree=0.15)
ERROR = Quality("squared error", squared_error, better="lower", agree=0.15)
PREDICT = {"gramian": _predict("gramian"), "scikit-learn": _predict("sklearn")}


def _training(name, task, data, hidden, epochs, dtype, aim):
    return Workload(
        name=name,
        dtype=dtype,
        data=partial(data, dtype=dtype),
        contenders=_contenders(task, hidden, epochs, dtype),
        quality=LOSS if task == "Classifier" else ERROR,
        aim=aim,
        once=("skorch",),
    )


def _trainings():
    wide = {"n": 20_000, "d": 784, "k": 10, "spread": 0.12}
    narrow = {"n": 5000, "d": 20, "k": 2, "spread": 0.8}
    for seed, mark in ((0, ""), (1, ", B")):
        for dtype in ("float32", "float64"):
            yield _training(
                f"MLPClassifier, 20k x 784-256-10, 5 epochs{mark}",
                "Classifier",
                partial(classes, seed=seed, **wide),
                (256,),
                5,
                dtype,
                1.2,
            )
            yield _training(
                f"MLPClassifier, 5k x 20-50-2, 50 epochs{mark}",
                "Classifier",
                partial(classes, seed=seed, **narrow),
                (50,),
                50,
                dtype,
                8.0,
            )
            yield _training(
                f"MLPRegressor, 100k x 30-100-1, 5 epochs{mark}",
                "Regressor",
                partial(waves, n=100_000, d=30, seed=seed),
                (100,),
                5,
                dtype,
                2.0,
            )


WORKLOADS = [
    *_trainings(),
    Workload(
        name="MLPClassifier 50-100-10, predict_proba of one row",
        dtype="float64",
        data=partial(rows_to_predict, n=1),
        contenders={**PREDICT, "torch": _predict_torch},
        quality=Quality("sum", total, better="neither", agree=1e-6),
        aim=1.0,
        repeat=200,
        why="a PyTorch module does not validate its input",
    ),
    Workload(
        name="MLPClassifier 50-100-10, predict_proba of 100k rows",
        dtype="float64",
        data=partial(rows_to_predict, n=100_000),
        contenders={**PREDICT, "torch": _predict_torch},
        quality=Quality("sum", total, better="neither", agree=1e-6),
        aim=1.5,
        repeat=5,
    ),
]
