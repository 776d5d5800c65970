"""The variance of averages, in theory and measured."""

from gramian.textbook.ensembles.averaging import (
    VarianceReport,
    average_variance,
    distinct_fraction,
    measured_variance,
)

__all__ = ["VarianceReport", "average_variance", "distinct_fraction", "measured_variance"]
