"""Model files: a zip of ``.npy`` arrays and one JSON manifest.

Loading runs no code of the file: arrays are read without pickle, classes come from the
catalogue (and ``sklearn.pipeline.Pipeline``), and anything unknown is refused. Hashes guard
against damage, not against forgery; a forged file meets `base/archive.py`, which limits its
memory, and the checks of what is read (`Estimator._check_loaded`). Older formats are migrated.

Every JSON object of the tree has one key that says what it is::

    {"array": "a0"}  {"strings": [...], "shape": [2], "dtype": "U"}  {"tuple": [...]}
    {"packed": "int32", "shape": [9, 99], "often": "00000000", "where": "a1", "planes": "a2"}
    {"dict": [[key, value], ...]}  {"float": "nan"}  {"scalar": "float32", "value": 1.5}
    {"csr": [data, indices, indptr], "shape": [3, 4]}  {"pipeline": [[name, step], ...]}
    {"estimator": "gramian.cluster.KMeans", "params": {...}, "fitted": {...}}
    {"record": "gramian.tree.Tree", "fields": {...}}
"""

import dataclasses
import hashlib
import io
import json
import math
import os
import zipfile
from collections.abc import Callable
from numbers import Integral
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.pipeline import Pipeline

import gramian
from gramian.base import catalogue
from gramian.base.errors import ModelFileError, ParameterError
from gramian.base.fields import Interval, check_params
from gramian.base.files.archive import MANIFEST, Archive
from gramian.base.files.older_names import current, with_current_names
from gramian.base.files.packing import Packed, can_pack, pack, unpack
from gramian.base.files.writing import written_whole

FORMAT = 4
_CALLBACKS = "_skl_callbacks"  # belong to a run, not to the model

Node: TypeAlias = Any  # a JSON value
Arrays: TypeAlias = dict[str, npt.NDArray[Any]]


def save(model: Any, path: str | os.PathLike[str]) -> Path:
    """Write an estimator to a file that `load` reads, here and in later versions.

    Parameters
    ----------
    model
        An estimator of gramian, fitted or not, or a scikit-learn ``Pipeline`` of such.
    path
        Where to write; an existing file is replaced once the new one is whole. The usual
        suffix is ``.gram``.

    Returns
    -------
    pathlib.Path
        The path written.

    Examples
    --------
    >>> import tempfile, os, gramian
    >>> model = gramian.KMeans(2, random_state=0).fit([[0.0], [1.0], [9.0], [10.0]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = gramian.save(model, os.path.join(folder, "model.gram"))
    ...     copy = gramian.load(path)
    >>> bool((copy.cluster_centers_ == model.cluster_centers_).all())
    True
    """
    arrays: Arrays = {}
    root = _encode(model, arrays, type(model).__name__)
    if not isinstance(root, dict) or not root.keys() & {"estimator", "pipeline"}:
        raise ModelFileError(
            "save: model must be an estimator of gramian or a Pipeline of such; "
            f"got {type(model).__name__}."
        )
    packed = {name: _npy(array) for name, array in arrays.items()}
    manifest = {
        "format": FORMAT,
        "gramian": gramian.__version__,
        "sha256": {name: hashlib.sha256(data).hexdigest() for name, data in packed.items()},
        "root": root,
    }
    path = Path(path)
    with (
        written_whole(path) as stream,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file,
    ):
        file.writestr(MANIFEST, json.dumps(manifest, allow_nan=False))
        for name, data in packed.items():
            file.writestr(f"{name}.npy", data)
    return path


def load(path: str | os.PathLike[str], *, max_bytes: int | None = None) -> Any:
    """Read a model written by `save`, of this or an earlier version.

    A file from a stranger is refused or gives a model that may be wrong; it runs no code, and
    takes no more memory than `max_bytes` says.

    Parameters
    ----------
    path
        The file.
    max_bytes
        About how many bytes the model may take in memory. None is 1 GiB or, if that is more, 100
        times the size of the file. A file that needs more is refused before it takes them.

    Returns
    -------
    estimator
        Ready to predict.

    Examples
    --------
    See `save`.
    """
    if max_bytes is not None and not Interval(Integral, 0).accepts(max_bytes):
        raise ParameterError(f"load: max_bytes must be an integer >= 0 or None; got {max_bytes!r}.")
    with Path(path).open("rb") as stream:
        try:
            archive = Archive(stream, max_bytes)
            manifest = archive.manifest()
        except Exception as error:  # a damaged byte may meet any decoder
            raise _refused(
                error, f"{path} is not a whole model file of gramian ({error}); save it again"
            ) from None
        try:
            manifest = _migrated(manifest, path)
            if not manifest["root"].keys() & {"estimator", "pipeline"}:
                raise ModelFileError(f"load: {path} holds no estimator.")
            return _Reader(archive, dict(manifest["sha256"])).decode(manifest["root"])
        except Exception as error:  # a forged value may meet any constructor
            raise _refused(
                error, f"{path} does not hold a model in the known form ({error!r})"
            ) from None


