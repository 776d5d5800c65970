"""Dense layers of a stack as a native multi-layer perceptron.

A level of a stack is a perceptron with one hidden layer whose targets are its inputs; masking noise
is dropout of the inputs that does not scale the others. Fine-tuning trains the encoders and a
softmax layer. Results are identical for any number of threads.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gramian.base.types import Matrix
from gramian.neural_network.autoencoder.coding import Reconstruction
from gramian.neural_network.autoencoder.corruption import Corruption
from gramian.neural_network.mlp.descent import Descent, Examples, Steps
from gramian.neural_network.mlp.network import Activation, Network, Parameters
from gramian.neural_network.mlp.training import mean_loss
from gramian.neural_network.training.named_arrays import Arrays
from gramian.neural_network.training.training import Settings, row_order
from gramian.objectives.network_losses import Output

_ACTIVATIONS: dict[str, Activation] = {
    "sigmoid": "logistic",
    "tanh": "tanh",
    "relu": "relu",
    "identity": "identity",
}
_OUTPUTS: dict[tuple[str, Reconstruction], tuple[Output, float]] = {
    ("sigmoid", "cross_entropy"): ("logistic", 1.0),
    ("sigmoid", "squared_error"): ("squared_logistic", 2.0),
    ("identity", "squared_error"): ("squared", 2.0),
}


def native_output(
    output: str, loss: Reconstruction, tied: bool, corruption: Corruption, noise_level: float
) -> tuple[Output, float] | None:
    """Return the output of a native network for a level, and the factor of its loss.

    Native squared errors have a factor 1/2, so their factor is 2. None: native code lacks it.

    Examples
    --------
    >>> native_output("identity", "squared_error", False, "masking", 0.3)
    ('squared', 2.0)
    >>> native_output("identity", "squared_error", True, "masking", 0.3)
    """
    masks = corruption == "masking" or (noise_level == 0 and not callable(corruption))
    return _OUTPUTS.get((output, loss)) if masks and not tied else None


class DenseTraining:
    """The training of named dense layers: epochs, the loss of other rows, the weights."""

    def __init__(
        self,
        names: Sequence[str],
        first: Arrays,
        activation: str,
        output: Output,
        rows: Examples,
        settings: Settings,
        seed: int,
        *,
        noise_level: float = 0.0,
        factor: float = 1.0,
    ) -> None:
        self._names = tuple(names)
        self._rows, self._seed, self._factor = rows, seed, factor
        coefs = [first[f"{name}.weight"].T for name in names]
        biases = [first[f"{name}.bias"] for name in names]
        hidden = (_ACTIVATIONS[activation],) * (len(coefs) - 1)
        network = Network((len(coefs[0]), *(c.shape[1] for c in coefs)), hidden, output)
        vector = network.join(Parameters(coefs, biases, [], []), coefs[0].dtype)
        self._descent = Descent.begin(network, vector, settings.solver)
        self._steps = Steps(
            settings.solver,
            alpha=settings.alpha / factor,
            divides_penalty=False,
            momentum=settings.momentum,
            nesterov=False,
            epsilon=1e-8 / factor,
            dropout=(noise_level, *(0.0,) * len(hidden)),
            scales_inputs=False,
            batch_size=settings.batch_size,
            seed=seed,
        )
        self._epochs, self._rate = 0, 0.0

    @property
    def memory(self) -> Arrays:
        """The arrays that training changes."""
        return {"parameters": self._descent.parameters}

    def epoch(self, rate: float) -> tuple[float, float]:
        """Run an epoch; return its mean loss and the loss of its first batch."""
        if self._steps.optimizer == "sgd":
            rate = rate * self._factor  # Adam's steps do not depend on the factor
            if self._epochs > 0:  # velocities contain the rate
                self._descent.moments["first"] *= rate / self._rate
        self._rate = rate
        order = row_order(len(self._rows), self._seed, self._epochs).astype(np.int32)
        self._epochs += 1
        done = self._descent.epoch(self._steps, rate, self._rows, order, None)
        return (self._factor * done.loss if done.finite else np.nan), self._factor * done.start

    def loss_of(self, rows: Matrix) -> float:
        """Return the mean loss of the reconstruction of rows, without noise."""
        outputs, network = self._descent.outputs(rows), self._descent.network
        own = replace(self._rows, X=rows, codes=None, values=rows, weights=None)
        return self._factor * mean_loss(network.output, outputs, own)

    def weights(self) -> Arrays:
        """Return copies of the weights, by name."""
        layers = self._descent.network.split(self._descent.parameters)
        found: Arrays = {}
        for name, coef, bias in zip(self._names, layers.coefs, layers.intercepts, strict=True):
            found[f"{name}.weight"] = np.ascontiguousarray(coef.T)
            found[f"{name}.bias"] = bias.copy()
        return found
