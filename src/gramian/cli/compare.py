"""``gramian compare``: compare models on a table, without tuning."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

import gramian
from gramian.base.errors import DataError
from gramian.cli.console import between, emit, emit_json, emit_table, say, watching
from gramian.cli.options import Data, Example, Json, Seed, Sheet, Target, Threads, names

if TYPE_CHECKING:
    from gramian.evaluate.comparison.comparison import Comparison


def compare(
    data: Data = None,
    target: Target = None,
    example: Example = None,
    sheet: Sheet = None,
    models: Annotated[
        str | None, Option(help="Models to compare, separated by commas; see `gramian models`.")
    ] = None,
    metric: Annotated[str | None, Option(help="Metric to compare by.")] = None,
    task: Annotated[str, Option(help="auto, classification or regression.")] = "auto",
    alpha: Annotated[float, Option(help="Significance level of the tests.")] = 0.05,
    drop: Annotated[str | None, Option(help="Columns to drop, separated by commas.")] = None,
    groups: Annotated[
        str | None, Option(help="Column of groups; rows of a group stay together in every split.")
    ] = None,
    time: Annotated[str | None, Option(help="Column that orders the rows in time.")] = None,
    weights: Annotated[str | None, Option(help="Column of row weights.")] = None,
    seed: Seed = 0,
    out: Annotated[Path | None, Option(help="JSON file for the comparison.")] = None,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Compare models at their default settings and report which of them differ.

    All models are scored on the same repeated folds; pairs are compared by the corrected resampled
    t test, adjusted by Holm. Without --out no file is written.
    """
    from gramian.cli.tables import read_data
    from gramian.study.comparing import compare_table
    from gramian.study.json_values import finite
    from gramian.study.run_folder import unused_path, write_json
    from gramian.study.settings import Settings

    if threads is not None:
        gramian.set_num_threads(threads)
    given = read_data(data, example, target, sheet=sheet)
    if given.target is None:
        raise DataError("--target must name the column to predict.")
    settings = Settings(
        target=given.target, task=task, metric=metric, seed=seed, alpha=alpha,  # type: ignore[arg-type]
        models=names(models), drop=names(drop) or (), groups=groups, time=time, weights=weights,
    )  # fmt: skip
    with watching(quiet=json) as watch:
        problem, found = compare_table(given.table, settings, watch)
    plain = finite(_plain(found))
    if json:
        emit_json(plain)
    else:
        say(f"{problem.task}: {problem.reason}.")
        for issue in problem.issues:
            say(f"{issue.severity}: {issue.text} {issue.remedy}".rstrip())
        rows = [
            [r["model"], _score(r["score"]), between(r["low"], r["high"]), _p(r["p"])]
            for r in plain["models"]
        ]
        emit_table(["model", found.scoring, "interval", "p against the best"], rows, {1, 3})
        emit(str(found))
    if out is not None:
        emit(str(write_json(unused_path(out), plain)))


def _score(value: float | None) -> str:
    return "" if value is None else f"{value:z.4f}"


def _p(value: float | None) -> str:
    return "" if value is None else f"{value:.2g}"


def _plain(found: "Comparison") -> dict[str, Any]:
    return {
        "scoring": found.scoring,
        "test": found.test,
        "adjust": found.adjust,
        "alpha": found.alpha,
        "groups": [list(group) for group in found.groups],
        "models": [
            {
                "model": name,
                "score": interval.estimate,
                "low": interval.low,
                "high": interval.high,
                "p": 1.0 if name == found.best else found.pair(found.best, name).p_adjusted,
                "folds": scores.tolist(),
            }
            for name, interval, scores in zip(
                found.names, found.intervals, found.scores, strict=True
            )
        ],
    }
