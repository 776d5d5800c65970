"""``gramian models``: the models of a search."""

from typing import Annotated

from typer import Option

from gramian.cli.console import emit_json, emit_table
from gramian.cli.options import Json


def models(
    every: Annotated[
        bool, Option("--all", help="Also list models that are tried only if --models names them.")
    ] = False,
    json: Json = False,
) -> None:
    """List the models, their tasks and the parameters that the search varies."""
    from gramian.base.catalogue import ESTIMATORS
    from gramian.study import SPACES
    from gramian.study.search.spaces import has_defaults

    rows = [
        {
            "model": e.name,
            "task": {"classifier": "classification", "regressor": "regression"}[e.kind],
            "searched": e.name in SPACES,
            "varies": list(SPACES[e.name].ranges) if e.name in SPACES else [],
        }
        for e in ESTIMATORS
        if e.kind in ("classifier", "regressor")
        and (e.name in SPACES or (every and has_defaults(e)))
    ]
    rows.sort(key=lambda row: str(row["task"]))  # stable: families stay together
    if json:
        emit_json(rows)
        return
    emit_table(
        ["model", "task", "parameters varied"],
        [[str(r["model"]), str(r["task"]), ", ".join(r["varies"])] for r in rows],  # type: ignore[arg-type]
    )
