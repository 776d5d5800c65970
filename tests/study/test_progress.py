"""Progress is counted and reported; the clock knows the budget."""

from gramian import study
from gramian.study.progress import Clock, Counter, Step
from tests.study.tables import QUICK, mixed


def test_watchers_see_every_step_up_to_the_last():
    steps = []
    study.run(mixed(), "bought", watch=steps.append, **QUICK)
    assert steps[-1].done == steps[-1].total
    assert [s.done for s in steps] == sorted(s.done for s in steps)
    assert {s.stage for s in steps} == {"tune", "compare", "explain"}


def test_a_clock_adds_the_seconds_of_earlier_runs(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("gramian.study.progress.monotonic", lambda: now[0])
    clock = Clock(budget=60.0, before=10.0)
    now[0] += 25.0
    assert clock.seconds == 35.0
    assert clock.is_over(0.5)
    assert not clock.is_over(0.6)
    now[0] += 25.0
    assert clock.is_over()


def test_without_a_budget_it_is_never_over(monkeypatch):
    monkeypatch.setattr("gramian.study.progress.monotonic", lambda: 1e9)
    assert not Clock(None, before=1e9).is_over()


def test_a_counter_never_reports_more_than_is_planned():
    steps = []
    counter = Counter(steps.append, 2)
    for text in "abc":
        counter.step("tune", text)
    assert steps == [Step("tune", 1, 2, "a"), Step("tune", 2, 2, "b"), Step("tune", 2, 2, "c")]
    assert counter.done == 3
    Counter(None, 1).step("tune", "nobody watches")
