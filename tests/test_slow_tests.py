"""The list of slow tests names tests that exist."""

import re
from pathlib import Path

import pytest

from tests.slow_tests import SLOW

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", sorted(SLOW))
def test_a_slow_test_exists(name):
    file, _, test = name.partition("::")
    assert re.search(rf"^def {test}\(", (ROOT / file).read_text(), flags=re.M)
