"""Several labels."""

from gramian.study.contents.labelling import Labelling


def test_each_label_and_learner_has_its_row(labelled):
    found = labelled.labelling
    assert isinstance(found, Labelling)
    assert [row.label for row in found.labels] == ["calm", "sad"]
    assert [row.is_baseline for row in found.learners].count(True) == 1
    assert labelled.run.winner == "BinaryRelevance"
    assert labelled.run.metric in found.metrics
