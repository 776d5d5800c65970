"""Probabilities of classifiers, calibrated."""

from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import brier_score_loss
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

X, y = make_classification(40_000, 20, n_informative=4, n_redundant=12, flip_y=0.05, random_state=0)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
best = 1.0
for model in (GaussianNB(), LinearSVC(random_state=0), RandomForestClassifier(50, random_state=0)):
    for method in ("sigmoid", "isotonic"):
        calibrated = CalibratedClassifierCV(model, method=method, cv=3).fit(X_train, y_train)
        loss = brier_score_loss(y_test, calibrated.predict_proba(X_test)[:, 1])
        print(type(model).__name__, method, loss)
        best = min(best, loss)
print("score", 1 - best)
