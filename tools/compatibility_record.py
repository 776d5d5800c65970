"""pytest plugin of tools/compatibility: records the outcome of every test by module and name."""

import json
import os
import signal

import pytest

OUTCOMES = {}
TIME_LIMIT = 120  # maximum seconds per test


def pytest_collection_modifyitems(items):
    """Keep the requested tests, or all if none are named."""
    asked = json.loads(os.environ["COMPATIBILITY_TESTS"])
    if asked is not None:
        items[:] = [item for item in items if item.name in asked]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call():
    """Fail a test that takes too long."""

    def stop(*_):
        raise TimeoutError(f"more than {TIME_LIMIT} s")

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(TIME_LIMIT)
    try:
        yield
    finally:
        signal.alarm(0)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Record an error in setup, call or teardown, or that the call passed."""
    report = (yield).get_result()
    tests = OUTCOMES.setdefault(item.module.__name__, {})
    if report.failed:
        message = str(call.excinfo.value).strip().partition("\n")[0]
        tests[item.name] = f"{call.excinfo.typename}: {message}"[:200]
    elif report.passed and report.when == "call":
        tests.setdefault(item.name, "passed")


def pytest_unconfigure():
    """Write all outcomes."""
    with open(os.environ["COMPATIBILITY_RECORD"], "w", encoding="utf-8") as file:
        json.dump(OUTCOMES, file)
