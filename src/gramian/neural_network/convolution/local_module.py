"""A locally connected layer as a module of PyTorch's, which has none; importing it needs torch."""

from typing import Any

from gramian.neural_network.convolution.forward import locally_connected
from gramian.neural_network.convolution.layers import LocallyConnected, Shape
from gramian.neural_network.torch_training.tensors import Tensor, torch_module

torch: Any = torch_module()


class LocalModule(torch.nn.Module):
    """Multiplies the patch of each place by filters of its own."""

    def __init__(self, layer: LocallyConnected, shape: Shape) -> None:
        super().__init__()
        self.layer, self.shape = layer, shape
        for name, sizes in layer.parameter_shapes(shape).items():
            setattr(self, name, torch.nn.Parameter(torch.zeros(sizes)))

    def forward(self, x: Tensor) -> Tensor:
        """Return the sums, before the activation."""
        return locally_connected(self.layer, self.shape, self.weight, self.bias, x)
