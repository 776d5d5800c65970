"""Training of a multi-layer perceptron on a GPU, by PyTorch.

The network, the loss and the formulas of the steps are those of the native trainer; sums are taken
in another order and dropout draws other random numbers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.types import Floats, Matrix, is_sparse
from gramian.neural_network.mlp.descent import (
    NORM_KEEP,
    Descent,
    Epoch,
    Examples,
    RowOrder,
    Steps,
)
from gramian.neural_network.mlp.network import NORM_EPSILON, Network
from gramian.objectives.network_losses import tensor_losses
from gramian.objectives.tensors import Dtype, Tensor, torch_module
from gramian.solvers.stochastic.adam import adam_step


@dataclass
class TorchDescent(Descent):
    """The state of training, whose epochs run on a PyTorch device."""

    device: str = "cuda"

    @classmethod
    def on(cls, owner: str, descent: Descent, device: str) -> "TorchDescent":
        """Return the same state, to be trained on a device."""
        torch = torch_module()
        if device == "cuda" and not torch.cuda.is_available():
            raise DataError(
                f"{owner}: device='cuda', but PyTorch finds no CUDA device here; set device='cpu'."
            )
        parts = {name: getattr(descent, name) for name in descent.__dataclass_fields__}
        return cls(**parts, device=device)

    def epoch(
        self,
        steps: Steps,
        rate: float,
        rows: Examples,
        order: RowOrder,
        weights: Floats | None,
        losses: Floats | None = None,
    ) -> Epoch:
        """Run one epoch."""
        torch = torch_module()

        def put(array: npt.NDArray[Any]) -> Tensor:
            return torch.as_tensor(np.ascontiguousarray(array), device=self.device)

        torch.manual_seed((steps.seed + self.t) % 2**63)
        X = put(rows.X.toarray() if is_sparse(rows.X) else rows.X)
        Y = put(_targets(rows, self.network.widths[-1], X.dtype))
        w = put(np.ones(len(rows)) if weights is None else weights).to(X.dtype)
        state = _Tensors.of(self, put)
        places, total, right, squares = put(order.astype(np.int64)), 0.0, 0, 0.0
        start: float | None = None
        with torch.enable_grad():
            for first in range(0, len(order), steps.batch_size):
                at = places[first : first + steps.batch_size]
                weight = w[at].sum()
                if not weight > 0:
                    continue
                z = state.forward(self.network, X[at], w[at] / weight, float(weight), steps)
                each = tensor_losses(torch, self.network.output, z, Y[at])
                (g,) = torch.autograd.grad((each * w[at]).sum() / weight, state.vector)
                with torch.no_grad():
                    decay = steps.alpha / weight * state.decayed(self.network, steps)
                    penalty = steps.alpha / 2 * (state.vector**2 * (decay > 0)).sum()
                    total += float((each * w[at]).sum() + penalty)
                    start = total / float(weight) if start is None else start
                    g = g + decay * state.vector
                    if steps.noise > 0:
                        deviation = steps.noise / (1 + self.t) ** steps.noise_decay
                        g = g + deviation * torch.randn_like(g)
                    if state.mask is not None:
                        g = g * state.mask
                    squares += float((g**2).sum())
                    state.step(g, steps, rate, self.t + 1, self.network)
                self.t += 1
                right += _right(z, Y[at]) if rows.codes is not None else 0
                if losses is not None:
                    losses[order[first : first + steps.batch_size]] = each.detach().cpu().numpy()
        state.store(self)
        mean = total / float(w[places].sum())
        norm = float(np.sqrt(squares / max(1, -(-len(order) // steps.batch_size))))
        return Epoch(mean, start or 0.0, right, norm, bool(np.isfinite(mean) and np.isfinite(norm)))


@dataclass
class _Tensors:
    """Vectors on the device."""

    vector: Tensor
    moments: dict[str, Tensor]
    mean: Tensor | None
    variance: Tensor | None
    mask: Tensor | None

    @classmethod
    def of(cls, descent: Descent, put: Callable[[Matrix], Tensor]) -> "_Tensors":
        def some(array: Matrix | None) -> Tensor | None:
            return None if array is None else put(array.copy())

        moments = {name: put(array.copy()) for name, array in descent.moments.items()}
        vector = put(descent.parameters.copy()).requires_grad_(True)
        return cls(vector, moments, some(descent.mean), some(descent.variance), some(descent.mask))

    def store(self, descent: Descent) -> None:
        descent.parameters[:] = self.vector.detach().cpu().numpy()
        for name, tensor in self.moments.items():
            descent.moments[name][:] = tensor.cpu().numpy()
        if descent.mean is not None and descent.variance is not None:
            assert self.mean is not None
            assert self.variance is not None
            descent.mean[:] = self.mean.cpu().numpy()
            descent.variance[:] = self.variance.cpu().numpy()

    def forward(
        self, network: Network, h: Tensor, share: Tensor, weight: float, steps: Steps
    ) -> Tensor:
        """Return the sums of the last layer, in training."""
        torch = torch_module()
        functions: dict[str, Callable[[Tensor], Tensor]] = {
            "identity": lambda z: z,
            "logistic": torch.sigmoid,
            "tanh": torch.tanh,
            "relu": torch.relu,
        }
        layers, dropout = network.split(self.vector), steps.dropout or (0.0,) * len(network.widths)
        ends = np.cumsum([0, *network.widths[1:-1]])
        h = torch.nn.functional.dropout(h, dropout[0])
        for i, name in enumerate(network.activations):
            z = h @ layers.coefs[i] + layers.intercepts[i]
            if self.mean is not None and self.variance is not None:  # batch normalisation
                mean = (share[:, None] * z).sum(dim=0)
                variance = (share[:, None] * (z - mean) ** 2).sum(dim=0)
                z = (z - mean) / torch.sqrt(variance + NORM_EPSILON)
                z = z * layers.gammas[i] + layers.betas[i]
                at, unbiased = (
                    slice(ends[i], ends[i + 1]),
                    weight / (weight - 1) if weight > 1 else 1,
                )
                with torch.no_grad():
                    self.mean[at] = NORM_KEEP * self.mean[at] + (1 - NORM_KEEP) * mean
                    self.variance[at] = (
                        NORM_KEEP * self.variance[at] + (1 - NORM_KEEP) * unbiased * variance
                    )
            h = torch.nn.functional.dropout(functions[name](z), dropout[i + 1])
        return h @ layers.coefs[-1] + layers.intercepts[-1]

    def decayed(self, network: Network, steps: Steps) -> Tensor:
        """Return 1 for the parameters that the penalty applies to, 0 for the others."""
        torch = torch_module()
        ones = torch.zeros_like(self.vector)
        layers = network.split(ones)
        for part in (*layers.coefs, *(layers.intercepts if steps.penalize_intercepts else ())):
            part.fill_(1.0)
        return ones

    def step(self, g: Tensor, steps: Steps, rate: float, t: int, network: Network) -> None:
        """Move the parameters as the native optimisers do (cpp/core/network/step.hpp)."""
        torch = torch_module()
        eta = torch.ones_like(g) * rate
        layers = network.split(eta)
        for i, factor in enumerate(steps.layer_rates):
            for part in (layers.coefs, layers.intercepts, layers.gammas, layers.betas):
                if i < len(part):
                    part[i].mul_(factor)
        if steps.optimizer == "sgd":
            m = self.moments["first"]
            m.mul_(steps.momentum).sub_(eta * g)
            self.vector.add_(steps.momentum * m - eta * g if steps.nesterov else m)
            return
        if steps.optimizer in ("adam", "amsgrad"):
            move, m, v, largest = adam_step(
                g,
                self.moments["first"],
                self.moments["second"],
                t,
                rate=eta,
                beta1=steps.beta_1,
                beta2=steps.beta_2,
                delta=steps.epsilon / np.sqrt(1 - steps.beta_2**t),  # added before the correction
                largest=self.moments.get("largest"),
                maximum=torch.maximum,
            )
            self.moments |= {"first": m, "second": v}
            if largest is not None:
                self.moments["largest"] = largest
            self.vector.add_(move)
            return
        v = self.moments["second"]
        if steps.optimizer == "adagrad":
            v.add_(g**2)
        else:
            v.mul_(steps.beta_2).add_((1 - steps.beta_2) * g**2)
        self.vector.sub_(eta * g / (torch.sqrt(v) + steps.epsilon))


def _targets(rows: Examples, units: int, dtype: Dtype) -> Matrix:
    """Return the matrix of targets."""
    numbers = np.float32 if str(dtype) == "torch.float32" else np.float64
    if rows.values is not None:
        return rows.values
    classes = np.arange(1, 2) if units == 1 else np.arange(units)
    assert rows.codes is not None
    return np.where(rows.codes[:, None] == classes, rows.high, rows.low).astype(numbers)


def _right(z: Tensor, Y: Tensor) -> int:
    """Return the rows whose class has the largest output."""
    if z.shape[1] == 1:
        return int((z[:, 0] > 0).eq(Y[:, 0] > 0.5).sum())
    return int(z.argmax(dim=1).eq(Y.argmax(dim=1)).sum())
