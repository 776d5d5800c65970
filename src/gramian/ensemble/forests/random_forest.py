"""Random forests."""

from gramian.base.fields import params
from gramian.ensemble.forests.forest_classifier import ForestClassifier
from gramian.ensemble.forests.forest_parameters import CLASSIFIER_ORDER, REGRESSOR_ORDER
from gramian.ensemble.forests.forest_regressor import ForestRegressor


@params(first=CLASSIFIER_ORDER)
class RandomForestClassifier(ForestClassifier):
    """Random forest: an average of trees on bootstrap samples, with few features per node.

    Tree t is grown on n rows drawn with replacement, and each node considers m features drawn at
    random (about the square root of their number). The probability of a class is the mean over the
    trees of its proportion in the row's leaf. The average of B trees of variance s^2 and
    correlation r has variance r s^2 + (1 - r) s^2 / B: drawing rows and features lowers r. A sample
    leaves out a row with probability (1 - 1/n)^n, about 37%, so trees without it can predict it as
    a new row. Breiman 2001.

    The ranks of the features are computed once for all trees. Trees are grown in parallel; each
    depends only on the seed and its index.

    Examples
    --------
    >>> from gramian.ensemble import RandomForestClassifier
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["low", "low", "high", "high"]
    >>> model = RandomForestClassifier(n_estimators=20, random_state=0).fit(X, y)
    >>> model.predict([[0.2], [2.9]])
    array(['low', 'high'], dtype='<U4')
    """


@params(first=REGRESSOR_ORDER)
class RandomForestRegressor(ForestRegressor):
    """Random forest for regression: the mean of trees grown on bootstrap samples.

    Tree t is grown on n rows drawn with replacement; each node considers `max_features` features
    drawn at random. Breiman recommends a third of them for regression, ``max_features="third"``;
    the default, as in scikit-learn, is all of them, which is bagging. `RandomForestClassifier`
    explains why drawing features helps. Breiman 2001.

    Examples
    --------
    >>> from gramian.ensemble import RandomForestRegressor
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [1.0, 1.0, 5.0, 5.0]
    >>> model = RandomForestRegressor(n_estimators=20, random_state=0).fit(X, y)
    >>> bool(model.predict([[0.0]])[0] < model.predict([[3.0]])[0])
    True
    """
