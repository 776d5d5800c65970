"""Preparation of the columns of a table: one numeric matrix for models."""

import datetime
from typing import Any, ClassVar, Literal, Self

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted, validate_data

from gramian.base.conversions import translated
from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import KW_ONLY, Count, check_params, params
from gramian.base.inputs.gate import check_fit, check_new, frame_of, is_float32
from gramian.base.kinds import Transformer
from gramian.base.types import Floats, Table
from gramian.data.columns import DATE_PARTS, dates_of, labels_of, numbers_of, with_string_names
from gramian.data.formats.parsing import (
    ParsedTable,
    apply_formats,
    infer_formats,
    parse_columns,
)
from gramian.data.imputation import medians_of, scales_of
from gramian.data.kinds import USED, kinds_of
from gramian.data.levels import codes_of, indicators_of, learn_levels
from gramian.data.tfidf import learn_terms, weigh_terms


@params
class TablePreparer(Transformer):
    """Convert numeric, categorical, date and text columns to one numeric matrix.

    Medians for imputation, means and deviations for scaling, levels of categories and terms of
    texts are learned in `fit`. The columns of the matrix are, in this order:

    - a category: one column for each frequent level, one for all rare levels and one for missing
      values (``categories="one-hot"``); or one column with the code of the level
      (``"codes"``), for models that accept categorical features;
    - a number: itself, scaled to mean 0 and standard deviation 1; a date: days since 1970, month,
      weekday and hour, as numbers;
    - for each number or date that was missing somewhere, 1 where it is missing (only if missing
      values are imputed);
    - a text: the weights of its terms (tf-idf), scaled to length 1.

    Unseen levels are treated as rare ones. All columns of an array are numeric.

    Parameters
    ----------
    kinds
        Kind of each column to use, by name: ``"numeric"``, ``"categorical"``,
        ``"date"`` or ``"text"``. Columns are then found by name, in any order, and other
        columns are ignored. None infers the kinds and leaves out identifiers and constants; later
        tables must then have the same columns.
    categories
        ``"one-hot"`` or ``"codes"``.
    missing
        ``"impute"`` replaces missing values by the median, ``"keep"`` keeps NaN for models that
        accept it.
    scale
        Whether to scale numeric columns.
    max_levels
        Maximum number of levels of a category; rarer ones are merged.
    max_terms
        Maximum number of terms of a text.
    formats
        Format of columns of strings, by name, as `read_table` finds it: ``{"kind": "number",
        "decimal": ",", "unit": "€"}``, ``{"kind": "date", "first": "day"}``, ``{"kind": "time"}``,
        ``{"kind": "boolean", "true": "Yes", "false": "No"}`` or ``{"kind": "text"}``. None infers
        the formats in `fit`. New values that do not have the format are missing values.

    Attributes
    ----------
    kinds_ : dict
        The kinds of the columns used.
    formats_ : dict
        The formats of their strings.
    levels_ : dict
        Levels of each category, in alphabetical order.
    terms_ : dict
        Terms of each text, in alphabetical order.
    centers_ : array of shape (numbers,)
        Value that replaces missing values of each numeric column and date part.
    n_features_in_ : int
        Number of columns seen in fit.
    feature_names_in_ : array of strings
        Their names, if they have names.

    Examples
    --------
    >>> import polars as pl
    >>> from gramian import TablePreparer
    >>> columns = {"tree": ["ash", "oak", "ash", None], "height": [8.0, None, 10.0, 12.0]}
    >>> frame = pl.DataFrame(columns)
    >>> preparer = TablePreparer(scale=False).fit(frame)
    >>> preparer.get_feature_names_out().tolist()
    ['tree=ash', 'tree=oak', 'tree missing', 'height', 'height missing']
    >>> preparer.transform(frame)
    array([[ 1.,  0.,  0.,  8.,  0.],
           [ 0.,  1.,  0., 10.,  1.],
           [ 1.,  0.,  0., 10.,  0.],
           [ 0.,  0.,  1., 12.,  0.]])
    """

    parametric = True

    kinds: dict[str, str] | None = None
    _: KW_ONLY
    categories: Literal["one-hot", "codes"] = "one-hot"
    missing: Literal["impute", "keep"] = "impute"
    scale: bool = True
    max_levels: Count = 30
    max_terms: Count = 500
    formats: dict[str, Any] | None = None

    takes_nan: ClassVar[bool] = True

    def fit(self, X: Table, y: object = None) -> Self:
        """Learn medians, scales, levels and terms.

        Parameters
        ----------
        X
            A frame, or an array of numbers.
        y
            Ignored; present for scikit-learn compatibility.
        """
        check_params(self)
        frame = self._frame(X, reset=True)
        if frame is None:
            numbers = check_fit(self, X)
            self.kinds_ = {f"x{i}": "numeric" for i in range(numbers.shape[1])}
        else:
            numbers = self._numbers(frame)
        self.levels_, self._others, self._missing_levels = {}, [], []
        self.terms_, self._rarity = {}, {}
        for name in self._names_of_kind("categorical"):
            labels = labels_of(frame[name])
            self.levels_[name], cut = learn_levels(labels, self.max_levels)
            self._others += [name] if cut else []
            self._missing_levels += [name] if None in labels else []
        for name in self._names_of_kind("text"):
            texts = labels_of(frame[name])
            self.terms_[name], self._rarity[name] = learn_terms(texts, self.max_terms)
        self._learn_numbers(numbers)
        return self

    def transform(self, X: Table) -> npt.NDArray[Any]:
        """Return the matrix, one row for each row of the table.

        Parameters
        ----------
        X
            A frame with the columns of fit, or an array of numbers.
        """
        check_is_fitted(self)
        frame = self._frame(X, reset=False)
        numbers: Any = check_new(self, X) if frame is None else self._numbers(frame)
        blocks = [self._category(name, frame[name]) for name in self._names_of_kind("categorical")]
        blocks += self._number_blocks(numbers)
        for name in self._names_of_kind("text"):
            texts = labels_of(frame[name])
            blocks.append(weigh_terms(texts, self.terms_[name], self._rarity[name]))
        matrix = np.hstack(blocks) if len(blocks) > 1 else blocks[0]
        return np.ascontiguousarray(matrix, dtype=numbers.dtype)

    def read(self, X: Table) -> ParsedTable:
        """Return a frame with its strings parsed in the formats of fit, and notes.

        Parameters
        ----------
        X
            A frame with the columns of fit.
        """
        check_is_fitted(self)
        known = getattr(self, "formats_", {})  # older model files have none
        found = apply_formats(X, known)
        others = self._names_of_kind("numeric") + self._names_of_kind("date")
        new = infer_formats(found.frame, [n for n in others if n not in known])
        more = apply_formats(found.frame, new)
        return ParsedTable(more.frame, {**found.formats, **new}, found.notes + more.notes)

    def get_feature_names_out(
        self, input_features: npt.ArrayLike | None = None
    ) -> npt.NDArray[Any]:
        """Return the names of the columns of the matrix.

        Parameters
        ----------
        input_features
            Names for columns that had none in fit.
        """
        return np.asarray([name for name, _ in self._made(input_features)], dtype=object)

    def get_sources(self) -> list[str]:
        """Return the source column in the table for each column of the matrix."""
        return [source for _, source in self._made(None)]

    def _made(self, input_features: npt.ArrayLike | None) -> list[tuple[str, str]]:
        """Return the name and source of each column of the matrix, in order."""
        check_is_fitted(self)
        made: list[tuple[str, str]] = []
        for name in self._names_of_kind("categorical"):
            if self.categories == "codes":
                made.append((name, name))
                continue
            made += [(f"{name}={level}", name) for level in self.levels_[name]]
            made += [(f"{name} other", name)] if name in self._others else []
            made += [(f"{name} missing", name)] if name in self._missing_levels else []
        numbers = self._number_names(input_features)
        made += numbers
        if self.missing == "impute":
            gone = [numbers[i] for i in np.flatnonzero(self._were_missing)]
            made += [(f"{name} missing", source) for name, source in gone]
        for name in self._names_of_kind("text"):
            made += [(f"{name}: {term}", name) for term in self.terms_[name]]
        return made

    def _trial_columns(self, values: Floats) -> Any:
        """Return values of each column for the check of `load`; see base/files/load_checks.py."""
        if not hasattr(self, "feature_names_in_"):
            return np.tile(values, (self.n_features_in_, 1))
        days = [None if np.isnan(v) else datetime.date(2000 + int(v) % 30, 1, 31) for v in values]
        cells = {"numeric": list(values), "date": days}
        found = {
            name: cells.get(kind) or (self.levels_.get(name) or ["a b"]) * len(values)
            for name, kind in self.kinds_.items()
        }
        columns = {str(name): found.get(str(name), list(values)) for name in self.feature_names_in_}
        return {name: list(cells[: len(values)]) for name, cells in columns.items()}

    # --- columns -------------------------------------------------------------------------------

    def _names_of_kind(self, kind: str) -> list[str]:
        return [name for name, found in self.kinds_.items() if found == kind]

    def _frame(self, X: Table, *, reset: bool) -> Any:
        """Return the columns to use as a narwhals frame, or None for an array."""
        frame = with_string_names("TablePreparer", X)
        if not isinstance(frame, nw.DataFrame):
            if self.kinds is not None or any(
                k != "numeric" for k in getattr(self, "kinds_", {}).values()
            ):
                raise DataError(
                    "TablePreparer: X must be a frame (pandas, polars, pyarrow) with named "
                    f"columns; got {type(X).__name__}."
                )
            return None
        if not reset and hasattr(self, "n_features_in_") and not hasattr(self, "feature_names_in_"):
            return None  # fitted to an array: columns have no names
        if self.kinds is not None:
            wanted = [str(name) for name in self.kinds]
            there = set(frame.columns)
            absent = [name for name in wanted if name not in there]
            if absent:
                shown = ", ".join(map(repr, absent[:5])) + (", ..." if len(absent) > 5 else "")
                verb = "is" if len(absent) == 1 else "are"
                raise DataError(
                    f"TablePreparer: {len(absent)} of {len(wanted)} columns {verb} missing: "
                    f"{shown}; pass a table with all columns of fit."
                )
            frame = frame[wanted]
        if reset and 0 in frame.shape:
            raise DataError(
                f"TablePreparer: X has shape {frame.shape}: {frame.shape[0]} sample(s), "
                f"{frame.shape[1]} feature(s); it must have at least one row and one column."
            )
        native = self._typed(frame.to_native(), reset=reset)
        frame = frame_of("TablePreparer", native)
        translated(
            "TablePreparer", "X",
            lambda: validate_data(self, native, reset=reset, skip_check_array=True),
        )  # fmt: skip
        if reset:
            self.kinds_ = self._kinds_of(frame)
        return frame

    def _typed(self, native: Any, *, reset: bool) -> Any:
        """Return the frame with its strings parsed; fit learns their formats."""
        if not reset:
            return self.read(native).frame
        if self.formats is not None:
            wrong = [n for n, form in self.formats.items() if not isinstance(form, dict)]
            if wrong:
                raise ParameterError(
                    f"TablePreparer: formats must contain a dict for each column; got "
                    f"{self.formats[wrong[0]]!r} for the column {wrong[0]!r}. Use formats_ of "
                    "another TablePreparer."
                )
            self.formats_ = {name: dict(form) for name, form in self.formats.items()}
        elif self.kinds is None:
            found = parse_columns(native)
            self.formats_ = found.formats
            return found.frame
        else:
            read = [str(n) for n, kind in self.kinds.items() if kind in ("numeric", "date")]
            self.formats_ = infer_formats(native, read)
        return apply_formats(native, self.formats_).frame

    def _kinds_of(self, frame: nw.DataFrame[Any]) -> dict[str, str]:
        if self.kinds is None:
            found = kinds_of(frame, "TablePreparer")
            inferred = {name: str(column.kind) for name, column in found.items()}
            used: dict[str, str] = {name: kind for name, kind in inferred.items() if kind in USED}
            # A table without useful columns still gives a matrix: that of its numeric columns.
            return dict(used) or dict.fromkeys(inferred, "numeric")
        unknown = {name: kind for name, kind in self.kinds.items() if kind not in USED}
        if unknown:
            name, kind = next(iter(unknown.items()))
            raise DataError(
                f"TablePreparer: kinds must be one of {', '.join(map(repr, USED))}; got {kind!r} "
                f"for column {name!r}."
            )
        return {str(name): kind for name, kind in self.kinds.items()}

    # --- categories ----------------------------------------------------------------------------

    def _category(self, name: str, column: nw.Series[Any]) -> Floats:
        codes = codes_of(labels_of(column), self.levels_[name])
        if self.categories == "one-hot":
            return indicators_of(
                codes,
                len(self.levels_[name]),
                other=name in self._others,
                missing=name in self._missing_levels,
            )
        if self.missing == "impute":
            codes = np.where(np.isnan(codes), len(self.levels_[name]), codes)
        return codes[:, None]

    # --- numbers and dates ---------------------------------------------------------------------

    def _numbers(self, frame: nw.DataFrame[Any]) -> Floats:
        blocks = [numbers_of(frame, self._names_of_kind("numeric"))]
        blocks += [dates_of(frame[name]) for name in self._names_of_kind("date")]
        numbers = np.hstack(blocks) if len(blocks) > 1 else blocks[0]
        return numbers.astype(np.float32) if is_float32(frame.to_native()) else numbers

    def _number_names(self, input_features: Any) -> list[tuple[str, str]]:
        names = self._names_of_kind("numeric")
        if not hasattr(self, "feature_names_in_"):
            new_names = names if input_features is None else [str(n) for n in input_features]
            if len(new_names) != len(names):
                raise DataError(
                    "TablePreparer: input_features should have length equal to number of features "
                    f"({len(names)}); got {len(new_names)}."
                )
            names = new_names
        elif input_features is not None and list(input_features) != list(self.feature_names_in_):
            raise DataError(
                "TablePreparer: input_features is not equal to feature_names_in_, the names seen "
                "in fit; pass those, or None."
            )
        dates = [
            (f"{name} {part}", name) for name in self._names_of_kind("date") for part in DATE_PARTS
        ]
        return [(name, name) for name in names] + dates

    def _learn_numbers(self, values: Floats) -> None:
        gone = np.isnan(values)
        self._were_missing = gone.any(axis=0)
        self.centers_ = medians_of(values)
        self._means, self._deviations = scales_of(np.where(gone, self.centers_, values))

    def _number_blocks(self, values: Floats) -> list[Floats]:
        gone = np.isnan(values)
        blocks = []
        if self.missing == "impute" and gone.any():
            values = np.where(gone, self.centers_, values)
        if self.scale:
            values = ((values - self._means) / self._deviations).astype(values.dtype, copy=False)
        blocks.append(values)
        if self.missing == "impute" and self._were_missing.any():
            blocks.append(gone[:, self._were_missing].astype(values.dtype))
        return blocks
