"""The costs of decisions."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Costs:
    """The costs of the settings.

    Attributes
    ----------
    table
        A row for each decision, a column for each true class, in the order of the classes; None
        if only the cost of rejecting was set.
    reject
        Cost of rejecting a row; None if no row may be rejected.
    """

    table: tuple[tuple[int | float, ...], ...] | None
    reject: int | float | None
