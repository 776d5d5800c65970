"""Issues."""

from gramian.study.contents.checks import Issue


def test_a_remedy_is_optional():
    assert Issue("code", "note", "text").remedy == ""


def test_the_headline_has_the_serious_issues(every):
    for contents in every:
        serious = tuple(issue.text for issue in contents.checks if issue.severity == "serious")
        assert contents.headline == serious
