"""Cross-validation of `SVC` over C and gamma, with shared kernel values."""

from typing import Annotated, Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import KW_ONLY, Array, Instance, params
from gramian.base.folds import Splits, check_splits
from gramian.base.inputs.gate import check_fit, check_new
from gramian.base.inputs.targets import Classes, Codes, check_labels
from gramian.base.inputs.weights import check_weights, class_weights
from gramian.base.kinds import Classifier, ModelFamily
from gramian.base.rows.native_table import native_table
from gramian.base.types import Data, Floats, Matrix, RowNumbers, Table
from gramian.kernels.resolution import gamma_of
from gramian.svm.class_pairs import ClassPairs, RowIds, kernel_buffer, shared_points
from gramian.svm.dual_machines import Machines, Start, scaled_start
from gramian.svm.pair_scores import pair_votes
from gramian.svm.svc import SVC, check_grid

_TEST_ROWS = 64  # test rows whose kernel values are read together
_GAMMA_EXPONENTS = (-4.0, -2.0, 0.0, 2.0, 4.0)  # default powers of 2 of gamma relative to "scale"


class Fold(NamedTuple):
    """The training rows of a fold by class, their weights, and its test rows."""

    pairs: ClassPairs
    weights: Floats
    test: RowNumbers


class FoldMachines(NamedTuple):
    """The machines of a fold: support vectors by class, coefficients and constants."""

    support: RowIds
    coef: Floats
    sizes: RowIds
    constants: Floats

    def starts(self) -> RowIds:
        """Return where the vectors of each class begin, and the end of the last."""
        return np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int32)


