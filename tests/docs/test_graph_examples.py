"""The gallery of graphs runs, and what its texts claim holds."""

from tests.docs.test_examples import run


def test_moons_are_cut_apart_within_the_bounds():
    found = run("plot_spectral_clustering")
    assert found["scores"]["spectral"] > 0.9 > 0.6 > found["scores"]["k-means"]
    assert found["scores"]["sweep"] > 0.9
    assert found["bounds"].lower <= found["cut"].value <= found["bounds"].upper


def test_shapes_of_an_image_are_found():
    found = run("plot_image_segmentation")
    assert found["agree"] > 0.98
    assert len(set(found["common"])) == 4
