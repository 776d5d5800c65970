"""``python -m benchmarks.cliffs``: every estimator that scikit-learn has too, at its defaults.

Each library runs in a process of its own; the processes take turns on one estimator after the
other, and of several repeats the shortest time counts. Prints what takes more than 1.1 times as
long as scikit-learn's, and --all prints everything.
"""

from __future__ import annotations

import argparse
import importlib
import json
import signal
import subprocess
import sys
import time
import warnings
from typing import Any

import numpy as np

# Settings beside the defaults: name of the class, and parameters.
MORE: list[tuple[str, dict[str, Any]]] = [
    ("PCA", {"n_components": 0.9}),
    ("PCA", {"n_components": 5}),
    ("KernelPCA", {"kernel": "rbf", "n_components": 5}),
    ("KernelPCA", {"kernel": "rbf", "n_components": 5, "fit_inverse_transform": True}),
    ("MDS", {"max_iter": 20, "n_init": 1, "init": "classical_mds", "normalized_stress": "auto"}),
    ("NMF", {"n_components": 5}),
    ("NMF", {"n_components": 5, "solver": "mu"}),
    ("Nystroem", {"n_components": 300}),
    ("KernelRidge", {"kernel": "rbf"}),
    ("SpectralClustering", {"affinity": "nearest_neighbors"}),
    ("KNeighborsClassifier", {"algorithm": "kd_tree"}),
    ("Ridge", {"solver": "svd"}),
    ("TruncatedSVD", {"n_components": 5}),
    ("FastICA", {"n_components": 5}),
    ("KernelDensity", {"kernel": "tophat"}),
    ("GaussianRandomProjection", {"n_components": 10}),
    ("SparseRandomProjection", {"n_components": 10}),
]
# Given to estimators that have no default for it: an estimator, by the name of its class.
PARTS = {
    "ClassifierChain": "LogisticRegression",
    "OneVsOneClassifier": "LogisticRegression",
    "OneVsRestClassifier": "LogisticRegression",
    "VotingClassifier": "LogisticRegression",
    "VotingRegressor": "Ridge",
}
METHODS = ("predict", "transform", "predict_proba", "score_samples")
SLOWER = 1.1
PATIENCE = 60  # seconds for a fit
QUICK = 0.2  # seconds up to which a call is repeated more often


def tasks() -> list[tuple[str, str, dict[str, Any]]]:
    """Return module, class and parameters of what both libraries have."""
    from sklearn.utils import all_estimators

    from gramian.base.catalogue import ESTIMATORS

    ours = {entry.name for entry in ESTIMATORS}
    modules = {}
    for name, found in all_estimators():
        public = [part for part in found.__module__.split(".")[1:] if not part.startswith("_")]
        if name in ours and public:
            modules[name] = public[0]
    chosen = [(module, name, {}) for name, module in sorted(modules.items())]
    return chosen + [(modules[name], name, settings) for name, settings in MORE if name in modules]


