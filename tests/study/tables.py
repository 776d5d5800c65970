"""Small tables that studies in tests learn from."""

import numpy as np
import polars as pl


def mixed(n: int = 120, seed: int = 0) -> pl.DataFrame:
    """Numbers, a category, a key and a constant; "bought" depends on the first three."""
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 80, n)
    income = rng.normal(50, 15, n).round(1)
    town = rng.choice(["Aachen", "Bonn", "Celle"], n)
    score = 0.08 * (age - 45) + 0.05 * (income - 50) + np.where(town == "Bonn", 1.5, -0.5)
    bought = np.where(score + rng.normal(0, 0.5, n) > 0, "yes", "no")
    cells = [None if gone else float(v) for v, gone in zip(income, rng.random(n) < 0.1)]  # noqa: B905
    return pl.DataFrame(
        {
            "customer": [f"C{i:05d}" for i in range(n)],
            "age": age,
            "income": cells,
            "town": town,
            "country": ["D"] * n,
            "bought": bought,
        }
    )


def prices(n: int = 90, seed: int = 1) -> pl.DataFrame:
    """A number that is linear in two others, with noise."""
    rng = np.random.default_rng(seed)
    area, rooms = rng.uniform(30, 150, n), rng.integers(1, 6, n)
    price = 2.5 * area + 10 * rooms + rng.normal(0, 10, n)
    return pl.DataFrame({"area": area, "rooms": rooms, "price": price})


QUICK = {"evals": 4, "models": ("LogisticRegression", "KNeighborsClassifier")}
