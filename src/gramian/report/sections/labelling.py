"""Several labels per row: the learners compared, the metrics of the best, and each label."""

from gramian.report.formatting import cut, number
from gramian.report.limits import Limits
from gramian.report.view import View
from gramian.study.contents import LabelContents


def labelling(contents: LabelContents, limits: Limits) -> View:
    """Return the rows of the three tables; labels in the order of their F1."""
    found = contents.labelling
    labels = sorted(found.labels, key=lambda label: -label.f1)[: limits.columns]
    return {
        "metric": contents.run.metric,
        "winner": contents.run.winner,
        "confidence": number(100 * (1 - contents.run.alpha)),
        "rows": found.rows,
        "learners": [
            {
                "name": row.name,
                "mean": f"{row.mean:.3f}",
                "interval": _interval(row.low, row.high),
                "p": "" if row.p_best is None else number(row.p_best),
                "seconds": f"{row.fit_seconds:.2f}",
            }
            for row in found.learners
        ],
        "metrics": [
            {
                "name": _metric_name(name),
                "value": f"{each.estimate:.3f}",
                "interval": _interval(each.low, each.high),
            }
            for name, each in found.metrics.items()
            if each.estimate is not None
        ],
        "labels": [
            {
                "name": cut(str(label.label), 40),
                "rows": label.rows,
                "predicted": label.predicted,
                "precision": f"{label.precision:.2f}",
                "recall": f"{label.recall:.2f}",
                "f1": f"{label.f1:.2f}",
                "auc": "" if label.auc is None else f"{label.auc:.2f}",
                "width": round(100 * label.f1, 1),
            }
            for label in labels
        ],
        "left_out": len(found.labels) - len(labels),
    }


_METRIC_NAMES = {
    "hamming_loss": "Hamming loss",
    "f1_samples": "F1, mean over rows",
    "f1_micro": "F1, micro",
    "f1_macro": "F1, macro",
    "auc_micro": "AUC, micro",
    "auc_macro": "AUC, macro",
    "one_error": "one-error",
}


def _metric_name(name: str) -> str:
    return _METRIC_NAMES.get(name, name.replace("_", " ").replace("ndcg", "nDCG"))


def _interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{low:.3f} to {high:.3f}"
