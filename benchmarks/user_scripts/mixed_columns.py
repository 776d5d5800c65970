"""A pipeline over numbers and categories, cross-validated."""

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

rng = np.random.default_rng(0)
n = 40_000
frame = pd.DataFrame(
    {
        "age": rng.normal(45, 12, n),
        "income": rng.lognormal(10, 1, n),
        "balance": rng.normal(0, 1, n),
        "region": rng.choice(["north", "south", "east", "west"], n),
        "job": rng.choice([f"job {k}" for k in range(20)], n),
    }
)
logit = 0.05 * (frame.age - 45) + 0.8 * frame.balance + (frame.region == "north")
y = (logit + rng.logistic(size=n) > 0).to_numpy()
frame.loc[rng.random(n) < 0.05, "age"] = np.nan

numbers = ["age", "income", "balance"]
prepare = make_column_transformer(
    (make_pipeline(SimpleImputer(), StandardScaler()), numbers),
    (OneHotEncoder(handle_unknown="ignore"), ["region", "job"]),
)
model = make_pipeline(prepare, LogisticRegression(max_iter=1000))
print("score", cross_val_score(model, frame, y, cv=5, scoring="roc_auc").mean())
