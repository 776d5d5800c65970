"""What the example of growing data claims holds."""

from tests.docs.test_examples import run


def test_more_workers_help_until_the_scheduler_is_the_limit():
    found = run("plot_growing_data")
    one_pass, task = found["one_pass"], found["TASK"]
    few = one_pass(10**8, 100, 1) / one_pass(10**8, 100, 10)
    assert 9 < few < 10.5
    assert one_pass(10**8, 16000, 1000) > 16000 * task  # however many workers there are
    assert one_pass(10**9, 1000, 1000) < one_pass(10**9, 16000, 1000)


def test_the_answer_does_not_depend_on_the_chunks():
    found = run("plot_growing_data")
    assert (found["parts"].coef_ == found["whole"].coef_).all()
