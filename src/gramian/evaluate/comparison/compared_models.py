"""The models of a comparison: their names, their task, the baseline and the seeds."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from sklearn.base import clone, is_classifier, is_regressor
from sklearn.dummy import DummyClassifier, DummyRegressor

from gramian.base.errors import DataError, ParameterError

EstimatorKind = Literal["classifier", "regressor"]


def name_models(models: Mapping[str, Any] | Sequence[Any]) -> dict[str, Any]:
    """Return estimators by name; unnamed ones are named after their class."""
    if hasattr(models, "fit") or not hasattr(models, "__iter__"):
        what = type(models).__name__
        raise ParameterError(
            f"compare: models must be a dict or a list of estimators; got one {what}; use [model]."
        )
    if isinstance(models, Mapping):
        models = list(models.items())
    named: dict[str, Any] = {}
    for item in models:
        has_name = isinstance(item, tuple)
        name, model = (str(item[0]), item[1]) if has_name else (type(item).__name__, item)
        if has_name and name in named:
            raise ParameterError(f"compare: model names must be unique; got {name!r} twice.")
        base, count = name, 1
        while name in named:
            count += 1
            name = f"{base} {count}"
        named[name] = model
    return named


def task_of(named: dict[str, Any]) -> EstimatorKind:
    """Return whether the models are classifiers or regressors; raise if mixed or neither."""
    if not named:
        raise DataError("compare: models is empty; pass one or more estimators.")
    kinds = {name: _kind(model) for name, model in named.items()}
    neither = [name for name, kind in kinds.items() if kind is None]
    if neither:
        raise DataError(
            f"compare: models must be classifiers or regressors; {neither[0]!r} is neither."
        )
    found = {kind for kind in kinds.values() if kind is not None}
    if len(found) > 1:
        raise DataError("compare: models must be all classifiers or all regressors; got both.")
    return found.pop()


def add_baseline(named: dict[str, Any], baseline: Any, task: EstimatorKind) -> str | None:
    """Add the baseline to the models and return its name, or None without a baseline."""
    if baseline is None:
        return None
    if isinstance(baseline, str) and baseline == "dummy":
        baseline = DummyClassifier(strategy="prior") if task == "classifier" else DummyRegressor()
    elif _kind(baseline) is None:
        raise ParameterError(
            f"compare: baseline must be one of 'dummy', None or a {task}; got {baseline!r}."
        )
    elif _kind(baseline) != task:
        raise ParameterError(
            f"compare: baseline must be a {task} like the models; got the "
            f"{_kind(baseline)} {baseline!r}."
        )
    name = "baseline"
    while name in named:
        name += "'"
    named[name] = baseline
    return name


def seeded(model: Any, random_state: int | None) -> Any:
    """Return a clone in which every random_state that was None is set to the seed."""
    fresh = clone(model)
    if random_state is not None:
        unset_seeds = {
            key: random_state
            for key, value in fresh.get_params().items()
            if value is None and key.rpartition("__")[2] == "random_state"
        }
        fresh.set_params(**unset_seeds)
    return fresh


def _kind(model: Any) -> EstimatorKind | None:
    if isinstance(model, type) or not (hasattr(model, "fit") and hasattr(model, "get_params")):
        return None
    if is_classifier(model):
        return "classifier"
    return "regressor" if is_regressor(model) else None
