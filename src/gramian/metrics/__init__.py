"""Metrics that scikit-learn lacks: functions of arrays only."""

from gramian.metrics.label_ranking import one_error, precision_at_k

__all__ = ["one_error", "precision_at_k"]
