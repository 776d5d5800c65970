"""Base class of linear and quadratic discriminant analysis."""

from collections.abc import Iterable
from typing import Any, ClassVar, Self

import numpy.typing as npt

from gramian.base.errors import ParameterError
from gramian.base.inputs.gate import check_fit
from gramian.base.inputs.targets import Codes, check_labels
from gramian.base.inputs.weights import check_weights, unit_weights
from gramian.base.kinds import Classifier
from gramian.base.rows.class_moments import ClassMoments
from gramian.base.rows.class_scores import GenerativePrediction
from gramian.base.rows.label_chunks import LabelChunks
from gramian.base.rows.parts import Parts
from gramian.base.types import Data, Floats, Table, Weights
from gramian.discriminant_analysis.labelled_rows import LabelledChunks, LabelledTable


class DiscriminantAnalysis(GenerativePrediction, Classifier):
    """Base class of classifiers fitted from class moments, of a table or of chunks."""

    parametric = True

    min_rows: ClassVar[int] = 1
    shrinkage_solvers: ClassVar[str]  # solvers that support `shrinkage`, for error messages

    solver: str
    shrinkage: Any
    priors: Any
    covariance_estimator: Any
    priors_: Floats

    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Fit to labelled rows.

        Parameters
        ----------
        X
            Array (n, d).
        y
            Labels.
        sample_weight
            Weights >= 0; weight 2 counts as the row repeated twice.

        Returns
        -------
        self
        """
        table = check_fit(self, X, rows=self.min_rows)
        codes, classes = check_labels(self, y, table.shape[0])
        weights = unit_weights(check_weights(self, sample_weight, table.shape[0]))
        return self._fit_rows(LabelledTable(table, codes, classes, weights))

    def fit_chunks(self, chunks: Iterable[Any] | Parts) -> Self:
        """Fit to labelled rows in chunks, without keeping them all in memory.

        Parameters
        ----------
        chunks
            An iterable of (X, y) or (X, y, sample_weight) that can be iterated again, for
            example `gramian.scale.chunks` of a file. One pass counts the classes; further passes
            compute their means and the scatter.

        Returns
        -------
        self

        Examples
        --------
        >>> from gramian import LinearDiscriminantAnalysis
        >>> chunks = [([[0.0], [5.0]], ["a", "b"]), ([[1.0], [4.0]], ["a", "b"])]
        >>> LinearDiscriminantAnalysis().fit_chunks(chunks).predict([[1.5]]).tolist()
        ['a']
        """
        return self._fit_rows(LabelledChunks(LabelChunks.of(self, chunks)))

    def _fit_rows(self, rows: LabelledTable | LabelledChunks) -> Self:
        raise NotImplementedError

    def _check_shrinkage(self) -> None:
        if self.solver != "svd":
            return
        for option in ("shrinkage", "covariance_estimator"):
            if getattr(self, option) is not None:
                raise ParameterError(
                    f"{type(self).__name__}: {option} is not supported with solver='svd'; use "
                    f"{self.shrinkage_solvers}."
                )

    def _leave_one_out_inputs(
        self, table: Data, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None
    ) -> tuple[Codes, Weights | None, ClassMoments, Floats | None]:
        """Return the codes, weights, moments and, if given, priors for leave-one-out."""
        codes, _ = check_labels(self, y, table.shape[0])
        weights = check_weights(self, sample_weight, table.shape[0])
        moments = ClassMoments.of(table, codes, len(self.classes_), weights)
        return codes, weights, moments, self.priors_ if self.priors is not None else None
