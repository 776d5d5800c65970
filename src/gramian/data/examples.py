"""Built-in example tables: small data sets of scikit-learn."""

import hashlib
from typing import Any

import numpy as np
from sklearn import datasets

from gramian.base.errors import ParameterError, need
from gramian.data.reading import LoadedTable

# Name: scikit-learn's loader, the target's name, and a description.
_SETS: dict[str, tuple[str, str, str]] = {
    "breast-cancer": ("load_breast_cancer", "diagnosis", "569 tumours, 30 measurements, 2 classes"),
    "diabetes": ("load_diabetes", "progression", "442 patients, 10 measurements, numeric target"),
    "digits": ("load_digits", "digit", "1797 images of 8 x 8 pixels, 10 classes"),
    "iris": ("load_iris", "species", "150 flowers, 4 measurements, 3 classes"),
    "wine": ("load_wine", "cultivar", "178 wines, 13 measurements, 3 classes"),
}
EXAMPLES: dict[str, str] = {name: words for name, (_, _, words) in _SETS.items()}


def load_example(name: str) -> tuple[LoadedTable, str]:
    """Return a built-in table and the name of its target column.

    Parameters
    ----------
    name
        One of ``EXAMPLES``; nothing is downloaded.

    Returns
    -------
    table
        The table, as from `read_table`.
    target
        Name of the column to predict.

    Examples
    --------
    >>> table, target = load_example("wine")
    >>> table.frame.shape, target
    ((178, 14), 'cultivar')
    """
    if name not in _SETS:
        raise ParameterError(
            f"there is no example {name!r}; the examples are {', '.join(sorted(_SETS))}."
        )
    pl = need("polars", extra="app")
    loader, target, _ = _SETS[name]
    bunch: Any = getattr(datasets, loader)()
    columns = {str(n): bunch.data[:, i] for i, n in enumerate(bunch.feature_names)}
    y = bunch.target
    names = getattr(bunch, "target_names", None)
    labels = y if name in ("diabetes", "digits") else np.asarray(names)[y]
    frame = pl.DataFrame({**columns, target: labels})
    digest = hashlib.sha256(bunch.data.tobytes() + y.tobytes()).hexdigest()
    return LoadedTable(frame, name, "built in", digest), target
