"""The gallery of image features runs, and what its texts claim holds."""

from tests.docs.test_examples import run


def test_orientations_are_not_misled_by_the_light():
    accuracy = run("plot_image_features")["accuracy"]
    assert accuracy["pixels"] < 0.88 < 0.93 < accuracy["equalised"]
    assert accuracy["orientations"] > 0.93
    assert accuracy["both"] > accuracy["orientations"] - 0.005
