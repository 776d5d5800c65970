"""Checks are listed by their severity."""

from gramian.report.limits import Limits
from gramian.report.sections.checks import checks
from tests.report.parts import contents_of


def test_the_most_serious_come_first_in_their_order():
    issues = [("a", "note"), ("b", "serious"), ("c", "warning"), ("d", "serious")]
    contents = {"checks": [{"code": code, "severity": severity} for code, severity in issues]}
    found = checks(contents_of(contents), Limits())
    assert [check.code for check in found["checks"]] == ["b", "d", "c", "a"]
    assert found["left_out"] == 0


def test_settings_are_named_as_flags_of_the_command():
    remedy = "Keep its rows together in every split with groups='customer id'."
    contents = {"checks": [{"severity": "note", "text": "evals is too small", "remedy": remedy}]}
    (found,) = checks(contents_of(contents), Limits())["checks"]
    assert found.text == "--evals is too small"
    assert found.remedy.endswith("with --groups 'customer id'.")


def test_no_more_than_sixty_are_shown():
    contents = {"checks": [{"code": str(i), "severity": "note"} for i in range(70)]}
    found = checks(contents_of(contents), Limits())
    assert (len(found["checks"]), found["left_out"]) == (60, 10)
