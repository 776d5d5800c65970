"""The protocol of all distributions."""

import inspect
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from numbers import Integral, Real
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self, TypeVar, dataclass_transform

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import check_params
from gramian.base.parameter_rules import Interval, IsArray
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats

_T = TypeVar("_T", bound=type)

# Types of the parameters of distributions, which are finite.
Above0 = Annotated[float, Interval(Real, 0, math.inf, open_low=True, open_high=True)]
From0 = Annotated[float, Interval(Real, 0, math.inf, open_high=True)]
Finite = Annotated[float, Interval(Real, -math.inf, math.inf, open_low=True, open_high=True)]
Probability = Annotated[float, Interval(Real, 0, 1)]
Vector = Annotated[Any, IsArray()]  # converted to an array of floats
Trials = Annotated[int, Interval(Integral, 0)]


@dataclass_transform(eq_default=False, frozen_default=True)
def distribution(cls: _T) -> _T:
    """Turn the annotated fields of a class into parameters of an immutable distribution."""
    made: Any = dataclass(frozen=True, eq=False, repr=False)(cls)
    return made  # type: ignore[no-any-return]


class Distribution(ABC):
    """A probability distribution: immutable, and equal to those with the same parameters.

    An event is a number, or an array with `event_ndim` axes: the last axes of the argument of
    `log_prob`.
    """

    event_ndim: ClassVar[int] = 0
    discrete: ClassVar[bool] = False

    if TYPE_CHECKING:  # in some families these are parameters, in others properties

        @property
        def mean(self) -> Any:
            """The expected value; NaN if it does not exist."""

        @property
        def variance(self) -> Any:
            """The variance of each coordinate; infinite or NaN if it does not exist."""

    def __post_init__(self) -> None:
        """Check the parameters and convert them to floats and read-only arrays."""
        check_params(self)
        for field in fields(self):  # type: ignore[arg-type]  # subclasses are dataclasses
            value = getattr(self, field.name)
            if isinstance(value, Integral):
                object.__setattr__(self, field.name, _plain(field.type, int(value)))
            elif isinstance(value, Real):
                object.__setattr__(self, field.name, float(value))
        self._check()

    def _check(self) -> None:  # noqa: B027 - optional
        """Check conditions that the field types do not express."""

    def _store(self, name: str, value: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Replace a parameter with a read-only array of floats."""
        values = np.asarray(value)
        if values.dtype.kind not in "biuf":
            values = self._to_floats(name, value)
        array = np.array(values, dtype=np.float64, order="C")
        if not np.isfinite(array).all():
            raise ParameterError(
                f"{type(self).__name__}: {name} must contain finite numbers; got {array.tolist()}."
            )
        array.flags.writeable = False
        object.__setattr__(self, name, array)
        return array

    def _to_floats(self, name: str, value: npt.ArrayLike) -> npt.NDArray[np.float64]:
        try:
            return np.asarray(value, dtype=np.float64)
        except (TypeError, ValueError):
            raise ParameterError(
                f"{type(self).__name__}: {name} must contain numbers; got {value!r}."
            ) from None

    # Probabilities of events

    def log_prob(self, x: npt.ArrayLike) -> Any:
        """Return the logarithm of the density, or of the probability if the events are discrete.

        Parameters
        ----------
        x
            Events: numbers of any shape, or arrays whose last axes are those of an event.

        Returns
        -------
        log_prob
            One number per event; -inf outside the support, NaN for NaN.
        """
        with np.errstate(divide="ignore", over="ignore", invalid="ignore", under="ignore"):
            logs = np.asarray(self._log_prob(self._events(x)))
            return (np.minimum(logs, 0.0) if self.discrete else logs)[()]

    def prob(self, x: npt.ArrayLike) -> Any:
        """Return the density, or the probability if the events are discrete."""
        with np.errstate(under="ignore", over="ignore"):
            return np.exp(self.log_prob(x))

    @abstractmethod
    def _log_prob(self, x: Floats) -> Floats:
        """Return the logarithms for an array of floats."""

    def _events(self, x: npt.ArrayLike) -> Floats:
        array = np.asarray(x)
        if array.dtype.kind not in "biuf":
            try:
                array = np.asarray(x, dtype=np.float64)
            except (TypeError, ValueError):
                raise DataError(
                    f"{type(self).__name__}: events must be numbers; got {x!r}."
                ) from None
        return array if array.dtype == np.float64 else array.astype(np.float64)

    def _check_width(self, x: Floats, width: int) -> None:
        """Raise unless the last axis of the events has this length."""
        if x.ndim == 0 or x.shape[-1] != width:
            raise DataError(
                f"{type(self).__name__}: events must have {width} coordinates on the last axis; "
                f"got shape {x.shape}."
            )

    def cdf(self, x: npt.ArrayLike) -> Any:
        """Return P(X <= x)."""
        with np.errstate(all="ignore"):
            return np.asarray(self._cdf(self._events(x)))[()]

    def quantile(self, q: npt.ArrayLike) -> Any:
        """Return the smallest x with P(X <= x) >= q; NaN for q outside [0, 1]."""
        with np.errstate(all="ignore"):
            levels = np.asarray(q, dtype=np.float64)
            inside = (levels >= 0) & (levels <= 1)
            found = self._quantile(np.where(inside, levels, 0.5))
            return np.where(inside, found, np.nan)[()]

    def _cdf(self, x: Floats) -> Floats:
        raise self._lacks("a cumulative distribution function")

    def _quantile(self, q: Floats) -> Floats:
        raise self._lacks("quantiles")

    def _lacks(self, what: str) -> NotImplementedError:
        return NotImplementedError(f"{type(self).__name__} has no closed form for {what}.")

    # Summaries of the distribution

    def entropy(self, base: float = math.e) -> float:
        """Return -E log p(X): in nats, or in bits with base 2.

        For a density it is the differential entropy, which may be negative.
        """
        if not base > 0 or base == 1:
            raise ParameterError(
                f"{type(self).__name__}: base must be a positive number other than 1; got {base!r}."
            )
        return float(self._entropy() / math.log(base))

    def _entropy(self) -> float:
        raise self._lacks("the entropy")

    def mgf(self, t: npt.ArrayLike) -> Any:
        """Return the moment-generating function E exp(t X), or E exp(t'X) of vectors.

        It is infinite if the expectation diverges.
        """
        with np.errstate(all="ignore"):
            return np.asarray(self._mgf(self._events(t)))[()]

    def _mgf(self, t: Floats) -> Floats:
        raise self._lacks("the moment-generating function")

    # Random events

    def sample(self, n: int | None = None, random_state: object = None) -> Any:
        """Draw events.

        Parameters
        ----------
        n
            Number of events; None draws one event without a first axis.
        random_state
            Seed or generator for the random draws.

        Returns
        -------
        events
            Array whose first axis has length n.
        """
        drawn = self._sample(self._check_n(n), stream(seed_of(random_state)))
        return drawn[0] if n is None else drawn

    def _check_n(self, n: int | None) -> int:
        """Return the number of events to draw."""
        if n is not None and not Interval(Integral, 0).accepts(n):
            raise ParameterError(
                f"{type(self).__name__}: n must be an integer >= 0 or None; got {n!r}."
            )
        return 1 if n is None else int(n)

    @abstractmethod
    def _sample(self, n: int, rng: np.random.Generator) -> Any:
        """Draw n events."""

    # Estimation

    @classmethod
    def fit(
        cls, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None, **fixed: Any
    ) -> Self:
        """Return the maximum likelihood estimate.

        Parameters
        ----------
        data
            Independent events, one per entry of the first axis.
        sample_weight
            One weight per event; weight k counts as k copies of the event.
        fixed
            Parameters that are known rather than estimated; each family accepts its own.

        Returns
        -------
        distribution
            The maximum likelihood estimate.
        """
        return cls.from_statistics(cls.sufficient_statistics(data, sample_weight, **fixed))

    @classmethod
    def sufficient_statistics(
        cls, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None, **fixed: Any
    ) -> Any:
        """Return the sufficient statistics of the data; those of parts of the data can be merged.

        Takes the arguments of `fit` and returns a `SufficientStatistics`: ``+`` or ``merge``
        combines the statistics of two parts of the data into those of all the data.
        """
        known = list(inspect.signature(cls._statistics).parameters.values())[2:]
        names = [parameter.name for parameter in known]
        unknown = [name for name in fixed if name not in names]
        missing = [p.name for p in known if p.default is p.empty and p.name not in fixed]
        if unknown or missing:
            raise ParameterError(
                f"{cls.__name__}.fit: the parameters that can be fixed are {names or 'none'}; got "
                f"{sorted(fixed)}{f', but {missing} must be given' if missing else ''}."
            )
        return cls._statistics(data, sample_weight, **fixed)

    @classmethod
    def _statistics(cls, *args: Any, **kwargs: Any) -> Any:
        """Compute the statistics; keyword arguments are the parameters that can be fixed."""
        raise NotImplementedError(f"{cls.__name__} cannot be fitted by maximum likelihood.")

    @classmethod
    def from_statistics(cls, statistics: Any) -> Self:
        """Return the maximum likelihood estimate from sufficient statistics."""
        raise NotImplementedError(f"{cls.__name__} cannot be estimated from statistics.")

    # Values, not identities

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(
            np.array_equal(mine, theirs) if isinstance(mine, np.ndarray) else mine == theirs
            for mine, theirs in zip(self._values(), other._values(), strict=True)
        )

    def __hash__(self) -> int:
        held = (v.tobytes() if isinstance(v, np.ndarray) else v for v in self._values())
        return hash((type(self), *held))

    def __repr__(self) -> str:
        names = [f.name for f in fields(self)]  # type: ignore[arg-type]
        shown = (f"{n}={_shown(v)}" for n, v in zip(names, self._values(), strict=True))
        return f"{type(self).__name__}({', '.join(shown)})"

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, f.name) for f in fields(self))  # type: ignore[arg-type]


def number_or_array(value: npt.ArrayLike) -> Any:
    """Return a plain float for one number, otherwise an array."""
    array = np.asarray(value, dtype=np.float64)
    return float(array) if array.ndim == 0 else array


def _plain(annotation: Any, value: int) -> int | float:
    """Return an integer as a float if the field is a float."""
    kind = annotation.__origin__ if hasattr(annotation, "__metadata__") else annotation
    return value if kind is int else float(value)


def _shown(value: object) -> str:
    if not isinstance(value, np.ndarray):
        return repr(value)
    return str(value.tolist()) if value.size <= 16 else f"<array of shape {value.shape}>"
