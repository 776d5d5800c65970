"""Values that JSON can hold."""

from typing import Any

import numpy as np

FORMAT = 1  # of report.json and result.json


def finite(value: Any) -> Any:
    """Replace what JSON cannot hold by None, everywhere inside.

    Examples
    --------
    >>> finite({"low": float("nan"), "folds": (1.0, float("inf"))})
    {'low': None, 'folds': [1.0, None]}
    """
    if isinstance(value, dict):
        return {k: finite(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [finite(v) for v in value]
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value
