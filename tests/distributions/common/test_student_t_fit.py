"""EM for Student's t."""

import numpy as np
import pytest
import scipy.stats

from gramian.base.errors import DataError
from gramian.distributions.common.student_t_fit import fit_student_t


def test_the_estimate_matches_scipy():
    x = scipy.stats.t(3, 1, 2).rvs(500, random_state=0)
    df, location, scale = fit_student_t("T", x[:, None], np.ones(500), None)
    theirs = scipy.stats.t.fit(x)
    mine = scipy.stats.t(df, location[0], np.sqrt(scale[0, 0])).logpdf(x).sum()
    assert mine >= scipy.stats.t(*theirs).logpdf(x).sum() - 1e-6
    assert (df, location[0], np.sqrt(scale[0, 0])) == pytest.approx(theirs, rel=1e-2)


def test_light_tails_end_at_the_normal():
    x = np.linspace(-1, 1, 101)
    df, location, scale = fit_student_t("T", x[:, None], np.ones(101), None)
    assert df == 1e6
    assert location[0] == pytest.approx(0, abs=1e-9)
    assert scale[0, 0] == pytest.approx(x.var(), rel=1e-4)


def test_rows_on_a_plane_have_no_maximum():
    X = np.column_stack([np.arange(9.0), 2 * np.arange(9.0)])
    with pytest.raises(DataError, match="T: the likelihood has no maximum"):
        fit_student_t("T", X, np.ones(9), 3.0)
