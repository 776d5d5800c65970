"""One call of an estimator and what came of it: an answer, a refusal, or a fault.

A fault is an error that does not name an estimator or speaks with the words of another library, a
RuntimeWarning of NumPy or SciPy, or an answer with NaN or infinity that nothing warned of.
"""

import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning

from gramian.base.errors import MissingExtra
from tests.contract.estimators import ALL

KERNELS = "FunctionKernel|ChiSquared|AdditiveChiSquared"

ANSWERS = ("predict", "predict_proba", "predict_log_proba", "decision_function", "score_samples",
           "transform", "kneighbors", "radius_neighbors")  # fmt: skip
# Minus infinity is an answer here.
LOGARITHMS = {"predict_log_proba", "score_samples", "score", "decision_function"}
NAMES = re.compile(r"\b(" + "|".join(entry.name for entry in ALL) + f"|{KERNELS}" + r")\b")

# Phrases of NumPy, SciPy, pandas and nanobind: an error with one of them was not foreseen here.
FOREIGN = re.compile(
    r"ufunc|int too large|too large to convert|setting an array element|could not be broadcast"
    r"|not supported between|unsupported operand|inhomogeneous|incompatible function arguments"
    r"|has no attribute|object is not|object has no|infs or NaNs|Singular matrix|not convergent"
    r"|leading minor|Maximum allowed|array is too big|negative dimensions|out of bounds"
    r"|object does not support|Cannot cast|cannot cast|DType|dtype\('|not JSON|must be real number"
    r"|float\(\) argument|not 'float|unhashable|illegal value"
)


def outcome(call: Callable[[], Any], *, method: str, check_values: bool = True) -> tuple[str, Any]:
    """Make a call; return what came of it, a fault with "!" in front, and the answer."""
    answer = None
    with warnings.catch_warnings(record=True) as recorded:
        warnings.simplefilter("always")
        try:
            answer = call()
        except MissingExtra:
            return "not installed", None
        except Exception as error:
            fault = fault_of_error(error)
            text = str(error).strip().replace("\n", " ")
            kind = type(error).__name__
            return (
                f"!raw error: {method}: {fault}{kind}: {text:.150}" if fault else "refused"
            ), None
    for warning in recorded:
        if is_fault(warning):
            text = str(warning.message).replace("\n", " ")
            return f"!raw warning: {method}: {warning.category.__name__}: {text:.100}", answer
    warned = any(not issubclass(w.category, ConvergenceWarning) for w in recorded)
    if check_values and not warned and (found := not_finite(answer, method)):
        return f"!not finite: {method}: {found}", answer
    return ("answered with a warning" if recorded else "answered"), answer


def fault_of_error(error: Exception) -> str:
    """Say what is wrong with an error; an empty string if it is one that a user can act on."""
    text = str(error)
    if not isinstance(error, ValueError | TypeError | AttributeError):
        return "kind of error: "
    if not NAMES.search(text):
        return "names nobody: "
    if isinstance(error, np.linalg.LinAlgError | UnicodeError) or (
        FOREIGN.search(text) and "FunctionKernel" not in text  # which quotes the user's function
    ):
        return "foreign words: "
    return ""


def is_fault(warning: warnings.WarningMessage) -> bool:
    """Tell whether a warning is one of NumPy, SciPy or pandas; ours name the estimator."""
    kinds = RuntimeWarning | DeprecationWarning | FutureWarning | PendingDeprecationWarning
    return issubclass(warning.category, kinds) and not NAMES.search(str(warning.message))


def not_finite(answer: Any, method: str) -> str:
    """Name what an answer holds besides finite numbers; an empty string if nothing."""
    for part in answer if isinstance(answer, tuple | list) else (answer,):
        values = part.data if sp.issparse(part) else part
        if isinstance(values, pd.DataFrame):
            values = values.to_numpy()
        if not isinstance(values, np.ndarray | float | np.floating):
            continue
        values = np.asarray(values)
        if values.dtype.kind == "O":  # radius neighbours
            values = (
                np.concatenate([np.ravel(v) for v in values.ravel()]) if values.size else values
            )
        if values.dtype.kind != "f":
            continue
        if np.isnan(values).any():
            return "NaN"
        infinite = values == np.inf if method in LOGARITHMS else np.isinf(values)
        if infinite.any():
            return "infinity"
    return ""
