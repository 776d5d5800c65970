"""Run directories of older versions, read with the names of today."""

from typing import Any

from gramian.base.files.older_names import KINDS

FORMAT = 2  # of report.json and result.json


def current_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of a run with the names of today, changed in place.

    Examples
    --------
    >>> current_settings({"seed": 0, "test_share": 0.3})
    {'seed': 0, 'test_size': 0.3}
    """
    _rename(settings, test_share="test_size")
    if settings.get("task") == "auto" and not settings.get("labels") and "target" not in settings:
        settings["task"] = "clustering"  # what was done where no target was given
    return settings


def current_contents(contents: dict[str, Any]) -> dict[str, Any]:
    """Return the report's data in today's format, changed in place.

    Examples
    --------
    >>> current_contents({"format": 1, "headline": [], "worst_rows": [{"row": 3, "said": "no"}]})
    {'format': 2, 'headline': [], 'worst_rows': [{'row': 3, 'predicted': 'no'}]}
    """
    if contents.get("format") == 1:
        _one_to_two(contents)
    if "headline" not in contents:
        _with_standings(contents)
    return contents


def _with_standings(contents: dict[str, Any]) -> None:
    """Add the headline, and how models stand against the best; equivalence was not judged then."""
    checks = contents.get("checks", [])
    contents["headline"] = [c["text"] for c in checks if c["severity"] == "serious"]
    if "test" in contents:
        contents["test"].setdefault("without_copies", None)
    for row in contents.get("leaderboard", []):
        for found in (row, *row["metrics"].values()):
            is_worse = found["p_best"] <= contents["run"]["alpha"]
            found["status"] = (
                "worse" if is_worse else "best" if found["p_best"] == 1 else "undecided"
            )
            found["as_good"] = None


def _one_to_two(contents: dict[str, Any]) -> None:
    """Format 1 had words of its own."""
    contents["format"] = 2
    current_settings(contents.get("run", {}).get("settings", {}))
    for check in contents.get("checks", []):
        if check["code"] == "twins":
            check["code"] = "duplicate-rows"
    for row in contents.get("worst_rows", []):
        _rename(row, said="predicted")
    for part in (
        *contents.get("columns", {}).get("shown", []),
        *contents.get("effects", []),
        *contents.get("clusters", {}).get("profiles", []),
    ):
        part["kind"] = KINDS.get(part["kind"], part["kind"])
    if "test" in contents:
        _rename(
            contents["test"],
            twins="duplicates",
            without_twins="without_duplicates",
            refused="rejected",
        )
    for model in contents.get("models", {}).values():
        _rename(model, refused="rejected")
        for curve in model.get("curves", []):
            _rename(curve["calibration"], said="prob_pred", seen="prob_true")


def _rename(values: dict[str, Any], **names: str) -> None:
    for old, new in names.items():
        if old in values:
            values[new] = values.pop(old)
