"""Manifests of older formats, brought to the format of today one step at a time."""

from collections.abc import Callable
from typing import Any

from gramian.base import catalogue
from gramian.base.errors import ModelFileError
from gramian.base.files.encoding import Node
from gramian.base.files.older_names import (
    CLASSES_UNTIL_6,
    current,
    each_object,
    with_current_names,
    with_names_of_7,
)

FORMAT = 7


def migrated(manifest: Any, path: object) -> dict[str, Any]:
    """Return the manifest in today's format; refuse one of no format or of a later one."""
    version = manifest.get("format") if isinstance(manifest, dict) else None
    if not isinstance(version, int) or version < 1:
        raise ModelFileError(f"load: {path} is not a model file of gramian.")
    if version > FORMAT:
        raise ModelFileError(
            f"load: {path} was written in format {version} by gramian {manifest.get('gramian')}; "
            f"this version reads up to {FORMAT}. Update gramian."
        )
    while manifest["format"] < FORMAT:
        manifest = _MIGRATIONS[manifest["format"]](manifest)
    return dict(manifest)


def _one_to_two(manifest: dict[str, Any]) -> dict[str, Any]:
    """Format 1 kept parameters and fitted attributes in one ``state``."""

    def split(node: Node) -> Node:
        if "estimator" not in node:
            return node
        path = current(node["estimator"])
        known = catalogue.entry(CLASSES_UNTIL_6.get(path, path))
        names = known.resolve()().get_params(deep=False).keys() if known else ()
        state = node["state"]
        return {
            "estimator": node["estimator"],
            "params": {k: v for k, v in state.items() if k in names},
            "fitted": {k: v for k, v in state.items() if k not in names},
        }

    return {**manifest, "format": 2, "root": each_object(manifest["root"], split)}


def _two_to_three(manifest: dict[str, Any]) -> dict[str, Any]:
    """Format 2 knew no packed arrays."""
    return {**manifest, "format": 3}


def _three_to_four(manifest: dict[str, Any]) -> dict[str, Any]:
    """Format 3 had other addresses of classes."""
    return {**manifest, "format": 4, "root": with_current_names(manifest["root"])}


def _four_to_five(manifest: dict[str, Any]) -> dict[str, Any]:
    """Format 4 had other names of parameters and fitted attributes."""
    return {**manifest, "format": 5, "root": with_current_names(manifest["root"])}


def _five_to_six(manifest: dict[str, Any]) -> dict[str, Any]:
    """Format 5 knew no transformers of scikit-learn."""
    return {**manifest, "format": 6}


def _six_to_seven(manifest: dict[str, Any]) -> dict[str, Any]:
    """Format 6 called boosting in function space by the name of boosted trees."""
    return {**manifest, "format": 7, "root": with_names_of_7(manifest["root"])}


_MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {
    1: _one_to_two,
    2: _two_to_three,
    3: _three_to_four,
    4: _four_to_five,
    5: _five_to_six,
    6: _six_to_seven,
}
