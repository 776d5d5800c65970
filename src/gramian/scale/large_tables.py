"""A table larger than memory as the rows of a study.

A row's number, group or time determines whether it is held out, so every pass over the file finds
the same rows. The study searches and compares on a sample of the training rows; the chosen model is
fitted to all training rows, chunk by chunk, and tested on a sample of the held-out rows.
"""

import hashlib
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline

from gramian.base.catalogue import ESTIMATORS
from gramian.base.errors import DataError, ParameterError, need
from gramian.base.randomness import stream
from gramian.base.rows.taking import take
from gramian.base.types import RowNumbers
from gramian.data.columns import labels_of, numbers_of
from gramian.data.formats.parsing import apply_formats
from gramian.data.reading import LoadedTable, typed_table
from gramian.scale.dask_parts import DaskParts, check_versions
from gramian.scale.members import fit_members, has_members
from gramian.scale.raw_parts import RawParts, raw_parts
from gramian.study import Settings
from gramian.study.contents.checks import Issue
from gramian.study.problem.problem import LearningProblem, check_column, target_labels
from gramian.study.search.trial import Candidate, Workbench

_SAMPLE = 20_000  # rows for the search, and as many for the test
_STREAMS = 1000  # random stream of part 0; each part has its own stream
_CLASSES = 1000  # maximum number of unique values of a target with classes
_TIMES = 100_000  # rows sampled to find the time from which rows are held out


@dataclass(frozen=True, eq=False)
class HoldOut:
    """Choose the rows to hold out: by their numbers, groups or times.

    Attributes
    ----------
    settings
        The settings of the study.
    formats
        The formats of the strings in the time column.
    latest
        Rows of this time and later are held out; None without times.
    """

    settings: Settings
    formats: dict[str, dict[str, str]] = field(default_factory=dict)
    latest: Any = None

    def keys(self, part: int, frame: Any) -> NDArray[np.float64]:
        """Return a number in [0, 1) for each row, the same for all rows of a group."""
        if self.settings.groups is None:
            return stream(self.settings.seed, _STREAMS + 2 * part).random(len(frame))
        names = [str(v) for v in labels_of(nw.from_native(frame)[self.settings.groups])]
        known = {name: _hashed(f"{self.settings.seed}:{name}") for name in set(names)}
        return np.array([known[name] for name in names])

    def mask(self, part: int, frame: Any) -> NDArray[np.bool_]:
        """Return which rows of a part are held out."""
        if self.settings.time is not None:
            times = times_of(apply_formats(frame, self.formats).frame, self.settings.time)
            return np.asarray(~(times < self.latest))  # holds out missing times, too
        if self.settings.groups is not None:
            return self.keys(part, frame) < self.settings.test_size
        keys = stream(self.settings.seed, _STREAMS + 2 * part + 1).random(len(frame))
        return keys < self.settings.test_size


