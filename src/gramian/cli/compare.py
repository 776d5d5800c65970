"""``gramian compare``: compare models on a table, without tuning."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

import gramian
from gramian.cli.console import between, emit, emit_json, emit_table, say, watching
from gramian.cli.options import (
    Alpha,
    Categorical,
    Data,
    Drop,
    Example,
    Groups,
    Json,
    Seed,
    Sheet,
    Target,
    Threads,
    Weights,
    names,
)
from gramian.cli.visible import visible

if TYPE_CHECKING:
    from gramian.study.comparing import ComparedTable


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
    alpha: Alpha = 0.05,
    drop: Drop = None,
    categorical: Categorical = None,
    groups: Groups = None,
    time: Annotated[str | None, Option(help="Column to order the rows by time.")] = None,
    weights: Weights = None,
    seed: Seed = 0,
    out: Annotated[Path | None, Option(help="JSON file to write the comparison to.")] = None,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Compare models with default settings and show which of them differ significantly.

    Runs the same data checks as `gramian fit`. All models are scored on the same repeated folds,
    and each is compared with the best by the corrected resampled t test, adjusted by Holm's
    method. Without --out, no file is written.
    """
    from gramian.cli.tables import read_data
    from gramian.study.comparing import compare_table
    from gramian.study.contents.serialize import plain
    from gramian.study.findings.p_values import p_text
    from gramian.study.run_folder import unused_path, write_json
    from gramian.study.settings import Settings

    if threads is not None:
        gramian.set_num_threads(threads)
    command_input = read_data(data, example, target, sheet=sheet)
    settings = Settings(
        target=command_input.target, task=task, metric=metric, seed=seed, alpha=alpha,  # type: ignore[arg-type]
        models=names(models), drop=names(drop) or (),
        categorical=names(categorical) or (), groups=groups, time=time, weights=weights,
    )  # fmt: skip
    with watching(quiet=json) as watch:
        found = compare_table(command_input.table, settings, watch, None if json else _announce)
    values = plain(_values(found))
    if json:
        emit_json(values)
    else:
        rows = [
            [
                r["model"],
                _score(r["score"]),
                between(r["low"], r["high"]),
                "" if r["status"] == "best" else p_text(r["p"], alpha),
            ]
            for r in values["models"]
        ]
        emit_table(["model", found.metric.name, "interval", "p vs best"], rows, {1, 3})
        for sentence in found.sentences:
            emit(visible(sentence))
    if out is not None:
        emit(str(write_json(unused_path(out), values)))


def _score(value: float | None) -> str:
    return "" if value is None else f"{value:z.4f}"


def _announce(lines: list[str]) -> None:
    for line in lines:
        say(line)


def _values(found: "ComparedTable") -> dict[str, Any]:
    """Return the comparison as JSON values, in the metric's own direction."""
    metric, comparison, stand = found.metric, found.comparison, found.standings
    models = []
    for name, interval, scores in zip(
        comparison.names, comparison.intervals, comparison.scores, strict=True
    ):
        ends = sorted(metric.score(v) + 0.0 for v in (interval.low, interval.high))  # no -0
        models.append(
            {
                "model": name,
                "score": metric.score(interval.estimate) + 0.0,
                "low": ends[0],
                "high": ends[1],
                "status": stand[name].status,
                "p": stand[name].p,
                "folds": [metric.score(v) + 0.0 for v in scores.tolist()],
            }
        )
    return {
        "metric": metric.name,
        "greater_is_better": metric.greater_is_better,
        "test": comparison.test,
        "adjust": comparison.adjust,
        "alpha": comparison.alpha,
        "groups": [list(group) for group in comparison.groups],
        "models": models,
        "sentences": found.sentences,
        "checks": found.problem.issues,
    }
