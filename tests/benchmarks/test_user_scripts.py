"""The scripts of users: other seeds, and when an accelerated score is lower."""

from benchmarks.user_scripts.__main__ import is_lower, scripts, source, with_seed


def test_there_are_ten_scripts_that_end_with_a_score():
    assert len(scripts()) == 10
    assert all('print("score"' in source(name).splitlines()[-1] for name in scripts())


def test_another_seed_changes_data_and_models():
    text = "rng = default_rng(0)\nf(10, random_state=0)\ng(random_state=07)"
    changed = "rng = default_rng(3)\nf(10, random_state=3)\ng(random_state=07)"
    assert with_seed(text, 3) == changed
    assert with_seed(text, 0) == text


def test_a_score_is_lower_by_more_than_random_numbers_explain():
    assert is_lower({"score": [0.9, 0.89]})
    assert not is_lower({"score": [0.9, 0.899]})
    assert not is_lower({"seeds": [[0.9, 0.89], [0.8, 0.81]]})
