"""A builder of ONNX graphs, operator by operator."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import gramian
from gramian.base.errors import need

OPSET, ML_OPSET, IR_VERSION = 18, 3, 9
OUTPUTS = ("label", "probabilities", "scores", "variable")


@dataclass(frozen=True)
class Results:
    """Names of the output tensors of a model.

    Attributes
    ----------
    label
        A class or cluster for each row, shape (n,).
    probabilities, scores
        Values for each class, shape (n, classes).
    variable
        Predicted values, shape (n, targets).
    classes
        The labels in the order of the columns of `probabilities`.
    actions
        The possible values of `label`, if they are not `classes`.
    """

    label: str | None = None
    probabilities: str | None = None
    scores: str | None = None
    variable: str | None = None
    classes: npt.NDArray[Any] | None = None
    actions: npt.NDArray[Any] | None = None


class Graph:
    """Builder that collects inputs, constants and operators; tensors are referred to by name."""

    def __init__(self) -> None:
        self.onnx = need("onnx", extra="onnx")
        self.inputs: list[Any] = []
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._used_names = set(OUTPUTS)

    def input(self, name: str, kind: str, width: int, description: str = "") -> str:
        """Add an input of shape (n, width): "float32", "float64" or "string"."""
        types = {"string": self.onnx.TensorProto.STRING, "float32": self.onnx.TensorProto.FLOAT}
        dtype = types.get(kind, self.onnx.TensorProto.DOUBLE)
        value = self.onnx.helper.make_tensor_value_info(name, dtype, [None, width], description)
        self.inputs.append(value)
        self._used_names.add(name)
        return name

    def op(self, kind: str, *inputs: str, **settings: Any) -> str:
        """Add an operator with one output and return the name of the output."""
        (output,) = self.ops(kind, *inputs, n_outputs=1, **settings)
        return output

    def ops(self, kind: str, *inputs: str, n_outputs: int, **settings: Any) -> list[str]:
        """Add an operator and return the names of its outputs."""
        outputs = [self.unused(kind.lower()) for _ in range(n_outputs)]
        self.nodes.append(self.onnx.helper.make_node(kind, list(inputs), outputs, **settings))
        return outputs

    def constant(self, values: npt.ArrayLike, dtype: npt.DTypeLike = np.float64) -> str:
        """Add an array as a constant."""
        name = self.unused("constant")
        array = np.asarray(values, dtype=dtype)
        self.constants.append(self.onnx.numpy_helper.from_array(array, name))
        return name

    def cast(self, tensor: str, kind: str) -> str:
        """Convert to "float32", "float64", "int64" or "bool"."""
        types = {"float32": "FLOAT", "float64": "DOUBLE", "int64": "INT64", "bool": "BOOL"}
        return self.op("Cast", tensor, to=getattr(self.onnx.TensorProto, types[kind]))

    def concatenate(self, columns: list[str]) -> str:
        """Concatenate blocks of columns."""
        return columns[0] if len(columns) == 1 else self.op("Concat", *columns, axis=1)

    def labels(self, codes: str, classes: npt.NDArray[Any]) -> str:
        """Return the class of each code."""
        return self.op("Gather", self.constant(classes, classes.dtype), codes, axis=0)

    def finish(self, results: Results) -> Any:
        """Return the model with these outputs; numeric outputs are float32."""
        outputs = []
        for name in OUTPUTS:
            tensor = getattr(results, name)
            if tensor is not None:
                input_names = {value.name for value in self.inputs}
                output_name = self.unused(name) if name in input_names else name
                converted = tensor if name == "label" else self.cast(tensor, "float32")
                self.nodes.append(
                    self.onnx.helper.make_node("Identity", [converted], [output_name])
                )
                outputs.append(self._output(output_name, name, results))
        helper = self.onnx.helper
        graph = helper.make_graph(self.nodes, "gramian", self.inputs, outputs, self.constants)
        model = helper.make_model(
            graph,
            opset_imports=[
                helper.make_opsetid("", OPSET),
                helper.make_opsetid("ai.onnx.ml", ML_OPSET),
            ],
            ir_version=IR_VERSION,
            producer_name="gramian",
            producer_version=gramian.__version__,
        )
        self.onnx.checker.check_model(model)
        return model

    def _output(self, name: str, what: str, results: Results) -> Any:
        helper = self.onnx.helper
        if what == "label":
            chosen = results.classes if results.actions is None else results.actions
            dtype = np.dtype(np.int64) if chosen is None else chosen.dtype
            return helper.make_tensor_value_info(
                name, helper.np_dtype_to_tensor_dtype(dtype), [None]
            )
        width = (
            len(results.classes)
            if what == "probabilities" and results.classes is not None
            else None
        )
        return helper.make_tensor_value_info(name, self.onnx.TensorProto.FLOAT, [None, width])

    def unused(self, name: str) -> str:
        """Return the name, with a number appended if it is already used."""
        output_name, number = name, 0
        while output_name in self._used_names:
            number += 1
            output_name = f"{name}_{number}"
        self._used_names.add(output_name)
        return output_name


def onnx_labels(classes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return labels in a type that ONNX supports: integers, floats or strings."""
    if classes.dtype.kind in "iub":
        return classes.astype(np.int64)
    return classes.astype(np.float64) if classes.dtype.kind == "f" else classes.astype(object)
