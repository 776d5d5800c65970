"""Factors: tables over named discrete variables, their products and sums."""

from dataclasses import dataclass

import numpy as np

from gramian.base.errors import DataError
from gramian.base.types import Floats

_MAX_CELLS = 100_000_000


@dataclass(frozen=True)
class Factor:
    """A table with one axis per variable."""

    variables: tuple[str, ...]
    table: Floats

    def expand_to(self, variables: tuple[str, ...]) -> Floats:
        """Return the table with axes in the order of `variables`; other variables have length 1."""
        mine = [v for v in variables if v in self.variables]
        moved = self.table.transpose([self.variables.index(v) for v in mine])
        sizes = dict(zip(self.variables, self.table.shape, strict=True))
        return moved.reshape([sizes.get(v, 1) for v in variables])

    def reduce(self, evidence: dict[str, int]) -> "Factor":
        """Return the factor with the values of the evidence fixed."""
        place = tuple(evidence.get(v, slice(None)) for v in self.variables)
        return Factor(tuple(v for v in self.variables if v not in evidence), self.table[place])

    def sum_out(self, variable: str) -> "Factor":
        """Return the factor summed over a variable."""
        axis = self.variables.index(variable)
        rest = self.variables[:axis] + self.variables[axis + 1 :]
        return Factor(rest, self.table.sum(axis=axis))


def product(factors: list[Factor]) -> Factor:
    """Return the product of factors, over all their variables."""
    variables = tuple(dict.fromkeys(v for f in factors for v in f.variables))
    sizes = {v: n for f in factors for v, n in zip(f.variables, f.table.shape, strict=True)}
    cells = float(np.prod([float(sizes[v]) for v in variables])) if variables else 1.0
    if cells > _MAX_CELLS:
        raise DataError(
            f"BayesianNetwork: this query needs a table of {cells:.3g} cells over "
            f"{len(variables)} variables; query fewer variables at once, or estimate it from "
            "`sample`."
        )
    table = np.ones([sizes[v] for v in variables])
    for f in factors:
        table = table * f.expand_to(variables)
    return Factor(variables, table)


def eliminate(factors: list[Factor], keep: tuple[str, ...]) -> Factor:
    """Sum the product of factors over all variables except `keep`, one variable at a time.

    The next variable is always the one with the smallest product table.
    """
    factors = list(factors)
    while True:
        sizes = {v: n for f in factors for v, n in zip(f.variables, f.table.shape, strict=True)}
        rest = [v for v in sizes if v not in keep]
        if not rest:
            break
        scopes = {v: {u for f in factors if v in f.variables for u in f.variables} for v in rest}
        smallest = min(rest, key=lambda v: float(np.prod([float(sizes[u]) for u in scopes[v]])))
        joined = product([f for f in factors if smallest in f.variables])
        factors = [f for f in factors if smallest not in f.variables]
        factors.append(joined.sum_out(smallest))
    joined = product(factors)
    return Factor(keep, joined.expand_to(keep))
