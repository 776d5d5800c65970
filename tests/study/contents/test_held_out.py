"""The test of the best model."""

from gramian.study.contents import held_out


def test_classes_have_a_confusion_matrix(classes, numbers):
    assert isinstance(classes.test, held_out.HeldOutResult)
    assert sum(map(sum, classes.test.confusion)) == classes.test.rows
    assert numbers.test.confusion is None


def test_a_score_is_inside_its_interval(classes, numbers):
    for contents in (classes, numbers):
        for score in contents.test.scores.values():
            assert isinstance(score, held_out.HeldOutScore)
            assert score.low is None or score.low <= score.value <= score.high
