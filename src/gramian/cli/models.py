"""``gramian models``: what takes part in a search."""

from typing import Annotated

from typer import Option

from gramian.base.catalogue import ESTIMATORS
from gramian.cli.console import emit_json, emit_table
from gramian.cli.options import Json
from gramian.study import SPACES
from gramian.study.search.spaces import stands_alone


def models(
    every: Annotated[
        bool, Option("--all", help="Also those that take part only when asked for by --models.")
    ] = False,
    json: Json = False,
) -> None:
    """List the models, what they predict and which of their settings are tried."""
    rows = [
        {
            "model": e.name,
            "task": {"classifier": "classification", "regressor": "regression"}[e.kind],
            "searched": e.name in SPACES,
            "varies": list(SPACES[e.name].ranges) if e.name in SPACES else [],
        }
        for e in ESTIMATORS
        if e.kind in ("classifier", "regressor")
        and (e.name in SPACES or (every and stands_alone(e)))
    ]
    rows.sort(key=lambda row: str(row["task"]))  # stable: families stay together
    if json:
        emit_json(rows)
        return
    emit_table(
        ["model", "task", "settings tried"],
        [[str(r["model"]), str(r["task"]), ", ".join(r["varies"])] for r in rows],  # type: ignore[arg-type]
    )
