import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.model_selection import GridSearchCV

from gramian import LinearRegression, LogisticRegression
from gramian.decomposition import principal_component_regression

X, y = load_diabetes(return_X_y=True)


def test_all_components_are_least_squares():
    model = principal_component_regression().fit(X, y)
    np.testing.assert_allclose(model.predict(X), LinearRegression().fit(X, y).predict(X), rtol=1e-8)


def test_fewer_are_least_squares_of_the_coordinates():
    model = principal_component_regression(3, scale=True).fit(X, y)
    Z = model[:-1].transform(X)
    assert Z.shape == (len(X), 3)
    np.testing.assert_allclose(model.predict(X), LinearRegression().fit(Z, y).predict(Z))


def test_the_number_can_be_searched_and_the_model_replaced():
    search = GridSearchCV(principal_component_regression(), {"pca__n_components": [1, 4, 7]}, cv=3)
    assert search.fit(X, y).best_params_["pca__n_components"] == 7
    classes = y > np.median(y)
    model = principal_component_regression(5, LogisticRegression(), whiten=True)
    assert model.fit(X, classes).score(X, classes) > 0.7
