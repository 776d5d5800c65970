"""Settings in files."""

import pytest

from gramian import study
from gramian.base.errors import ParameterError
from gramian.data import LoadedTable
from gramian.study.run_folder import read_run, write_run


def test_settings_survive_the_file(tmp_path):
    settings = study.Settings(
        target='the "target", with ü',
        costs=((0.0, 1.0), (5.0, 0.0)),
        models=("Ridge",),
        budget=60.0,
    )
    write_run(
        tmp_path, settings, LoadedTable(None, "t", "CSV", "00"), "/some/where.csv", "gramian fit"
    )
    assert study.Settings.of(read_run(tmp_path)["settings"]) == settings


@pytest.mark.parametrize("name", ["groups", "time", "weights", "drop"])
def test_the_target_has_no_other_role(name):
    value = ("sold",) if name == "drop" else "sold"
    with pytest.raises(ParameterError, match=rf"^{name} must .* the target"):
        study.Settings(target="sold", **{name: value})
    assert getattr(study.Settings(target="price", **{name: value}), name) == value


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("metric", "accuracy"), ("evals", 3), ("models", ("Ridge",)), ("alpha", 0.1),
        ("test_size", 0.3), ("groups", "g"), ("time", "t"), ("weights", "w"), ("reject", 0.1),
        ("costs", ((0.0, 1.0), (1.0, 0.0))),
    ],
)  # fmt: skip
def test_settings_without_effect_on_clusters_are_refused(name, value):
    with pytest.raises(ParameterError, match=f"^{name} cannot be used for clustering"):
        study.Settings(task="clustering", **{name: value})


def test_labels_take_no_number_of_settings_to_try():
    with pytest.raises(ParameterError, match=r"^evals cannot be used with labels"):
        study.Settings(labels=("a", "b"), evals=3)
