from typing import Any, TypeAlias, overload

import numpy as np

_Array: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[Any]]
_Formats: TypeAlias = str | bool | list[str] | tuple[str, ...]

def check_is_fitted(
    estimator: object,
    attributes: str | list[str] | tuple[str, ...] | None = None,
    *,
    msg: str | None = None,
    all_or_any: Any = ...,
) -> None: ...
def has_fit_parameter(estimator: object, parameter: str) -> bool: ...
@overload
def check_array(array: Any, *, accept_sparse: _Formats, **options: Any) -> Any: ...
@overload
def check_array(array: Any, **options: Any) -> _Array: ...
@overload
def check_X_y(X: Any, y: Any, accept_sparse: _Formats, **options: Any) -> tuple[Any, _Array]: ...
@overload
def check_X_y(X: Any, y: Any, **options: Any) -> tuple[_Array, _Array]: ...
def __getattr__(name: str) -> Any: ...
