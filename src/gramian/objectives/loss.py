"""The base class of losses L(y, z), the cost of the score z if the target is y.

A loss is a small final subclass of `Loss`. It states which targets it accepts, how smooth it is and
how large its curvature can get; solvers read these instead of knowing the losses by name. To add
one, write `value`, `derivative` and, where it exists, `curvature`; the finite-difference test in
tests/objectives finds it through `gramian.objectives.LOSSES`.
"""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.types import Floats

Targets: TypeAlias = Literal["real", "unit", "sign", "count", "positive", "classes"]

_WORDS: dict[Targets, str] = {
    "real": "finite numbers",
    "unit": "numbers in [0, 1]",
    "sign": "-1 or 1",
    "count": "numbers >= 0",
    "positive": "numbers > 0",
    "classes": "class numbers 0, 1, ..., or rows of probabilities that sum to 1",
}


class Loss(ABC):
    """The cost L(y, z) of the score z if the target is y, elementwise."""

    # "twice": derivative and curvature; "once": derivative only;
    # "kinked": derivative() gives a subgradient; "steps": the derivative is 0 or undefined.
    smoothness: ClassVar[Literal["twice", "once", "kinked", "steps"]] = "twice"
    kink: ClassVar[str] = ""  # where the derivative jumps or is missing, in words
    convex: ClassVar[bool] = True  # in z
    quadratic: ClassVar[bool] = False  # in z
    targets: ClassVar[Targets] = "real"

    @abstractmethod
    def value(self, y: Floats, z: Floats) -> Floats:
        """Return L(y, z)."""

    def derivative(self, y: Floats, z: Floats) -> Floats:
        """Return dL/dz; at a kink, the subgradient documented by the class."""
        raise NotImplementedError(f"{type(self).__name__} has no derivative.")

    def left_derivative(self, y: Floats, z: Floats) -> Floats:
        """Return dL/dz; at a kink, the slope just below it (scikit-learn's boosting)."""
        return self.derivative(y, z)

    def curvature(self, y: Floats, z: Floats) -> Floats:
        """Return d2L/dz2."""
        raise NotImplementedError(f"{type(self).__name__} has no curvature.")

    def own_curvature(self, y: Floats, z: Floats) -> Floats:
        """Return the curvature in each score alone: the diagonal, where `curvature` is a matrix."""
        return self.curvature(y, z)

    @property
    def curvature_bound(self) -> float:
        """The largest curvature over all scores and targets; infinite if it is unbounded."""
        return float("inf")

    def mean(self, z: Floats) -> Floats:
        """Return the prediction of a score (the inverse link)."""
        return np.asarray(z, dtype=float)

    def best_constant(self, y: Floats, weights: Floats | None) -> Floats:
        """Return the constant score, or scores, that minimise the weighted sum of losses."""
        raise NotImplementedError(f"{type(self).__name__} has no best constant in closed form.")

    def pieces(self, y: Floats) -> list[tuple[Floats, Floats]]:
        """Return the lines of a piecewise linear loss: L = max_k slope_k z + height_k.

        Other losses return an empty list.
        """
        del y
        return []

    def check_targets(self, targets: Any) -> npt.NDArray[Any]:
        """Return the targets as an array; raise if the loss does not accept one of them."""
        y: npt.NDArray[Any] = np.asarray(targets)
        if y.dtype.kind not in "fiub":
            raise DataError(
                f"{type(self).__name__}: targets must be {_WORDS[self.targets]}; "
                f"got {y.dtype}. Encode labels as numbers first."
            )
        if self.targets != "classes":
            y = y.astype(float)
        good = _accepts(self.targets, y)
        if not good.all():
            at = int(np.argmin(good.reshape(len(y), -1).all(axis=1)))
            raise DataError(
                f"{type(self).__name__}: targets must be {_WORDS[self.targets]}; "
                f"got {y[at]} at row {at}. Recode the targets or use another loss."
            )
        return y

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({inside})"


def _accepts(targets: Targets, y: npt.NDArray[Any]) -> Any:
    match targets:
        case "real":
            return np.isfinite(y)
        case "unit":
            return (y >= 0) & (y <= 1)
        case "sign":
            return np.abs(y) == 1
        case "count":
            return (y >= 0) & np.isfinite(y)
        case "positive":
            return (y > 0) & np.isfinite(y)
        case "classes" if y.ndim == 2:
            ok = (y >= 0).all(axis=1) & (np.abs(y.sum(axis=1) - 1) <= 1e-6)
            return np.broadcast_to(ok[:, None], y.shape)
        case "classes":
            return (y >= 0) & (y == np.floor(y))
