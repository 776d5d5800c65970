"""The examples of the docstrings run and print what they say."""

import doctest
import importlib
import pkgutil
import sys

import pytest

import gramian

# Their names have the docstrings of scikit-learn's.
OF_OTHERS = {"gramian.accelerate.estimators", "gramian.accelerate.functions"}
MODULES = ["gramian"] + [
    module.name
    for module in pkgutil.walk_packages(gramian.__path__, "gramian.")
    if not module.name.endswith(("__main__", "_native")) and module.name not in OF_OTHERS
]


NEEDS_TORCH = {"gramian.neural_network.convolution.local_module"}


@pytest.mark.slow
@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    if name in NEEDS_TORCH:
        pytest.importorskip("torch", reason='PyTorch is not installed: pip install "gramian[nn]"')
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
    assert result.failed == 0
