"""Every statement of thirty rendered runs is true of the numbers in their result.json.

The numbers are computed anew here, from the scores of the splits and from the table, by formulas
of their own: corrected t tests, Holm's adjustment, posterior probabilities, counts.
"""

import html
import json
import re
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from scipy import stats

from gramian import study
from gramian.report import render
from tests.study import made_tables

MODELS = {
    "classifier": ("LogisticRegression", "DecisionTreeClassifier", "KNeighborsClassifier"),
    "regressor": ("Ridge", "DecisionTreeRegressor", "KNeighborsRegressor"),
}
LINEAR = {"LogisticRegression", "Ridge"}
SIMPLE = {"LogisticRegression": 1, "Ridge": 1, "DecisionTreeClassifier": 2,
          "DecisionTreeRegressor": 2, "KNeighborsClassifier": 3,
          "KNeighborsRegressor": 3}  # fmt: skip
NUMBERS = ("bostonhousing.csv", "diabetes", "number", "wide")
TABLES = [
    *(("leaking", name) for name in made_tables.LEAKING),
    *(("other", name) for name in made_tables.OTHERS),
    *(("clean", name) for name in made_tables.clean_tables()),
]


def made(kind, name):
    if kind == "clean":
        return made_tables.clean(name)
    return (made_tables.LEAKING if kind == "leaking" else made_tables.OTHERS)[name]()


# --- the numbers, anew ---------------------------------------------------------------------------


class Numbers:
    """What follows from the scores of the splits."""

    def __init__(self, result):
        self.result = result
        self.metric = result["metric"]
        self.alpha = result["comparison"]["alpha"]
        self.rope = result["comparison"]["rope"]
        self.rows = {row["name"]: row for row in result["leaderboard"]}
        means = {name: self.mean(name) for name in self.rows}
        sign = -1 if self.metric == "log_loss" else 1
        models = [name for name in self.rows if name != "baseline"]
        self.best = max(models, key=lambda name: sign * means[name])
        self.means, self.sign = means, sign
        self.others = [name for name in self.rows if name != self.best]
        plain = [self.t_test(self.best, name)[0] for name in self.others]
        self.p = dict(zip(self.others, holm(plain), strict=True))

    def folds(self, name, metric=None):
        return np.array(self.rows[name]["metrics"][metric or self.metric]["folds"])

    def mean(self, name, metric=None):
        return float(self.folds(name, metric).mean())

    def t_test(self, first, second, metric=None):
        """P-value of the corrected t test, and P(second is at most rope worse)."""
        sign = 1 if metric == "roc_auc" else self.sign
        d = sign * (self.folds(first, metric) - self.folds(second, metric))
        error = np.sqrt((1 / len(d) + self.result["comparison"]["test_over_train"]) * d.var(ddof=1))
        if error == 0:
            return (1.0 if d.mean() == 0 else 0.0), float(d.mean() <= self.rope)
        return (
            2 * stats.t.sf(abs(d.mean()) / error, len(d) - 1),
            stats.t.cdf((self.rope - d.mean()) / error, len(d) - 1),
        )

    def status(self, name):
        if self.t_test(self.best, name)[1] >= 0.95:
            return "equivalent"
        worse = self.sign * (self.means[self.best] - self.means[name]) > 0
        return "worse" if worse and self.p[name] <= self.alpha else "undecided"

    def beats_baseline(self):
        gain = self.sign * (self.means[self.best] - self.means["baseline"])
        return gain > 0 and self.p["baseline"] <= self.alpha

    def ranks_rows(self):
        if "roc_auc" not in self.rows[self.best]["metrics"]:
            return False
        above = self.mean(self.best, "roc_auc") > self.mean("baseline", "roc_auc")
        return above and 2 * self.t_test(self.best, "baseline", "roc_auc")[0] <= self.alpha

    def skill(self, name):
        """Proportion of the baseline's errors avoided, or r2."""
        if "r2" in self.rows[name]["metrics"]:
            return self.mean(name, "r2")
        return 1 - (1 - self.mean(name, "accuracy")) / (1 - self.mean("baseline", "accuracy"))


