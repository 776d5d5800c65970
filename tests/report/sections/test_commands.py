"""Commands of the report are commands of ``gramian``."""

import shlex

import polars as pl
import pytest

from gramian.report.sections.commands import predict_command, with_flags


def test_lines_of_a_report_name_flags():
    assert with_flags("Raise evals; 'evals' is a column.") == "Raise --evals; 'evals' is a column."
    assert with_flags("Use groups='customer_id'.") == "Use --groups customer_id."
    assert with_flags("Use time='sold on'.") == "Use --time 'sold on'."
    assert with_flags("medievals and test_size") == "medievals and --test"
    assert with_flags('Use groups="it\'s".') == "Use --groups 'it'\"'\"'s'."
    assert with_flags("remove them or set groups.") == "remove them or set --groups."
    assert with_flags("To include it anyway, name it in models.").endswith("in --models.")
    assert with_flags("two groups of models") == "two groups of models"


@pytest.mark.parametrize("label", ["yes", "not paid", "it's", "-1", "--none"])
def test_the_command_predicts_with_the_threshold(label, tmp_path, monkeypatch, capsys):
    pytest.importorskip("typer", reason="the command needs the extra app")
    import gramian
    from gramian.cli.app import run_app

    monkeypatch.chdir(tmp_path)
    X = pl.DataFrame({"a": [float(i) for i in range(8)]})
    labels = [label if i in (2, 4, 6, 7) else "x" for i in range(8)]
    model = gramian.KNeighborsClassifier(5).fit(X, labels)
    (tmp_path / "RUN").mkdir()
    gramian.save(model, tmp_path / "RUN" / "model.gram")
    X.write_csv(tmp_path / "DATA")
    command = shlex.split(predict_command(0.43, label))
    assert command[0] == "gramian"
    assert run_app([*command[1:], "--no-safe-csv"]) == 0
    found = pl.read_csv(capsys.readouterr().out.strip(), infer_schema_length=0)
    p = found[f"p({label})"].cast(float)
    assert ((found["prediction"] == label) == (p >= 0.43)).all()
    assert 0 < (p >= 0.43).sum() < 8
