r"""Joint distributions of a few discrete variables as labelled tables.

    sum rule             P(X) = sum_Y P(X, Y)
    product rule         P(X, Y) = P(X | Y) P(Y)
    total probability    P(x) = sum_k P(x | w_k) P(w_k)
    Bayes' rule          P(Y | X) = P(X | Y) P(Y) / P(X)

Reference: Bishop, Pattern Recognition and Machine Learning, 2006, section 1.2.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats

Quantity: TypeAlias = str | Callable[..., Any]  # a variable by name, or a function of all of them


class IndependenceTest(NamedTuple):
    """Pearson's chi-squared test of independence."""

    statistic: float
    p_value: float
    degrees_of_freedom: int


@dataclass(frozen=True, eq=False)
class JointTable:
    """The joint distribution of discrete variables, as a table with one axis per variable.

    Tables are immutable; every rule returns a new one. A function of the variables, such as that of
    `expectation`, takes an array of values of each variable, in the order of `variables`, and
    returns an array: write it as for one outcome, with NumPy's functions.

    Parameters
    ----------
    probabilities
        The table: probabilities that sum to one, or integer counts, which are normalised.
    variables
        Name and values of each variable, in the order of the axes.

    Attributes
    ----------
    table : array
        The probabilities, with one axis per variable.
    total : float
        The sum of the input: the number of observations if it contains counts.

    Examples
    --------
    A disease has prevalence 0.1; the test is right in 9 of 10 cases.

    >>> from gramian.textbook.estimation import JointTable
    >>> table = JointTable.from_conditional(
    ...     [0.1, 0.9], [[0.9, 0.1], [0.1, 0.9]], {"state": ["ill", "well"], "test": ["+", "-"]}
    ... )
    >>> table.marginal("test").table.round(3)  # total probability
    array([0.18, 0.82])
    >>> table.given(test="+").table  # Bayes' rule
    array([0.5, 0.5])
    """

    probabilities: npt.ArrayLike
    variables: Mapping[str, Sequence[Hashable]]
    table: Floats = field(init=False, repr=False)
    total: float = field(init=False, repr=False)

    def __post_init__(self) -> None:
        probabilities = np.asarray(self.probabilities, dtype=np.float64)
        named = {str(name): tuple(values) for name, values in self.variables.items()}
        shape = tuple(len(values) for values in named.values())
        if probabilities.shape != shape or not named:
            raise DataError(
                "JointTable: probabilities must have an axis for each variable and an entry for "
                f"each of its values, shape {shape}; got shape {probabilities.shape}."
            )
        for name, values in named.items():
            if len(set(values)) != len(values):
                raise DataError(f"JointTable: the values of {name!r} must differ; got {values!r}.")
        bad = ~((probabilities >= 0) & (probabilities < np.inf))  # NaN too
        if bad.any():
            at = tuple(int(i) for i in np.argwhere(bad)[0])
            raise DataError(
                "JointTable: probabilities and counts must be finite numbers >= 0; got "
                f"{probabilities[at]:g} at {at}."
            )
        total = float(probabilities.sum())
        if not 0 < total < np.inf:
            raise DataError(
                f"JointTable: probabilities must not all be zero; their sum is {total:g}."
            )
        if abs(total - 1) > 1e-6 and (probabilities != np.rint(probabilities)).any():
            raise DataError(
                "JointTable: probabilities must sum to one, counts must be integers; the sum is "
                f"{total:g}. Divide the table by its sum, or pass counts."
            )
        set_field = object.__setattr__  # the class is frozen
        set_field(self, "variables", named)
        set_field(self, "total", total)
        set_field(self, "table", probabilities / total)
        self.table.flags.writeable = False

    @classmethod
    def from_conditional(
        cls,
        prior: npt.ArrayLike,
        conditional: npt.ArrayLike,
        variables: Mapping[str, Sequence[Hashable]],
    ) -> "JointTable":
        """Return P(y, x) = P(y) P(x | y), the product rule.

        Parameters
        ----------
        prior
            P(y), shape (values of y,), or a table of several variables.
        conditional
            ``conditional[k, i]`` is P(x_i | y_k); axes of y first. Rows sum to one.
        variables
            Names and values, y first.

        Returns
        -------
        JointTable
        """
        first, then = np.asarray(prior, np.float64), np.asarray(conditional, np.float64)
        if then.ndim <= first.ndim or then.shape[: first.ndim] != first.shape:
            raise DataError(
                "JointTable.from_conditional: conditional must have a row for each entry of "
                f"prior, of shape {first.shape}; got shape {then.shape}."
            )
        after = tuple(range(first.ndim, then.ndim))
        for name, sums in (("prior", first.sum()), ("each row of conditional", then.sum(after))):
            if not np.allclose(sums, 1, rtol=0, atol=1e-6):
                raise DataError(
                    f"JointTable.from_conditional: {name} must sum to one; got "
                    f"{np.array2string(np.asarray(sums), precision=6)}."
                )
        joint = first.reshape(first.shape + (1,) * len(after)) * then
        return cls(joint / joint.sum(), variables)

    @classmethod
    def from_data(
        cls, columns: Mapping[str, npt.ArrayLike], sample_weight: npt.ArrayLike | None = None
    ) -> "JointTable":
        """Return the table of joint frequencies of columns.

        Parameters
        ----------
        columns
            Name and values of each variable, one value per row.
        sample_weight
            Weights of the rows; None means 1 each.

        Returns
        -------
        JointTable
        """
        found = {k: np.unique(np.asarray(v), return_inverse=True) for k, v in columns.items()}
        sizes = {len(codes) for _, codes in found.values()}
        if len(sizes) != 1 or 0 in sizes:
            raise DataError(
                "JointTable.from_data: columns must have the same number of rows, at least one; "
                f"got {[len(codes) for _, codes in found.values()]}."
            )
        (n,) = sizes
        weights = np.ones(n) if sample_weight is None else np.asarray(sample_weight, np.float64)
        if weights.shape != (n,):
            raise DataError(
                f"JointTable.from_data: sample_weight must have shape ({n},); got {weights.shape}."
            )
        counts = np.zeros([len(values) for values, _ in found.values()])
        np.add.at(counts, tuple(codes for _, codes in found.values()), weights)
        return _weighted(counts, {name: values.tolist() for name, (values, _) in found.items()})

    def marginal(self, *names: str) -> "JointTable":
        """Return the marginal distribution of the given variables (sum rule).

        Parameters
        ----------
        names
            The variables to keep, in the desired order.
        """
        axes = [self._axis(name) for name in names]
        others = tuple(set(range(self.table.ndim)) - set(axes))
        kept = [axis for axis in range(self.table.ndim) if axis in axes]
        summed: Floats = self.table.sum(axis=others)
        weights = summed.transpose([kept.index(axis) for axis in axes]) * self.total
        return _weighted(weights, {name: self.variables[name] for name in names})

    def given(self, **observed: Hashable) -> "JointTable":
        """Return the conditional distribution given observed variables (Bayes' rule).

        Parameters
        ----------
        observed
            Values of variables, as ``given(weather="rain")``; at least one variable must be left.
        """
        if not 0 < len(observed) < self.table.ndim:
            raise ParameterError(
                "JointTable.given: observe at least one variable and leave one; the variables are "
                f"{list(self.variables)!r}, observed are {list(observed)!r}."
            )
        part = self._slice(observed)
        if not part.any():
            raise DataError(f"JointTable.given: {observed!r} has probability 0.")
        left = {k: v for k, v in self.variables.items() if k not in observed}
        return _weighted(part * self.total, left)

    def conditional(self, name: str, given: str) -> Floats:
        """Return P(name | given), one row for each value of `given`; NaN where P(given) = 0.

        Parameters
        ----------
        name, given
            Two variables.
        """
        joint = self.marginal(given, name).table
        with np.errstate(invalid="ignore"):
            return np.asarray(joint / joint.sum(axis=1, keepdims=True))

    def probability(self, event: Callable[..., Any] | None = None, **observed: Hashable) -> float:
        """Return P(A) = E[1{A}].

        Parameters
        ----------
        event
            A function of all variables that is True in A.
        observed
            Alternatively, values of variables: ``probability(weather="rain")``.
        """
        if (event is None) == (not observed):
            raise ParameterError(
                "JointTable.probability: pass either an event or values of variables."
            )
        if event is None:
            return float(self._slice(observed).sum())
        return float(self.table[self._values(event).astype(bool)].sum())

    def expectation(self, f: Quantity, *, given: str | None = None, over: str | None = None) -> Any:
        """Return the expected value of a function of the variables.

        Parameters
        ----------
        f
            A function of all variables, or the name of one.
        given
            A variable y: return E[f | y] for each of its values (NaN where P(y) = 0).
        over
            A variable x of two: return E_x[f(x, y)] = sum_x P(x) f(x, y) for each value of y, by
            the marginal of x alone.

        Returns
        -------
        number, or an array with an entry for each value
        """
        if given is not None and over is not None:
            raise ParameterError("JointTable.expectation: pass `given` or `over`, not both.")
        values = self._values(f)
        if over is not None:
            axis = self._axis(over)
            weights = self.marginal(over).table
            return np.tensordot(np.moveaxis(values, axis, 0), weights, axes=(0, 0))
        if given is None:
            return float((self.table * values).sum())
        others = tuple(set(range(self.table.ndim)) - {self._axis(given)})
        with np.errstate(invalid="ignore"):
            return (self.table * values).sum(axis=others) / self.table.sum(axis=others)

    def variance(self, f: Quantity, *, given: str | None = None) -> Any:
        """Return E[(f - E f)^2], for each value of `given` if there is one.

        Parameters
        ----------
        f, given
            As for `expectation`.
        """
        values = self._values(f)
        mean = self.expectation(f, given=given)
        if given is not None:
            shape = [1] * self.table.ndim
            shape[self._axis(given)] = -1
            mean = mean.reshape(shape)
        return self.expectation(lambda *_: (values - mean) ** 2, given=given)

    def covariance(self, f: Quantity, g: Quantity) -> float:
        """Return E[(f - E f)(g - E g)].

        Parameters
        ----------
        f, g
            Functions of all variables, or names.
        """
        first, second = self._values(f), self._values(g)
        a, b = (first * self.table).sum(), (second * self.table).sum()
        return float((self.table * (first - a) * (second - b)).sum())

    def correlation(self, f: Quantity, g: Quantity) -> float:
        """Return the covariance divided by both standard deviations; NaN where one is 0.

        Parameters
        ----------
        f, g
            Functions of all variables, or names.
        """
        scale = float(np.sqrt(self.variance(f) * self.variance(g)))
        return self.covariance(f, g) / scale if scale > 0 else float("nan")

    def is_independent(self, first: str, second: str, *, tol: float = 1e-9) -> bool:
        """Return whether P(x, y) = P(x) P(y) for all values, to within `tol`.

        Parameters
        ----------
        first, second
            Two variables.
        tol
            Largest allowed difference of probabilities.
        """
        joint = self.marginal(first, second).table
        product = np.outer(joint.sum(axis=1), joint.sum(axis=0))
        return bool(np.abs(joint - product).max() <= tol)

    def independence_test(self, first: str, second: str) -> IndependenceTest:
        """Test by chi-squared whether two variables of a table of counts are independent.

        Values that never occur are left out. The p-value is asymptotic: it is reliable if the
        expected counts are 5 or more.

        Parameters
        ----------
        first, second
            Two variables.

        Returns
        -------
        IndependenceTest
            The statistic, its p-value and degrees of freedom.
        """
        from scipy.stats import chi2_contingency

        joint = self.marginal(first, second).table * self.total
        if not (self.total > 1 + 1e-6 and np.allclose(joint, np.rint(joint), rtol=0, atol=1e-6)):
            raise DataError(
                "JointTable.independence_test: the table must contain counts, as from from_data; "
                "for known probabilities use is_independent."
            )
        counts = np.rint(joint)[np.ix_(joint.any(axis=1), joint.any(axis=0))]
        if min(counts.shape) < 2:
            raise DataError(
                "JointTable.independence_test: both variables must have at least two values that "
                f"occur; got a table of shape {counts.shape}."
            )
        found = chi2_contingency(counts, correction=False)
        return IndependenceTest(float(found.statistic), float(found.pvalue), int(found.dof))

    def _axis(self, name: str) -> int:
        names = list(self.variables)
        if name not in names:
            raise ParameterError(f"JointTable: the variables are {names!r}; got {name!r}.")
        return names.index(name)

    def _slice(self, observed: Mapping[str, Hashable]) -> Floats:
        place: list[Any] = [slice(None)] * self.table.ndim
        for name, value in observed.items():
            axis, values = self._axis(name), self.variables[name]
            if value not in values:
                raise DataError(
                    f"JointTable: {name!r} must be one of {list(values)!r}; got {value!r}."
                )
            place[axis] = values.index(value)
        return np.asarray(self.table[tuple(place)])

    def _values(self, f: Quantity) -> npt.NDArray[Any]:
        """Return f at every entry of the table."""
        grids = np.meshgrid(*(np.array(v) for v in self.variables.values()), indexing="ij")
        values = np.asarray(grids[self._axis(f)] if isinstance(f, str) else f(*grids))
        if values.dtype.kind not in "fiub":
            raise DataError(
                f"JointTable: a function of the variables must return numbers; got {values.dtype}."
            )
        try:
            return np.broadcast_to(values, self.table.shape)
        except ValueError:
            raise DataError(
                "JointTable: a function must return one number for each entry, shape "
                f"{self.table.shape}; got shape {values.shape}."
            ) from None


def _weighted(weights: Floats, variables: Mapping[str, Sequence[Hashable]]) -> JointTable:
    """Return the table of weights; their sum becomes the total."""
    total = float(weights.sum())
    created = JointTable(weights / total if 0 < total < np.inf else weights, variables)
    object.__setattr__(created, "total", total)
    return created