def holm(p):
    order = np.argsort(p)
    adjusted, most = np.empty(len(p)), 0.0
    for place, i in enumerate(order):
        most = max(most, min(1.0, (len(p) - place) * p[i]))
        adjusted[i] = most
    return adjusted.tolist()


# --- the verdict ---------------------------------------------------------------------------------


def check_how_good(sentence, numbers):
    test = numbers.result["test"]
    found = test["scores"][numbers.metric]
    assert sentence.startswith(
        f"The best model is {numbers.best}: its {numbers.metric} on {test['rows']} test rows is "
        f"{found['value']:.4g}"
    )
    interval = re.search(r"95% interval (\S+) to ([\d.e-]+)", sentence)
    if interval:
        assert (float(interval[1]), float(interval[2])) == (
            pytest.approx(found["low"], rel=1e-3, abs=1e-12), pytest.approx(found["high"], rel=1e-3)
        )  # fmt: skip
    correct = re.search(r"it classifies ([\d.]+)% of them correctly", sentence)
    assert (correct is not None) == (test["confusion"] is not None)
    if correct:
        share = np.trace(test["confusion"]) / np.sum(test["confusion"])
        assert float(correct[1]) == pytest.approx(100 * share, abs=0.5)
        assert (correct[1] == "100") == (share == 1)


def check_others(sentence, numbers):
    sentences = {"equivalent": "", "undecided": "", "worse": ""}
    for part in re.split(r"; | \(corrected", sentence):
        lower = part.lower()
        for status, words in (
            ("equivalent", "practically as good"),
            ("undecided", "no reliable difference"),
            ("worse", "significantly worse"),
        ):
            if words in lower:
                sentences[status] = part
    for name in numbers.others:
        if name != "baseline":
            status = numbers.status(name)
            assert name in sentences[status], f"{name} is {status}: {sentence}"
            assert numbers.rows[name]["status"] == status
            assert not any(name in text for key, text in sentences.items() if key != status)
    assert f"adjusted for {len(numbers.others)} comparisons by Holm's method" in sentence
    simpler = re.search(
        r"(\w+) is simpler to explain \(mean \w+ (\S+), compared with (\S+)\)", sentence
    )
    equal = [n for n in numbers.others if n != "baseline" and numbers.status(n) == "equivalent"]
    least = min(equal, key=SIMPLE.get, default=None)
    assert bool(simpler) == (least is not None and SIMPLE[least] < SIMPLE[numbers.best])
    if simpler:
        assert float(simpler[2]) == pytest.approx(numbers.means[least], rel=1e-3)
        assert f"at most {numbers.rope:.2g} worse in {numbers.metric}" in sentence


def check_baseline(sentence, numbers):
    value = re.search(rf"ignores all features \({numbers.metric} (-?[\d.e-]+)", sentence)
    assert float(value[1].rstrip(".")) == pytest.approx(
        numbers.means["baseline"], rel=1e-3, abs=1e-9
    )
    if numbers.beats_baseline():
        assert sentence.startswith("It is significantly better than the baseline")
        p = re.search(r"adjusted p ([=<]) ([\d.]+)\)", sentence)
        if p[1] == "<":
            assert numbers.p["baseline"] < float(p[2]) == 1e-4
        else:
            assert float(p[2]) == pytest.approx(numbers.p["baseline"], rel=0.06)
        linear = [n for n in numbers.rows if n in LINEAR and n != numbers.best]
        if numbers.best not in LINEAR and linear:
            status = numbers.status(linear[0])
            assert ("and than the best linear model" in sentence) == (status == "worse")
            assert ("not reliably better than the best linear" in sentence) == (
                status == "undecided"
            )
    elif numbers.ranks_rows():
        assert "it ranks rows better than chance" in sentence
        area = re.search(r"\(AUC ([\d.]+), adjusted", sentence)
        assert float(area[1]) == pytest.approx(numbers.mean(numbers.best, "roc_auc"), rel=0.01)
    else:
        assert sentence.startswith("It is not significantly better than the baseline")
        assert sentence.endswith("don't rely on it until you have more data.")


