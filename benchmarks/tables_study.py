"""The whole command against two usual choices, on every table of GRAMIAN_DATA with one target.

``python -m benchmarks.tables_study [name ...]`` runs `gramian.study.run` on each table and, on the
very same training and test rows, scikit-learn's HistGradientBoosting and LogisticRegression (or
Ridge) with defaults and proper encoding; it prints a table in Markdown. A line is good if our test
score is at least the better peer's less its standard error.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, OrdinalEncoder, StandardScaler

from gramian import read_table, study
from gramian.study.problem import pose_problem
from gramian.study.settings import Settings
from gramian.study.splits import split_rows

SEVERAL_TARGETS = ("bibtex", "delicious", "emotions", "scene", "yeast")


def tables(wanted: list[str]) -> list[Path]:
    folder = Path(os.environ["GRAMIAN_DATA"])
    names = [p for p in sorted(folder.glob("*.gz")) if not p.name.startswith(SEVERAL_TARGETS)]
    names = [p for p in names if "-test" not in p.name]
    return [p for p in names if not wanted or any(w in p.name for w in wanted)]


def peers(problem: Any) -> dict[str, Any]:
    """Pipelines over a pandas frame: numbers scaled, categories encoded, texts by tf-idf."""
    of = {k: [n for n, kind in problem.kinds.items() if kind == k] for k in ("number", "category")}
    texts = [n for n, kind in problem.kinds.items() if kind == "text"]
    dense = FunctionTransformer(lambda X: X.toarray(), accept_sparse=True)
    tfidf = [(f"t{i}", make_pipeline(TfidfVectorizer(), dense), n) for i, n in enumerate(texts)]
    one_hot = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    codes = OrdinalEncoder(
        handle_unknown="use_encoded_value", unknown_value=np.nan, max_categories=254
    )
    scaled = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    for_linear = ColumnTransformer(
        [("c", one_hot, of["category"]), ("n", scaled, of["number"]), *tfidf]
    )
    for_trees = ColumnTransformer(
        [("c", codes, of["category"]), ("n", "passthrough", of["number"]), *tfidf]
    )
    categorical = list(range(len(of["category"]))) or None
    if problem.task == "regression":
        boosting = HistGradientBoostingRegressor(categorical_features=categorical, random_state=0)
        return {
            "boosting": make_pipeline(for_trees, boosting),
            "linear": make_pipeline(for_linear, Ridge()),
        }
    boosting = HistGradientBoostingClassifier(categorical_features=categorical, random_state=0)
    linear = LogisticRegression(max_iter=2000)
    return {
        "boosting": make_pipeline(for_trees, boosting),
        "linear": make_pipeline(for_linear, linear),
    }


def pandas_of(frame: Any, kinds: dict[str, str]) -> Any:
    import pandas as pd

    columns = {}
    for name, kind in kinds.items():
        values = frame[name].to_list()
        if kind == "number":
            columns[name] = np.array([np.nan if v is None else v for v in values], dtype=float)
        else:
            columns[name] = np.array(["missing" if v is None else str(v) for v in values], object)
    return pd.DataFrame(columns)


def standard_error(y: np.ndarray, said: np.ndarray, task: str) -> float:
    """Of accuracy by its binomial law, of R squared by the bootstrap."""
    if task == "classification":
        p = float(np.mean(y == said))
        return float(np.sqrt(p * (1 - p) / len(y)))
    rng = np.random.default_rng(0)
    scores = []
    for _ in range(500):
        rows = rng.integers(0, len(y), len(y))
        left = ((y[rows] - said[rows]) ** 2).mean()
        scores.append(1 - left / y[rows].var())
    return float(np.std(scores))


def score_of(y: np.ndarray, said: np.ndarray, task: str) -> float:
    if task == "classification":
        return float(np.mean(y == said))
    return float(1 - ((y - said) ** 2).mean() / y.var())


def line_of(path: Path) -> tuple[str, bool]:
    table = read_table(path)
    target = table.frame.columns[-1]
    settings = Settings(target=target)
    problem = pose_problem(table.frame, settings)
    splits = split_rows(problem, settings)
    start = time.perf_counter()
    found = study.run(table, target)
    seconds = time.perf_counter() - start
    y = problem.labels[splits.test]
    ours = score_of(y, found.model.predict(problem.frame[splits.test]), problem.task)
    X = pandas_of(problem.frame, problem.kinds)
    theirs = {}
    for name, model in peers(problem).items():
        model.fit(X.iloc[splits.development], problem.labels[splits.development])
        theirs[name] = model.predict(X.iloc[splits.test])
    scores = {name: score_of(y, said, problem.task) for name, said in theirs.items()}
    best = max(scores, key=lambda name: scores[name])
    error = standard_error(y, theirs[best], problem.task)
    good = ours >= scores[best] - error - 1e-12
    return (
        f"| {path.name.partition('.')[0]} ({path.name.split('.')[-2]}) | {problem.task} | "
        f"{len(splits.test)} | {found.result['winner']} | {ours:.4f} | {scores['boosting']:.4f} | "
        f"{scores['linear']:.4f} | {error:.4f} | {'yes' if good else 'NO'} | {seconds:.0f} |"
    ), good


def main() -> None:
    print(
        "| table | task | test rows | our winner | ours | boosting | linear | standard error | "
        "at least best - error | seconds |\n"
        "| --- | --- | ---: | --- | ---: | ---: | ---: | ---: | --- | ---: |"
    )
    good = [_printed(path) for path in tables(sys.argv[1:])]
    print(f"\n{sum(good)} of {len(good)} tables.")


def _printed(path: Path) -> bool:
    line, good = line_of(path)
    print(line, flush=True)
    return good


if __name__ == "__main__":
    main()