def _refused(error: Exception, reason: str) -> ModelFileError:
    return error if isinstance(error, ModelFileError) else ModelFileError(f"load: {reason}.")


def _npy(array: npt.NDArray[Any]) -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array(stream, array, allow_pickle=False)
    return stream.getvalue()


# --- from objects to JSON ---------------------------------------------------------------------


def _encode(value: Any, arrays: Arrays, where: str) -> Node:
    if value is None or (isinstance(value, bool | int | str) and type(value) in (bool, int, str)):
        return value
    if type(value) is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if isinstance(value, np.generic) and value.dtype.kind in "biuf":
        return {"scalar": value.dtype.name, "value": _encode(value.item(), arrays, where)}
    if isinstance(value, np.ndarray):
        return _encode_array(value, arrays, where)
    if sp.issparse(value) and value.format == "csr":
        parts = [_encode_array(a, arrays, where) for a in (value.data, value.indices, value.indptr)]
        return {"csr": parts, "shape": list(value.shape)}
    if type(value) is list:
        return [_encode(v, arrays, f"{where}[{i}]") for i, v in enumerate(value)]
    if type(value) is tuple:
        return {"tuple": [_encode(v, arrays, f"{where}[{i}]") for i, v in enumerate(value)]}
    if type(value) is dict:
        return {
            "dict": [
                [_encode(k, arrays, where), _encode(v, arrays, f"{where}[{k!r}]")]
                for k, v in value.items()
            ]
        }
    if type(value) is Pipeline and value.memory is None:
        return {
            "pipeline": [
                [name, _encode(step, arrays, f"{where}.{name}")] for name, step in value.steps
            ]
        }
    path = f"{type(value).__module__}.{type(value).__qualname__}"
    record = _record_path(type(value))
    if record is not None:
        kept = {f.name: getattr(value, f.name) for f in dataclasses.fields(value) if f.init}
        return {
            "record": record,
            "fields": {k: _encode(v, arrays, f"{where}.{k}") for k, v in kept.items()},
        }
    known = catalogue.entry_of(type(value))
    if known is None:
        raise ModelFileError(
            f"save: {where} is a {path}, which a model file cannot hold; "
            "set it to a plain value, or use pickle for files that you alone read."
        )
    params = value.get_params(deep=False)
    left_out = {*params, _CALLBACKS, *type(value).derived_attributes}
    fitted = {k: v for k, v in vars(value).items() if k not in left_out}
    return {
        "estimator": known.path,
        "params": {k: _encode(v, arrays, f"{where}.{k}") for k, v in params.items()},
        "fitted": {k: _encode(v, arrays, f"{where}.{k}") for k, v in fitted.items()},
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
    raise ModelFileError(
        f"save: {where} is an array of {value.dtype}, which a model file cannot hold; "
        "use numbers or strings."
    )


def _stored(value: npt.NDArray[Any], arrays: Arrays) -> str:
    name = f"a{len(arrays)}"
    arrays[name] = value
    return name


# --- and back ---------------------------------------------------------------------------------


class _Reader:
    """Makes objects of the nodes of a manifest and the arrays of its archive."""

    def __init__(self, archive: Archive, digests: dict[str, str]) -> None:
        self._archive = archive
        self._digests = digests

    def decode(self, node: Node) -> Any:
        if isinstance(node, list):
            return [self.decode(v) for v in node]
        if not isinstance(node, dict):
            return node
        for tag, decoder in _DECODERS.items():
            if tag in node:
                return decoder(self, node)
        raise ModelFileError(
            f"load: the file holds {sorted(node)}, which this version does not know; "
            "update gramian."
        )

    def each(self, nodes: dict[str, Node]) -> dict[str, Any]:
        return {name: self.decode(node) for name, node in nodes.items()}

    def array(self, name: str) -> npt.NDArray[Any]:
        return self._archive.array(name, self._digests.pop(name))  # used once, as it was written

    def packed(self, node: Node) -> Any:
        dtype = np.dtype(node["packed"])
        where, planes = self.array(node["where"]), self.array(node["planes"])
        self._archive.budget.spend(8 * where.size * dtype.itemsize, "a packed array")
        often = bytes.fromhex(node["often"])
        return unpack(Packed(dtype.name, tuple(node["shape"]), often, where, planes))

    def strings(self, node: Node) -> Any:
        texts = [str(v) for v in node["strings"]]
        if node["dtype"] == "U":  # every one takes the room of the longest, 4 bytes a letter
            size = 4 * len(texts) * max(map(len, texts), default=0)
            self._archive.budget.spend(size, "strings")
        dtype = {"U": np.str_, "O": object}[node["dtype"]]
        return np.array(texts, dtype=dtype).reshape(node["shape"])

    def scalar(self, node: Node) -> Any:
        dtype, value = np.dtype(node["scalar"]), self.decode(node["value"])
        if dtype.kind not in "biuf" or type(value) not in (bool, int, float):
            raise ModelFileError(f"load: the file holds a scalar of {dtype}; it is not allowed.")
        return dtype.type(value)

    def csr(self, node: Node) -> Any:
        data, indices, indptr = (self.decode(part) for part in node["csr"])
        rows, columns = node["shape"]
        table = sp.csr_array((data, indices, indptr), shape=(rows, columns))
        table.check_format(full_check=True)
        return table

    def record(self, node: Node) -> Any:
        path = node["record"]
        if path not in catalogue.RECORDS:
            raise ModelFileError(
                f"load: the file holds a {path}, which this version does not know; update gramian."
            )
        return catalogue.resolve(path)(**self.each(node["fields"]))

    def estimator(self, node: Node) -> Any:
        known = catalogue.entry(node["estimator"])
        if known is None:
            raise ModelFileError(
                f"load: the file holds a {node['estimator']}, which is no estimator of this "
                "version; update gramian."
            )
        model = known.resolve()(**self.each(node["params"]))
        if not node["fitted"]:
            return model
        for name, value in self.each(node["fitted"]).items():
            derived = name in model.derived_attributes
            if derived or name.startswith("__") or hasattr(type(model), name):
                raise ModelFileError(
                    f"load: the file sets {name!r} of {known.name}, which is not a fitted "
                    "attribute."
                )
            setattr(model, name, value)
        check_params(model)
        model._check_loaded()
        model._restore()
        return model


_DECODERS: dict[str, Callable[[_Reader, Node], Any]] = {
    "array": lambda reader, node: reader.array(node["array"]),
    "packed": _Reader.packed,
    "strings": _Reader.strings,
    "scalar": _Reader.scalar,
    "float": lambda reader, node: float(node["float"]),  # noqa: ARG005
    "tuple": lambda reader, node: tuple(reader.decode(node["tuple"])),
    "dict": lambda reader, node: {reader.decode(k): reader.decode(v) for k, v in node["dict"]},
    "csr": _Reader.csr,
    "pipeline": lambda reader, node: Pipeline(
        [(name, reader.decode(step)) for name, step in node["pipeline"]]
    ),
    "estimator": _Reader.estimator,
    "record": _Reader.record,
}


def _record_path(cls: type) -> str | None:
    """Return the dotted path of a class of the catalogue's records, or None."""
    named = (p for p in catalogue.RECORDS if p.rpartition(".")[2] == cls.__name__)
    return next((p for p in named if catalogue.resolve(p) is cls), None)


# --- older formats ----------------------------------------------------------------------------


def _migrated(manifest: Any, path: object) -> dict[str, Any]:
    version = manifest.get("format") if isinstance(manifest, dict) else None
    if not isinstance(version, int) or version < 1:
        raise ModelFileError(f"load: {path} is not a model file of gramian.")
    if version > FORMAT:
        raise ModelFileError(
            f"load: {path} was written in format {version} by gramian {manifest.get('gramian')}; "
            f"this version reads up to {FORMAT}. Update gramian."
        )
    while manifest["format"] < FORMAT:
        manifest = _MIGRATIONS[manifest["format"]](manifest)
    return dict(manifest)


def _one_to_two(manifest: dict[str, Any]) -> dict[str, Any]:
    """Format 1 kept parameters and fitted attributes in one ``state``."""

    def split(node: Node) -> Node:
        if isinstance(node, list):
            return [split(v) for v in node]
        if not isinstance(node, dict):
            return node
        node = {key: split(value) for key, value in node.items()}
        if "estimator" not in node:
            return node
        known = catalogue.entry(current(node["estimator"]))
        names = known.resolve()().get_params(deep=False).keys() if known else ()
        state = node["state"]
        return {
            "estimator": node["estimator"],
            "params": {k: v for k, v in state.items() if k in names},
            "fitted": {k: v for k, v in state.items() if k not in names},
        }

    return {**manifest, "format": 2, "root": split(manifest["root"])}


def _two_to_three(manifest: dict[str, Any]) -> dict[str, Any]:
    """Format 2 knew no packed arrays."""
    return {**manifest, "format": 3}


def _three_to_four(manifest: dict[str, Any]) -> dict[str, Any]:
    """Format 3 had other addresses of classes."""
    return {**manifest, "format": 4, "root": with_current_names(manifest["root"])}


_MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {
    1: _one_to_two,
    2: _two_to_three,
    3: _three_to_four,
}