@params
class SVCGridCV(Classifier):
    """`SVC` with C and gamma chosen by cross-validation; each kernel matrix is computed once.

    Gives the results of scikit-learn's ``GridSearchCV(SVC(), {"C": Cs, "gamma": gammas})``. For
    each gamma the kernel matrix of all rows is computed once, for all folds and all C, if it fits
    into the estimator's `cache_size`; otherwise its rows are computed when needed. Folds are solved
    in parallel, and each C starts from the solution for the next smaller C.

    Parameters
    ----------
    estimator
        `SVC` with the other parameters; None means ``SVC()``. Its kernel must have a gamma.
    Cs
        Values of C.
    gammas
        Values of gamma; None means 2^-4, 2^-2, 1, 2^2 and 2^4 times the value of "scale" for all
        rows.
    cv
        Number of folds, a splitter, or an iterable of (train, test); None means five folds,
        stratified.

    Attributes
    ----------
    best_estimator_ : SVC
        The best machine, fitted to all rows.
    best_params_ : dict
        Its C and gamma.
    best_score_ : float
        Its mean accuracy over the folds.
    best_index_ : int
        Its index in `cv_results_`.
    cv_results_ : dict
        "params", "param_C", "param_gamma", "split0_test_score", ..., "mean_test_score",
        "std_test_score" and "rank_test_score", as of `GridSearchCV`.
    classes_ : array (K,)
        The labels.
    kernel_entries_ : int
        Number of kernel values computed in cross-validation.

    Examples
    --------
    >>> from gramian import SVCGridCV
    >>> X = [[0.0], [0.2], [0.4], [2.0], [2.2], [2.4], [4.0], [4.2], [4.4]]
    >>> y = [0, 0, 0, 1, 1, 1, 0, 0, 0]
    >>> SVCGridCV(Cs=(1.0, 100.0), gammas=(0.01, 1.0), cv=3).fit(X, y).best_params_
    {'C': 1.0, 'gamma': 1.0}
    """

    takes_sparse: ClassVar[bool] = True
    parametric: ClassVar[bool | None] = False
    model_family: ClassVar[ModelFamily | None] = "boundary"

    estimator: Annotated[Any, Instance((SVC,), "an SVC")] | None = None
    _: KW_ONLY
    Cs: Array = (0.1, 1.0, 10.0, 100.0, 1000.0)
    gammas: Array | None = None
    cv: Splits = None

    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Cross-validate, then fit the best machine to all rows.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Labels.
        sample_weight
            Weights >= 0 that multiply C in training; test rows are not weighted.

        Returns
        -------
        self
        """
        table = check_fit(self, X)
        base = SVC() if self.estimator is None else clone(self.estimator)
        if base.kernel in ("linear", "precomputed") or callable(base.kernel):
            raise ParameterError(
                f"SVCGridCV: the kernel of the estimator must have a gamma; got {base.kernel!r}. "
                "Use fit_path for values of C alone, or GridSearchCV."
            )
        codes, classes = check_labels(self, y, table.shape[0])
        weights = check_weights(self, sample_weight, table.shape[0])
        Cs = check_grid("SVCGridCV", "Cs", self.Cs)
        gammas = (
            _default_gammas(table)
            if self.gammas is None
            else check_grid("SVCGridCV", "gammas", self.gammas)
        )
        folds = self._folds(base, table, codes, classes, weights)
        order = np.argsort(codes, kind="stable")  # by class, so that the rows of a fold are in runs
        folds = [_reordered(fold, order) for fold in folds]
        ordered, ordered_codes = table[order], codes[order]
        K = kernel_buffer(len(codes), base.cache_size)
        scores = np.empty((len(Cs), len(gammas), len(folds)))
        self.kernel_entries_ = 0
        for g, gamma in enumerate(gammas):
            base.set_params(gamma=float(gamma))
            scores[:, g] = self._path(base, ordered, ordered_codes, folds, Cs, K)
        self._set_results(Cs, gammas, scores.reshape(-1, len(folds)))
        self.classes_ = classes
        self.best_estimator_ = clone(base).set_params(**self.best_params_)
        self.best_estimator_.fit(table, np.asarray(classes)[codes], sample_weight=weights)
        return self

    def _folds(
        self, base: SVC, table: Data, codes: Codes, classes: Classes, weights: Floats | None
    ) -> list[Fold]:
        n, K = len(codes), len(classes)
        folds = []
        for train, test in check_splits("SVCGridCV", self.cv, table, codes, classifier=True):
            held = np.zeros(n)
            held[train] = 1.0 if weights is None else weights[train]
            counts = np.bincount(codes, held, K).astype(float)
            held = held * class_weights("SVCGridCV", base.class_weight, classes, counts)[codes]
            rows = [np.flatnonzero((codes == k) & (held > 0)).astype(np.int32) for k in range(K)]
            if K < 2 or not all(len(part) for part in rows):
                missing = [str(classes[k]) for k in range(K) if not len(rows[k])]
                found = f"class {missing[0]} is missing in one" if missing else "1 class only"
                raise DataError(
                    "SVCGridCV: the training rows of each fold must contain at least 2 classes, "
                    f"and all of them; {found}. Add rows of that class, or use fewer folds."
                )
            folds.append(Fold(ClassPairs(rows), held, test))
        return folds

    def _path(
        self,
        base: SVC,
        table: Data,
        codes: Codes,
        folds: list[Fold],
        Cs: Floats,
        K: npt.NDArray[np.float32] | None,
    ) -> Floats:
        """Return the accuracy for each C and fold; base.gamma is a number, K a kernel buffer."""
        n = table.shape[0]
        base._set_gamma(table, None)
        bound = float(np.max(Cs) * max(fold.weights.max() for fold in folds))
        points = shared_points(base._points(table, bound), n, K)
        self.kernel_entries_ += 0 if K is None else K.size
        found: list[list[FoldMachines]] = [[] for _ in folds]
        parts = [fold.pairs.rows_of(fold.pairs.pairs) for fold in folds]
        fold_rows = [fold.pairs.order[rows.place] for fold, rows in zip(folds, parts, strict=True)]
        ids = np.concatenate(fold_rows)
        ends = np.cumsum([len(rows) for rows in fold_rows])
        sizes = np.concatenate([np.diff(rows.starts) for rows in parts])
        starts = np.concatenate([[0], np.cumsum(sizes)])
        signs = np.concatenate([rows.sign for rows in parts])
        unit_bounds = np.concatenate(
            [fold.weights[rows] for fold, rows in zip(folds, fold_rows, strict=True)]
        )
        start = Start(np.zeros(len(ids)))
        ascending = np.argsort(Cs, kind="stable").tolist()
        for c, after in zip(ascending, [*ascending[1:], None], strict=True):
            C = float(Cs[c])
            machines = Machines(ids, starts, signs, C * unit_bounds, -signs, *start)
            solved, alpha = machines.solve(points, base._settings(n))
            base._report(solved, n)
            self.kernel_entries_ += solved.entries if K is None else 0
            each = len(folds[0].pairs.pairs)
            for f, (fold, values) in enumerate(zip(folds, np.split(alpha, ends[:-1]), strict=True)):
                part = slice(f * each, (f + 1) * each)
                vectors = fold.pairs.coefficients(values)
                found[f].append(FoldMachines(*vectors, np.ascontiguousarray(-solved.rho[part])))
            if after is not None:
                ratio = float(Cs[after]) / C
                start = scaled_start(solved, alpha, signs, starts, ratio)
        scores = np.empty((len(Cs), len(folds)))
        for f, fold in enumerate(folds):
            labels = (
                [_labels_by_rows(base, table, fold.test, machine) for machine in found[f]]
                if K is None
                else list(_labels_by_matrix(K, codes, fold.test, found[f]))
            )
            scores[ascending, f] = [np.mean(predicted == codes[fold.test]) for predicted in labels]
        return scores

    def _set_results(self, Cs: Floats, gammas: Floats, scores: Floats) -> None:
        """Set the results of `GridSearchCV`, in its order: gamma varies fastest."""
        grid = [{"C": float(C), "gamma": float(gamma)} for C in Cs for gamma in gammas]
        means: Floats = scores.mean(axis=1)
        splits = {f"split{f}_test_score": scores[:, f].copy() for f in range(scores.shape[1])}
        self.cv_results_: dict[str, Any] = {
            "params": grid,
            "param_C": np.repeat(Cs, len(gammas)),
            "param_gamma": np.tile(gammas, len(Cs)),
            **splits,
            "mean_test_score": means,
            "std_test_score": scores.std(axis=1),
            "rank_test_score": rankdata(-means, method="min").astype(np.int32),
        }
        self.n_splits_ = scores.shape[1]
        self.best_index_ = int(np.argmax(means))
        self.best_params_, self.best_score_ = grid[self.best_index_], float(means[self.best_index_])

    def predict(self, X: Table) -> Classes:
        """Return the label of each row by the best machine."""
        check_is_fitted(self)
        best: SVC = self.best_estimator_
        return best.predict(check_new(self, X))

    def decision_function(self, X: Table) -> Matrix:
        """Return the scores of the rows by the best machine; see `SVC.decision_function`."""
        check_is_fitted(self)
        best: SVC = self.best_estimator_
        return best.decision_function(check_new(self, X))


def _default_gammas(table: Data) -> Floats:
    return np.asarray(gamma_of("SVCGridCV", "scale", table) * 2.0 ** np.array(_GAMMA_EXPONENTS))


def _reordered(fold: Fold, order: RowNumbers) -> Fold:
    """Return the fold for reordered rows; the order within classes stays the same."""
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order))
    rows = [place[part] for part in fold.pairs.rows]
    return Fold(ClassPairs(rows), fold.weights[order], np.sort(place[fold.test]))


def _labels_by_matrix(
    K: npt.NDArray[np.float32], codes: Codes, test: RowNumbers, found: list[FoldMachines]
) -> npt.NDArray[np.int32]:
    """Return the labels of the test rows by each machine, one row per machine.

    Test rows are processed in blocks: their kernel values with all rows, which are ordered by
    class, are reused by every machine while in the processor's cache.
    """
    n_classes = len(found[0].sizes)
    starts = np.searchsorted(codes, np.arange(n_classes + 1))
    dense = np.zeros((len(found), n_classes - 1, len(K)))
    for machine, values in zip(found, dense, strict=True):
        values[:, machine.support] = machine.coef
    labels = np.empty((len(found), len(test)), dtype=np.int32)
    for first in range(0, len(test), _TEST_ROWS):
        part = slice(first, first + _TEST_ROWS)
        kernel_rows = K[test[part]].astype(float)
        for machine, values, out in zip(found, dense, labels, strict=True):
            out[part] = pair_votes(kernel_rows, starts.astype(np.int32), values, machine.constants)
    return labels


def _labels_by_rows(
    base: SVC, table: Data, test: RowNumbers, found: FoldMachines
) -> npt.NDArray[np.int32]:
    """Return the labels of the test rows by a machine, without a stored kernel matrix."""
    labels = np.empty(len(test), dtype=np.int32)
    vectors = base._native_points(table[found.support], float(np.abs(found.coef).max()))
    rows = native_table(table[test])
    vectors.scores(found.starts(), found.coef, found.constants, rows, None, labels)
    return labels
