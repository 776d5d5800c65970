"""The page of scikit-learn's own tests: counts, and a reason for every loss."""

import json
import sys
import tomllib
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
sys.path.insert(0, str(DOCS))

import compatibility_page  # noqa: E402

RECORD = {
    "scikit-learn": "1.9.1",
    "files": {
        "sklearn.neighbors.tests.test_kde": {
            "passing": 20,
            "failing": [],
            "lost": {"test_a[1]": "ValueError: no", "test_a[2]": "ValueError: no"},
        }
    },
}
REASON = {"group": "Words", "reason": "Worded in another way.", "tests": ["neighbors.kde::test_a*"]}


def test_counts_and_shares():
    text = "\n".join(compatibility_page.tests(RECORD))
    assert "20 tests pass without acceleration; 18 of them pass with it (90.0%)" in text
    assert "`neighbors.kde`" in text


def test_losses_are_listed_once_by_their_reason():
    text = "\n".join(compatibility_page.failures(RECORD, [REASON]))
    assert text.count("`test_a`") == 1
    assert "Worded in another way." in text
    assert "Not examined yet" in "\n".join(compatibility_page.failures(RECORD, []))


def test_scripts_have_seconds_ratio_and_scores():
    result = {"what": "A search.", "processor": [8.0, 2.0], "score": [0.9, 0.91]}
    versions = {"processor": "A processor", "cores": 2, "date": "today"}
    record = {"machine": versions | {"versions": {"scikit-learn": "1.9"}}, "results": [result]}
    text = compatibility_page.scripts(record)
    assert all(part in text for part in ("A search", "8.0", "2.0", "4.0", "0.9100"))
    assert "seconds of the processor" in text
    result["seconds"] = [6.0, 2.0]
    text = compatibility_page.scripts(record)
    assert "6.0" in text
    assert "of the processor" not in text


def test_a_score_by_seeds_has_its_mean_change_and_both_spreads():
    text = compatibility_page.by_seed([[0.9, 0.91], [0.8, 0.83]])
    assert text == "+0.0200 ± 0.0141; seeds ± 0.0707"
    assert compatibility_page.by_seed(None) == ""


def test_every_stored_loss_has_its_reason():
    record = json.loads((DOCS / "compatibility.json").read_text())
    reasons = tomllib.loads((DOCS / "compatibility.toml").read_text())["reasons"]
    text = "\n".join(compatibility_page.failures(record, reasons))
    assert "Not examined yet" not in text
