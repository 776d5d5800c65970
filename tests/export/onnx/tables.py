"""A table with every kind of column that a model takes, and what ONNX Runtime says of it."""

import numpy as np
import polars as pl


def shop(n=240, seed=0):
    """Numbers with gaps, rare and missing categories, dates before and after 1970."""
    rng = np.random.default_rng(seed)
    age, income = rng.integers(18, 80, n), rng.normal(50, 15, n)
    town = rng.choice(["Aachen", "Bonn", "Celle"], n)
    when = np.datetime64("1968-02-20T00:00", "us") + rng.integers(0, 4 * 10**8, n) * 10**6
    month = when.astype("datetime64[M]").astype(int) % 12
    score = 0.08 * (age - 45) + 0.05 * (income - 50) + (town == "Bonn") + 0.2 * (month - 5)
    score += rng.normal(0, 0.5, n)
    gone = rng.random((n, 2)) < 0.1

    def holed(values, which):
        return [None if no else v for v, no in zip(values.tolist(), gone[:, which], strict=True)]

    return pl.DataFrame(
        {
            "label": age,  # the name of an output
            "income, net": holed(income, 0),
            "town": holed(town, 1),
            "street": [f"s{i}" for i in rng.integers(0, 40, n)],  # more levels than are kept
            "when": when,
            "flag": rng.random(n) < 0.5,
            "two": np.where(score > 0, "yes", "no"),
            "three": np.digitize(score, [-1, 1]),
            "price": 100 + 20 * score,
        }
    )


def new_rows(n=400, seed=1):
    """Other rows, with unseen categories."""
    town = pl.when(pl.int_range(pl.len()) % 7 == 0).then(pl.lit("Zwickau")).otherwise("town")
    return shop(n, seed).with_columns(town.alias("town"))


def answers(found, inputs):
    """Return the outputs of ONNX Runtime by name."""
    import onnxruntime

    session = onnxruntime.InferenceSession(found.SerializeToString())
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(None, inputs), strict=True))
