"""Stacked and voting regressors."""

from sklearn.datasets import make_friedman1
from sklearn.ensemble import (
    GradientBoostingRegressor,
    RandomForestRegressor,
    StackingRegressor,
    VotingRegressor,
)
from sklearn.linear_model import LassoCV, RidgeCV
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

X, y = make_friedman1(3_000, 20, noise=1.0, random_state=0)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
members = [
    ("lasso", make_pipeline(StandardScaler(), LassoCV())),
    ("forest", RandomForestRegressor(100, random_state=0)),
    ("boosting", GradientBoostingRegressor(random_state=0)),
    ("neighbours", make_pipeline(StandardScaler(), KNeighborsRegressor())),
]
voting = VotingRegressor(members).fit(X_train, y_train)
print("voting", voting.score(X_test, y_test))
stacked = StackingRegressor(members, final_estimator=RidgeCV()).fit(X_train, y_train)
print("score", stacked.score(X_test, y_test))
