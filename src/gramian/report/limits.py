"""Limits on the content of a page, which keep it small for any table."""

from dataclasses import dataclass

MOST_BYTES = 2_000_000


@dataclass(frozen=True)
class Limits:
    """Maximum numbers of items shown; the page counts the items omitted.

    Attributes
    ----------
    columns
        Of the data profile.
    models
        With a panel of their own, the best ones.
    panels
        Curves of one class of one model, in all.
    classes
        Rows of a confusion matrix; rarer classes are merged.
    bars
        Importances and coefficients.
    pairs
        Of models compared.
    """

    columns: int = 200
    models: int = 24
    panels: int = 96
    classes: int = 16
    bars: int = 30
    pairs: int = 300


# The first whose page is below the limit is taken.
TIERS = (Limits(), Limits(60, 12, 36, 12, 20, 100), Limits(20, 4, 4, 6, 10, 20))