class LargeTable:
    r"""A table larger than memory: samples its rows, and fits a model to all of them.

    Parameters
    ----------
    path
        A CSV, TSV or Parquet file, or a folder of Parquet files.
    settings
        The settings of the study, which determine the held-out and sampled rows.
    client
        A ``distributed.Client`` to fit the model on; None uses this process.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from gramian import study
    >>> from gramian.scale import LargeTable
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "t.csv")
    ...     lines = [f"{i % 10},{'no' if i % 10 < 5 else 'yes'}" for i in range(400)]
    ...     _ = path.write_text("x,y\n" + "\n".join(lines) + "\n")
    ...     settings = study.Settings(target="y", models=("GaussianNB",), evals=1)
    ...     rows = LargeTable(str(path), settings)
    ...     found = study.run(rows, "y", models=("GaussianNB",), evals=1)
    >>> rows.counts()["rows"], found.result["winner"]
    (400, 'GaussianNB')
    """

    def __init__(self, path: str, settings: Settings, client: Any = None) -> None:
        self.client, self.settings = client, settings
        if client is not None:
            check_versions(client)  # before the search, not after it
        self.parts, kind, sha256 = raw_parts(path)
        if "," in str(settings.target) and settings.target not in self.parts.names:
            raise ParameterError(
                "target must be one column for a table read in chunks; got "
                f"{settings.target!r}, which names several."
            )
        for option in ("target", "groups", "time", "weights"):
            check_column(self.parts.names, option, getattr(settings, option))
        self.hold_out = HoldOut(settings)
        if settings.time is not None:
            drawn = _drawn(self.parts, replace_groups(self.hold_out), _TIMES, split=False)
            typed = typed_table(LoadedTable(drawn.frame, "", kind, ""))
            times = np.sort(times_of(typed.frame, settings.time))
            known = times[times == times]
            if not len(known):
                raise DataError(f"time: column {settings.time!r} has no values.")
            latest = known[min(len(known) - 1, int((1 - settings.test_size) * len(known)))]
            formats = {n: f for n, f in typed.formats.items() if n == settings.time}
            self.hold_out = HoldOut(settings, formats, latest)
        drawn = _drawn(self.parts, self.hold_out, _SAMPLE, split=True)
        self.n_rows, self.n_test = drawn.rows, drawn.held_out_rows
        seen = _values(drawn.frame.filter(drawn.frame_mask(False))[str(settings.target)])
        self._unseen = {v: n for v, n in drawn.targets.items() if v not in seen}
        count = self.parts.n_parts
        note = (
            f"read in {count} chunk{'s' * (count != 1)}; the search uses a sample of "
            f"{int((~drawn.mask).sum()):,} of {drawn.rows - drawn.held_out_rows:,} training rows, "
            f"the test {int(drawn.mask.sum()):,} of {drawn.held_out_rows:,} held-out rows"
        )
        table = LoadedTable(drawn.frame, Path(path).stem, kind, sha256, [note])
        self.table, self.held_out = typed_table(table), drawn.mask

    def counts(self) -> dict[str, int]:
        """Return the numbers of all rows, training rows and held-out rows."""
        return {"rows": self.n_rows, "fitted": self.n_rows - self.n_test, "held_out": self.n_test}

    def why_not(self, name: str) -> str | None:
        """Return the reason why a model cannot be fitted in chunks; None if it can."""
        entry = next((e for e in ESTIMATORS if e.name == name), None)
        model = None if entry is None else entry.resolve()()
        if model is None or hasattr(model, "fit_chunks") or has_members(model):
            return None
        return "it cannot be trained in chunks and needs all rows in memory"

    def fitted(self, bench: Workbench, candidate: Candidate, rows: RowNumbers) -> Pipeline:
        """Return the preparer, fitted to the sample, and the model, fitted to all rows."""
        problem = bench.problem
        if problem.task == "classification" and self._unseen:
            shown = ", ".join(map(repr, sorted(self._unseen)[:5]))
            text = (
                f"{sum(self._unseen.values())} rows were dropped, because the sample has no row "
                f"of their class: {shown}."
            )
            remedy = "Merge rare classes; the model never predicts dropped classes."
            problem.issues.append(Issue("classes-unseen", "warning", text, remedy))
        preparer = bench.preparer(candidate).fit(take(problem.frame, rows))
        model = bench.model(candidate)
        if "early_stopping" in model.get_params():  # the number of trees is that of the sample
            small = bench.fitted_pipeline(candidate, rows)[-1]
            model.set_params(early_stopping=False, max_iter=small.n_iter_)
        if has_members(model):
            model.set_params(n_estimators=max(model.n_estimators, self.parts.n_parts))
        formats = {
            n: self.table.formats[n] for n in self._target_and_weights if n in self.table.formats
        }
        read = partial(
            read_chunk, self.parts, self.hold_out, preparer, plain_problem(problem), formats
        )
        chunks: Any = PreparedChunks(read, self.parts.n_parts)
        if self.client is not None:
            parts = [partial(read, part) for part in range(self.parts.n_parts)]
            chunks = DaskParts(parts, None, self.client)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # already shown in the comparison
            fitted = fit_members(model, chunks) if has_members(model) else model.fit_chunks(chunks)
        return Pipeline([("prepare", preparer), ("model", fitted)])

    @property
    def _target_and_weights(self) -> list[str]:
        named = (self.settings.target, self.settings.weights)
        return [name for name in named if name is not None]


@dataclass(frozen=True)
class PreparedChunks:
    """Prepared chunks of all training rows; each pass reads them again."""

    read: Any
    n_parts: int

    def __iter__(self) -> Iterator[tuple[Any, Any, Any]]:
        return map(self.read, range(self.n_parts))

    def __len__(self) -> int:
        return self.n_parts


