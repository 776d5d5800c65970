"""A convolution with the maxima of blocks of 2 x 2 after it, natively; importing it needs torch.

PyTorch's convolutions are made for many channels. Those of small networks have few, and of the
derivatives that a maximum hands back three in four are 0, which it multiplies like others.
"""

from typing import Any

from gramian import _native
from gramian.neural_network.torch_training.tensors import Tensor, torch_module

torch: Any = torch_module()


def convolved_and_pooled(
    x: Tensor, weight: Tensor, bias: Tensor, pads: list[tuple[int, int]], relu: bool
) -> Tensor:
    """Return the maximum of each block of 2 x 2 places of convolved maps, or 0 with `relu`.

    Maps and result are (n, channels, rows, columns); `pads` are the zeros before and after each
    side. Of several places that have the maximum the gradient goes to the first. The result, and
    the gradients, have the same bits for any number of threads.
    """
    (top, bottom), (left, right) = pads
    found = _ConvPool.apply(x, weight, bias, (top, left, bottom, right), relu)
    return found.movedim(-1, 1)


class _ConvPool(torch.autograd.Function):
    """The maxima, channels last, and their derivatives."""

    @staticmethod
    def forward(
        ctx: Any, x: Tensor, weight: Tensor, bias: Tensor, pads: tuple[int, ...], relu: bool
    ) -> Tensor:
        images, weight = _channels_last(x), weight.contiguous()
        n, rows, columns, _ = images.shape
        filters, _, height, width = weight.shape
        top, left, bottom, right = ctx.pads = pads
        tall, wide = rows + top + bottom - height + 1, columns + left + right - width + 1
        found = images.new_empty(n, tall // 2, wide // 2, filters)
        places = torch.empty(found.shape, dtype=torch.uint8)
        _native.conv_pool(pads, relu, *_arrays(images, weight, bias, found, places))
        ctx.save_for_backward(images, weight, places)
        return found

    @staticmethod
    def backward(ctx: Any, slopes: Tensor) -> tuple[Any, ...]:
        images, weight, places = ctx.saved_tensors
        by_weight, by_bias = torch.empty_like(weight), weight.new_empty(len(weight))
        by_images = torch.empty_like(images) if ctx.needs_input_grad[0] else None
        arrays = _arrays(images, weight, slopes.contiguous(), places, by_weight, by_bias)
        arrays.append(None if by_images is None else by_images.numpy())
        _native.conv_pool_back(ctx.pads, *arrays)
        moved = None if by_images is None else by_images.movedim(-1, 1)
        return moved, by_weight, by_bias, None, None


def _channels_last(maps: Tensor) -> Tensor:
    return maps.movedim(1, -1).contiguous()


def _arrays(*tensors: Tensor) -> list[Any]:
    """Return the tensors as arrays of the same memory."""
    return [tensor.detach().numpy() for tensor in tensors]
