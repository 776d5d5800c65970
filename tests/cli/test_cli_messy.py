"""A messy table from fit to predictions: the columns that decide the target are used."""

import csv
import json
from datetime import datetime, timedelta

import numpy as np
import polars as pl
import pytest

from gramian import read_table, study
from tests.cli.command import call


def american(rows=240, seed=0):
    """Rows of an American spreadsheet; price, miles, share and day decide the target together."""
    rng = np.random.default_rng(seed)
    price, miles = rng.uniform(100, 9000, rows), rng.integers(500, 90_000, rows)
    share, days = rng.uniform(0, 1, rows), rng.integers(0, 365, rows)
    score = price / 9000 + miles / 90_000 + share + days / 365
    start = datetime(2023, 1, 1)
    return [
        {
            "price": f"${price[i]:,.2f}",
            "miles": f"{miles[i]:,}",
            "share": f"{100 * share[i]:.0f}%",
            "sold": (start + timedelta(days=int(days[i]))).strftime("%m/%d/%Y %H:%M"),
            "good": "Yes" if score[i] > 2 else "No",
        }
        for i in range(rows)
    ]


def write(path, rows):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


@pytest.fixture(scope="module")
def us(tmp_path_factory):
    folder = tmp_path_factory.mktemp("us")
    write(folder / "us.csv", american())
    return folder


@pytest.mark.slow
def test_us_csv_is_learned_and_its_model_reads_new_rows(us, here, capsys):
    options = ["--evals", "3", "--models", "LogisticRegression"]
    done = call(capsys, "fit", str(us / "us.csv"), "-t", "good", *options, "--out", "run")
    assert done.code == 0, done.err
    assert "'sold' is read as dates, month first: '" in done.err
    report = json.loads((here / "run" / "report.json").read_text())
    kinds = {c["name"]: c["kind"] for c in report["columns"]["shown"] if c["used"]}
    assert kinds == {"price": "numeric", "miles": "numeric", "share": "numeric", "sold": "date"}
    result = json.loads((here / "run" / "result.json").read_text())
    assert result["test"]["scores"]["accuracy"]["value"] > 0.9

    new = american(40, seed=1)
    new[0]["price"] = "cheap"
    write(here / "new.csv", new)
    model = str(here / "run" / "model.gram")
    done = call(capsys, "predict", model, "new.csv", "--out", "p.csv")
    assert "1 value of 'price' is not a number and is treated as missing: 'cheap'" in done.err
    found = pl.read_csv("p.csv")["prediction"].to_list()
    assert np.mean([p == row["good"] for p, row in zip(found, new, strict=True)]) > 0.85
    # Rows with days up to 12 alone are read with the month first, as in the table of the fit.
    every = american(200, seed=2)
    early = [row["sold"][3:5] <= "12" for row in every]
    write(here / "every.csv", every)
    write(here / "early.csv", [row for row, kept in zip(every, early, strict=True) if kept])
    for name in ("every", "early"):
        assert call(capsys, "predict", model, f"{name}.csv", "--out", f"{name}-p.csv").code == 0
    assert pl.read_csv("early-p.csv").equals(pl.read_csv("every-p.csv").filter(early))
    typed = read_table(us / "us.csv").frame.with_columns(pl.lit(1).alias("more"))
    typed.write_parquet("typed.parquet")
    assert call(capsys, "predict", model, "typed.parquet", "--out", "typed-p.csv").code == 0
    assert call(capsys, "predict", model, str(us / "us.csv"), "--out", "us-p.csv").code == 0
    assert pl.read_csv("typed-p.csv").equals(pl.read_csv("us-p.csv"))


def same(one, other):
    """Whether two results agree in all but names, notes and times."""
    kept = ("task", "reason", "winner", "verdict", "test", "leaderboard", "comparison", "checks")
    return [one[k] for k in kept] == [other[k] for k in kept]


@pytest.mark.slow
@pytest.mark.parametrize("library", ["polars", "pandas", "pyarrow"])
def test_the_call_gives_what_the_command_gives(us, here, capsys, library):
    pd = pytest.importorskip("pandas")
    command = call(
        capsys, "fit", str(us / "us.csv"), "-t", "good", "--evals", "2", "--json",
        "--models", "LogisticRegression,DecisionTreeClassifier",
    )  # fmt: skip
    frame = {
        "polars": lambda: pl.read_csv(us / "us.csv"),
        "pandas": lambda: pd.read_csv(us / "us.csv"),
        "pyarrow": lambda: pl.read_csv(us / "us.csv").to_arrow(),
    }[library]()
    models = ("LogisticRegression", "DecisionTreeClassifier")
    found = study.run(frame, "good", evals=2, models=models)
    expected = json.loads(command.out)
    plain = json.loads(json.dumps(found.result))
    assert same(plain, expected)
    assert plain["data"]["notes"] == expected["data"]["notes"]
