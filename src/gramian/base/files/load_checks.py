"""Check a loaded model by running its methods on a few synthetic rows before `load` returns it.

Decoding checks one value at a time, and `Estimator._check_loaded` checks what native code will
read. Missing or contradictory attributes show only when the model is used, so its methods are run
on a few rows, and a file whose model fails is rejected. An error about the rows (`DataError`) does
not count against the model.
"""

import dis
import warnings
from importlib.util import find_spec
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import scipy.sparse as sp
from sklearn.base import is_classifier
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder
from sklearn.utils import get_tags

from gramian.base.errors import DataError, MissingExtra, ModelFileError, ParameterError
from gramian.base.files.archive import Budget
from gramian.base.kinds import Estimator

METHODS = ("predict", "predict_proba", "decision_function", "score_samples", "transform",
           "kneighbors", "radius_neighbors")  # fmt: skip
_OF_CLASSES = ("predict_proba", "decision_function")
_ABOUT_ROWS = (DataError, ParameterError, NotFittedError, MissingExtra)
_EQUAL = np.zeros(2)  # valid for every model: also as codes of categories, counts, distances
_SPREAD = np.array([-1e3, -2.0, -0.3, 0.4, 1.0, 3.0, 1e3])
_NOT_FROM_FIT = {"_sklearn_output_config", "_metadata_request"}
_MISSING = np.array([np.nan, 1.0])  # for models that allow missing values
_RAISE = dis.opmap["RAISE_VARARGS"]
_FRAMES = ("polars", "pandas", "pyarrow")


def check_methods(model: Any, members: list[Any], budget: Budget) -> None:
    """Raise ModelFileError unless the methods of a fitted model work on a few rows.

    Parameters
    ----------
    model
        The loaded model.
    members
        All estimators of the file. The outputs of a classifier among them must match its own
        classes, since its predictions may index an array of the model that contains it.
    budget
        The memory budget that the rows count against.
    """
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        first = _first_step(model)
        if _checked_width(first):
            kinds = (_EQUAL, _SPREAD, *([_MISSING] if _takes_nan(first) else []))
            for values in kinds:
                _try_methods(model, first, values, METHODS, budget)
        for member in members:
            if member is not model and is_classifier(member) and _checked_width(member):
                _try_methods(member, member, _EQUAL, _OF_CLASSES, budget)


def _checked_width(step: Any) -> bool:
    """Return whether a step is fitted; raise if its number of columns is invalid."""
    d = getattr(step, "n_features_in_", None)
    if d is None and not _is_fitted(step):
        return False
    if isinstance(d, bool) or not isinstance(d, int | np.integer) or d < 1:
        raise ModelFileError(
            f"load: n_features_in_ of the file's {type(step).__name__} must be a positive "
            f"integer; got {d!r}. Save the model again."
        )
    return True


def _try_methods(
    model: Any, first: Any, values: Any, methods: tuple[str, ...], budget: Budget
) -> None:
    budget.spend(8 * len(values) * int(first.n_features_in_), "rows to try the model on")
    rows = _rows(first, values)
    if rows is not None:
        for method in methods:
            if hasattr(model, method):
                _try_method(model, method, rows, len(values))


def _try_method(model: Any, method: str, rows: Any, n: int) -> None:
    name = type(model).__name__
    try:
        answer = getattr(model, method)(rows)
    except MemoryError:  # says nothing about the file
        raise
    except Exception as error:  # contradictory attributes can raise anything
        if _about_rows(error):
            return
        reason = next(iter(str(error).splitlines()), "")
        raise ModelFileError(
            f"load: the attributes of the file's {name} contradict each other or are incomplete "
            f"({method}: {type(error).__name__}: {reason:.120}); fit and save it again."
        ) from None
    output = answer[0] if isinstance(answer, tuple) else answer
    if not _fits(model, method, output, n):
        raise ModelFileError(
            f"load: {method} of the file's {name} returns a result that does not match its "
            "attributes; fit and save it again."
        )


