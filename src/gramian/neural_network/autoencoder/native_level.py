"""A level with weights of its own and the cross-entropy, trained by the native perceptron.

Such a level is a perceptron with one hidden layer whose targets are its inputs, and masking noise
is dropout of the inputs that does not scale those it keeps. The native trainer needs two thirds of
the time of PyTorch, and gives the same bits for any number of threads.
"""

from typing import Any

import numpy as np

from gramian.base.types import Matrix
from gramian.neural_network.autoencoder.coding import Reconstruction
from gramian.neural_network.autoencoder.corruption import Corruption
from gramian.neural_network.mlp.descent import Descent, Examples, Steps
from gramian.neural_network.mlp.network import Activation, Network, Parameters
from gramian.neural_network.mlp.presentation import Presentation
from gramian.neural_network.mlp.training import mean_loss
from gramian.neural_network.torch_training.tensors import Arrays, Tensors, tensor_of
from gramian.neural_network.torch_training.training import Settings


def is_native(
    loss: Reconstruction, tied: bool, corruption: Corruption, noise_level: float, settings: Settings
) -> bool:
    """Tell whether the native trainer minimises this loss under this noise."""
    plain = loss == "cross_entropy" and not tied and settings.alpha == 0
    return plain and (corruption == "masking" or (noise_level == 0 and not callable(corruption)))


class NativeLevel:
    """The perceptron of a level: its epochs, the loss of other rows, its weights by name."""

    def __init__(
        self,
        number: int,
        first: Arrays,
        rows: Matrix,
        activation: str,
        noise_level: float,
        settings: Settings,
        seed: int,
    ) -> None:
        self._number = number
        encoder, decoder = (first[f"{part}{number}.weight"] for part in ("encoder", "decoder"))
        units, inputs = encoder.shape
        name: Activation = "logistic" if activation == "sigmoid" else activation  # type: ignore[assignment]
        network = Network((inputs, units, inputs), (name,), "logistic")
        biases = [first[f"{part}{number}.bias"] for part in ("encoder", "decoder")]
        vector = network.join(Parameters([encoder.T, decoder.T], biases, [], []), rows.dtype)
        self._descent = Descent.begin(network, vector, settings.solver)
        self._rows = Examples(rows, None, rows)
        self._order = Presentation(self._rows, seed=seed, shuffle=True)
        self._steps = Steps(
            settings.solver,
            momentum=settings.momentum,
            nesterov=False,
            dropout=(noise_level, 0.0),
            scales_inputs=False,
            batch_size=settings.batch_size,
            seed=seed,
        )
        self._epochs = 0

    @property
    def tensors(self) -> Tensors:
        """The memory that training changes."""
        return {"parameters": tensor_of(self._descent.parameters)}

    def epoch(self, rate: float) -> tuple[float, float]:
        """Run an epoch; return its mean loss and that of its first batch."""
        order = self._order.order(self._epochs)
        self._epochs += 1
        done = self._descent.epoch(self._steps, rate, self._rows, order, None)
        return done.loss if done.finite else np.nan, done.start

    def loss_of(self, rows: Matrix) -> float:
        """Return the mean loss of rows without noise."""
        return mean_loss("logistic", self._descent.outputs(rows), Examples(rows, None, rows))

    def weights(self) -> Arrays:
        """Return copies of the weights, by their names in a stack."""
        layers = self._descent.network.split(self._descent.parameters)
        found: dict[str, Any] = {}
        for part, coef, bias in zip(
            ("encoder", "decoder"), layers.coefs, layers.intercepts, strict=True
        ):
            found[f"{part}{self._number}.weight"] = np.ascontiguousarray(coef.T)
            found[f"{part}{self._number}.bias"] = bias.copy()
        return found
