"""Memory that a tree takes above the table, in a process of its own.

tracemalloc does not see native memory, so the peak of the resident memory counts.
"""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not Path("/proc/self/clear_refs").exists(),
        reason="only Linux reports a peak since a given time",
    ),
]

MEASURE = """
import sys
import numpy as np
import gramian

def megabytes(name):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name)) / 1024

name, dtype, trees = sys.argv[1:]
rng = np.random.default_rng(0)
X = np.empty((200_000, 50), dtype=dtype)
for j in range(50):
    X[:, j] = rng.standard_normal(len(X))
y = X[:, 0] * X[:, 1] + X[:, 2] + rng.standard_normal(len(X))
y = y > 0 if name.endswith("Classifier") else y
settings = {"n_estimators": int(trees)} if int(trees) else {}
model = getattr(gramian, name)(max_depth=8, random_state=0, **settings)
model.fit(X[:300], y[:300])
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")
before = megabytes("VmRSS")
model.fit(X, y)
print(megabytes("VmHWM") - before)
"""


@pytest.mark.parametrize(
    ("name", "dtype", "trees", "most"),
    [
        # about 45 MB for one tree, whatever the dtype; scikit-learn copies float64: 50 MB
        ("DecisionTreeClassifier", "float32", 0, 60),
        ("DecisionTreeClassifier", "float64", 0, 60),
        ("DecisionTreeRegressor", "float64", 0, 60),
        ("RandomForestClassifier", "float64", 10, 95),
    ],
)
def test_trees_take_little_memory_above_the_table(name, dtype, trees, most):
    command = [sys.executable, "-c", MEASURE, name, dtype, str(trees)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert float(done.stdout) < most
