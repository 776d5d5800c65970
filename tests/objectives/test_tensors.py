import pytest

from gramian.objectives.tensors import Functions, Layers, Module, Tensor, Torch, torch_module


def names_of(kind):
    """The attributes and methods that a protocol asks for."""
    inherited = {"__abstractmethods__", "__init__", "__subclasshook__", "__slots__"}
    own = {name for name, value in vars(kind).items() if callable(value) or name[0] != "_"}
    return (own | set(getattr(kind, "__annotations__", {}))) - inherited


def test_the_protocols_ask_for_what_pytorch_has():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    kinds = [(torch, Torch), (torch.nn, Layers), (torch.nn.functional, Functions)]
    kinds += [(torch.zeros(1), Tensor), (torch.nn.Linear(1, 1), Module)]
    for thing, kind in kinds:
        assert [name for name in names_of(kind) if not hasattr(thing, name)] == []


def test_the_module_is_pytorch():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    assert torch_module() is torch
