"""Figures of a convolutional network: layers, filters and feature maps of an image."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError
from gramian.neural_network.convolution.architecture import shapes_of
from gramian.neural_network.convolution.conv_estimator import ConvEstimator
from gramian.plot.networks.diagram import plot_architecture
from gramian.plot.networks.image_rows import plot_image_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAX_IMAGES = 16  # in a row


def plot_layers(model: ConvEstimator, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the layers of a fitted convolutional network.

    Parameters
    ----------
    model
        A fitted `ConvClassifier` or `ConvRegressor`.
    ax
        Axes to draw on; new ones if None.

    Returns
    -------
    ax
        The Axes drawn on.
    """
    check_is_fitted(model)
    names = ["input", *(type(layer).__name__ for layer in model.layers_[:-1]), "output"]
    return plot_architecture(shapes_of(model.layers_, model.input_shape_), names, ax=ax)


def plot_filters(model: ConvEstimator, layer: int = 0, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the filters of a convolution, a row for each input channel.

    Parameters
    ----------
    model
        A fitted `ConvClassifier` or `ConvRegressor` of images.
    layer
        Which of its convolutions.
    ax
        Axes to draw on; new ones if None.

    Returns
    -------
    ax
        The Axes drawn on.
    """
    filters = _images_of(model, model.filters(layer))[:MAX_IMAGES]
    rows = {f"channel {c}": filters[..., c] for c in range(min(filters.shape[-1], MAX_IMAGES))}
    return plot_image_rows(rows, cmap="RdBu", ax=ax)


def plot_feature_maps(
    model: ConvEstimator, image: npt.ArrayLike, *, ax: "Axes | None" = None
) -> "Axes":
    """Draw the feature maps of each layer for one image.

    Parameters
    ----------
    model
        A fitted `ConvClassifier` or `ConvRegressor` of images.
    image
        One image, shape (height, width), (height, width, channels) or a row.
    ax
        Axes to draw on; new ones if None.

    Returns
    -------
    ax
        The Axes drawn on.
    """
    check_is_fitted(model)
    row = np.asarray(image).reshape(1, -1)
    pixels = _images_of(model, row.reshape(1, *model.input_shape_))
    rows = {"input": np.moveaxis(pixels[0], -1, 0)}
    for k, maps in enumerate(model.feature_maps(row)):
        if maps.ndim == 4:
            name = f"{k}: {type(model.layers_[k]).__name__}"
            rows[name] = np.moveaxis(maps[0], -1, 0)[:MAX_IMAGES]
    return plot_image_rows(rows, ax=ax)


def _images_of(model: ConvEstimator, images: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if len(model.input_shape_) != 3:
        raise DataError(
            f"{type(model).__name__}: the network was fitted to signals of shape "
            f"{model.input_shape_}; fit it to images."
        )
    return images
