"""The operations that layers consist of, forward and backward, in NumPy and native code.

An operation takes maps with the channels last. `forward` also returns what `backward` needs;
`backward` takes the gradient with respect to the output, and returns the gradients with respect to
the input and the weights. Nothing is stored in the operation, so blocks of rows can run in
parallel. BLAS must then have one thread, so that the result does not depend on the number of
threads.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import prod
from typing import ClassVar, Generic, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.neural_network.convolution.filter_bank import FilterBank
from gramian.neural_network.convolution.layers import (
    BatchNorm,
    Conv,
    LocallyConnected,
    Pool,
    Shape,
    padding_of,
)
from gramian.neural_network.convolution.patches import (
    Maps,
    Pads,
    Pair,
    as_images,
    patches_of,
    shifted,
    sum_parts,
    sum_patches,
)
from gramian.neural_network.training.activations import activated, times_derivative
from gramian.neural_network.training.named_arrays import Arrays

Rng: TypeAlias = np.random.Generator | None
Unfolded: TypeAlias = tuple[Shape, Maps]  # shape of the input, and an array made from it
Kept = TypeVar("Kept")  # what `forward` keeps for `backward`
Gradients: TypeAlias = tuple[Maps | None, Arrays]  # of the input, if requested, and of the weights


class Operation(ABC, Generic[Kept]):
    """A differentiable function of maps."""

    weights: ClassVar[tuple[str, ...]] = ()  # names of the learned arrays

    @abstractmethod
    def forward(self, x: Maps, own: Arrays, rng: np.random.Generator | None) -> tuple[Maps, Kept]:
        """Return the output and what `backward` needs; `rng` is None outside training."""

    @abstractmethod
    def backward(self, kept: Kept, slopes: Maps, own: Arrays, by_input: bool) -> Gradients:
        """Return the gradients with respect to the input (or None) and the weights."""


@dataclass(frozen=True)
class Activate(Operation[Maps]):
    """An activation; its derivative is a function of its value."""

    name: str

    def forward(self, x: Maps, own: Arrays, rng: np.random.Generator | None) -> tuple[Maps, Maps]:
        """Return s(x)."""
        found = activated(self.name, x)
        return found, found

    def backward(self, kept: Maps, slopes: Maps, own: Arrays, by_input: bool) -> Gradients:
        """Return the gradient with respect to x."""
        return times_derivative(self.name, slopes, kept), {}


@dataclass(frozen=True)
class Convolve(Operation[Unfolded]):
    """A convolution, as a product with the matrix of patches."""

    layer: Conv
    shape: Shape  # of the input
    weights = ("weight", "bias")

    def forward(self, x: Maps, own: Arrays, rng: Rng) -> tuple[Maps, Unfolded]:
        """Return the sums of each filter over each patch."""
        size, stride, pads = geometry(self.layer, self.shape)
        views = patches_of(as_images(x), size, stride, pads)
        if x.shape[-1] == 1:  # one column after another: short rows are slow to copy
            matrix = views.transpose(3, 4, 5, 0, 1, 2).reshape(prod(size), -1).T
        else:
            matrix = views.transpose(0, 1, 2, 4, 5, 3).reshape(-1, prod(size) * x.shape[-1])
        sums = matrix @ self._matrix(own["weight"])
        sums += own["bias"]
        return sums.reshape(len(x), *self.layer.output_shape(self.shape)), (x.shape, matrix)

    def backward(self, kept: Unfolded, slopes: Maps, own: Arrays, by_input: bool) -> Gradients:
        """Return the gradients; the gradient of a weight is summed over all positions."""
        shape, matrix = kept
        size, stride, pads = geometry(self.layer, self.shape)
        filters, channels = own["weight"].shape[:2]
        columns = slopes.reshape(-1, filters)
        by_weight = (matrix.T @ columns).reshape(*size, channels, filters)
        found = {
            "weight": by_weight.transpose(3, 2, 0, 1).reshape(own["weight"].shape),
            "bias": channel_sums(columns),
        }
        if not by_input:
            return None, found
        images = (len(slopes), 1, *shape[1:]) if len(shape) == 3 else shape
        places = as_images(slopes).shape[:3]
        by_position = self._matrix(own["weight"]).reshape(-1, channels, filters)
        parts = ((columns @ w.T).reshape(*places, channels) for w in by_position)
        return sum_parts(parts, images, size, places[1:], stride, pads).reshape(shape), found

    @staticmethod
    def _matrix(weight: Maps) -> Maps:
        """Return the filters as columns, in the order of the patches."""
        if weight.ndim == 3:
            weight = weight[:, :, None]
        return np.ascontiguousarray(weight.transpose(2, 3, 1, 0)).reshape(-1, len(weight))


@dataclass(frozen=True)
class ConvolveLocally(Operation[Unfolded]):
    """A convolution with separate filters at each position."""

    layer: LocallyConnected
    shape: Shape
    weights = ("weight", "bias")

    def forward(self, x: Maps, own: Arrays, rng: Rng) -> tuple[Maps, Unfolded]:
        """Return the sums of each position's filters over its patch."""
        views = patches_of(as_images(x), *geometry(self.layer, self.shape))
        matrices = views.transpose(1, 2, 0, 3, 4, 5).reshape(len(own["weight"]), len(x), -1)
        sums = (matrices @ own["weight"] + own["bias"][:, None]).transpose(1, 0, 2)
        shape = (len(x), *self.layer.output_shape(self.shape))
        return sums.reshape(shape), (x.shape, matrices)

    def backward(self, kept: Unfolded, slopes: Maps, own: Arrays, by_input: bool) -> Gradients:
        """Return the gradients."""
        shape, matrices = kept
        size, stride, pads = geometry(self.layer, self.shape)
        places, _, filters = own["weight"].shape
        columns = slopes.reshape(len(slopes), places, filters).transpose(1, 0, 2)
        found = {"weight": matrices.transpose(0, 2, 1) @ columns, "bias": columns.sum(axis=1)}
        if not by_input:
            return None, found
        sides = as_images(slopes).shape[1:3]
        by_patch = columns @ own["weight"].transpose(0, 2, 1)
        by_patch = by_patch.reshape(*sides, len(slopes), shape[-1], *size)
        images = (len(slopes), 1, *shape[1:]) if len(shape) == 3 else shape
        moved = by_patch.transpose(2, 0, 1, 3, 4, 5)
        return sum_patches(moved, images, stride, pads).reshape(shape), found


