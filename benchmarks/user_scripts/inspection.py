"""What a boosted model has learned: permutation importances and partial dependence."""

from sklearn.datasets import make_friedman1
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.inspection import partial_dependence, permutation_importance
from sklearn.model_selection import train_test_split

X, y = make_friedman1(30_000, 12, noise=1.0, random_state=0)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
model = HistGradientBoostingRegressor(max_iter=200, random_state=0).fit(X_train, y_train)
importances = permutation_importance(model, X_test, y_test, n_repeats=5, random_state=0)
order = importances.importances_mean.argsort()[::-1]
for feature in order[:5]:
    curve = partial_dependence(model, X_train, [int(feature)], grid_resolution=20)
    print(feature, importances.importances_mean[feature], curve["average"][0].round(1))
assert sorted(order[:5]) == [0, 1, 2, 3, 4]
print("score", model.score(X_test, y_test))
