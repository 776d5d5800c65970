"""Limits on the content of a page, which keep it small for any table."""

from dataclasses import dataclass

MOST_BYTES = 2_000_000


@dataclass(frozen=True)
class Limits:
    """Maximum numbers of items shown; the page counts the items omitted.

    Attributes
    ----------
    columns
        Columns in the data profile.
    models
        Models with a panel of their own: the best ones.
    panels
        Curves in total, each of one class and one model.
    classes
        Rows of a confusion matrix; rarer classes are merged.
    bars
        Bars of importances and of coefficients.
    pairs
        Pairs of models in the comparison.
    """

    columns: int = 200
    models: int = 24
    panels: int = 96
    classes: int = 16
    bars: int = 30
    pairs: int = 300


# The first whose page is below the limit is taken.
TIERS = (Limits(), Limits(60, 12, 36, 12, 20, 100), Limits(20, 4, 4, 6, 10, 20))