# --- the checks ----------------------------------------------------------------------------------


def quoted(text):
    return re.findall(r"'([^']+)'", text)


def accuracy_of_values(column, y):
    """How many rows the most frequent class of each value gets right, numbers cut in two parts."""
    if column.dtype.is_numeric() or column.dtype.is_temporal():
        x = column.cast(pl.Float64).fill_null(-1e9).to_numpy()
        cuts = [np.mean((x > t) == (y == k)) for t in np.unique(x) for k in np.unique(y)]
        return max(cuts)
    values = np.array([str(v) for v in column.to_list()])
    return sum(np.unique(y[values == v], return_counts=True)[1].max() for v in set(values)) / len(y)


def true_target_leak(check, numbers, frame, target):
    for name in quoted(check["text"]):
        y = frame[target].to_numpy()
        if numbers.result["task"] == "regression":
            assert np.corrcoef(frame[name].to_numpy(), y)[0, 1] ** 2 > 0.98
        else:
            most = np.unique(y, return_counts=True)[1].max() / len(y)
            assert 1 - (1 - accuracy_of_values(frame[name], y)) / (1 - most) > 0.8


def true_missing_leak(check, numbers, frame, target):
    (name,) = quoted(check["text"])
    gone, y = frame[name].is_null().to_numpy(), frame[target].to_numpy()
    assert len(set(y[gone])) == len(set(y[~gone])) == 1


def true_identifier_leak(check, numbers, frame, target):
    (name,) = quoted(check["text"])
    classes = frame.sort(name)[target].to_list()
    assert frame[name].n_unique() == len(frame)
    assert sum(a != b for a, b in pairwise(classes)) < 0.05 * len(frame)


def true_group_leak(check, numbers, frame, target):
    (name,) = quoted(check["text"])
    assert frame[name].n_unique() < len(frame) / 2
    if check["severity"] == "serious":
        assert frame.group_by(name).agg(pl.col(target).n_unique())[target].max() == 1


def true_duplicates(check, numbers, frame, target):
    test = numbers.result["test"]
    assert check["text"].startswith(f"{test['duplicates']} of {test['rows']} test rows also appear")
    assert 0 < test["duplicates"] <= frame.is_duplicated().sum()
    assert test["duplicates"] > 0.02 * test["rows"]
    found, alone = test["scores"][numbers.metric], test["without_copies"][numbers.metric]
    assert f"{numbers.metric} is {found['value']:.4g}, and {alone:.4g} if" in check["text"]
    if check["severity"] == "serious":
        ends = [numbers.sign * v for v in (found["low"], found["high"]) if v is not None]
        assert numbers.sign * alone < min(ends, default=np.inf)


def true_nearly_perfect(check, numbers, frame, target):
    assert numbers.skill(numbers.best) >= 0.98
    shown = float(re.search(r"\((?:R2 = )?([\d.]+)", check["text"])[1])
    classify = numbers.result["task"] == "classification"
    value = numbers.mean(numbers.best, "accuracy" if classify else "r2")
    assert shown == pytest.approx(100 * value if classify else value, rel=1e-3)


def true_gap(check, numbers, frame, target):
    train, held_out = map(float, re.findall(r" (-?[\d.e-]+) on", check["text"]))
    assert train == pytest.approx(numbers.rows[numbers.best]["train"], rel=1e-3, abs=1e-9)
    assert held_out == pytest.approx(numbers.means[numbers.best], rel=1e-3, abs=1e-9)
    assert numbers.sign * (train - held_out) > 0


def true_baseline(check, numbers, frame, target):
    assert not numbers.beats_baseline()
    assert not numbers.ranks_rows()
    assert numbers.best in check["text"]
    gain = numbers.sign * (numbers.means[numbers.best] - numbers.means["baseline"])
    assert (check["severity"] == "warning") == (len(frame) < 100 and gain > 0)


def true_by_metric(check, numbers, frame, target):
    assert not numbers.beats_baseline()
    assert numbers.ranks_rows()


