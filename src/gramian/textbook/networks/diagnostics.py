"""Diagnostics of networks: saturated and dead units, vanishing and exploding gradients."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError

Unit: TypeAlias = Literal["sigmoid", "logistic", "tanh", "relu", "identity"]


@dataclass(frozen=True)
class LayerDiagnostics:
    """Statistics of a layer's units over the rows.

    Attributes
    ----------
    saturated
        Fraction of the outputs within `margin` of an end of the activation's range, where its
        derivative nearly vanishes: 0 or 1 for a sigmoid, -1 or 1 for tanh; zeros of a ReLU.
    dead
        Fraction of the units that are saturated for every row, and do not learn.
    gradient_norm
        Norm of the gradient of the layer's weights; NaN if not given.
    """

    saturated: float
    dead: float
    gradient_norm: float


def layer_diagnostics(
    outputs: Sequence[npt.ArrayLike],
    activations: Sequence[Unit] | Unit,
    gradients: Sequence[npt.ArrayLike] | None = None,
    *,
    margin: float = 0.05,
) -> list[LayerDiagnostics]:
    """Return saturated and dead units, and the gradient norm, of each layer.

    Gradients vanish if their norm shrinks by a factor per layer towards the input, and explode if
    it grows.

    Parameters
    ----------
    outputs
        The outputs of each layer after its activation, shape (n, units); maps of a convolution
        count as units by channel.
    activations
        "sigmoid" (also "logistic", as multi-layer perceptrons call it), "tanh", "relu" or
        "identity", one for all layers or one each.
    gradients
        The gradient of each layer's weights.
    margin
        Distance to an end of the range, as a fraction of the range, that counts as saturated.

    Returns
    -------
    list of LayerDiagnostics

    Examples
    --------
    >>> from gramian.textbook.networks import layer_diagnostics
    >>> [layer] = layer_diagnostics([[[0.99, 0.5], [0.98, 0.01]]], "sigmoid")
    >>> layer.saturated, layer.dead
    (0.75, 0.5)
    """
    kinds = [activations] * len(outputs) if isinstance(activations, str) else list(activations)
    if len(kinds) != len(outputs) or (gradients is not None and len(gradients) != len(outputs)):
        raise DataError(
            "layer_diagnostics: pass an activation, and a gradient, for each of the "
            f"{len(outputs)} layers."
        )
    found = []
    for k, (kind, output) in enumerate(zip(kinds, outputs, strict=True)):
        flat = _is_flat(kind, np.asarray(output, dtype=np.float64), margin)
        if not flat.size or flat.ndim < 2:
            raise DataError(
                f"layer_diagnostics: the outputs of layer {k} must be (n, units), of at least one "
                f"row; got shape {flat.shape}."
            )
        by_unit = flat.reshape(-1, flat.shape[-1])
        norm = np.nan if gradients is None else float(np.linalg.norm(np.ravel(gradients[k])))
        found.append(LayerDiagnostics(float(flat.mean()), float(by_unit.all(axis=0).mean()), norm))
    return found


def _is_flat(kind: str, values: npt.NDArray[np.float64], margin: float) -> npt.NDArray[np.bool_]:
    """Return where the derivative of an activation is nearly 0."""
    if kind == "relu":
        return np.asarray(values <= 0)
    if kind in ("sigmoid", "logistic"):
        return np.asarray((values < margin) | (values > 1 - margin))
    if kind == "tanh":
        return np.asarray(np.abs(values) > 1 - 2 * margin)
    if kind == "identity":
        return np.zeros(values.shape, dtype=bool)
    raise ParameterError(
        "layer_diagnostics: activations must be 'sigmoid', 'tanh', 'relu' or 'identity'; got "
        f"{kind!r}."
    )
