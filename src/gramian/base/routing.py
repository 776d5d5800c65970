"""Pass arguments on to members, splitters and scorers: scikit-learn's metadata routing.

With ``sklearn.set_config(enable_metadata_routing=True)`` each of them declares what it requests
(by ``set_fit_request`` and similar methods), and the model declares in `get_metadata_routing` which
of them it calls. Otherwise only ``sample_weight`` is passed on.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn import get_config
from sklearn.model_selection import check_cv
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from gramian.base.errors import ParameterError
from gramian.base.rows.taking import take


def is_routing() -> bool:
    """Return whether metadata is routed."""
    return bool(get_config()["enable_metadata_routing"])


def routed(model: Any, method: str, metadata: dict[str, Any]) -> Any:
    """Return which arguments go to which method of which member.

    Parameters
    ----------
    model
        The model whose method was called.
    method
        The name of the method.
    metadata
        Its arguments other than rows, targets and those that the model itself takes.

    Returns
    -------
    bunch
        ``routed(...)[member][method]`` is a dict.
    """
    if metadata and not is_routing():
        raise ParameterError(
            f"{type(model).__name__}: Passing extra keyword arguments to {method} "
            f"({', '.join(map(repr, metadata))}) is only supported if enable_metadata_routing=True"
            "; set it by sklearn.set_config."
        )
    return process_routing(model, method, **metadata)


def to_splitter(model: Any) -> MetadataRouter:
    """Return the routing of a model whose `fit` takes weights and splits rows by its `cv`."""
    passed = MethodMapping().add(caller="fit", callee="split")
    router = MetadataRouter(owner=model).add_self_request(model)
    return router.add(splitter=check_cv(model.cv), method_mapping=passed)


def for_rows(
    arguments: Mapping[str, Any], rows: npt.NDArray[Any], n_samples: int
) -> dict[str, Any]:
    """Return the arguments for some rows: arrays with one value per row keep only these rows."""
    return {
        name: take(np.asarray(value), rows) if np.shape(value)[:1] == (n_samples,) else value
        for name, value in arguments.items()
    }