@dataclass(frozen=True)
class ApplyFilters(Operation[Shape]):
    """A bank of filters that are not learned, over every channel."""

    layer: FilterBank

    def forward(self, x: Maps, own: Arrays, rng: np.random.Generator | None) -> tuple[Maps, Shape]:
        """Return each channel filtered by each filter."""
        bank, size, pads = self._filters(x.dtype)
        views = patches_of(as_images(x), size, (1, 1), pads)
        found = views.reshape(-1, size[0] * size[1]) @ bank.T
        return found.reshape(*x.shape[:-1], -1), x.shape

    def backward(self, kept: Shape, slopes: Maps, own: Arrays, by_input: bool) -> Gradients:
        """Return the gradient with respect to x."""
        bank, size, pads = self._filters(slopes.dtype)
        images = (len(slopes), 1, *kept[1:]) if len(kept) == 3 else kept
        by_patch = (slopes.reshape(-1, len(bank)) @ bank).reshape(*images, *size)
        return sum_patches(by_patch, images, (1, 1), pads).reshape(kept), {}

    def _filters(self, dtype: npt.DTypeLike) -> tuple[Maps, Pair, Pads]:
        bank = self.layer.bank.astype(dtype)
        if bank.ndim == 2:
            bank = bank[:, None]
        height, width = bank.shape[1:]
        pads = tuple(((k - 1) // 2, k // 2) for k in (height, width))
        return bank.reshape(len(bank), -1), (height, width), pads  # type: ignore[return-value]


@dataclass(frozen=True)
class TakeMaximum(Operation[Unfolded]):
    """The maximum of each block; the first of equal maxima gets the gradient."""

    layer: Pool
    shape: Shape

    def forward(self, x: Maps, own: Arrays, rng: Rng) -> tuple[Maps, Unfolded]:
        """Return the maxima."""
        size, stride, places = blocks_of(self.layer, self.shape)
        parts = shifted(as_images(x), size, stride, places)
        best = next(parts).copy()
        where = np.zeros(best.shape, dtype=np.int32)
        for k, part in enumerate(parts, 1):
            np.copyto(where, k, where=part > best)
            np.maximum(best, part, out=best)
        return best.reshape(len(x), *self.layer.output_shape(self.shape)), (x.shape, where)

    def backward(self, kept: Unfolded, slopes: Maps, own: Arrays, by_input: bool) -> Gradients:
        """Return the gradient with respect to x."""
        shape, where = kept
        size, stride, places = blocks_of(self.layer, self.shape)
        found, output_slopes = np.zeros(shape, dtype=slopes.dtype), slopes.reshape(where.shape)
        for k, part in enumerate(shifted(as_images(found), size, stride, places)):
            part += output_slopes * (where == k)
        return found, {}


@dataclass(frozen=True)
class TakeMean(Operation[Shape]):
    """The mean of each block."""

    layer: Pool
    shape: Shape

    def forward(self, x: Maps, own: Arrays, rng: np.random.Generator | None) -> tuple[Maps, Shape]:
        """Return the means."""
        size, stride, places = blocks_of(self.layer, self.shape)
        parts = shifted(as_images(x), size, stride, places)
        total = next(parts) + next(parts, 0)
        for part in parts:
            total += part
        total *= total.dtype.type(1 / prod(size))
        return total.reshape(len(x), *self.layer.output_shape(self.shape)), x.shape

    def backward(self, kept: Shape, slopes: Maps, own: Arrays, by_input: bool) -> Gradients:
        """Return the gradient with respect to x."""
        size, stride, places = blocks_of(self.layer, self.shape)
        found = np.zeros(kept, dtype=slopes.dtype)
        each = as_images(slopes) * slopes.dtype.type(1 / prod(size))
        for part in shifted(as_images(found), size, stride, places):
            if size == stride:  # blocks do not overlap
                part[...] = each
            else:
                part += each
        return found, {}


@dataclass(frozen=True)
class ConvolveAndPool(Operation[tuple[Maps, Maps]]):
    """A convolution of stride 1 followed by 2 x 2 max pooling, in native code.

    Three in four of the gradients that max pooling passes back are 0; this step skips them.
    """

    layer: Conv
    shape: Shape
    weights = ("weight", "bias")

    def forward(self, x: Maps, own: Arrays, rng: Rng) -> tuple[Maps, tuple[Maps, Maps]]:
        """Return the maxima, at least 0 if the activation is ReLU."""
        images, weight = np.ascontiguousarray(x), np.ascontiguousarray(own["weight"])
        rows, columns, filters = self.layer.output_shape(self.shape)
        found = np.empty((len(x), rows // 2, columns // 2, filters), dtype=x.dtype)
        places = np.empty(found.shape, dtype=np.uint8)
        relu = self.layer.activation == "relu"
        _native.conv_pool(self._pads(), relu, images, weight, own["bias"], found, places)
        return found, (images, places)

    def backward(
        self, kept: tuple[Maps, Maps], slopes: Maps, own: Arrays, by_input: bool
    ) -> Gradients:
        """Return the gradients."""
        images, places = kept
        weight = np.ascontiguousarray(own["weight"])
        found = {"weight": np.empty_like(weight), "bias": np.empty_like(own["bias"])}
        by_images = np.empty_like(images) if by_input else None
        _native.conv_pool_back(
            self._pads(),
            images,
            weight,
            np.ascontiguousarray(slopes),
            places,
            found["weight"],
            found["bias"],
            by_images,
        )
        return by_images, found

    def _pads(self) -> tuple[int, int, int, int]:
        (top, bottom), (left, right) = padding_of(self.layer, self.shape)
        return top, left, bottom, right


@dataclass(frozen=True)
class Normalise(Operation[tuple[Maps, Maps]]):
    """Batch normalisation: moments of the batch in training, running averages elsewhere."""

    layer: BatchNorm
    weights = ("weight", "bias")

    def forward(self, x: Maps, own: Arrays, rng: Rng) -> tuple[Maps, tuple[Maps, Maps]]:
        """Return (x - mean) / sqrt(variance + epsilon) gamma + beta, by channel."""
        mean, variance = own["running_mean"], own["running_var"]
        if rng is not None:
            keep, count = 1 - self.layer.momentum, x.size // x.shape[-1]
            mean = channel_sums(x) / x.dtype.type(count)
            scaled = x - mean
            variance = channel_sums(scaled * scaled) / x.dtype.type(count)
            own["running_mean"][:] = keep * own["running_mean"] + (1 - keep) * mean
            unbiased = variance * (count / max(count - 1, 1))
            own["running_var"][:] = keep * own["running_var"] + (1 - keep) * unbiased
        else:
            scaled = x - mean
        inverse = 1 / np.sqrt(variance + variance.dtype.type(self.layer.epsilon))
        scaled *= inverse
        found = scaled * own["weight"]
        found += own["bias"]
        return found, (scaled, inverse)

    def backward(
        self, kept: tuple[Maps, Maps], slopes: Maps, own: Arrays, by_input: bool
    ) -> Gradients:
        """Return the gradients; the moments depend on x too."""
        scaled, inverse = kept
        count = slopes.dtype.type(slopes.size // slopes.shape[-1])
        found = {"weight": channel_sums(slopes * scaled), "bias": channel_sums(slopes)}
        if not by_input:
            return None, found
        by_input_maps = scaled * (found["weight"] / -count)
        by_input_maps += slopes
        by_input_maps -= found["bias"] / count
        by_input_maps *= own["weight"] * inverse
        return by_input_maps, found


@dataclass(frozen=True)
class Drop(Operation[Maps | None]):
    """Dropout: in training, zero with probability `rate`, and the others scaled up."""

    rate: float

    def forward(self, x: Maps, own: Arrays, rng: Rng) -> tuple[Maps, Maps | None]:
        """Return x; in training, some entries are 0."""
        if rng is None or self.rate == 0:
            return x, None
        factors = (rng.random(x.shape, dtype=np.float32) >= self.rate) * x.dtype.type(
            1 / (1 - self.rate)
        )
        return x * factors, factors

    def backward(self, kept: Maps | None, slopes: Maps, own: Arrays, by_input: bool) -> Gradients:
        """Return the gradient with respect to x."""
        return (slopes if kept is None else slopes * kept), {}


@dataclass(frozen=True)
class Multiply(Operation[Unfolded]):
    """A dense layer: W x + b, with x flattened channel by channel."""

    weights = ("weight", "bias")

    def forward(self, x: Maps, own: Arrays, rng: Rng) -> tuple[Maps, Unfolded]:
        """Return the sums."""
        flat = np.moveaxis(x, -1, 1).reshape(len(x), -1)
        return flat @ own["weight"].T + own["bias"], (x.shape, flat)

    def backward(self, kept: Unfolded, slopes: Maps, own: Arrays, by_input: bool) -> Gradients:
        """Return the gradients."""
        shape, flat = kept
        found = {"weight": slopes.T @ flat, "bias": slopes.sum(axis=0)}
        if not by_input:
            return None, found
        by_flat = slopes @ own["weight"]
        return np.moveaxis(by_flat.reshape(len(slopes), shape[-1], *shape[1:-1]), 1, -1), found


def channel_sums(x: Maps) -> Maps:
    """Return the sum of each channel, as a matrix product: faster than a sum over the other axes.

    Examples
    --------
    >>> channel_sums(np.ones((2, 3, 4)))
    array([6., 6., 6., 6.])
    """
    rows = x.reshape(-1, x.shape[-1])
    return np.asarray(np.ones(len(rows), dtype=x.dtype) @ rows)


def geometry(layer: Conv, shape: Shape) -> tuple[Pair, Pair, Pads]:
    """Return size, stride and padding of a convolution; for signals the height is 1."""
    size, stride = layer.window(len(shape) - 1)
    pads = padding_of(layer, shape)
    if len(size) == 1:
        return (1, size[0]), (1, stride[0]), ((0, 0), pads[0])
    return (size[0], size[1]), (stride[0], stride[1]), (pads[0], pads[1])


def blocks_of(layer: Pool, shape: Shape) -> tuple[Pair, Pair, Pair]:
    """Return size and stride of the blocks, and how many there are along each side."""
    size, stride = layer.window(len(shape) - 1)
    places = layer.output_shape(shape)[:-1]
    if len(size) == 1:
        return (1, size[0]), (1, stride[0]), (1, places[0])
    return (size[0], size[1]), (stride[0], stride[1]), (places[0], places[1])