def true_few_rows(check, numbers, frame, target):
    assert f"has only {frame[target].drop_nulls().len()} rows" in check["text"]
    assert len(frame) < 100


def true_rare_classes(check, numbers, frame, target):
    for label in quoted(check["text"]):
        assert (frame[target].cast(pl.String) == label).sum() < 5


def true_imbalance(check, numbers, frame, target):
    share = float(re.match(r"([\d.]+)%", check["text"])[1])
    most = frame[target].value_counts()["count"].max()
    assert share == pytest.approx(100 * most / len(frame), abs=0.06)


def true_columns(check, numbers, frame, target):
    kind = check["code"].removesuffix("-columns")
    for name in quoted(check["text"]):
        distinct = frame[name].drop_nulls().n_unique()
        expected = {"constant": distinct == 1, "empty": distinct == 0,
                    "identifier": distinct > 0.9 * len(frame)}  # fmt: skip
        assert expected[kind]


def true_mostly_missing(check, numbers, frame, target):
    for name in quoted(check["text"]):
        assert frame[name].null_count() > len(frame) / 2


def true_missing_target(check, numbers, frame, target):
    assert check["text"].startswith(f"{frame[target].null_count()} of {len(frame)} rows")


def true_warning(check, numbers, frame, target):
    assert check["text"].split(":")[0] in numbers.rows


TRUE = {
    "target-leak": true_target_leak,
    "time-leak": true_target_leak,
    "missing-leak": true_missing_leak,
    "identifier-leak": true_identifier_leak,
    "group-leak": true_group_leak,
    "repeated-identifier": true_group_leak,
    "duplicate-rows": true_duplicates,
    "nearly-perfect": true_nearly_perfect,
    "gap": true_gap,
    "baseline": true_baseline,
    "baseline-by-metric": true_by_metric,
    "few-rows": true_few_rows,
    "rare-classes": true_rare_classes,
    "imbalance": true_imbalance,
    "constant-columns": true_columns,
    "empty-columns": true_columns,
    "identifier-columns": true_columns,
    "mostly-missing": true_mostly_missing,
    "target-missing": true_missing_target,
    "fit-warning": true_warning,
}


# --- the runs ------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "name"), TABLES, ids=[" ".join(table) for table in TABLES])
def test_every_statement_is_true_of_the_numbers(kind, name):
    frame, target = made(kind, name)
    models = MODELS["regressor" if name in NUMBERS else "classifier"]
    found = study.run(frame, target, evals=3, models=models)
    result = json.loads(json.dumps(found.result))
    numbers = Numbers(result)

    assert result["winner"] == numbers.best
    check_how_good(result["verdict"][0], numbers)
    check_others(result["verdict"][1], numbers)
    check_baseline(result["verdict"][2], numbers)
    for check in result["checks"]:
        TRUE[check["code"]](check, numbers, frame, target)
    codes = {check["code"] for check in result["checks"]}
    assert ("nearly-perfect" in codes) == (numbers.skill(numbers.best) >= 0.98)
    assert ("baseline" in codes) == (not numbers.beats_baseline() and not numbers.ranks_rows())

    serious = [c["text"] for c in result["checks"] if c["severity"] == "serious"]
    assert result["headline"] == serious
    if kind == "leaking":
        assert serious
    elif kind == "clean" or name != "useless":
        assert serious == []
    else:
        assert [c["code"] for c in result["checks"] if c["severity"] == "serious"] == ["baseline"]

    page = html.unescape(re.sub(r"<(?:wbr|/?b|/?em)>", "", render(found.contents)))
    page = page.replace("\u00a0", " ")
    for text in (*result["headline"], *result["verdict"], *(c["text"] for c in result["checks"])):
        assert text in page, text
    words = {"worse": "worse", "undecided": "no reliable difference", "equivalent": "as good"}
    board = re.search(r'<table id="board".*?</table>', page, re.DOTALL)[0]
    shown = re.findall(rf'data-metric="{numbers.metric}" data-value="\d">([^<]+)</td>', board)
    expected = ["best" if n == numbers.best else words[numbers.status(n)] for n in numbers.rows]
    assert shown == expected
