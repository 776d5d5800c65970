import threading

import pytest

from gramian.base.cached import cached_property


class Model:
    computed = 0

    @cached_property
    def value(self):
        self.computed += 1
        return [self.computed]


def test_the_value_is_computed_once_and_can_be_deleted():
    model = Model()
    assert model.value is model.value
    del model.value
    assert model.value == [2]
    assert isinstance(Model.value, cached_property)


def test_no_lock_is_shared_by_instances():
    """Of functools in Python 3.11 this waits forever: the other thread holds the lock."""
    entered, leave = threading.Event(), threading.Event()

    class Slow:
        @cached_property
        def value(self):
            if threading.current_thread() is not threading.main_thread():
                entered.set()
                leave.wait(10)
            return 1

    other = threading.Thread(target=lambda: Slow().value)
    other.start()
    assert entered.wait(10)
    found = []
    third = threading.Thread(target=lambda: found.append(Model().value))
    third.start()
    third.join(10)
    assert Slow().value == 1
    assert found == [[1]]
    leave.set()
    other.join()


def test_an_error_is_not_kept():
    class Failing:
        @cached_property
        def value(self):
            raise ValueError("no")

    model = Failing()
    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            model.value  # noqa: B018
