"""Model files: a zip of ``.npy`` arrays and one JSON manifest.

Loading runs no code of the file: arrays are read without pickle, classes come from the catalogue
and from the table of scikit-learn's transformers (`sklearn_steps.py`), and anything unknown is
rejected. Hashes guard against damage, not against forgery; against forged files, `archive.py`
limits the memory, and `Estimator._check_loaded` checks what was read.
"""

import hashlib
import io
import json
import os
import zipfile
from numbers import Integral
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
import sklearn

import gramian
from gramian.base import catalogue
from gramian.base.errors import DataError, ModelFileError, ParameterError
from gramian.base.fields import Interval
from gramian.base.files.archive import MANIFEST, Archive
from gramian.base.files.decoding import Decoder
from gramian.base.files.encoding import Arrays, encode
from gramian.base.files.load_checks import check_methods
from gramian.base.files.reading import open_regular_file
from gramian.base.files.writing import written_whole

FORMAT = 1  # a later one is written only if this one cannot store the model
_ROOTS = {"estimator", "pipeline", "sklearn"}  # what a file may contain, besides catalogue.MODELS


def save(model: Any, path: str | os.PathLike[str]) -> Path:
    """Write an estimator to a file that `load` reads, here and in later versions.

    Parameters
    ----------
    model
        An estimator of gramian, fitted or not; a transformer of scikit-learn that the guide on
        model files lists; a ``Pipeline``, ``ColumnTransformer`` or ``FeatureUnion`` of such; a
        distribution, a Bayesian network or a Markov chain.
    path
        Where to write; an existing file is replaced once the new one is complete; of a symbolic
        link, the file that it names. The usual suffix is ``.gram``.

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
    path = Path(path)
    with written_whole(path, follow=True) as stream:
        write_model(model, stream)
    return path


def write_model(model: Any, stream: BinaryIO) -> None:
    """Write an estimator to an open file, as `save` does."""
    arrays: Arrays = {}
    root = encode(model, arrays, type(model).__name__)
    if not _is_root(root):
        raise ModelFileError(
            "save: model must be an estimator of gramian, a Pipeline of such, a distribution or a "
            "graphical model; "
            f"got {type(model).__name__}."
        )
    packed = {name: _npy(array) for name, array in arrays.items()}
    manifest = {
        "format": FORMAT,
        "gramian": gramian.__version__,
        "scikit-learn": sklearn.__version__,
        "sha256": {name: hashlib.sha256(data).hexdigest() for name, data in packed.items()},
        "root": root,
    }
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        file.writestr(MANIFEST, json.dumps(manifest, allow_nan=False))
        for name, data in packed.items():
            file.writestr(f"{name}.npy", data)


def load(path: str | os.PathLike[str], *, max_bytes: int | None = None) -> Any:
    """Read a model written by `save`, of this or an earlier version.

    An untrusted file is rejected or gives a model that may be wrong; it runs no code, and takes
    no more memory than `max_bytes`. The model is tried on a few synthetic rows, and rejected if
    that fails.

    Parameters
    ----------
    path
        The file; a regular one, not a pipe or a device.
    max_bytes
        Maximum number of bytes, approximately, of the model in memory and of its file on disk.
        None is 1 GiB or, if that is more, 100 times the size of the file, which may have up to 8
        GiB. A file that needs more is rejected before the memory is allocated.

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
    with _opened(Path(path)) as stream:
        try:
            archive = Archive(stream, max_bytes)
            manifest = archive.manifest()
        except Exception as error:  # a damaged byte can make any decoder fail
            raise _refused(
                error, f"{path} is not a complete model file of gramian ({error}); save it again"
            ) from None
        try:
            _check_format(manifest, path)
            if not _is_root(manifest["root"]):
                raise ModelFileError(f"load: {path} contains no estimator.")
            decoder = Decoder(archive, dict(manifest["sha256"]), manifest.get("scikit-learn"))
            model = decoder.decode(manifest["root"])
            check_methods(model, decoder.estimators, archive.budget)
            return model
        except Exception as error:  # a forged value can make any constructor fail
            raise _refused(
                error, f"{path} does not hold a model in a known form ({error!r})"
            ) from None


def _check_format(manifest: Any, path: object) -> None:
    version = manifest.get("format") if isinstance(manifest, dict) else None
    if not isinstance(version, int) or version < 1:
        raise ModelFileError(f"load: {path} is not a model file of gramian.")
    if version > FORMAT:
        raise ModelFileError(
            f"load: {path} was written in format {version} by gramian {manifest.get('gramian')}; "
            f"this version reads up to {FORMAT}. Update gramian."
        )


def _opened(path: Path) -> BinaryIO:
    try:
        return open_regular_file(path)
    except DataError as error:
        raise ModelFileError(f"load: {error}") from None


def _is_root(node: Any) -> bool:
    """Return whether a file may contain this object alone."""
    return isinstance(node, dict) and (
        bool(node.keys() & _ROOTS) or node.get("record") in catalogue.MODELS
    )


def _refused(error: Exception, reason: str) -> ModelFileError:
    return error if isinstance(error, ModelFileError) else ModelFileError(f"load: {reason}.")


def _npy(array: npt.NDArray[Any]) -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array(stream, array, allow_pickle=False)
    return stream.getvalue()
