"""Data that the tests share with those of `gramian.cluster`."""

from tests.cluster.conftest import digits  # noqa: F401
