"""The steps that have kernels pass their tests with every instruction set of this machine."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gramian import _native

HERE = Path(__file__).parent
WITH_KERNELS = ["test_brute.py", "test_kmeans_steps.py", "test_lsh.py"]


@pytest.mark.skipif("GRAMIAN_ISA" in os.environ, reason="inside such a run")
@pytest.mark.parametrize("isa", [s for s in ("plain", "v2", "v3") if s != _native.isa()])
def test_the_steps_pass_their_tests_with_another_instruction_set(isa):
    probe = [sys.executable, "-c", "from gramian import _native; print(_native.isa())"]
    environment = {**os.environ, "GRAMIAN_ISA": isa}
    started = subprocess.run(probe, capture_output=True, text=True, env=environment, check=False)
    if started.returncode:
        pytest.skip(f"this machine does not run {isa}")
    assert started.stdout.strip() == isa
    tests = [sys.executable, "-m", "pytest", "-q", *(str(HERE / name) for name in WITH_KERNELS)]
    done = subprocess.run(tests, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
