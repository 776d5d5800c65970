"""Ways to tamper with a model file, each drawn at random.

A file is numbered; its number is the seed of all that is drawn for it, so that it can be made
again.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tests.fuzz.parts import Parts, npy

Draw = np.random.Generator

_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 7, 60, 255, 1000, 2**31 - 1, 2**31, 2**32, 2**63 - 1,
    2**63, -(2**63), 10**30, 0.5, -0.5, 1e-308, 1e308, -1e308, "", "a", "a0", "a1", "brute",
    "kd_tree", "auto", "nan", "float64", "object", "<f8", [], [[]], [0], [1, 2], [0, 10**9],
    [2**62, 2], {}, {"float": "nan"}, {"float": "inf"}, {"tuple": []}, {"tuple": [1, 2]},
    {"array": "a0"}, {"array": "a1"}, {"dict": []}, {"dict": [["a", 1]]},
    {"strings": [], "shape": [0], "dtype": "U"}, {"strings": ["a"], "shape": [1], "dtype": "O"},
    {"scalar": "float64", "value": 1}, {"scalar": "int8", "value": 300},
    {"estimator": "Ridge", "params": {}, "fitted": {}},
    {"sklearn": "sklearn.preprocessing.OneHotEncoder", "params": {}, "fitted": {}},
    {"objects": ["a", None, 2], "shape": [3]}, {"objects": [0, 9], "shape": [2]},
    {"slice": [0, 2, None]}, {"dtype": "float64"}, {"scalar_type": "int8"},
)  # fmt: skip
_NUMBERS = (0, 1, -1, 2, 5, 127, 255, 2**15, 2**31 - 1, -(2**31), 2**62, -(2**63), 2**63 - 1)
_FLOATS = (0.0, -0.0, 1.0, -1.0, 1e-320, 1e308, -1.7e308, np.inf, -np.inf, np.nan, 3e38, 0.5)
_TYPES = "<f8", "<f4", "<i8", "<i4", "<u8", "<u1", "<i2", "|b1", "|u1", ">f8", "<f2"
_LENGTHS = 0, 1, 2, 3, 4, 5, 16, 59, 61, 240, 2**31, 2**32, 2**40, 2**62, 10**19


def pick(draw: Draw, choices: Any) -> Any:
    return choices[int(draw.integers(len(choices)))]


def tamper(draw: Draw, seed: Path, path: Path) -> None:
    """Write a tampered copy of a model file."""
    parts = Parts.read(seed, packed=bool(draw.random() < 0.3))
    kind = draw.random()
    if kind < 0.08:
        parts.write(path)
        path.write_bytes(edited(draw, path.read_bytes()))
        return
    if kind < 0.2:
        parts.write(path, edited(draw, json.dumps(parts.manifest).encode()))
        return
    ways = _OF_MEANING if kind < 0.65 else _OF_FORM
    for _ in range(int(pick(draw, (1, 1, 1, 2, 3)))):
        pick(draw, ways)(draw, parts)
    parts.write(path)


def edited(draw: Draw, data: bytes) -> bytes:
    """Change, drop or repeat some bytes."""
    changed = bytearray(data)
    for _ in range(int(draw.integers(1, 4))):
        at, many = int(draw.integers(len(changed) or 1)), int(draw.integers(1, 20))
        what = int(draw.integers(5))
        if what == 0 and changed:
            changed[at] ^= 1 << int(draw.integers(8))
        elif what == 1:
            del changed[at : at + many]
        elif what == 2:
            changed[at:at] = changed[at : at + many] * int(pick(draw, (1, 3, 200)))
        elif what == 3:
            changed[at:at] = pick(draw, (b"[", b"{", b'"', b"9", b"-", b"\\", b"\xff", b"]"))
        elif draw.random() < 0.3:
            del changed[at:]
    return bytes(changed)


# --- the manifest -----------------------------------------------------------------------------


def places(node: Any) -> Iterator[tuple[Any, Any]]:
    """All (container, key) of a JSON value."""
    keys = (
        node.keys()
        if isinstance(node, dict)
        else range(len(node))
        if isinstance(node, list)
        else ()
    )
    for key in list(keys):
        yield node, key
        yield from places(node[key])


def _value(draw: Draw, parts: Parts) -> None:
    """Change a value of the manifest, mostly one that is fitted."""
    whole = draw.random() >= 0.95 or "root" not in parts.manifest  # an earlier edit may drop it
    all_places = list(places(parts.manifest if whole else parts.manifest["root"]))
    if not all_places:
        return
    node, key = pick(draw, all_places)
    what = draw.random()
    if what < 0.1:
        del node[key]
    elif what < 0.3:
        other, of = pick(draw, all_places)
        try:
            node[key] = json.loads(json.dumps(other[of]))
        except LookupError:
            return
    elif what < 0.4 and isinstance(node[key], list):
        node[key] = node[key] * int(pick(draw, (0, 2, 3)))
    elif what < 0.55 and isinstance(node[key], int | float):
        node[key] = node[key] + int(pick(draw, (-1, 1, 2, -60)))
    elif what < 0.58:
        for _ in range(int(pick(draw, (3, 99, 300)))):  # three times is what json itself can write
            node[key] = [node[key]]
    else:
        node[key] = json.loads(json.dumps(pick(draw, _VALUES)))


# --- fitted attributes: the file is well formed, and the model in it contradicts itself ----------


def estimators(node: Any) -> Iterator[Any]:
    """All nodes of estimators and records, the outermost first."""
    if isinstance(node, dict) and any(isinstance(node.get(k), dict) for k in ("fitted", "fields")):
        yield node
    for inner in (
        node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    ):
        yield from estimators(inner)


def _some_attributes(draw: Draw, parts: Parts) -> Any:
    """Return the fitted attributes of an estimator, or the fields of a record, of the file."""
    root = parts.manifest.get("root")
    found = [node.get("fitted") or node.get("fields") for node in estimators(root)]
    found = [attributes for attributes in found if isinstance(attributes, dict) and attributes]
    if not found:
        return None
    return found[0] if draw.random() < 0.5 else pick(draw, found)


def _attribute(draw: Draw, parts: Parts) -> None:
    """Drop an attribute, exchange two, or give one a value of another kind."""
    attributes = _some_attributes(draw, parts)
    if attributes is None:
        return
    name = pick(draw, sorted(attributes))
    what = draw.random()
    if what < 0.25:
        del attributes[name]
    elif what < 0.4:
        other = pick(draw, sorted(attributes))
        attributes[name], attributes[other] = attributes[other], attributes[name]
    elif what < 0.5:
        attributes[pick(draw, ("classes_", "n_features_in_", f"{name}x"))] = attributes.pop(name)
    elif what < 0.8:
        attributes[name] = json.loads(json.dumps(pick(draw, _VALUES)))
    else:
        attributes[name] = _stored(draw, parts)


def _stored(draw: Draw, parts: Parts) -> Any:
    """Store a new array in the file and return its node."""
    shape = tuple(int(pick(draw, (0, 1, 2, 3, 4, 5, 60))) for _ in range(int(draw.integers(4))))
    numbers = pick(draw, (draw.normal(size=shape), draw.integers(-2, 70, shape)))
    name = f"n{len(parts.arrays)}"
    parts.arrays[name] = np.asarray(numbers).astype(pick(draw, _TYPES))
    return {"array": name}


def _classes(draw: Draw, parts: Parts) -> None:
    """Give an estimator more or fewer classes, or classes of another type."""
    nodes = [node["fitted"] for node in estimators(parts.manifest.get("root")) if "fitted" in node]
    nodes = [fitted for fitted in nodes if "classes_" in fitted]
    if not nodes:
        _attribute(draw, parts)
        return
    n = int(pick(draw, (0, 1, 2, 2, 4, 5, 60)))
    names = [f"c{i}" for i in range(n)]
    pick(draw, nodes)["classes_"] = pick(
        draw,
        (
            {"strings": names, "shape": [n], "dtype": "U"},
            {"strings": names, "shape": [n], "dtype": "O"},
            {"strings": names, "shape": [1, n], "dtype": "U"},
            {"objects": [None, *range(n)], "shape": [n + 1]},
            names,
            _stored(draw, parts),
        ),
    )


# --- arrays -----------------------------------------------------------------------------------


def _some_array(draw: Draw, parts: Parts) -> str | None:
    names = [n for n, a in parts.arrays.items() if not isinstance(a, bytes)]
    return pick(draw, names) if names else None


def _layout(draw: Draw, parts: Parts) -> None:
    """Give an array another shape or type; header and body still agree."""
    name = _some_array(draw, parts)
    if name is None:
        return
    array = parts.arrays[name]
    changes: tuple[Callable[[], Any], ...] = (
        lambda: array.reshape(-1),
        lambda: array.reshape(1, -1),
        lambda: array.reshape(-1, 1),
        lambda: array.T,
        lambda: array[:0],
        lambda: array[:1],
        lambda: array[:-1],
        lambda: array[..., :0],
        lambda: array[..., :1],
        lambda: array[..., :-1],
        lambda: array[0],
        lambda: array[None],
        lambda: np.repeat(array, 2, axis=0),
        lambda: np.repeat(array, 2, axis=-1),
        lambda: array[::-1],
        lambda: np.asfortranarray(array),
        lambda: array.astype(pick(draw, _TYPES)),
        lambda: array.astype(pick(draw, _TYPES)),
        lambda: array.view(pick(draw, _TYPES)),
        lambda: np.zeros((*array.shape, 1), array.dtype),
        lambda: np.asarray(array.flat[0]),
    )  # fmt: skip
    try:
        with np.errstate(all="ignore"):
            parts.arrays[name] = np.asarray(pick(draw, changes)())
    except (ValueError, IndexError, TypeError):
        return


def _header(draw: Draw, parts: Parts) -> None:
    """Change the header of an array and leave its body."""
    name = _some_array(draw, parts)
    if name is None:
        return
    array = parts.arrays[name]
    data = npy(array)
    size = int.from_bytes(data[8:10], "little")
    header, body = data[10 : 10 + size], data[10 + size :]
    what = int(draw.integers(5))
    if what == 0:
        shape = tuple(int(pick(draw, _LENGTHS)) for _ in range(int(draw.integers(4))))
        header = _as_header(array.dtype.str, bool(draw.integers(2)), shape)
    elif what == 1:
        header = _as_header(
            pick(draw, (*_TYPES, "|O", "|V8", "<U5", "<c16", "<M8[ns]")), False, array.shape
        )
    elif what == 2:
        header = _as_header(array.dtype.str, True, array.shape)
    elif what == 3:
        header = edited(draw, header)
    else:
        body = body[: int(draw.integers(len(body) + 1))]
    length = min(len(header), 2**16 - 1) if draw.random() < 0.9 else int(draw.integers(2**16))
    parts.arrays[name] = data[:8] + length.to_bytes(2, "little") + header + body


def _as_header(descr: str, fortran: bool, shape: tuple[int, ...]) -> bytes:
    text = f"{{'descr': {descr!r}, 'fortran_order': {fortran}, 'shape': {shape}, }}"
    return (text + " " * (53 - len(text) % 64) + "\n").encode()


def _contents(draw: Draw, parts: Parts) -> None:
    """Change numbers of an array."""
    name = _some_array(draw, parts)
    if name is None or parts.arrays[name].size == 0:
        return
    array = np.array(parts.arrays[name])
    flat = array.reshape(-1)
    at = draw.integers(flat.size, size=int(pick(draw, (1, 1, 2, 5, flat.size))))
    with np.errstate(all="ignore"):
        if draw.random() < 0.2:
            flat[:] = flat[draw.permutation(flat.size)]
        elif draw.random() < 0.2:
            flat[at] = flat[draw.integers(flat.size)]
        elif draw.random() < 0.2:
            raw = flat.view(np.uint8)
            raw[draw.integers(raw.size, size=len(at))] = draw.integers(256, size=len(at))
        elif array.dtype.kind == "f":
            flat[at] = pick(draw, _FLOATS)
        else:
            flat[at] = np.asarray(pick(draw, _NUMBERS)).astype(array.dtype)
    parts.arrays[name] = array


_OF_FORM = _value, _value, _layout, _header, _contents, _contents
_OF_MEANING = _attribute, _attribute, _attribute, _classes, _layout, _contents
