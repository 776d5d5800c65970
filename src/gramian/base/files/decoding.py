"""Decode the JSON tree of a model file to objects; `encoding.py` lists the forms."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.pipeline import Pipeline

from gramian.base import catalogue
from gramian.base.errors import ModelFileError
from gramian.base.fields import check_params
from gramian.base.files.archive import Archive
from gramian.base.files.encoding import CELLS, Node
from gramian.base.files.packing import Packed, unpack
from gramian.base.files.sklearn_steps import restored

_DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
           "float16", "float32", "float64", "object")  # fmt: skip


class Decoder:
    """Builds objects from the nodes of a manifest and the arrays of its archive."""

    def __init__(self, archive: Archive, digests: dict[str, str], sklearn: object = None) -> None:
        self._archive = archive
        self._digests = digests
        self._sklearn = sklearn  # the version that the file was written with
        self.estimators: list[Any] = []  # all that were decoded

    def decode(self, node: Node) -> Any:
        """Return the object of a node; raise `ModelFileError` if its form is unknown."""
        if isinstance(node, list):
            return [self.decode(v) for v in node]
        if not isinstance(node, dict):
            return node
        for tag, made_of in _DECODERS.items():
            if tag in node:
                return made_of(self, node)
        raise ModelFileError(
            f"load: the file contains {sorted(node)}, which this version does not know; "
            "update gramian."
        )

    def _each(self, nodes: dict[str, Node]) -> dict[str, Any]:
        return {name: self.decode(node) for name, node in nodes.items()}

    def _array(self, name: str) -> npt.NDArray[Any]:
        return self._archive.array(name, self._digests.pop(name))  # used once, as it was written

    def _packed(self, node: Node) -> Any:
        dtype = np.dtype(node["packed"])
        where, planes = self._array(node["where"]), self._array(node["planes"])
        self._archive.budget.spend(8 * where.size * dtype.itemsize, "a packed array")
        often = bytes.fromhex(node["often"])
        return unpack(Packed(dtype.name, tuple(node["shape"]), often, where, planes))

    def _strings(self, node: Node) -> Any:
        texts = [str(v) for v in node["strings"]]
        if node["dtype"] == "U":  # each entry takes as much memory as the longest, 4 bytes a letter
            size = 4 * len(texts) * max(map(len, texts), default=0)
            self._archive.budget.spend(size, "strings")
        dtype = {"U": np.str_, "O": object}[node["dtype"]]
        return np.array(texts, dtype=dtype).reshape(node["shape"])

    def _objects(self, node: Node) -> Any:
        cells = self.decode(node["objects"])
        if not all(isinstance(v, CELLS) for v in cells):
            raise ModelFileError(
                "load: the file contains an array of objects, which is not allowed."
            )
        array = np.empty(len(cells), dtype=object)
        array[:] = cells
        return array.reshape(node["shape"])

    def _step(self, node: Node) -> Any:
        params, fitted = self._each(node["params"]), self._each(node["fitted"])
        return restored(node["sklearn"], params, fitted, self._sklearn)

    def _scalar(self, node: Node) -> Any:
        dtype, value = np.dtype(node["scalar"]), self.decode(node["value"])
        if dtype.kind not in "biuf" or type(value) not in (bool, int, float):
            raise ModelFileError(
                f"load: the file contains a scalar of {dtype}, which is not allowed."
            )
        return dtype.type(value)

    def _csr(self, node: Node) -> Any:
        data, indices, indptr = (self.decode(part) for part in node["csr"])
        rows, columns = node["shape"]
        if np.any(indptr[1:] < indptr[:-1]):  # SciPy does not check them if the last is 0
            raise ValueError("row pointers must not decrease")
        table = sp.csr_array((data, indices, indptr), shape=(rows, columns))
        table.check_format(full_check=True)
        return table

    def _record(self, node: Node) -> Any:
        made = _known(node["record"], catalogue.RECORDS | catalogue.MODELS)
        return made(**self._each(node["fields"]))

    def _estimator(self, node: Node) -> Any:
        known = catalogue.entry(node["estimator"])
        if known is None:
            raise ModelFileError(
                f"load: the file contains a {node['estimator']}, which is not an estimator of this "
                "version; update gramian."
            )
        model = known.resolve()(**self._each(node["params"]))
        if node["fitted"] == {}:
            return model
        for name, value in self._each(node["fitted"]).items():
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
        self.estimators.append(model)
        return model


def _known(name: Any, listed: dict[str, str]) -> Any:
    """Return the class with this name in a table of the catalogue."""
    if not isinstance(name, str) or name not in listed:
        raise ModelFileError(
            f"load: the file contains a {name}, which this version does not know; update gramian."
        )
    return catalogue.resolve(listed[name])


def _slice_bounds(ends: Any) -> list[Any]:
    """Return start, stop and step of a slice: numbers, names of columns or None."""
    if len(ends) != 3 or any(type(end) not in (int, str, type(None)) for end in ends):
        raise ModelFileError(f"load: the file contains a slice of {ends!r}, which is not allowed.")
    return list(ends)


def _plain_dtype(name: str) -> np.dtype[Any]:
    if name not in _DTYPES:
        raise ModelFileError(f"load: the file contains the type {name!r}, which is not allowed.")
    return np.dtype(name)


_DECODERS: dict[str, Callable[[Decoder, Node], Any]] = {
    "array": lambda decoder, node: decoder._array(node["array"]),
    "packed": Decoder._packed,
    "strings": Decoder._strings,
    "scalar": Decoder._scalar,
    "float": lambda decoder, node: float(node["float"]),  # noqa: ARG005
    "tuple": lambda decoder, node: tuple(decoder.decode(node["tuple"])),
    "dict": lambda decoder, node: {decoder.decode(k): decoder.decode(v) for k, v in node["dict"]},
    "csr": Decoder._csr,
    "pipeline": lambda decoder, node: Pipeline(
        [(name, decoder.decode(step)) for name, step in node["pipeline"]]
    ),
    "estimator": Decoder._estimator,
    "record": Decoder._record,
    "distribution": lambda decoder, node: _known(  # noqa: ARG005
        node["distribution"], catalogue.DISTRIBUTIONS
    ),
    "sklearn": Decoder._step,
    "objects": Decoder._objects,
    "slice": lambda decoder, node: slice(*_slice_bounds(decoder.decode(node["slice"]))),
    "dtype": lambda decoder, node: _plain_dtype(node["dtype"]),  # noqa: ARG005
    "scalar_type": lambda decoder, node: _plain_dtype(node["scalar_type"]).type,  # noqa: ARG005
}
