"""The gallery of decompositions runs, and what its texts claim holds."""

import numpy as np

from tests.docs.test_examples import run


def test_components_show_the_groups_and_the_scree_the_rest():
    found = run("plot_pca")
    assert found["kept"] == 3
    assert found["model"].explained_variance_ratio_[:2].sum() > 0.5
    assert np.allclose(np.cov(found["panels"]["whitened"].T), np.eye(2))
    assert abs(np.cov(found["panels"]["decorrelated"].T)[0, 1]) < 1e-9
    assert found["slope"] < found["orthogonal"].coef[0]
    kinds = ["positive definite", "positive semidefinite", "indefinite"]
    assert [form.definiteness for form in found["forms"]] == kinds
    assert np.allclose(np.abs(found["points"]), np.abs(found["Z"][:, :2]), atol=1e-6)


def test_more_components_are_nearer_to_the_face():
    found = run("plot_eigenfaces")
    assert (np.diff(found["errors"]) < 0).all()
    assert found["right"]["without 3"] > 0.8
    assert found["right"]["exposed"] < 0.3 < 0.6 < found["right"]["equalised"]


def test_shells_stay_thin_and_projections_keep_distances():
    found = run("plot_high_dimensions")
    stds = [shell.std_of_length for shell in found["shells"].values()]
    assert np.allclose(stds[1:], 0.707, atol=0.02)
    assert found["report"].within > 0.8
