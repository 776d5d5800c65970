"""Base class of tree-based regressors: leaves with predicted values."""

from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.errors import ParameterError
from gramian.base.inputs.targets import check_targets, float_type_of
from gramian.base.inputs.weights import check_weights, unit_weights
from gramian.base.kinds import Tags
from gramian.base.types import Matrix, Weights
from gramian.tree.growth.grow import Targets, numeric_targets

Floats: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


if TYPE_CHECKING:
    from gramian.base.kinds import Regressor as _Mixed  # the class that the mixin extends
else:
    _Mixed = object


class LeafValues(_Mixed):
    """Predicts the values of leaves, for one output or several.

    Attributes
    ----------
    n_outputs_ : int
        Number of outputs.
    """

    tags: ClassVar[Tags] = {"target_tags.multi_output": True}

    if TYPE_CHECKING:  # parameters of the classes below
        criterion: Any
        monotonic_cst: Any

    n_outputs_: int
    _single: bool  # whether the targets were float32; predictions then are too

    def _check_targets(
        self, table: Matrix, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None
    ) -> tuple[Targets, Weights | None]:
        owner = type(self).__name__
        self._single = bool(float_type_of(y) == np.float32)
        values = check_targets(self, y, table.shape[0], columns=True)
        weights = unit_weights(check_weights(self, sample_weight, table.shape[0]))
        values = values.reshape(table.shape[0], -1)
        self.n_outputs_ = values.shape[1]
        if self.monotonic_cst is not None and self.n_outputs_ > 1:
            raise ParameterError(f"{owner}: monotonic_cst supports one output only.")
        return numeric_targets(owner, values, weights, self.criterion), weights

    def _outputs(self, values: Floats) -> Floats:
        """Return values (n, n_outputs, 1) as (n,) or (n, n_outputs), in the type of the targets."""
        kind: Any = np.float32 if self._single else np.float64
        flat: Floats = values[:, :, 0].astype(kind, copy=False)
        return flat[:, 0] if self.n_outputs_ == 1 else flat
