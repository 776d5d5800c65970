"""Bayesian networks with discrete variables."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.inputs.gate import frame_of
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats
from gramian.graphical_model.directed_graph import DirectedGraph
from gramian.graphical_model.factors import Factor, eliminate
from gramian.graphical_model.labels import (
    check_labels_present,
    check_nonnegative_integer,
    check_pseudo_count,
    python_labels,
    sorted_labels,
)

_TOLERANCE = 1e-8


class BayesianNetwork:
    """Joint distribution of discrete variables that factorises along a directed acyclic graph.

        P(x_1, ..., x_d) = prod_j P(x_j | parents of x_j),

    with a probability table for each variable. Queries are exact, by variable elimination: the cost
    depends on the largest intermediate table, not on the number of joint values.

    Parameters
    ----------
    parents : dict of names to lists of names
        The parents of each variable.
    tables : dict of names to arrays
        The table of a variable has one axis per parent, in their order, and a last axis for its own
        values, over which it sums to 1.
    values : dict of names to lists, default=None
        The values of variables, in the order of the axes; by default 0, 1, ...

    Attributes
    ----------
    graph : DirectedGraph
        The graph.
    values : dict of names to lists
        The values of each variable.
    tables : dict of names to arrays
        The tables.

    Examples
    --------
    >>> from gramian.graphical_model import BayesianNetwork
    >>> network = BayesianNetwork(
    ...     parents={"rain": [], "sprinkler": ["rain"], "wet": ["rain", "sprinkler"]},
    ...     tables={
    ...         "rain": [0.8, 0.2],
    ...         "sprinkler": [[0.6, 0.4], [0.99, 0.01]],
    ...         "wet": [[[1.0, 0.0], [0.1, 0.9]], [[0.2, 0.8], [0.01, 0.99]]],
    ...     },
    ... )
    >>> round(network.probability({"rain": 1, "sprinkler": 0, "wet": 1}), 4)
    0.1584
    >>> network.query("rain", {"wet": 1}).round(4).tolist()
    [0.6423, 0.3577]
    """

    def __init__(
        self,
        parents: Mapping[str, Iterable[str]],
        tables: Mapping[str, npt.ArrayLike],
        values: Mapping[str, Iterable[Any]] | None = None,
    ) -> None:
        self.graph = DirectedGraph(parents)
        nodes = self.graph.nodes
        _check_nodes(self.graph, "tables", tables)
        _check_nodes(self.graph, "values", values or {})
        missing = [v for v in nodes if v not in tables]
        if missing:
            raise ParameterError(
                f"BayesianNetwork: tables must contain one table per node; {missing[0]!r} has "
                "none. Add it, or learn the tables with BayesianNetwork.fit."
            )
        self.tables: dict[str, Floats] = {v: _table(v, tables[v]) for v in nodes}
        sizes = {v: self.tables[v].shape[-1] if self.tables[v].ndim else 0 for v in nodes}
        self.values: dict[str, list[Any]] = {
            v: list((values or {}).get(v, range(sizes[v]))) for v in nodes
        }
        for v in nodes:
            self._check_table(v, sizes)

    def constructor_arguments(self) -> dict[str, Any]:
        """Return the parents, tables and values, which a model file stores."""
        return {
            **self.graph.constructor_arguments(),
            "tables": dict(self.tables),
            "values": {v: python_labels(names) for v, names in self.values.items()},
        }

    def _check_table(self, node: str, sizes: dict[str, int]) -> None:
        table = self.tables[node]
        shape = (*(sizes[p] for p in self.graph.parents[node]), len(self.values[node]))
        if table.shape != shape or not table.size:
            raise ParameterError(
                f"BayesianNetwork: the table of {node!r} must have shape {shape}, an axis for each "
                f"parent and one for its own values; got {table.shape}."
            )
        if len(set(self.values[node])) < len(self.values[node]):
            raise ParameterError(
                f"BayesianNetwork: the values of {node!r} must differ; got {self.values[node]}."
            )
        if not (np.isfinite(table).all() and (table >= 0).all()):
            first = table[~(np.isfinite(table) & (table >= 0))][0]
            raise ParameterError(
                f"BayesianNetwork: the table of {node!r} must contain probabilities >= 0; got "
                f"{first:g}."
            )
        sums: Floats = table.sum(axis=-1)
        wrong = np.abs(sums - 1) > _TOLERANCE
        if np.any(wrong):
            place = tuple(int(i) for i in np.argwhere(np.atleast_1d(wrong))[0])
            of = f" for parents {place}" if table.ndim > 1 else ""
            raise ParameterError(
                f"BayesianNetwork: the table of {node!r} must sum to 1 over its last axis; got "
                f"{np.atleast_1d(sums)[place]:.6g}{of}. Divide it by its sums."
            )

    @classmethod
    def fit(
        cls,
        parents: Mapping[str, Iterable[str]],
        data: npt.ArrayLike,
        *,
        pseudo_count: float = 1.0,
        values: Mapping[str, Iterable[Any]] | None = None,
        sample_weight: npt.ArrayLike | None = None,
    ) -> "BayesianNetwork":
        """Learn the tables of a graph from data.

            P(x_j = v | u) = (n(v, u) + a) / (n(u) + a K_j)

        with the counts n, the pseudo-count a and the number of values K_j; a = 0 is maximum
        likelihood. If the values u of the parents do not occur and a = 0, all values of x_j are
        equally probable.

        Parameters
        ----------
        parents : dict of names to lists of names
            The parents of each variable.
        data : frame, or dict of names to arrays
            One column per variable.
        pseudo_count : float, default=1.0
            Pseudo-count a >= 0 of each value, the parameter of a Dirichlet prior.
        values : dict of names to lists, default=None
            The values of variables; by default those of the data, sorted.
        sample_weight : array of shape (n,), default=None
            Weights >= 0 of the rows.

        Returns
        -------
        network : BayesianNetwork
        """
        graph = DirectedGraph(parents)
        smoothing = check_pseudo_count("BayesianNetwork", pseudo_count)
        columns = _columns(graph, data)
        known_values = values or {}
        _check_nodes(graph, "values", known_values)
        known: dict[str, list[Any]] = {
            v: list(known_values[v])
            if v in known_values
            else sorted_labels("BayesianNetwork", f"column {v!r}", "values", columns[v])
            for v in graph.nodes
        }
        codes = {v: _codes(v, columns[v], known[v]) for v in graph.nodes}
        n = len(codes[graph.nodes[0]])
        weights = np.ones(n) if sample_weight is None else np.asarray(sample_weight, dtype=float)
        if weights.shape != (n,) or not (np.isfinite(weights).all() and (weights >= 0).all()):
            raise DataError(
                f"BayesianNetwork: sample_weight must contain {n} weights >= 0, one per row."
            )
        tables = {}
        for v in graph.nodes:
            axes = (*graph.parents[v], v)
            shape = tuple(len(known[u]) for u in axes)
            cell = np.ravel_multi_index([codes[u] for u in axes], shape)
            counts = np.bincount(cell, weights, int(np.prod(shape))).reshape(shape) + smoothing
            total = counts.sum(axis=-1, keepdims=True)
            seen = total > 0
            tables[v] = np.where(seen, counts / np.where(seen, total, 1.0), 1 / shape[-1])
        return cls(graph.parents, tables, known)

    def probability(self, assignment: Mapping[str, Any]) -> float:
        """Return the probability that the variables have the given values.

        Parameters
        ----------
        assignment : dict of names to values
            Some or all variables.

        Returns
        -------
        p : float
        """
        indices = self._value_indices(assignment)
        if len(indices) == len(self.graph.nodes):
            return float(np.exp(self._log_joint(indices)))
        return float(eliminate(self._factors(indices), ()).table)

    def log_joint(self, assignment: Mapping[str, Any]) -> float:
        """Return the logarithm of the joint probability of values for all variables."""
        indices = self._value_indices(assignment)
        missing = [v for v in self.graph.nodes if v not in indices]
        if missing:
            raise DataError(
                f"BayesianNetwork: log_joint needs a value for every variable; {missing[0]!r} has "
                "none. For some of the variables use probability."
            )
        return self._log_joint(indices)

    def _log_joint(self, indices: dict[str, int]) -> float:
        cells = [
            self.tables[v][tuple(indices[u] for u in (*self.graph.parents[v], v))]
            for v in self.graph.nodes
        ]
        with np.errstate(divide="ignore"):
            return float(np.log(cells).sum())

    def query(
        self, variables: str | Iterable[str], evidence: Mapping[str, Any] | None = None
    ) -> Floats:
        """Return the conditional distribution of variables given evidence.

        Parameters
        ----------
        variables : name, or list of names
            The variables to return.
        evidence : dict of names to values, default=None
            The observed values.

        Returns
        -------
        p : array with one axis per variable
            Probabilities in the order of `values`; they sum to 1.
        """
        keep = (variables,) if isinstance(variables, str) else tuple(variables)
        indices = self._value_indices(evidence or {})
        for v in keep:
            if v not in self.graph.parents or v in indices or keep.count(v) > 1:
                raise ParameterError(
                    f"BayesianNetwork: variables must be distinct nodes without evidence; got "
                    f"{v!r}. The nodes are {list(self.graph.nodes)}."
                )
        table = eliminate(self._factors(indices, keep), keep).table
        total: float = table.sum()
        if not total > 0:
            raise DataError(
                f"BayesianNetwork: the evidence {dict(evidence or {})} has probability 0, so "
                "the conditional distribution is undefined."
            )
        return np.asarray(table / total)

    def _factors(self, indices: dict[str, int], keep: tuple[str, ...] = ()) -> list[Factor]:
        """Return the relevant tables, reduced by the evidence; irrelevant tables sum to 1."""
        asked = [*indices, *keep]
        relevant = self.graph.ancestors(asked) | set(asked)
        return [
            Factor((*self.graph.parents[v], v), self.tables[v]).reduce(indices)
            for v in self.graph.nodes
            if v in relevant
        ]

    def _value_indices(self, assignment: Mapping[str, Any]) -> dict[str, int]:
        indices = {}
        for v, value in assignment.items():
            if v not in self.values:
                raise ParameterError(
                    f"BayesianNetwork: {v!r} is not a node; the nodes are {list(self.graph.nodes)}."
                )
            if value not in self.values[v]:
                raise ParameterError(
                    f"BayesianNetwork: {v!r} has no value {value!r}; it has {self.values[v]}."
                )
            indices[v] = self.values[v].index(value)
        return indices

    def sample(self, n_samples: int = 1, random_state: object = None) -> dict[str, list[Any]]:
        """Draw samples of all variables.

        Parameters
        ----------
        n_samples : int, default=1
            Number of draws.
        random_state : int, RandomState, Generator or None, default=None
            Seed or generator for the random draws.

        Returns
        -------
        columns : dict of names to lists of values
        """
        n = check_nonnegative_integer("BayesianNetwork", "n_samples", n_samples)
        rng = stream(seed_of(random_state))
        codes: dict[str, npt.NDArray[np.intp]] = {}
        for v in self.graph.nodes:
            rows = self.tables[v][tuple(codes[p] for p in self.graph.parents[v])]
            rows = np.broadcast_to(rows, (n, len(self.values[v])))
            cut = np.cumsum(rows, axis=1)
            drawn = (rng.random((n, 1)) * cut[:, -1:] >= cut).sum(axis=1)
            codes[v] = np.minimum(drawn, len(self.values[v]) - 1)
        return {v: [self.values[v][i] for i in codes[v]] for v in self.graph.nodes}


def _columns(graph: DirectedGraph, data: Any) -> dict[str, list[Any]]:
    if not isinstance(data, Mapping):
        frame = frame_of("BayesianNetwork", data)
        if not hasattr(frame, "columns"):
            raise DataError(
                "BayesianNetwork: data must be a frame or a dict with a column for each variable; "
                f"got {type(data).__name__}."
            )
        data = {v: frame[v].to_list() for v in frame.columns}
    missing = [v for v in graph.nodes if v not in data]
    if missing:
        raise DataError(f"BayesianNetwork: data has no column {missing[0]!r}; add it.")
    columns = {
        v: check_labels_present("BayesianNetwork", f"column {v!r}", data[v]) for v in graph.nodes
    }
    lengths = {len(c) for c in columns.values()}
    if len(lengths) != 1 or 0 in lengths:
        raise DataError(
            "BayesianNetwork: the columns of data must have the same length, at least 1; got "
            f"{sorted(lengths)}."
        )
    return columns


def _check_nodes(graph: DirectedGraph, option: str, by_node: Mapping[str, Any]) -> None:
    unknown = [v for v in by_node if v not in graph.parents]
    if unknown:
        raise ParameterError(
            f"BayesianNetwork: {option} contains {unknown[0]!r}, which is not a node of the graph; "
            f"its nodes are {list(graph.parents)}. Add the node to parents, or remove the entry."
        )


def _table(node: str, probabilities: npt.ArrayLike) -> Floats:
    try:
        return np.array(probabilities, dtype=float)
    except (TypeError, ValueError):
        raise ParameterError(
            f"BayesianNetwork: the table of {node!r} must be a numeric array with rows of equal "
            f"length; got {probabilities!r}."
        ) from None


def _codes(name: str, column: list[Any], values: list[Any]) -> npt.NDArray[np.intp]:
    place = {value: i for i, value in enumerate(values)}
    unknown = next((x for x in column if x not in place), None)
    if unknown is not None:
        raise DataError(
            f"BayesianNetwork: column {name!r} has the value {unknown!r}, which is not in "
            f"{values}; add it to values."
        )
    return np.array([place[x] for x in column], dtype=np.intp)
