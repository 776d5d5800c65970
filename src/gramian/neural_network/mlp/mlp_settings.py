"""Convert the parameters of an estimator to a network and its optimiser settings."""

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError, caller_level
from gramian.base.types import Matrix
from gramian.neural_network.mlp.descent import Examples, Steps
from gramian.neural_network.mlp.full_batch import FULL_BATCH
from gramian.neural_network.mlp.mlp_parameters import MLPParameters
from gramian.neural_network.mlp.network import Network, Parameters
from gramian.objectives.network_losses import Output

_ACTIVATIONS = ("identity", "logistic", "tanh", "relu")


def network_of(model: MLPParameters, output: Output, outputs: int) -> Network:
    """Return the network that the parameters describe."""
    hidden = _sizes(model)
    widths = (model.n_features_in_, *hidden, outputs)
    return Network(widths, _activations(model, len(hidden)), output, model.batch_norm)


def _sizes(model: MLPParameters) -> tuple[int, ...]:
    sizes = np.atleast_1d(np.asarray(model.hidden_layer_sizes))
    if sizes.size == 0:
        return ()
    if sizes.ndim != 1 or sizes.dtype.kind not in "iu" or (sizes < 1).any():
        raise ParameterError(
            f"{type(model).__name__}: hidden_layer_sizes must be > 0 for every layer, integers; "
            f"got {model.hidden_layer_sizes!r}."
        )
    return tuple(int(size) for size in sizes)


def _activations(model: MLPParameters, layers: int) -> Any:
    value: Any = model.activation
    names = (value,) * layers if isinstance(value, str) else tuple(value)
    if len(names) != layers or any(name not in _ACTIVATIONS for name in names):
        raise ParameterError(
            f"{type(model).__name__}: activation must be one of "
            f"{', '.join(map(repr, _ACTIVATIONS))}, or a list of one for each of the {layers} "
            f"hidden layers; got {value!r}."
        )
    return names


def steps_of(model: MLPParameters, network: Network, n: int, seed: int) -> Steps:
    """Return the settings of the optimiser steps."""
    layers = len(network.widths) - 1
    rates = _numbers(model, "layer_rates", layers, 1.0)
    dropout = _numbers(model, "dropout", layers - 1, 0.0)
    if any(not 0 <= p < 1 for p in dropout) or any(rate < 0 for rate in rates):
        raise ParameterError(
            f"{type(model).__name__}: dropout must be in [0, 1) and layer_rates >= 0; got "
            f"{model.dropout!r} and {model.layer_rates!r}."
        )
    batch = 200 if model.batch_size == "auto" else model.batch_size
    if model.batch_size != "auto" and batch > n and model.solver not in FULL_BATCH:
        warnings.warn(
            f"{type(model).__name__}: batch_size={batch} exceeds the {n} rows, so every "
            "epoch is a single batch. Lower batch_size.",
            UserWarning,
            stacklevel=caller_level(),
        )
    return Steps(
        optimizer="none" if model.solver in FULL_BATCH else model.solver,  # type: ignore[arg-type]
        alpha=model.alpha,
        penalize_intercepts=bool(model.penalize_intercepts),
        momentum=model.momentum,
        nesterov=bool(model.nesterovs_momentum),
        beta_1=model.beta_1,
        beta_2=model.beta_2,
        epsilon=model.epsilon,
        layer_rates=rates,
        dropout=(model.input_dropout, *dropout),
        noise=model.gradient_noise,
        noise_decay=model.gradient_noise_decay,
        batch_size=min(batch, n),
        seed=seed,
    )


def _numbers(model: MLPParameters, name: str, count: int, usual: float) -> tuple[float, ...]:
    """Return a parameter that is one number, or one for each layer."""
    parameter = getattr(model, name)
    values = np.asarray(usual if parameter is None else parameter)
    if values.ndim == 0:
        values = np.full(count, float(values))
    if values.shape != (count,) or values.dtype.kind not in "fiu":
        raise ParameterError(
            f"{type(model).__name__}: {name} must contain a number for each of the {count} layers; "
            f"got {parameter!r}."
        )
    return tuple(float(value) for value in values)


def mask_of(model: MLPParameters, network: Network, dtype: npt.DTypeLike) -> Matrix | None:
    """Return the masks of all weights as one vector, ones where there is none."""
    if model.masks is None:
        return None
    masks: Any = list(model.masks)  # type: ignore[arg-type]
    vector = np.ones(network.size, dtype)
    layers: Parameters = network.split(vector)
    if len(masks) != len(layers.coefs):
        raise ParameterError(
            f"{type(model).__name__}: masks must have an entry for each of the "
            f"{len(layers.coefs)} layers, None for no mask; got {len(masks)}."
        )
    for coef, mask in zip(layers.coefs, masks, strict=True):
        if mask is None:
            continue
        array = np.asarray(mask)
        if array.shape != coef.shape or not np.isin(array, (0, 1)).all():
            raise ParameterError(
                f"{type(model).__name__}: a mask must be a matrix of 0 and 1 of shape "
                f"{coef.shape}; got shape {array.shape}."
            )
        coef[...] = array
    return vector


def check_together(model: MLPParameters, rows: Examples) -> None:
    """Raise if parameters contradict each other or the data."""
    owner = type(model).__name__
    if model.solver in FULL_BATCH:
        needs = {
            "batch_norm": model.batch_norm,
            "dropout": np.any(np.asarray(model.dropout) != 0),
            "input_dropout": model.input_dropout > 0,
            "gradient_noise": model.gradient_noise > 0,
            "emphasis": model.emphasis is not None,
            "device": model.device != "cpu",
        }
        for name, wanted in needs.items():
            if wanted:
                raise ParameterError(
                    f"{owner}: {name} needs a stochastic solver, for example 'adam'; solver is "
                    f"{model.solver!r}."
                )
    if model.emphasis == "class" and rows.codes is None:
        raise ParameterError(
            f"{owner}: emphasis='class' needs one label per row; use emphasis='loss'."
        )
    if model.batch_norm and len(rows) < 2:
        raise DataError(
            f"{owner}: batch_norm needs at least 2 rows; got n_samples={len(rows)}. Set it to "
            "False, or pass more rows."
        )
