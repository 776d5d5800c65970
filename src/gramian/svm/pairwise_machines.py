"""Base class of kernel classifiers: labels, and the scores and votes of pairs of classes."""

from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import KW_ONLY, Seed, params
from gramian.base.inputs.gate import check_new
from gramian.base.inputs.targets import Classes, check_labels
from gramian.base.inputs.weights import ClassWeight, check_weights, class_weights
from gramian.base.kinds import Classifier, ModelFamily
from gramian.base.types import Data, Floats, Matrix, Table, Weights
from gramian.linear_model.common.class_targets import check_classes
from gramian.svm.class_pairs import ClassPairs, SolvedPairs
from gramian.svm.kernel_machine import KernelMachine

_MIN_BATCH_ROWS = 16  # of new rows whose pair scores are computed together
_MIN_BATCH_SCORES = 2**22


class LabelledRows(NamedTuple):
    """Checked training rows by class, without rows of weight 0."""

    table: Data
    weights: Floats  # sample weights times class weights
    sample_weights: Weights | None
    pairs: ClassPairs


@params
class PairwiseMachines(KernelMachine, Classifier):
    """Base class of kernel classifiers, with one machine per pair of classes.

    Parameters
    ----------
    class_weight
        Weights of the classes, {label: weight}, which multiply `sample_weight`; "balanced":
        W / (K W_k), W_k the total weight of class k.
    decision_function_shape
        "ovr": a score per class, its number of votes plus its scores mapped into (-1/3, 1/3);
        "ovo": the scores of the pairs. Two classes always have one score.
    break_ties
        Whether `predict` breaks ties in the votes by the scores of "ovr", which is slower, instead
        of the order of the classes.
    random_state
        Ignored; present for scikit-learn compatibility.

    Attributes
    ----------
    classes_ : array (K,)
        The labels.
    class_weight_ : array (K,)
        Weights of the classes.
    dual_coef_ : array (K - 1, n_sv)
        y_i alpha_i of the support vectors, ordered by class. A column contains the coefficients of
        a vector in the machines against the K - 1 other classes.
    intercept_ : array (K (K - 1) / 2,)
        Intercept of each pair (0, 1), (0, 2), ..., (K - 2, K - 1).
    n_support_ : array (K,)
        Number of support vectors of each class.
    n_iter_ : array (K (K - 1) / 2,)
        Number of steps for each pair.
    objective_ : array (K (K - 1) / 2,)
        Value of the dual objective of each pair, which is minimised.
    """

    model_family: ClassVar[ModelFamily | None] = "boundary"

    _: KW_ONLY
    class_weight: ClassWeight = None
    decision_function_shape: Literal["ovo", "ovr"] = "ovr"
    break_ties: bool = False
    random_state: Seed = None

    def _check_labelled(
        self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None
    ) -> LabelledRows:
        table = self._check_rows(X)
        name, n = type(self).__name__, table.shape[0]
        codes, classes = check_labels(self, y, n)
        sample_weights = check_weights(self, sample_weight, n)
        weights = np.ones(n) if sample_weights is None else sample_weights
        counts = np.bincount(codes, weights, len(classes)).astype(float)
        weight_by_class = class_weights(name, self.class_weight, classes, counts)
        weights = weights * weight_by_class[codes]
        check_classes(name, classes, counts * weight_by_class)
        held = np.flatnonzero(weights > 0)
        held = held[np.argsort(codes[held], kind="stable")]
        ends = np.searchsorted(codes[held], np.arange(1, len(classes)))
        rows = [part.astype(np.int32) for part in np.split(held, ends)]
        if not all(len(part) for part in rows):
            empty = classes[[len(part) == 0 for part in rows]].tolist()
            raise DataError(
                f"{name}: each class needs a row of positive weight; {empty[0]!r} has none. Drop "
                "its rows."
            )
        self.classes_, self.class_weight_ = classes, weight_by_class
        self._set_gamma(table, sample_weights)
        return LabelledRows(table, weights, sample_weights, ClassPairs(rows))

    def _set_machines(self, labelled: LabelledRows, found: SolvedPairs, rho: Floats) -> None:
        """Set the fitted attributes from the solutions of all pairs and their constants."""
        self._set_support(labelled.table, found.support)
        two = len(self.classes_) == 2  # the second is the positive class
        self.dual_coef_ = -found.coef if two else found.coef
        self.intercept_ = (rho if two else -rho) + 0.0
        self.n_support_ = found.sizes
        self.n_iter_ = found.solved.steps
        self.objective_ = found.solved.values

    @property
    def _vectors_per_class(self) -> npt.NDArray[np.int32]:
        return self.n_support_

    @property
    def coef_(self) -> Matrix:
        """The weights of the columns for each pair of classes, for the linear kernel."""
        if self.kernel != "linear" or len(self.classes_) == 2:
            return super().coef_
        starts = np.cumsum(self.n_support_)[:-1]
        coefs = np.split(self.dual_coef_, starts, axis=1)
        centred = self._centred_vectors
        vectors = [centred[rows] for rows in np.split(np.arange(len(self.support_)), starts)]
        parts = np.stack([np.asarray(c @ v) for c, v in zip(coefs, vectors, strict=True)])
        K = len(parts)
        return np.concatenate([parts[i, i:] + parts[i + 1 :, i] for i in range(K - 1)])

    def _check_and_score_pairs(self, X: Table, *, votes: bool = False) -> npt.NDArray[Any]:
        """Return scores that are positive for the first class of each pair, or votes."""
        return self._pair_scores(check_new(self, X), votes=votes)

    def _pair_scores(self, table: Data, *, votes: bool = False) -> npt.NDArray[Any]:
        two = len(self.classes_) == 2
        coef = -self.dual_coef_ if two else self.dual_coef_
        return self._raw_scores(
            table, coef, -self.intercept_ if two else self.intercept_, votes=votes
        )

    def decision_function(self, X: Table) -> Matrix:
        """Return the scores of the rows.

        Parameters
        ----------
        X
            Array or CSR matrix (m, d), or the kernel values (m, n) between new and training rows.

        Returns
        -------
        scores : array (m,) for two classes, positive for the second; (m, K) or (m, K (K - 1) / 2)
            for more, see `decision_function_shape`.
        """
        check_is_fitted(self)
        K = len(self.classes_)
        if K == 2 or self.decision_function_shape == "ovo":
            scores = self._check_and_score_pairs(X)
            return np.asarray(-scores[:, 0] if K == 2 else scores, dtype=self._output_type())
        table = check_new(self, X)
        out = np.empty((table.shape[0], K), dtype=self._output_type())
        step = max(_MIN_BATCH_ROWS, _MIN_BATCH_SCORES // len(self.intercept_))
        for rows in (slice(a, a + step) for a in range(0, len(out), step)):
            out[rows] = _score_per_class(self._pair_scores(table[rows]), K)
        return out

    def predict(self, X: Table) -> Classes:
        """Return the class with most votes for each row.

        Parameters
        ----------
        X
            Array or CSR matrix (m, d), or the kernel values (m, n) between new and training rows.

        Returns
        -------
        labels : array (m,)
        """
        check_is_fitted(self)
        if self.break_ties and self.decision_function_shape == "ovo":
            raise ParameterError(
                f"{type(self).__name__}: break_ties must be False when decision_function_shape is "
                "'ovo', which has no score per class; got True."
            )
        if self.break_ties and len(self.classes_) > 2:
            best: npt.NDArray[Any] = self.decision_function(X).argmax(axis=1)
        else:
            best = self._check_and_score_pairs(X, votes=True)
        labels: Classes = self.classes_[best]
        return labels

    def _check_loaded(self) -> None:
        super()._check_loaded()
        if not hasattr(self, "n_support_"):
            return
        K, name = len(self.classes_), type(self).__name__
        right = (
            self.n_support_.shape == (K,)
            and (self.n_support_ >= 0).all()
            and int(self.n_support_.sum()) == len(self.support_)
            and self.dual_coef_.shape[0] == K - 1
            and self.intercept_.shape == (K * (K - 1) // 2,)
        )
        if not right:
            raise DataError(
                f"{name}: the shapes of n_support_, dual_coef_ and intercept_ must match classes_."
            )


def _score_per_class(scores: Floats, n_classes: int) -> Floats:
    """Return votes plus the sums of scores, mapped into (-1/3, 1/3)."""
    votes, sums = np.zeros((2, len(scores), n_classes))
    first = 0
    for i in range(n_classes - 1):  # its pairs with later classes are adjacent
        against = scores[:, first : first + n_classes - 1 - i]
        first += against.shape[1]
        won = against >= 0
        sums[:, i] += against.sum(axis=1)
        sums[:, i + 1 :] -= against
        votes[:, i] += won.sum(axis=1)
        votes[:, i + 1 :] += ~won
    return np.asarray(votes + sums / (3 * (np.abs(sums) + 1)))
