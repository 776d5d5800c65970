"""A model file taken apart, and put together with hashes that fit."""

import hashlib
import io
import json
import zipfile
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from gramian.base.files.packing import Packed, unpack


@dataclass
class Parts:
    """The manifest and the arrays; an array may also be bytes, of a header that is none."""

    manifest: Any
    arrays: dict[str, Any]

    @classmethod
    def read(cls, path: Path, *, packed: bool) -> "Parts":
        """Take a file apart; unless `packed`, its packed arrays become plain ones."""
        return deepcopy(_read(path, packed))

    def _plain(self, node: Any) -> Any:
        if isinstance(node, list):
            return [self._plain(v) for v in node]
        if not isinstance(node, dict):
            return node
        if "packed" not in node:
            return {k: self._plain(v) for k, v in node.items()}
        where, planes = self.arrays.pop(node["where"]), self.arrays.pop(node["planes"])
        often = bytes.fromhex(node["often"])
        name = f"p{len(self.arrays)}"
        self.arrays[name] = unpack(
            Packed(node["packed"], tuple(node["shape"]), often, where, planes)
        )
        return {"array": name}

    def write(self, path: Path, text: bytes | None = None) -> None:
        """Put the file together; `text` stands in for the manifest."""
        stored = {n: a if isinstance(a, bytes) else npy(a) for n, a in self.arrays.items()}
        if text is None:
            if isinstance(self.manifest, dict):
                hashes = {n: hashlib.sha256(a).hexdigest() for n, a in stored.items()}
                self.manifest["sha256"] = hashes
            text = json.dumps(self.manifest).encode()
        with zipfile.ZipFile(path, "w") as file:
            file.writestr("manifest.json", text)
            for name, data in stored.items():
                file.writestr(f"{name}.npy", data)


@cache
def _read(path: Path, packed: bool) -> Parts:
    with zipfile.ZipFile(path) as file:
        manifest = json.loads(file.read("manifest.json"))
        arrays = {n: np.load(io.BytesIO(file.read(f"{n}.npy"))) for n in manifest["sha256"]}
    parts = Parts(manifest, arrays)
    if not packed:
        parts.manifest["root"] = parts._plain(manifest["root"])
    return parts


def npy(array: Any) -> bytes:
    """Return an array as the bytes of a ``.npy`` file."""
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.asarray(array), allow_pickle=False)
    return stream.getvalue()
