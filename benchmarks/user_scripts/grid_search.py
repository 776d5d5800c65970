"""A grid search for a support vector machine on images of digits."""

from sklearn.datasets import load_digits
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
pipe = Pipeline([("scale", StandardScaler()), ("svc", SVC())])
grid = {"svc__C": [0.1, 1, 10, 100], "svc__gamma": [0.001, 0.005, 0.01, 0.05]}
search = GridSearchCV(pipe, grid, cv=5, n_jobs=2).fit(X_train, y_train)
print(search.best_params_, search.score(X_test, y_test))
print("score", search.best_score_)
