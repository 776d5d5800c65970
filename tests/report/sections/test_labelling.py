"""Several labels: learners, metrics, and each label."""

from gramian.report.limits import Limits
from gramian.report.sections.card import command
from gramian.report.sections.labelling import labelling
from gramian.study.contents.run_card import RunCard
from tests.report.parts import contents_of, part_of


def contents():
    learner = {"low": 0.5, "high": 0.7, "fit_seconds": 0.1}
    label = {"rows": 5, "predicted": 4, "precision": 0.5, "recall": 0.4}
    return {
        "run": {"metric": "f1_micro", "winner": "MLkNN", "alpha": 0.05},
        "labelling": {
            "rows": 20,
            "learners": [
                {"name": "MLkNN", "mean": 0.6, "p_best": None, **learner},
                {"name": "RAkELo", "mean": 0.5, "p_best": 0.25, **learner, "low": None},
            ],
            "metrics": {
                "hamming_loss": {"estimate": 0.1, "low": 0.05, "high": 0.2},
                "auc_macro": {"estimate": None, "low": None, "high": None},
            },
            "labels": [
                {"label": "sad", "f1": 0.4, "auc": None, **label},
                {"label": "calm", "f1": 0.9, "auc": 0.8, **label},
            ],
        },
    }


def test_labels_are_in_the_order_of_their_f1():
    view = labelling(contents_of(contents()), Limits())
    assert [row["name"] for row in view["labels"]] == ["calm", "sad"]
    assert [row["auc"] for row in view["labels"]] == ["0.80", ""]
    assert view["labels"][0]["width"] == 90.0


def test_what_is_not_known_is_left_empty():
    view = labelling(contents_of(contents()), Limits())
    assert [row["interval"] for row in view["learners"]] == ["0.500 to 0.700", ""]
    assert [row["p"] for row in view["learners"]] == ["", "0.25"]
    assert [row["name"] for row in view["metrics"]] == ["Hamming loss"]


def test_the_command_names_the_labels_as_targets():
    run = {"data": {"name": "songs", "format": "CSV"}, "settings": {"labels": ["calm", "sad"]}}
    assert command(part_of(RunCard, run)) == "gramian fit DATA --target calm,sad"


def test_labels_beyond_the_limit_are_counted():
    view = labelling(contents_of(contents()), Limits(columns=1))
    assert len(view["labels"]) == 1
    assert view["left_out"] == 1


def test_metrics_have_the_names_of_the_field():
    found = {"estimate": 0.5, "low": None, "high": None}
    names = ("f1_samples", "one_error", "ndcg_at_3", "auc_micro", "ranking_loss")
    metrics = {name: found for name in names}  # noqa: C420
    filled = contents()
    filled["labelling"]["metrics"] = metrics
    shown = [row["name"] for row in labelling(contents_of(filled), Limits())["metrics"]]
    assert shown == ["F1, mean over rows", "one-error", "nDCG at 3", "AUC, micro", "ranking loss"]
