"""``gramian models`` and ``gramian doctor`` end to end."""

import json

from tests.cli.command import call


def test_models_and_doctor(capsys):
    names = {row["model"] for row in json.loads(call(capsys, "models", "--json").out)}
    assert {"LogisticRegression", "Ridge"} <= names
    lines = call(capsys, "models").out.splitlines()  # a line each, for whoever reads by a pipe
    assert [line.split()[0] for line in lines[1:]] == [
        row["model"] for row in json.loads(call(capsys, "models", "--json").out)
    ]
    every = {row["model"] for row in json.loads(call(capsys, "models", "--all", "--json").out)}
    assert "RidgeClassifier" in every - names
    assert not every & {"BayesDecision", "VotingClassifier"}  # made of other models
    done = call(capsys, "doctor", "--json")
    assert done.code == 0
    assert set(json.loads(done.out)["checks"].values()) == {"works"}
