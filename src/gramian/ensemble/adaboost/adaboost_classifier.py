"""AdaBoost for classification."""

from math import exp, isfinite
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from gramian import _native
from gramian.base.callbacks import Task
from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, params
from gramian.base.inputs.targets import Codes, check_labels
from gramian.base.kinds import Classifier
from gramian.base.randomness import seed_of
from gramian.base.rows.taking import take
from gramian.base.types import Data, Weights
from gramian.ensemble.adaboost.adaboost_base import AdaBoost
from gramian.ensemble.adaboost.decision_stump import DecisionStump, rows_by_class
from gramian.ensemble.adaboost.iterations import LearnerIterations, StumpIterations
from gramian.ensemble.adaboost.votes import Votes, vote_weight
from gramian.ensemble.common.input_checks import has_categories
from gramian.ensemble.common.members import check_takes_weights
from gramian.tree import DecisionTreeClassifier

_LARGEST_VOTE = 700.0  # its exponential is finite


@params(first=("n_estimators", "learning_rate", "sampling", "worse_than_chance", "random_state"))
class AdaBoostClassifier(Votes, AdaBoost, Classifier):
    r"""AdaBoost: reweight the rows, learn, and let the learners vote.

    Iteration t fits a learner G_t to the weighted rows, computes its weighted error err_t and gives
    it the vote

    .. math:: \alpha_t = \eta \left[ \ln \frac{1 - err_t}{err_t} + \ln(K - 1) \right],

    then multiplies the weights of the misclassified rows by :math:`e^{\alpha_t}` and normalises.
    The prediction is the class with the most votes (SAMME: Zhu, Zou, Rosset and Hastie 2009). For
    two classes labelled -1 and 1 this is AdaBoost (Freund and Schapire 1997): with :math:`\beta_t =
    \alpha_t / 2` the score :math:`M(x) = \sum_t \beta_t G_t(x)` minimises the exponential loss
    stagewise, err 0 gives an infinite vote, err 1/2 a vote of 0, and P(1 | x) is about :math:`1 /
    (1 + e^{-2 M(x)})`. With sampling="draw" it is AdaBoost.M1 (Freund and Schapire 1996), for any
    number of classes, with the vote :math:`\eta \ln(1 / \beta_t)`, :math:`\beta_t = err_t / (1 -
    err_t)`, and every err must be below 1/2. An iteration costs one fit; with the default stump
    that is one pass over 8-bit codes.

    Parameters
    ----------
    estimator
        The learner; None for a `DecisionStump`, on sparse rows a tree of one split. It must support
        sample_weight unless sampling is "draw".
    learning_rate
        eta, the factor of each vote.
    sampling
        "weights" passes the weights to the learner (SAMME); "draw" fits it to n rows drawn with
        replacement in proportion to the weights (AdaBoost.M1), for learners without sample_weight.
    worse_than_chance
        What to do with a learner of err_t above 1/2 (two classes): "stop" stops before it, "flip"
        keeps it with its negative vote, so that an error of 60% counts like one of 40%.

    Attributes
    ----------
    estimator_weights_ : array of shape (n_iterations,)
        Votes alpha_t of the learners; infinite for a learner without error, which alone decides.
    estimator_errors_ : array of shape (n_iterations,)
        Weighted errors err_t of the learners.
    classes_ : array of shape (n_classes,)
        The class labels, sorted.
    n_classes_ : int
        Number of classes.
    training_bound_ : array of shape (n_iterations,)
        For two classes and learning_rate 1, the bound prod_t 2 sqrt(err_t (1 - err_t)) on the
        training error after each iteration; it is also the mean exponential loss. Empty otherwise.
    final_sample_weight_ : array of shape (n,)
        The rows' weights after the last iteration.

    Examples
    --------
    >>> from gramian import AdaBoostClassifier
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], [-1, 1, 1, -1]
    >>> model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> model.estimator_errors_.round(3)
    array([0.25 , 0.167, 0.2  ])
    >>> model.predict(X)
    array([-1,  1,  1, -1])
    """

    model_family = "discriminative"

    _: KW_ONLY
    sampling: Literal["weights", "draw"] = "weights"
    worse_than_chance: Literal["stop", "flip"] = "stop"

    @property
    def takes_sparse(self) -> bool:  # type: ignore[override]
        """Whether sparse X is allowed: for trees of one split, or if the learner supports it."""
        return self.estimator is None or super().takes_sparse

    def _learners(self) -> list[Any]:
        return [DecisionStump() if self.estimator is None else self.estimator]

    def _boost(self, table: Data, y: npt.ArrayLike, weights: Weights) -> None:
        n = table.shape[0]
        codes, self.classes_ = check_labels(self, y, n)
        kept = rows_by_class(codes, weights)
        codes, table, weights = codes[kept], take(table, kept), weights[kept]
        if self.estimator is not None and self.sampling == "weights":
            check_takes_weights(self, self.estimator, "set sampling='draw'")
        n_classes = len(self.classes_)
        source = self._iterations(table, codes)
        task = Task.of(self, steps=self.n_estimators, X=table, y=codes)

        self.estimators_, votes, errors = [], list[float](), list[float]()
        for number in range(self.n_estimators):
            learner, wrong = source.fit_learner(weights, number)
            error = min(max(_native.weight_of_wrong(weights, wrong), 0.0), 1.0)
            if self._too_weak(error, n_classes, number):
                break
            # M1 uses the two-class vote for any number of classes
            vote = self.learning_rate * 2 * vote_weight(error, 2 if self._is_m1() else n_classes)
            if not isfinite(vote):  # this learner alone decides
                self.estimators_, votes, errors = [learner], [vote], [error]
                break
            self.estimators_.append(learner)
            votes.append(vote)
            errors.append(error)
            _native.reweigh(weights, wrong, exp(min(vote, _LARGEST_VOTE)))
            stop = task.iteration(lambda: self._state(votes, errors))  # noqa: B023
            if stop:
                break
        self.estimator_weights_, self.estimator_errors_ = np.array(votes), np.array(errors)
        full = np.zeros(n)
        full[kept] = weights
        self.final_sample_weight_ = full
        self.training_bound_ = np.empty(0)
        if n_classes == 2 and self.learning_rate == 1:
            factors = 2 * np.sqrt(self.estimator_errors_ * (1 - self.estimator_errors_))
            self.training_bound_ = np.cumprod(factors)
        task.done(lambda: self._state(votes, errors))

    def _iterations(self, table: Data, codes: Codes) -> "StumpIterations | LearnerIterations":
        (learner,) = self._learners()
        if self.estimator is None and sp.issparse(table):
            learner = DecisionTreeClassifier(max_depth=1)
        coded = type(learner) is DecisionStump and self.sampling == "weights"
        if coded and not has_categories(table):
            return StumpIterations(learner, table, codes, self.classes_)
        seed = seed_of(self.random_state)
        return LearnerIterations(self, learner, table, codes, seed)

    def _is_m1(self) -> bool:
        return self.sampling == "draw"

    def _too_weak(self, error: float, n_classes: int, number: int) -> bool:
        """Return whether a learner is too weak to continue; raise if it is the first one."""
        most = 0.5 if self._is_m1() else 1 - 1 / n_classes
        flips = self.worse_than_chance == "flip" and n_classes == 2
        if error < most or n_classes == 1 or (flips and error > 0.5):
            return False
        if number == 0 and error > most + 1e-10:
            need = (
                "worse than AdaBoost.M1 can use, which is 1/2"
                if self._is_m1() and n_classes > 2
                else "worse than random"
            )
            other = ", or sampling='weights'" if self._is_m1() else ""
            raise DataError(
                f"AdaBoostClassifier: BaseClassifier in AdaBoostClassifier ensemble is {need}: its "
                f"weighted error is {error:.4f} with {n_classes} classes; use a stronger "
                f"learner{other}."
            )
        return number > 0
