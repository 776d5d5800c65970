"""A locally connected layer for PyTorch, which has none; importing this module needs torch."""

from typing import Any, TypeAlias

from gramian.base.errors import need
from gramian.neural_network.convolution.layers import LocallyConnected, Shape, padding_of

torch: Any = need("torch", extra="nn")
Tensor: TypeAlias = Any


class LocalModule(torch.nn.Module):
    """Multiplies the patch at each position by that position's own filters."""

    def __init__(self, layer: LocallyConnected, shape: Shape) -> None:
        super().__init__()
        self.layer, self.shape = layer, shape
        for name, sizes in layer.parameter_shapes(shape).items():
            setattr(self, name, torch.nn.Parameter(torch.zeros(sizes)))

    def forward(self, x: Tensor) -> Tensor:
        """Return the sums, before the activation."""
        F = torch.nn.functional
        sizes, strides = self.layer.window(len(self.shape) - 1)
        pads = padding_of(self.layer, self.shape)
        x = F.pad(x, [zeros for pair in reversed(pads) for zeros in pair])
        if len(self.shape) == 2:  # a signal is an image of height 1
            x, sizes, strides = x.unsqueeze(2), (1, *sizes), (1, *strides)
        patches = F.unfold(x, sizes, stride=strides).permute(2, 0, 1)  # (positions, n, inputs)
        found = (patches @ self.weight + self.bias.unsqueeze(1)).permute(1, 2, 0)
        return found.reshape(len(x), self.layer.filters, *self.layer.output_shape(self.shape)[:-1])
