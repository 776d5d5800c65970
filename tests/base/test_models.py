import inspect

from sklearn.linear_model import LogisticRegression

from gramian.base.models import Model


def test_a_classifier_of_another_library_has_the_methods():
    functions = [name for name, of in vars(Model).items() if inspect.isfunction(of)]
    methods = [name for name in functions if name[0] != "_"]
    assert len(methods) == 6
    assert all(callable(getattr(LogisticRegression, name)) for name in methods)
