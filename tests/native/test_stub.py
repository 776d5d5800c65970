"""The generated stub names exactly what the compiled module holds."""

import ast
from pathlib import Path

from gramian import _native


def test_the_stub_equals_the_module():
    stub = ast.parse(Path(_native.__file__).with_name("_native.pyi").read_text())
    kinds = (ast.FunctionDef, ast.ClassDef)
    named = {node.name for node in stub.body if isinstance(node, kinds)}
    held = {name for name in dir(_native) if not name.startswith("__")}
    assert named == held
