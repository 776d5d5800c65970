"""The figures of the course are tested as those of `gramian.plot`."""

from tests.plot.conftest import ax, canvas  # noqa: F401
