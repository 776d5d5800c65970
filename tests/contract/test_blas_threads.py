"""The number of BLAS threads changes no bit of any estimator's answers.

At a size at which BLAS uses its threads. Eigenvectors and singular vectors of larger matrices may
differ, see docs/determinism.rst.
"""

import os
import subprocess
import sys

import pytest


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_one_two_and_three_threads_of_blas_give_the_same_bits(dtype):
    printed = {}
    for threads in ("1", "2", "3"):
        run = subprocess.run(
            [sys.executable, "-m", "tests.contract.blas_threads", "1200", "40", dtype],
            env=os.environ | {"OPENBLAS_NUM_THREADS": threads},
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stderr
        printed[threads] = run.stdout.splitlines()
    assert len(printed["1"]) > 300
    for threads in ("2", "3"):
        pairs = zip(printed["1"], printed[threads], strict=True)
        assert [a for a, b in pairs if a != b] == []
