"""Ctrl-C in the middle of a long block or a long call of LAPACK.

What counts is the processor time between the key and KeyboardInterrupt: other processes do not add
to it. Left alone, each fit takes many times the bound below after the key is pressed.
"""

import subprocess
import sys
import textwrap

import pytest

CODE = """
import os, signal, threading, time
import numpy as np
import gramian

rng = np.random.default_rng(0)
X = rng.random({shape}, dtype=np.{dtype})
y = X[:, 0] + np.sin(9 * X[:, 1]) + rng.random(len(X))
model = gramian.{model}
pressed = []
start = time.process_time()

def press():
    while time.process_time() - start < {after}:
        time.sleep(0.02)
    pressed.append(time.process_time())
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=press, daemon=True).start()
try:
    model.fit(X, y)
except KeyboardInterrupt:
    print(time.process_time() - pressed[0], flush=True)
os._exit(0)  # what was left in LAPACK need not end
"""
FITS = {
    "forest": ("RandomForestRegressor(100, max_features=1.0)", (200_000, 40), "float32", 5),
    "extra trees": ("ExtraTreesRegressor(50)", (250_000, 40), "float32", 3),
    "singular values": ("Ridge(solver='svd')", (2_500, 1_500), "float64", 4),
}


@pytest.mark.slow
@pytest.mark.parametrize("fit", FITS)
def test_a_fit_stops_soon_after_the_key(fit):
    model, shape, dtype, after = FITS[fit]
    code = CODE.format(model=model, shape=shape, dtype=dtype, after=after)
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=280
    )
    assert done.stdout, f"it ended before the key was pressed: {done.stderr}"
    assert float(done.stdout) < 2.5