def read_chunk(
    parts: RawParts,
    hold_out: HoldOut,
    preparer: Any,
    problem: LearningProblem,
    formats: dict[str, dict[str, str]],
    part: int,
) -> tuple[Any, Any, Any]:
    """Return X, y and the weights of the training rows of a part.

    Rows without a target, or of a class absent from the sample, are dropped.
    """
    raw = parts.read(part)
    raw = raw.filter(need("polars", extra="app").Series(~hold_out.mask(part, raw)))
    settings = hold_out.settings
    frame = nw.from_native(apply_formats(raw, formats).frame, eager_only=True)
    y, known = target_labels(frame[settings.target], problem, formats.get(settings.target or ""))
    weights = None
    if settings.weights is not None:
        weights = numbers_of(frame, [settings.weights])[:, 0]
        if np.isnan(weights[known]).any() or (weights[known] < 0).any():
            raise DataError(
                f"weights: column {settings.weights!r} must contain non-negative numbers; part "
                f"{part} of the table contains others."
            )
        weights = weights[known]
    X = preparer.transform(frame.filter(known.tolist()).to_native())
    return X, y[known], weights


def plain_problem(problem: LearningProblem) -> LearningProblem:
    """Return the problem without its rows, for use with chunks."""
    rows = np.empty(0, dtype=np.intp)
    return replace(problem, frame=None, y=rows, groups=None, weights=None, rows=rows)


def times_of(frame: Any, name: str) -> NDArray[Any]:
    """Return the values to order rows by: numbers, dates as numbers, or strings."""
    column = nw.from_native(frame, eager_only=True)[name]
    values = column.to_numpy()
    if values.dtype.kind == "M":
        return np.where(np.isnat(values), np.nan, values.astype("datetime64[us]").astype(float))
    if values.dtype.kind in "iuf":
        return np.asarray(values, dtype=float)
    return np.array(["" if v is None else str(v) for v in column.to_list()], dtype=object)


@dataclass(frozen=True, eq=False)
class _Drawn:
    """Sampled rows in order, a mask of those held out, and the numbers of all rows."""

    frame: Any
    mask: NDArray[np.bool_]
    rows: int
    held_out_rows: int
    targets: Counter[str]  # target values of the training rows; empty if there are many

    def frame_mask(self, held_out: bool) -> Any:
        """Return a mask of the held-out rows, or of the others, for a filter."""
        return need("polars", extra="app").Series(self.mask == held_out)


def _drawn(parts: RawParts, hold_out: HoldOut, most: int, *, split: bool) -> _Drawn:
    """Draw the `most` training and held-out rows with the smallest keys; keep groups whole."""
    polars = need("polars", extra="app")
    kept: dict[bool, list[Any]] = {False: [], True: []}
    rows = held = 0
    targets: Counter[str] = Counter()
    target, few = str(hold_out.settings.target), True
    for part in range(parts.n_parts):
        frame = parts.read(part)
        mask = hold_out.mask(part, frame) if split else np.zeros(len(frame), dtype=bool)
        keys = hold_out.keys(part, frame)
        rows, held = rows + len(frame), held + int(mask.sum())
        if few:
            targets += _values(frame.filter(polars.Series(~mask))[target])
            few = len(targets) <= _CLASSES
        for side in kept:
            here = mask == side
            if here.any():
                kept[side].append(
                    (frame.filter(polars.Series(here)), keys[here], np.full(here.sum(), part))
                )
                kept[side] = _smallest(kept[side], most)
    pieces = [(*piece, side) for side, found in kept.items() for piece in found]
    if not kept[False] or (split and not kept[True]):
        raise DataError("the table has too few rows for training and test rows; add rows.")
    pieces.sort(key=lambda piece: (int(piece[2][0]), piece[3]))
    frame = polars.concat([piece[0] for piece in pieces], how="vertical_relaxed")
    mask = np.concatenate([np.full(len(piece[0]), piece[3]) for piece in pieces])
    return _Drawn(frame, mask, rows, held, targets if few else Counter())


def _values(column: nw.Series[Any]) -> Counter[str]:
    """Count the values of a target as strings."""
    return Counter(str(v).strip() for v in column.to_list() if v is not None)


def _smallest(pieces: list[Any], most: int) -> list[Any]:
    """Keep the rows with the smallest keys, and all with the last key that is kept."""
    keys = np.concatenate([piece[1] for piece in pieces])
    if len(keys) <= most:
        return pieces
    last = np.partition(keys, most - 1)[most - 1]
    polars = need("polars", extra="app")
    found = []
    for frame, own, numbers in pieces:
        here = own <= last
        if here.any():
            found.append((frame.filter(polars.Series(here)), own[here], numbers[here]))
    return found


def replace_groups(hold_out: HoldOut) -> HoldOut:
    """Return a hold-out without groups, for a first sample of the rows."""
    return HoldOut(replace(hold_out.settings, time=None, groups=None))


def _hashed(text: str) -> float:
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2.0**64