def _about_rows(error: Exception) -> bool:
    """Return whether an error is about the rows: gramian's own, or from scikit-learn's checks."""
    if isinstance(error, _ABOUT_ROWS):
        return True
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or type(error) is not ValueError:
        return False
    in_sklearn = trace.tb_frame.f_globals.get("__name__", "").startswith("sklearn.")
    raise_statement = trace.tb_frame.f_code.co_code[trace.tb_lasti] == _RAISE
    return in_sklearn and raise_statement  # not raised by NumPy, called from scikit-learn


def _fits(model: Any, method: str, answer: Any, n: int) -> bool:
    """Return whether an output has one entry per row and, if required, one column per class."""
    if isinstance(answer, list):  # several outputs
        return all(_fits(None, method, part, n) for part in answer)
    if not sp.issparse(answer) and not hasattr(answer, "shape"):
        return False
    if len(answer.shape) == 0 or answer.shape[0] != n:
        return False
    classes = getattr(model, "classes_", None)
    if not is_classifier(model) or not isinstance(classes, np.ndarray):
        return True
    k = len(classes)
    if method == "predict_proba":
        return bool(answer.shape == (n, k))
    if method == "decision_function":
        return bool(answer.shape in ((n,), (n, k), (n, k * (k - 1) // 2)))
    return True


# --- rows that a model accepts -------------------------------------------------------------------


def _first_step(model: Any) -> Any:
    """Return the first fitted step of a pipeline, or of a model that wraps one."""
    for name in ("estimator_", "estimator"):
        if isinstance(getattr(model, name, None), Pipeline):
            model = getattr(model, name)
    while isinstance(model, Pipeline) and model.steps:
        steps = [step for _, step in model.steps]
        model = next((step for step in steps if hasattr(step, "n_features_in_")), steps[-1])
    return model


def _takes_nan(step: Any) -> bool:
    return bool(get_tags(step).input_tags.allow_nan)


def _is_fitted(step: Any) -> bool:
    """Return whether an estimator of gramian has fitted attributes."""
    if not isinstance(step, Estimator):
        return False
    return bool(vars(step).keys() - step.get_params(deep=False).keys() - _NOT_FROM_FIT)


def _rows(step: Any, values: Any) -> Any:
    """Return rows for a step; None if it needs a data frame and no such library is installed."""
    columns = _columns(step, values)
    if isinstance(columns, np.ndarray):
        return np.ascontiguousarray(columns.T)
    if isinstance(columns, dict):
        return _frame(columns)
    names = getattr(step, "feature_names_in_", None)
    if isinstance(step, ColumnTransformer) and names is not None:
        return _frame(dict(zip(map(str, names), columns, strict=False)))
    return np.column_stack([np.asarray(cells, dtype=object) for cells in columns])


def _columns(step: Any, values: Any) -> Any:
    """Return the values of each column of a step, by name if the step selects columns by name.

    Numeric columns are the rows of one array, each with the values in another order.
    """
    n, d = len(values), int(step.n_features_in_)
    numbers = values[(np.arange(d)[:, None] + np.arange(n)) % n]
    named = getattr(step, "_trial_columns", None)
    if named is not None:
        return named(values)
    if isinstance(step, Pipeline):
        return _columns(step.steps[0][1], values)
    if isinstance(step, FeatureUnion):
        return _columns(step.transformer_list[0][1], values)
    if isinstance(step, ColumnTransformer):
        found: list[Any] = list(numbers)
        for name, inner, _ in step.transformers_:
            own = step._transformer_to_input_indices[name]
            if hasattr(inner, "n_features_in_") and len(own) == inner.n_features_in_:
                for place, cells in zip(own, _columns(inner, values), strict=True):
                    found[place] = cells
        return found
    if isinstance(step, OneHotEncoder | OrdinalEncoder):
        return [[levels[i % len(levels)] for i in range(n)] for levels in step.categories_]
    if getattr(getattr(step, "statistics_", None), "dtype", np.dtype(float)).kind == "O":
        return [[cell] * n for cell in step.statistics_]
    return numbers


def _frame(columns: dict[str, Any]) -> Any:
    backend: Any = next((name for name in _FRAMES if find_spec(name) is not None), None)
    return None if backend is None else nw.from_dict(columns, backend=backend).to_native()
