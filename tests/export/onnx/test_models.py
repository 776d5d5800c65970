"""The table of converters names estimators of gramian, each once tested in `test_conversion`."""

from gramian.base.catalogue import ESTIMATORS
from gramian.export.onnx.conversion import is_exported_tree
from gramian.export.onnx.models import CONVERTERS
from gramian.study.search.spaces import SPACES

# Models that the search may name and that are not written yet; `to_onnx` refuses them by name.
NOT_WRITTEN = {"SVC", "SVR"}


def test_converters_are_of_estimators_that_exist():
    assert set(CONVERTERS) <= {e.name for e in ESTIMATORS}


def test_every_model_of_the_search_is_written_by_a_converter_or_as_trees():
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    for entry in ESTIMATORS:
        if entry.name in SPACES and entry.name not in {*CONVERTERS, *NOT_WRITTEN}:
            assert is_exported_tree(entry.resolve()().fit(X * 10, y * 10)), entry.name
