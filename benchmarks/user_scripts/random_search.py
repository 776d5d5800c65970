"""A random search for a forest."""

from scipy.stats import randint
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import RandomizedSearchCV, train_test_split

X, y = make_classification(6_000, 30, n_informative=12, n_classes=3, random_state=0)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
space = {"max_depth": randint(5, 20), "min_samples_leaf": randint(1, 10)}
forest = RandomForestClassifier(50, random_state=0)
search = RandomizedSearchCV(forest, space, n_iter=8, cv=3, random_state=0)
search.fit(X_train, y_train)
print(search.best_params_)
print("score", search.score(X_test, y_test))
