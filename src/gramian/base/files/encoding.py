"""Encode objects as the JSON tree of a model file.

Every JSON object of the tree has one key, which gives its type::

    {"array": "a0"}  {"strings": [...], "shape": [2], "dtype": "U"}  {"tuple": [...]}
    {"packed": "int32", "shape": [9, 99], "often": "00000000", "where": "a1", "planes": "a2"}
    {"dict": [[key, value], ...]}  {"float": "nan"}  {"scalar": "float32", "value": 1.5}
    {"csr": [data, indices, indptr], "shape": [3, 4]}  {"pipeline": [[name, step], ...]}
    {"estimator": "KMeans", "params": {...}, "fitted": {...}}
    {"record": "tree", "fields": {...}}
    {"sklearn": "sklearn.preprocessing.StandardScaler", "params": {...}, "fitted": {...}}
    {"objects": ["a", null], "shape": [2]}  {"slice": [0, 2, null]}
    {"dtype": "float64"}  {"scalar_type": "float64"}
    {"distribution": "Gaussian"}  # the class, not one of its members
"""

import dataclasses
import math
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.pipeline import Pipeline

from gramian.base import catalogue
from gramian.base.errors import ModelFileError
from gramian.base.files.packing import can_pack, pack
from gramian.base.files.sklearn_steps import advice, path_of, state_of

CELLS = (str, bool, int, float, np.number, type(None))  # of an array of objects
_CALLBACKS = "_skl_callbacks"  # belong to a run, not to the model

Node: TypeAlias = Any  # a JSON value
Arrays: TypeAlias = dict[str, npt.NDArray[Any]]


def encode(value: Any, arrays: Arrays, where: str) -> Node:
    """Return the node of a value and add its arrays to `arrays`; errors name it as `where`.

    Examples
    --------
    >>> arrays: Arrays = {}
    >>> encode((1, float("inf"), np.arange(3.0)), arrays, "x")
    {'tuple': [1, {'float': 'inf'}, {'array': 'a0'}]}
    >>> arrays
    {'a0': array([0., 1., 2.])}
    """
    if value is None or (isinstance(value, bool | int | str) and type(value) in (bool, int, str)):
        return value
    if type(value) is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if isinstance(value, np.generic) and value.dtype.kind in "biuf":
        return {"scalar": value.dtype.name, "value": encode(value.item(), arrays, where)}
    if isinstance(value, np.ndarray):
        return _encode_array(value, arrays, where)
    if sp.issparse(value) and value.format == "csr":
        parts = [_encode_array(a, arrays, where) for a in (value.data, value.indices, value.indptr)]
        return {"csr": parts, "shape": list(value.shape)}
    if type(value) is list:
        return [encode(v, arrays, f"{where}[{i}]") for i, v in enumerate(value)]
    if type(value) is tuple:
        return {"tuple": [encode(v, arrays, f"{where}[{i}]") for i, v in enumerate(value)]}
    if type(value) is dict:
        return {
            "dict": [
                [encode(k, arrays, where), encode(v, arrays, f"{where}[{k!r}]")]
                for k, v in value.items()
            ]
        }
    if type(value) is Pipeline and value.memory is None:
        return {
            "pipeline": [
                [name, encode(step, arrays, f"{where}.{name}")] for name, step in value.steps
            ]
        }
    if type(value) is slice:
        return {"slice": encode([value.start, value.stop, value.step], arrays, where)}
    if isinstance(value, np.dtype) and value.kind in "biufO":
        return {"dtype": value.name}
    if isinstance(value, type) and issubclass(value, np.number | np.bool):
        return {"scalar_type": np.dtype(value).name}
    if isinstance(value, type) and _is_listed(value.__name__, value, catalogue.DISTRIBUTIONS):
        return {"distribution": value.__name__}
    path = f"{type(value).__module__}.{type(value).__qualname__}"
    theirs = path_of(type(value))
    if theirs is not None:
        return {
            "sklearn": theirs,
            **_parts(value, state_of(value, theirs, where), arrays, where),
        }
    record = _record_name(type(value))
    if record is not None:
        kept = (
            {f.name: getattr(value, f.name) for f in dataclasses.fields(value) if f.init}
            if dataclasses.is_dataclass(value)
            else value.constructor_arguments()
        )
        return {
            "record": record,
            "fields": {k: encode(v, arrays, f"{where}.{k}") for k, v in kept.items()},
        }
    known = catalogue.entry_of(type(value))
    if known is None:
        raise ModelFileError(
            f"save: {where} is a {path}, which a model file cannot store; {advice(type(value))}."
        )
    left_out = {*value.get_params(deep=False), _CALLBACKS, *type(value).derived_attributes}
    fitted = {k: v for k, v in vars(value).items() if k not in left_out}
    return {"estimator": known.name, **_parts(value, fitted, arrays, where)}


def _parts(value: Any, fitted: dict[str, Any], arrays: Arrays, where: str) -> dict[str, Node]:
    """Return the nodes of parameters and fitted attributes."""
    params = value.get_params(deep=False)
    return {
        "params": {k: encode(v, arrays, f"{where}.{k}") for k, v in params.items()},
        "fitted": {k: encode(v, arrays, f"{where}.{k}") for k, v in fitted.items()},
    }


def _encode_array(value: npt.NDArray[Any], arrays: Arrays, where: str) -> Node:
    if value.dtype.kind in "iuf" and can_pack(value):
        packed = pack(value)
        return {
            "packed": packed.dtype,
            "shape": list(packed.shape),
            "often": packed.often.hex(),
            "where": _stored(packed.where, arrays),
            "planes": _stored(packed.planes, arrays),
        }
    if value.dtype.kind in "biuf":
        return {"array": _stored(np.ascontiguousarray(value).reshape(value.shape), arrays)}
    flat = value.ravel().tolist()
    if value.dtype.kind in "UO" and all(type(v) is str for v in flat):
        return {"strings": flat, "shape": list(value.shape), "dtype": value.dtype.kind}
    if value.dtype.kind == "O" and all(isinstance(v, CELLS) for v in flat):
        return {"objects": encode(flat, arrays, where), "shape": list(value.shape)}
    raise ModelFileError(
        f"save: {where} is an array of {value.dtype}, which a model file cannot store; "
        "use numbers or strings."
    )


def _stored(value: npt.NDArray[Any], arrays: Arrays) -> str:
    name = f"a{len(arrays)}"
    arrays[name] = value
    return name


def _record_name(cls: type) -> str | None:
    """Return the name of a record or a model in files, or None."""
    name = getattr(cls, "record_name", cls.__name__)
    listed = catalogue.RECORDS | catalogue.MODELS
    return name if _is_listed(name, cls, listed) else None


def _is_listed(name: str, cls: type, listed: dict[str, str]) -> bool:
    """Return whether a table of the catalogue has the class by this name."""
    return name in listed and catalogue.resolve(listed[name]) is cls
