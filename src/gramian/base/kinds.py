"""The kinds of estimator: scikit-learn's mixins over one base, abstract all.

A final class is made by ``@params`` over one of these kinds. What it can digest is said by three
class variables, from which scikit-learn's tags follow.
"""

from typing import Any, ClassVar

from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    ClusterMixin,
    RegressorMixin,
    TransformerMixin,
)


class Estimator(BaseEstimator):
    """What every estimator of gramian is."""

    takes_sparse: ClassVar[bool] = False  # CSR as it is, not made dense
    takes_nan: ClassVar[bool] = False  # missing values as they are
    takes_categories: ClassVar[bool] = False  # categorical columns, see base/categorical.py

    # Whether the number of parameters is fixed by the columns and the settings (a hyperplane, k
    # centres) or grows with the rows (a tree, neighbours); None where it is that of the members.
    parametric: ClassVar[bool | None] = True

    # Attributes that follow from the others: a model file leaves them out, so that what native
    # code walks through never comes from a file. They are None after loading.
    derived_attributes: ClassVar[tuple[str, ...]] = ()

    _doc_link_module = "gramian"

    def _check_loaded(self) -> None:
        """Raise ValueError where fitted attributes read from a file contradict each other.

        Whoever hands fitted arrays to native code, or follows indices that they hold, checks here
        what `fit` guarantees; parameters have been checked.
        """

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.takes_sparse
        tags.input_tags.allow_nan = self.takes_nan
        tags.input_tags.categorical = tags.input_tags.string = self.takes_categories
        return tags


class Classifier(ClassifierMixin, Estimator):
    """Predicts a class of ``classes_``."""


class Regressor(RegressorMixin, Estimator):
    """Predicts numbers."""


class Clusterer(ClusterMixin, Estimator):
    """Gives each row the number of its group, ``labels_``."""


class Transformer(TransformerMixin, Estimator):
    """Maps rows to new rows; float32 stays float32."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
