"""Model files rewritten by hand, as damage or a forger would."""

import hashlib
import io
import json
import tracemalloc
import zipfile

import numpy as np
import pytest

import gramian
from gramian.base.errors import ModelFileError

MB = 2**20


def rewrite(path, change):
    """Apply `change` to the manifest and the entries of a file; the hashes stay."""
    with zipfile.ZipFile(path) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    manifest = json.loads(parts["manifest.json"])
    change(manifest, parts)
    parts["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in parts.items():
            file.writestr(name, data)


def forge(path, change):
    """Let `change` alter the root and the entries, then write them with hashes that fit."""

    def with_hashes(manifest, parts):
        change(manifest["root"], parts)
        manifest["sha256"] = {
            name.removesuffix(".npy"): hashlib.sha256(data).hexdigest()
            for name, data in parts.items()
            if name.endswith(".npy")
        }

    rewrite(path, with_hashes)


def refusal(path, **options):
    """Return the message with which a file is refused, having taken little memory."""
    tracemalloc.start()
    try:
        with pytest.raises(ModelFileError, match="load:") as caught:
            gramian.load(path, **options)
        assert tracemalloc.get_traced_memory()[1] < 40 * MB
    finally:
        tracemalloc.stop()
    return str(caught.value)


def npy(array):
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()
