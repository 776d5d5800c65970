"""A mistake is one line on standard error, exit code 2, and leaves nothing behind."""

import zipfile

import polars as pl
import pytest

from tests.cli.command import call
from tests.study.tables import mixed


@pytest.fixture
def shop(here):
    mixed().write_csv("shop.csv")
    mixed().head(9).write_csv("nine.csv")
    (here / "empty.csv").write_bytes(b"")
    (here / "binary.csv").write_bytes(bytes(range(256)) * 8)
    (here / "costs.csv").write_text("a,b\n1,2\n")
    (here / "ragged.csv").write_text("0,1\n1\n")
    return here


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["none.csv", "-t", "x"], "no such file"),
        (["empty.csv", "-t", "x"], "empty"),
        (["binary.csv", "-t", "x"], "neither text nor"),
        ([".", "-t", "x"], "folder"),
        (["shop.csv", "-t", "bougth"], "did you mean 'bought'?"),
        (["shop.csv", "-t", "country"], "only one class"),
        (["nine.csv", "-t", "bought"], "9 rows; at least 10"),
        (["shop.csv", "-t", "bought", "--metric", "acuracy"], "Did you mean 'accuracy'?"),
        (
            ["shop.csv", "-t", "bought", "--models", "Forest"],
            "--models: there is no classifier 'Forest'",
        ),
        (["shop.csv", "-t", "bought", "--models", "VotingClassifier"], "cannot be tried alone"),
        (["shop.csv", "-t", "bought", "--budget", "soon"], "--budget must be a time"),
        (["shop.csv", "-t", "bought", "--memory", "lots"], "--memory must be an amount"),
        (["shop.csv", "-t", "bought", "--costs", "costs.csv"], "costs must be numbers"),
        (["shop.csv", "-t", "bought", "--costs", "ragged.csv"], "costs must be numbers"),
        (["shop.csv", "-t", "bought", "--alpha", "2"], "--alpha must be between 0 and 1"),
        (["shop.csv", "-t", "bought", "--task", "guess"], "--task must be one of"),
        (
            ["shop.csv", "-t", "bought", "--drop", "town", "--groups", "twn"],
            "--groups: there is no column 'twn'; did you mean 'town'",
        ),
        (["--example", "beer"], "the examples are"),
        ([], "one table is needed"),
        (["--resume", "nowhere"], "not a run directory"),
        (
            ["shop.csv", "-t", "bought", "--evals", "3", "--resume", "run", "--json"],
            "with the table and settings it started with; leave out the table, --target, --evals.",
        ),
    ],
)
def test_fit(arguments, words, shop, capsys):
    before = sorted(shop.iterdir())
    done = call(capsys, "fit", *arguments)
    assert done.code == 2
    assert words in done.err
    assert done.err.count("\n") == 1
    assert done.err.startswith("gramian: ")
    assert done.out == ""
    assert sorted(shop.iterdir()) == before


def test_an_unknown_option_is_reported_by_typer(capsys):
    assert call(capsys, "fit", "--nonsense").code == 2
    assert call(capsys, "predict").code == 2


def damaged(path, at):
    data = bytearray(path.read_bytes())
    data[at] ^= 255
    return bytes(data)


@pytest.mark.slow
def test_a_damaged_or_foreign_model_file_is_refused(finished, here, capsys):
    model, table = finished / "run" / "model.gram", str(finished / "shop.csv")
    size = model.stat().st_size
    files = {f"damaged-{at}.gram": damaged(model, at) for at in range(0, size, max(1, size // 40))}
    files["short.gram"] = model.read_bytes()[: size // 2]
    files["text.gram"] = b"not a model"
    files["empty.gram"] = b""
    refused = 0
    for name, data in files.items():
        (here / name).write_bytes(data)
        done = call(capsys, "predict", name, table, "--out", "-")
        if done.code == 0:  # a byte of a date in the archive matters to nobody
            continue
        refused += 1
        assert done.code == 2, name
        assert done.err.count("\n") == 1, done.err
    assert refused > 0.7 * len(files)
    done = call(capsys, "predict", "none.gram", table)
    assert (done.code, "no such file" in done.err) == (2, True)


def test_a_tampered_model_file_is_refused(finished, here, capsys):
    """One array is exchanged for another; the digest in the manifest does not agree."""
    model, table = finished / "run" / "model.gram", str(finished / "shop.csv")
    with zipfile.ZipFile(model) as old, zipfile.ZipFile("new.gram", "w") as new:
        names = [name for name in old.namelist() if name.endswith(".npy")]
        for name in old.namelist():
            source = names[1] if name == names[0] else name
            new.writestr(name, old.read(source))
    done = call(capsys, "predict", "new.gram", table)
    assert done.code == 2
    assert "damaged" in done.err


def test_missing_columns_are_named(finished, here, capsys):
    mixed().drop("age", "town").write_csv("new.csv")
    done = call(capsys, "predict", str(finished / "run" / "model.gram"), "new.csv")
    assert done.code == 2
    assert "'age', 'town'" in done.err
    assert done.err.count("\n") == 1


@pytest.mark.slow
def test_data_that_changed_cannot_be_resumed(here, capsys):
    mixed().write_csv("shop.csv")
    assert call(capsys, "fit", "shop.csv", "-t", "bought", "--evals", "1", "--out", "run").code == 0
    mixed(seed=5).write_csv("shop.csv")
    done = call(capsys, "fit", "--resume", "run")
    assert done.code == 2
    assert "changed" in done.err


def test_an_unfinished_run_has_no_report(here, capsys):
    (here / "run").mkdir()
    (here / "run" / "run.toml").write_text('command = "gramian fit"\n')
    done = call(capsys, "report", "run")
    assert done.code == 2
    assert "gramian fit --resume run" in done.err


def test_what_is_no_run_has_no_report(here, capsys):
    done = call(capsys, "report", "nowhere")
    assert done.code == 2
    assert "not a run directory" in done.err


@pytest.mark.slow
def test_what_is_odd_works_and_is_said(here, capsys, rng):
    """Missing targets, another encoding, ten thousand columns."""
    frame = mixed().with_columns(
        pl.when(pl.int_range(pl.len()) % 10 == 0)
        .then(None)
        .otherwise(pl.col("bought"))
        .alias("bought"),
        pl.col("town").replace({"Celle": "Zürich"}),
    )
    (here / "shop.csv").write_bytes(frame.write_csv().encode("latin-1"))
    done = call(capsys, "fit", "shop.csv", "-t", "bought", "--evals", "2")
    assert done.code == 0
    assert "read as Latin-1" in done.err
    assert "12 of 120 rows have no value in 'bought'" in done.err

    many_columns = pl.DataFrame(rng.normal(size=(40, 10_000)))
    many_columns = many_columns.with_columns(pl.Series("y", np_labels(many_columns["column_0"])))
    many_columns.write_parquet("wide.parquet")
    done = call(capsys, "fit", "wide.parquet", "-t", "y", "--evals", "1")
    assert done.code == 0


def np_labels(column):
    return ["high" if v > 0 else "low" for v in column]
