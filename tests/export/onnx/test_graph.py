"""A graph that grows operator by operator."""

import numpy as np
import pytest

from gramian.export.onnx.graph import Graph, Results
from tests.export.onnx.tables import answers

pytest.importorskip("onnx", reason="needs the extra onnx")
pytest.importorskip("onnxruntime", reason="ONNX Runtime checks the answers")


def test_names_are_given_once():
    graph = Graph()
    assert [graph.input("add", "float64", 1), graph.unused("add")] == ["add", "add_1"]
    assert graph.op("Add", "add", graph.constant(1.0)) == "add_2"


def test_an_output_is_renamed_if_an_input_has_its_name():
    graph = Graph()
    rows = graph.input("variable", "float64", 2)
    found = graph.finish(Results(variable=graph.op("Add", rows, graph.constant(1.0))))
    X = np.array([[1.0, 2.0]])
    assert [o.name for o in found.graph.output] == ["variable_1"]
    np.testing.assert_array_equal(answers(found, {"variable": X})["variable_1"], [[2, 3]])


def test_labels_have_the_type_of_the_classes():
    for classes in (np.array([3, 5]), np.array([0.5, 1.5]), np.array(["a", "b"], dtype=object)):
        graph = Graph()
        rows = graph.input("X", "float64", 2)
        codes = graph.op("ArgMax", rows, axis=1, keepdims=0)
        found = graph.finish(Results(label=graph.labels(codes, classes), classes=classes))
        label = answers(found, {"X": np.array([[0.0, 1.0], [1.0, 0.0]])})["label"]
        assert label.tolist() == classes[::-1].tolist()
