"""Complete studies compared with two common models, on all single-target tables of GRAMIAN_DATA.

``python -m benchmarks.tables_study [name ...]`` runs `gramian.study.run` on each table and, on the
very same training and test rows, scikit-learn's HistGradientBoosting and LogisticRegression (or
Ridge) with defaults and proper encoding. A line is good if the task is the right one and our test
score is at least the better peer's less its standard error. ``--json docs/tables.json`` keeps each
table's figures as soon as they are there, from which ``docs/benchmarks.md`` is written;
``--journals FOLDER`` lets a run that was stopped go on.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
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

from benchmarks.harness import machine, studies
from gramian import read_table, study
from gramian.study.problem.problem import pose_problem
from gramian.study.problem.splits import split_rows
from gramian.study.settings import Settings

SEVERAL_TARGETS = ("bibtex", "delicious", "emotions", "scene", "yeast")
OF_NUMBERS = ("bostonhousing",)  # all other tables have classes


def tables(wanted: list[str]) -> list[Path]:
    folder = Path(os.environ["GRAMIAN_DATA"])
    names = [p for p in sorted(folder.glob("*.gz")) if not p.name.startswith(SEVERAL_TARGETS)]
    names = [p for p in names if "-test" not in p.name]
    return [p for p in names if not wanted or any(w in p.name for w in wanted)]


def peers(problem: Any) -> dict[str, Any]:
    """Pipelines over a pandas frame: numbers scaled, categories encoded, texts by tf-idf."""
    of = {
        k: [n for n, kind in problem.kinds.items() if kind == k] for k in ("numeric", "categorical")
    }
    texts = [n for n, kind in problem.kinds.items() if kind == "text"]
    dense = FunctionTransformer(lambda X: X.toarray(), accept_sparse=True)
    tfidf = [(f"t{i}", make_pipeline(TfidfVectorizer(), dense), n) for i, n in enumerate(texts)]
    one_hot = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    codes = OrdinalEncoder(
        handle_unknown="use_encoded_value", unknown_value=np.nan, max_categories=254
    )
    scaled = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    for_linear = ColumnTransformer(
        [("c", one_hot, of["categorical"]), ("n", scaled, of["numeric"]), *tfidf]
    )
    for_trees = ColumnTransformer(
        [("c", codes, of["categorical"]), ("n", "passthrough", of["numeric"]), *tfidf]
    )
    categorical = list(range(len(of["categorical"]))) or None
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
        if kind == "numeric":
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


def studied(table: Any, target: str, seed: int, journals: Path) -> tuple[Any, float]:
    """Return the study of a table and the processor seconds it took, those of before included."""
    journals.mkdir(parents=True, exist_ok=True)
    spent = journals / "processor_seconds"
    before = float(spent.read_text()) if spent.exists() else 0.0
    start = time.process_time()

    def note(_: object) -> None:
        spent.write_text(str(before + time.process_time() - start))

    found = study.run(table, target, seed=seed, folder=journals, watch=note)
    return found, before + time.process_time() - start


def compared(path: Path, seed: int, journals: Path) -> dict[str, Any]:
    """Return the figures of one table."""
    table = read_table(path)
    target = table.frame.columns[-1]
    settings = Settings(target=target, seed=seed)
    problem = pose_problem(table.frame, settings)
    splits = split_rows(problem, settings)
    found, seconds = studied(table, target, seed, journals / path.name)
    y = problem.labels[splits.test]
    ours = score_of(y, found.model.predict(problem.frame[splits.test]), problem.task)
    X = pandas_of(problem.frame, problem.kinds)
    said = {}
    for name, model in peers(problem).items():
        model.fit(X.iloc[splits.development], problem.labels[splits.development])
        said[name] = model.predict(X.iloc[splits.test])
    theirs = {name: score_of(y, values, problem.task) for name, values in said.items()}
    best = max(theirs, key=lambda name: theirs[name])
    return {
        "table": path.name.removesuffix(".gz"),
        "rows": len(problem.y),
        "columns": len(problem.kinds),
        "task": problem.task,
        "right_task": (problem.task == "regression") == path.name.startswith(OF_NUMBERS),
        "test_rows": len(y),
        "evaluations": found.result["evaluations"]["made"],
        "winner": found.result["winner"],
        "ours": ours,
        **theirs,
        "standard_error": standard_error(y, said[best], problem.task),
        "processor_seconds": seconds,
    }


def main() -> int:
    """Compare on the tables asked for; status 1 if a line is not good."""
    options = arguments()
    record: dict[str, Any] = {"seed": options.seed, "tables": []}
    if options.json and options.json.exists():
        record = json.loads(options.json.read_text())
        if record["seed"] != options.seed:
            sys.exit(f"{options.json} holds figures of seed {record['seed']}; give another file.")
    with tempfile.TemporaryDirectory() as scratch:
        for path in tables(options.name):
            line = compared(path, options.seed, options.journals or Path(scratch))
            others = [kept for kept in record["tables"] if kept["table"] != line["table"]]
            record["machine"] = machine.describe()
            record["tables"] = sorted([*others, line], key=lambda kept: str(kept["table"]))
            print(" | ".join(studies.cells(line)), flush=True)
            if options.json:
                options.json.write_text(json.dumps(record, indent=1) + "\n")
    return 0 if all(studies.is_good(line) for line in record["tables"]) else 1


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tables_study")
    parser.add_argument("name", nargs="*", help="parts of file names; default every table")
    parser.add_argument("--seed", type=int, default=0, help="of the splits and the search")
    parser.add_argument("--json", type=Path, help="read and write the figures of this file")
    parser.add_argument("--journals", type=Path, help="keep journals here, to go on after a stop")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
