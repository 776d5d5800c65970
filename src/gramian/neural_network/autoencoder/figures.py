"""Figures of rows, their noisy copies and their reconstructions."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.neural_network.autoencoder.autoencoder_base import AutoencoderBase
from gramian.neural_network.autoencoder.corruption import corrupt
from gramian.plot.networks.image_rows import plot_image_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_reconstructions(
    model: AutoencoderBase,
    X: npt.ArrayLike,
    shape: tuple[int, int],
    *,
    random_state: Any = 0,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw images, with noise if the autoencoder was trained with any, and their reconstructions.

    Parameters
    ----------
    model
        A fitted autoencoder.
    X
        A few rows.
    shape
        Height and width of the image in a row.
    random_state
        Seed for the noise.
    ax
        Axes to draw on; new ones if None.

    Returns
    -------
    ax
        The Axes drawn on.
    """
    table = np.asarray(X)
    if table.ndim != 2 or table.shape[1] != shape[0] * shape[1]:
        raise DataError(
            f"plot_reconstructions: X, of shape {table.shape}, has no rows of {shape[0]} x "
            f"{shape[1]} numbers; pass the height and width of the images."
        )
    rows, seen = {"input": table.reshape(-1, *shape)}, table
    noise: Any = model
    if getattr(model, "noise_level", 0) > 0 or callable(getattr(model, "corruption", None)):
        seen = corrupt(table, noise.corruption, noise.noise_level, random_state=random_state)
        rows["corrupted"] = seen.reshape(-1, *shape)
    rows["reconstruction"] = model.reconstruct(seen).reshape(-1, *shape)
    return plot_image_rows(rows, ax=ax)
