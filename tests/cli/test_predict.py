"""``gramian predict`` end to end."""

import numpy as np
import polars as pl

import gramian
from tests.cli.command import call, last
from tests.study.tables import mixed


def test_predict_writes_a_line_for_each_row(finished, here, capsys):
    model, table = str(finished / "run" / "model.gram"), str(finished / "shop.csv")
    done = call(capsys, "predict", model, table)
    assert (done.code, done.out) == (0, "shop-predictions.csv\n")
    frame = pl.read_csv(last(done.out))
    assert frame.columns == ["prediction", "p(no)", "p(yes)"]
    expected = gramian.load(model).predict(mixed())
    assert frame["prediction"].to_list() == expected.tolist()
    np.testing.assert_allclose(frame["p(no)"] + frame["p(yes)"], 1)
    assert call(capsys, "predict", model, table).out == "shop-predictions-2.csv\n"


def test_predict_writes_parquet_and_to_standard_output(finished, here, capsys):
    model, table = str(finished / "run" / "model.gram"), str(finished / "shop.csv")
    done = call(capsys, "predict", model, table, "--out", "said.parquet", "--no-probabilities")
    assert pl.read_parquet(last(done.out)).columns == ["prediction"]
    done = call(capsys, "predict", model, table, "--out", "-")
    assert done.out.startswith("prediction,p(no),p(yes)\n")
    assert done.out.count("\n") == 121


def test_predict_copes_with_other_columns_orders_and_levels(finished, here, capsys):
    frame = mixed().head(20).select("town", "age", "income").with_columns(
        pl.lit("Zwickau").alias("town"), pl.lit(1).alias("new")
    )  # fmt: skip
    frame.write_csv("new.csv")
    done = call(capsys, "predict", str(finished / "run" / "model.gram"), "new.csv")
    assert done.code == 0
    assert "ignored by the model: 'new'" in done.err
    assert "1 unseen values in 'town'" in done.err
    assert pl.read_csv(last(done.out)).height == 20


def test_predict_marks_what_is_rejected(here, capsys):
    mixed().write_csv("shop.csv")
    done = call(
        capsys, "fit", "shop.csv", "-t", "bought", "--reject", "0.2", "--evals", "1", "--out", "run"
    )
    assert done.code == 0
    done = call(capsys, "predict", "run/model.gram", "shop.csv")
    frame = pl.read_csv(last(done.out))
    assert frame["rejected"].sum() > 0
    assert frame.filter(pl.col("rejected"))["prediction"].null_count() == frame["rejected"].sum()
    sure = frame.filter(~pl.col("rejected"))
    assert sure.select(pl.max_horizontal("p(no)", "p(yes)")).to_series().min() >= 0.8
