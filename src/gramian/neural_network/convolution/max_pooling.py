"""Maxima of blocks of 2 x 2, natively; importing it needs torch.

PyTorch's own pass compares one number at a time, which takes as long as the convolutions before it.
"""

from typing import Any

from gramian import _native
from gramian.neural_network.torch_training.tensors import Tensor, torch_module

torch: Any = torch_module()


def pooled_by_two(x: Tensor) -> Tensor:
    """Return the maximum of each block of 2 x 2 places, of maps (n, channels, rows, columns).

    A last row or column that fills no block is left out. The gradient goes to the first place that
    had the maximum.
    """
    return _MaxPool.apply(x)


class _MaxPool(torch.autograd.Function):
    """The maxima, and their derivatives."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        n, channels, rows, columns = ctx.shape = x.shape
        found = x.new_empty(n, channels, rows // 2, columns // 2)
        places = torch.empty(found.shape, dtype=torch.uint8)
        _native.max_pool(*map(_maps, (x.contiguous(), found, places)))
        ctx.save_for_backward(places)
        return found

    @staticmethod
    def backward(ctx: Any, slopes: Tensor) -> Tensor:
        (places,) = ctx.saved_tensors
        out = slopes.new_empty(ctx.shape)
        _native.max_pool_back(*map(_maps, (slopes.contiguous(), places, out)))
        return out


def _maps(tensor: Tensor) -> Any:
    """Return the maps of a tensor, one after the other, as an array of the same memory."""
    return tensor.detach().flatten(0, 1).numpy()
