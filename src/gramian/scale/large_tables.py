"""Several models for a table larger than memory, compared on rows that were held out."""

from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Literal

import numpy as np

from gramian.base.catalogue import ESTIMATORS
from gramian.base.errors import DataError
from gramian.base.rows.parts import add
from gramian.scale.fitting import chunks_of, fit, score, total
from gramian.scale.members import has_members
from gramian.scale.table_chunks import TableChunks
from gramian.study import SPACES

Task = Literal["classification", "regression"]

# Models that need no choice of scale or strength, or choose it themselves.
LARGE_MODELS: dict[Task, dict[str, dict[str, Any]]] = {
    "classification": {
        "LogisticRegression": {},
        "LinearDiscriminantAnalysis": {},
        "QuadraticDiscriminantAnalysis": {},
        "GaussianNB": {},
        "HistGradientBoostingClassifier": {"early_stopping": False},
        "RandomForestClassifier": {"min_samples_leaf": 5},
    },
    "regression": {
        "RidgeCV": {"alphas": np.geomspace(1e-3, 1e3, 13)},
        "LinearRegression": {},
        "HistGradientBoostingRegressor": {"early_stopping": False},
        "RandomForestRegressor": {"min_samples_leaf": 5},
    },
}
_CATEGORIES = 20  # different whole numbers up to which a target holds classes


@dataclass
class LargeFit:
    """What became of each model.

    Attributes
    ----------
    task
        "classification", scored by accuracy, or "regression", by R^2.
    rows
        Models that were fitted, the best first: name, score on the held-out rows, seconds.
    failed
        Why the others could not be.
    model
        The best one, fitted to the rows that were not held out.
    baseline
        The score of the commonest class, or of the mean.
    n_train, n_test
        How many rows.
    """

    task: Task
    rows: list[tuple[str, float, float]] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    model: Any = None
    baseline: float = 0.0
    n_train: int = 0
    n_test: int = 0


def fit_large(
    chunks: TableChunks,
    *,
    task: Task | Literal["auto"] = "auto",
    models: tuple[str, ...] | None = None,
    test_size: float = 0.2,
    seed: int = 0,
    client: Any = None,
    tell: Any = None,
) -> LargeFit:
    """Fit models by chunks, score them on rows held out at random, and keep the best.

    Parameters
    ----------
    chunks
        What `chunks` returned, with a target.
    task
        "auto": classification if the target is text, or has at most 20 different whole numbers.
    models
        Names of estimators; None: those of `LARGE_MODELS`.
    test_size
        Fraction of the rows held out.
    seed
        For the rows held out, and for forests.
    client
        As for `fit`.
    tell
        Called with the name of each model before it is fitted.

    Returns
    -------
    LargeFit

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.scale import chunks, fit_large
    >>> X = np.random.default_rng(0).normal(size=(500, 2))
    >>> found = fit_large(chunks(X, X[:, 0] > 0, rows=200), models=("GaussianNB",))
    >>> found.task, found.rows[0][1] > 0.9
    ('classification', True)
    """
    train, held_out = chunks.split(test_size, seed)
    counted = _labels(chunks_of(train, None, None, client))
    chosen = _task(counted) if task == "auto" else task
    result = LargeFit(chosen)
    result.n_train, result.n_test = (
        int(total(chunks_of(part, None, None, client), _rows, add)) for part in (train, held_out)
    )
    if chosen == "classification" and counted is not None:
        common = max(counted, key=counted.__getitem__)
        test = total(chunks_of(held_out, None, None, client), _count, _merged) or {}
        result.baseline = test.get(common, 0) / max(result.n_test, 1)
    for name in models or LARGE_MODELS[chosen]:
        if tell is not None:
            tell(name)
        begin = perf_counter()
        try:
            model = fit(_estimator(name, chosen, chunks.n_parts, seed), train, client=client)
            found = score(model, held_out, client=client)
        except ValueError as error:
            result.failed[name] = str(error)
            continue
        except MemoryError as error:
            result.failed[name] = (
                f"What it keeps of the rows did not fit into memory ({error}). Allow more memory, "
                "fit it to a sample, or use a cluster."
            )
            continue
        if not result.rows or found > max(row[1] for row in result.rows):
            result.model = model
        result.rows.append((name, found, perf_counter() - begin))
    result.rows.sort(key=lambda row: -row[1])
    if models is None:
        result.failed |= _left_out(chosen)
    if result.model is None:
        reasons = "; ".join(f"{name}: {why}" for name, why in result.failed.items())
        raise DataError(f"fit_large: no model could be fitted. {reasons}")
    return result


def _estimator(name: str, task: Task, parts: int, seed: int) -> Any:
    """Return an unfitted model; a forest has a tree for each chunk at least."""
    entry = next((e for e in ESTIMATORS if e.name == name), None)
    if entry is None:
        raise DataError(f"there is no model {name!r}; see `gramian models`.")
    if entry.kind not in ("classifier", "regressor") or (entry.kind == "classifier") != (
        task == "classification"
    ):
        raise DataError(f"{name} is not for {task}.")
    settings = LARGE_MODELS[task].get(name, {})
    model = entry.resolve()(**settings)
    free = [key for key in ("random_state",) if key in model.get_params()]
    model.set_params(**dict.fromkeys(free, seed))
    if has_members(model):
        model.set_params(n_estimators=max(model.n_estimators, parts))
    return model


def _left_out(task: Task) -> dict[str, str]:
    """Return the models that a study in memory would try and this one did not, and why."""
    kind = "classifier" if task == "classification" else "regressor"
    reasons = {}
    for entry in ESTIMATORS:
        if entry.name not in SPACES or entry.kind != kind or entry.name in LARGE_MODELS[task]:
            continue
        model = entry.resolve()()
        able = hasattr(model, "fit_chunks") or has_members(model)
        reasons[entry.name] = (
            "It can be fitted by chunks but is not among the models tried by default; name it to "
            "have it fitted."
            if able
            else "It cannot be trained in chunks: it needs all rows in memory. Fit it to a sample."
        )
    return reasons


def _task(counted: dict[Any, float] | None) -> Task:
    return "regression" if counted is None else "classification"


def _labels(chunks: Any) -> dict[Any, float] | None:
    """Return the classes and how many rows each has; None if the target holds numbers."""
    return total(chunks, _count, _merged)  # type: ignore[no-any-return]


def _count(chunk: Any) -> dict[Any, float] | None:
    y = np.asarray(chunk[1])
    if chunk[1] is None:
        raise DataError("fit_large: chunks have no target; name it in scale.chunks.")
    if y.dtype.kind == "f" and not (y == np.floor(y)).all():
        return None
    values, counts = np.unique(y, return_counts=True)
    if y.dtype.kind in "fiu" and len(values) > _CATEGORIES:
        return None
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


def _merged(left: Any, right: Any) -> dict[Any, float] | None:
    if left is None or right is None:
        return None
    both = {**left}
    for label, count in right.items():
        both[label] = both.get(label, 0) + count
    numbers = all(isinstance(label, int | float) for label in both)
    return None if numbers and len(both) > _CATEGORIES else both


def _rows(chunk: Any) -> int:
    return len(chunk[0])
