"""The parabolic lifting map, which turns spheres into planes."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.fields import params
from gramian.base.inputs.feature_names import as_names, join_columns, names_of_inputs
from gramian.base.types import Data
from gramian.preprocessing.polynomial_map import PolynomialMap


class Sphere(NamedTuple):
    """A sphere, by its centre and radius."""

    center: npt.NDArray[np.float64]
    radius: float


@params
class ParabolicLift(PolynomialMap):
    """Lift points onto a paraboloid, so that spheres become planes.

    The map appends the squared length of a row::

        phi(x) = (x, |x|^2)

    The linear function ``w . x + a |x|^2 + b`` of the lifted point is zero on the sphere with ::

        centre  m = -w / (2 a),      radius  r = sqrt(|m|^2 - b / a).

    Points are separable by a sphere if and only if their lifts are separable by a plane; with a = 0
    the plane is vertical and the boundary is a plane in the original space. Only one column is
    added, so fitting a sphere costs as much as fitting a plane.

    Attributes
    ----------
    n_features_in_
        Number of features seen in `fit`, d; the output has d + 1.

    Examples
    --------
    >>> ParabolicLift().fit_transform([[3.0, 4.0], [1.0, 0.0]])
    array([[ 3.,  4., 25.],
           [ 1.,  0.,  1.]])
    """

    def _terms(self, X: Data) -> Data:
        return join_columns([X, (X * X).sum(axis=1).reshape(-1, 1)])

    def get_feature_names_out(
        self, input_features: npt.ArrayLike | None = None
    ) -> npt.NDArray[Any]:
        """Return the names of the columns, then ``|x|^2``."""
        return as_names([*names_of_inputs(self, input_features), "|x|^2"])

    def sphere(self, coef: npt.ArrayLike, intercept: float = 0.0) -> Sphere:
        """Return the sphere on which a linear function of the lifted points is zero.

        Parameters
        ----------
        coef
            Weights (w, a) of the lifted columns, d + 1 of them: ``coef_`` of a linear model.
        intercept
            The constant b.

        Returns
        -------
        Sphere
            ``center``, shape (d,), and ``radius``.

        Examples
        --------
        The circle around (1, 2) of radius 3 is x^2 + y^2 - 2 x - 4 y - 4 = 0:

        >>> ParabolicLift().sphere([-2.0, -4.0, 1.0], -4.0)
        Sphere(center=array([1., 2.]), radius=3.0)
        """
        *linear, square = np.ravel(np.asarray(coef, dtype=np.float64))
        if not linear or square == 0:
            raise DataError(
                "ParabolicLift: a boundary is a sphere only if the weight of |x|^2, the last of "
                f"coef, is not zero; got coef={coef!r}, whose boundary is a plane."
            )
        center = np.array(linear) / (-2 * square)
        squared_radius = float(center @ center - intercept / square)
        if squared_radius < 0:
            raise DataError(
                "ParabolicLift: the linear function has no zeros (its squared radius is "
                f"{squared_radius:g}); all points lie on one side."
            )
        return Sphere(center, float(np.sqrt(squared_radius)))