def table(n: int, d: int, kind: str) -> tuple[Any, Any, Any]:
    """Return rows, a numeric target and classes."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    if kind == "blobs":
        X += 4 * rng.normal(size=(5, d))[rng.integers(5, size=n)]
    y = X[:, 0] - X[:, 1] + rng.normal(size=n)
    return X, y, (y > np.median(y)).astype(np.int64)


def timed(call: Any) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def shortest(call: Any) -> float:
    """Return the least of several times; a quick call is repeated more often."""
    best = timed(call)
    for _ in range(20 if best < QUICK / 20 else 3 if best < QUICK else 0):
        best = min(best, timed(call))
    return best


def parts_of(library: str, name: str) -> dict[str, Any]:
    """Return the estimators that a class needs and has no default for."""
    if name not in PARTS:
        return {}
    part = getattr(importlib.import_module(f"{library}.linear_model"), PARTS[name])
    return (
        {"estimators": [("a", part()), ("b", part())]}
        if "Voting" in name
        else {"estimator": part()}
    )


def measure(library: str, task: tuple[str, str, dict[str, Any]], data: Any) -> dict[str, float]:
    """Return the seconds of fit and of the methods of one estimator."""
    from sklearn.base import is_classifier, is_regressor

    module, name, settings = task
    found = getattr(importlib.import_module(f"{library}.{module}"), name)
    model = found(**settings, **parts_of(library, name))
    if "random_state" in model.get_params():
        model.set_params(random_state=0)
    X, y, classes = data
    tags = model.__sklearn_tags__()
    X = np.abs(X) if tags.input_tags.positive_only or name in ("NMF", "CategoricalNB") else X
    X = X.round() if name == "CategoricalNB" else X
    target = classes if is_classifier(model) else y if is_regressor(model) else None
    target = np.abs(target) if name == "PoissonRegressor" else target
    target = np.column_stack([target, X[:, 2] > 0]) if name == "ClassifierChain" else target
    seconds = {"fit": shortest(lambda: model.fit(X, target))}
    for method in METHODS:
        call = getattr(model, method, None)
        if call is not None:
            seconds[method] = shortest(lambda call=call: call(X))
    return seconds


def work(library: str) -> None:
    """Answer one line of tasks after the other with a line of seconds, or of what went wrong."""
    warnings.simplefilter("ignore")

    def give_up(*_: Any) -> None:
        raise TimeoutError(f"more than {PATIENCE} s")

    signal.signal(signal.SIGALRM, give_up)
    data: dict[tuple[int, int, str], Any] = {}
    for line in sys.stdin:
        task, shape = json.loads(line)
        data = {tuple(shape): data.get(tuple(shape)) or table(*shape)}
        signal.alarm(PATIENCE)
        try:
            answer: Any = measure(library, task, data[tuple(shape)])
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"[:100]}
        signal.alarm(0)
        print(json.dumps(answer), flush=True)


def main() -> int:
    """Compare, and return how many calls are slower than allowed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cliffs", description=__doc__)
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--features", type=int, default=20)
    parser.add_argument("--kind", choices=["normal", "blobs"], default="normal")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--match", default="", help="only classes whose name contains this")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(options.work)
        return 0
    command = [sys.executable, "-m", "benchmarks.cliffs", "--work"]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    libraries = ("gramian", "sklearn")
    workers = {library: subprocess.Popen([*command, library], **pipes) for library in libraries}
    shape = (options.rows, options.features, options.kind)
    slower = 0
    for task in tasks():
        if options.match not in task[1]:
            continue
        best: dict[str, dict[str, Any]] = {library: {} for library in workers}
        for _ in range(options.rounds):
            for library, worker in workers.items():
                worker.stdin.write(json.dumps((task, shape)) + "\n")
                worker.stdin.flush()
                for method, seconds in json.loads(worker.stdout.readline()).items():
                    before = best[library].get(method, seconds)
                    best[library][method] = seconds if method == "error" else min(before, seconds)
        slower += report(task, best["gramian"], best["sklearn"], everything=options.all)
    for worker in workers.values():
        worker.stdin.close()
        worker.wait()
    print(f"{slower} calls take more than {SLOWER} times as long as scikit-learn's")
    return 0


def report(task: Any, ours: dict[str, Any], theirs: dict[str, Any], *, everything: bool) -> int:
    """Print a line for each method; return how many are slower than allowed."""
    _, name, settings = task
    title, slower = f"{name}({settings or ''})", 0
    for who, found in (("gramian", ours), ("scikit-learn", theirs)):
        if "error" in found:
            print(f"{title}: {who}: {found['error']}", flush=True)
            return 0
    for method in ours.keys() & theirs.keys():
        ratio = ours[method] / theirs[method]
        slower += ratio > SLOWER
        if everything or ratio > SLOWER:
            print(
                f"{title}.{method}: {1e3 * ours[method]:.2f} ms, scikit-learn "
                f"{1e3 * theirs[method]:.2f} ms, {ratio:.2f}",
                flush=True,
            )
    return slower


if __name__ == "__main__":
    sys.exit(main())
