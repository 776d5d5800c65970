"""``gramian doctor``: check the installation."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import typer

import gramian
from gramian.cli.console import emit, emit_json
from gramian.cli.options import Json

_PACKAGES = (
    "numpy", "scipy", "scikit-learn", "narwhals", "polars", "fastexcel", "jinja2", "rich", "typer",
    "matplotlib", "torch",
)  # fmt: skip


def doctor(json: Json = False) -> None:
    """Show versions and threads and run a self-test; the exit code is 1 if it fails."""
    from gramian.base.versions import installation

    facts = installation(_PACKAGES)
    trials = {name: _outcome(trial) for name, trial in _TRIALS.items()}
    if json:
        emit_json({"facts": facts, "checks": trials})
    else:
        width = max(map(len, [*facts, *trials]))
        for name, value in (facts | trials).items():
            emit(f"{name:<{width}}  {value}")
    if any(outcome != "works" for outcome in trials.values()):
        raise typer.Exit(1)


def _outcome(trial: Callable[[], None]) -> str:
    try:
        trial()
    except Exception as error:  # the check reports any failure
        return f"fails: {type(error).__name__}: {error}"
    return "works"


def _fit_save_load() -> None:
    import numpy as np

    X = np.arange(20.0)[:, None]
    model = gramian.Ridge().fit(X, X[:, 0])
    with tempfile.TemporaryDirectory() as folder:
        copy = gramian.load(gramian.save(model, Path(folder) / "model.gram"))
    if not np.array_equal(copy.predict(X), model.predict(X)):
        raise RuntimeError("a model predicts differently after saving and loading")


def _same_bits() -> None:
    import numpy as np

    X = np.random.default_rng(0).normal(size=(5000, 8))
    before = gramian.get_num_threads()
    try:
        centers = []
        for threads in (1, 2):
            gramian.set_num_threads(threads)
            centers.append(gramian.KMeans(3, random_state=0).fit(X).cluster_centers_)
    finally:
        gramian.set_num_threads(before)
    if not np.array_equal(centers[0], centers[1]):
        raise RuntimeError("one and two threads give different results")


def _read() -> None:
    if gramian.load_example("wine")[0].frame.shape != (178, 14):
        raise RuntimeError("the example table has the wrong shape")


_TRIALS: dict[str, Callable[[], None]] = {
    "fit, save, load": _fit_save_load,
    "same result with any number of threads": _same_bits,
    "tables": _read,
}
