"""A mypy plugin: the types of results of NumPy that its stubs leave open, and of optional modules.

The stubs give the type Any to `a.sum()`, `np.sqrt(1.5)`, `a == b`, and to arithmetic with arrays of
an open dtype. A rule here applies only if the result follows from the types of the arguments;
otherwise the type of the stubs remains. The number of dimensions is often unknown: a reduction
along an axis then counts as an array.
"""

from collections.abc import Callable, Sequence

from mypy.build import PRI_LOW
from mypy.checker import TypeChecker
from mypy.nodes import ARG_POS, Expression, MypyFile, NameExpr, SliceExpr, StrExpr, TupleExpr
from mypy.plugin import AttributeContext, FunctionContext, MethodContext, Plugin
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    ProperType,
    TupleType,
    Type,
    TypeOfAny,
    get_proper_type,
)

Call = FunctionContext | MethodContext

OPTIONAL = ("contourpy", "dask", "json", "matplotlib", "onnx", "polars", "rich.progress")
OPTIONAL += ("matplotlib.collections", "matplotlib.colors")
OPTIONAL += ("matplotlib.lines", "matplotlib.patches", "matplotlib.pyplot", "matplotlib.ticker")

UNKNOWN = AnyType(TypeOfAny.explicit)
INTEGERS = "numpy.signedinteger"

SUMS = {"sum", "prod"}
EXTREMES = {"max", "min", "ptp"}
AVERAGES = {"mean", "std", "var"}
TESTS = {"isfinite", "isnan", "isinf", "signbit"}
WHOLE = {"abs", "absolute", "ceil", "floor", "negative", "positive", "rint", "sign", "square"}
WHOLE |= {"trunc"}  # of integers they are integers
FLOATING = {"arccos", "arcsin", "arctan", "arctanh", "cbrt", "cos", "cosh", "exp", "exp2", "expm1"}
FLOATING |= {"log", "log10", "log1p", "log2", "sin", "sinh", "sqrt", "tan", "tanh"}
PAIRWISE = {"add", "arctan2", "copysign", "divide", "float_power", "floor_divide", "fmax", "fmin"}
PAIRWISE |= {"fmod", "hypot", "logaddexp", "maximum", "minimum", "mod", "multiply", "nextafter"}
PAIRWISE |= {"power", "remainder", "subtract", "true_divide"}
VECTORS = {"bincount", "flatnonzero", "intersect1d", "ravel", "setdiff1d", "union1d", "unique"}
KEPT = {"argsort", "clip", "diff", "flip", "sort"}
EXTREME_OF_TWO = {"fmax", "fmin", "maximum", "minimum"}
COMPARISONS = {"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"}
ARITHMETIC = {"__add__", "__sub__", "__mul__", "__truediv__", "__pow__", "__mod__", "__floordiv__"}
ARITHMETIC |= {"__radd__", "__rsub__", "__rmul__", "__rtruediv__", "__rpow__", "__rfloordiv__"}


def is_any(type_: Type) -> bool:
    """Return whether a type is Any."""
    return isinstance(get_proper_type(type_), AnyType)


def dtype_of(type_: ProperType) -> ProperType | None:
    """Return the type of the elements of an array; None for everything else."""
    if not (isinstance(type_, Instance) and type_.type.fullname == "numpy.ndarray"):
        return None
    dtype = get_proper_type(type_.args[1])
    return get_proper_type(dtype.args[0]) if isinstance(dtype, Instance) else dtype


def elements_of(type_: ProperType) -> ProperType:
    """Return the type of the elements of an array."""
    elements = dtype_of(type_)
    assert elements is not None
    return elements


def dimensions(type_: ProperType) -> int | None:
    """Return the number of dimensions of an array; None if its type does not say it."""
    if not (isinstance(type_, Instance) and type_.type.fullname == "numpy.ndarray"):
        return None
    shape = get_proper_type(type_.args[0])
    return len(shape.items) if isinstance(shape, TupleType) else None


def is_class(type_: ProperType | None, *names: str) -> bool:
    """Return whether a type is one of these classes."""
    return isinstance(type_, Instance) and type_.type.fullname in names


def is_double(type_: ProperType | None) -> bool:
    """Return whether elements are float64."""
    return is_class(type_, "numpy.float64")


def is_float(type_: ProperType) -> bool:
    """Return whether a value is a double precision number."""
    return is_class(type_, "builtins.float", "builtins.int", "numpy.float64")


def is_integer(type_: ProperType) -> bool:
    """Return whether a value is an integer."""
    return is_class(type_, "builtins.int", INTEGERS)


def scalar(ctx: Call, name: str) -> Instance:
    """Return the type of a NumPy number."""
    return ctx.api.named_generic_type(f"numpy.{name}", [])


def array(ctx: Call, elements: Type, like: Type | None = None) -> Type:
    """Return the type of an array, with the dimensions of another one if given."""
    like = None if like is None else get_proper_type(like)
    if isinstance(like, Instance):
        shape = like.args[0]
    else:  # as in the stubs: accepted for every number of dimensions
        shape = ctx.api.named_generic_type("builtins.tuple", [UNKNOWN])
    dtype = ctx.api.named_generic_type("numpy.dtype", [elements])
    return ctx.api.named_generic_type("numpy.ndarray", [shape, dtype])


def with_dimensions(ctx: Call, type_: Type, n: int | None) -> Type:
    """Return the type of an array with that number of dimensions, if its own is unknown."""
    type_ = get_proper_type(type_)
    if n is None or n < 1 or dtype_of(type_) is None or dimensions(type_) is not None:
        return type_
    assert isinstance(type_, Instance)
    integer = ctx.api.named_generic_type("builtins.int", [])
    fallback = ctx.api.named_generic_type("builtins.tuple", [integer])
    return type_.copy_modified(args=[TupleType([integer] * n, fallback), type_.args[1]])


def common_dimensions(types: Sequence[ProperType]) -> int | None:
    """Return the number of dimensions of arithmetic with arrays and numbers; None if unknown."""
    arrays = [dimensions(of) for of in types if dtype_of(of) is not None]
    numbers = [of for of in types if dtype_of(of) is None]
    if not arrays or not all(is_float(of) or is_integer(of) for of in numbers):
        return None
    known = [n for n in arrays if n is not None]
    return max(known) if len(known) == len(arrays) else None


def argument(ctx: Call, name: str) -> Expression | None:
    """Return the expression of an argument; None if it is missing, None or False."""
    if name not in ctx.callee_arg_names:
        return None
    passed = ctx.args[ctx.callee_arg_names.index(name)]
    if not passed or (isinstance(passed[0], NameExpr) and passed[0].name in ("None", "False")):
        return None
    return passed[0]


def is_certain(ctx: Call, name: str) -> bool:
    """Return whether an argument is missing or given, and not perhaps None or False."""
    if argument(ctx, name) is None:
        return True
    type_ = get_proper_type(ctx.arg_types[ctx.callee_arg_names.index(name)][0])
    if is_class(type_, "builtins.bool"):
        return isinstance(type_, Instance) and type_.last_known_value is not None
    return isinstance(type_, (Instance, TupleType))


def argument_type(ctx: Call, name: str) -> ProperType:
    """Return the type of an argument that is given."""
    return get_proper_type(ctx.arg_types[ctx.callee_arg_names.index(name)][0])


def argument_types(ctx: Call) -> list[ProperType]:
    """Return the types of the arguments given by position."""
    pairs = zip(ctx.arg_types, ctx.arg_kinds, strict=True)
    return [
        get_proper_type(t)
        for types, kinds in pairs
        for t, kind in zip(types, kinds, strict=True)
        if kind == ARG_POS
    ]


def reduced(ctx: Call, name: str, type_: ProperType) -> Type:
    """Return the type of a reduction of an array."""
    elements = dtype_of(type_)
    if not is_any(ctx.default_return_type) or elements is None or argument(ctx, "dtype"):
        return ctx.default_return_type
    if name in AVERAGES and is_class(elements, "numpy.bool", INTEGERS):
        elements = scalar(ctx, "float64")
    elif name in SUMS and is_class(elements, "numpy.bool", INTEGERS):
        elements = ctx.api.named_generic_type(INTEGERS, [UNKNOWN])
    elif name in AVERAGES | SUMS and not (is_double(elements) or is_any(elements)):
        return ctx.default_return_type
    if not is_certain(ctx, "axis") or not is_certain(ctx, "keepdims"):
        return ctx.default_return_type
    along, n = argument(ctx, "axis") is not None, dimensions(type_)
    if argument(ctx, "keepdims"):
        return with_dimensions(ctx, array(ctx, elements), n)
    if along and n != 1:
        one = is_integer(argument_type(ctx, "axis"))
        return with_dimensions(ctx, array(ctx, elements), n - 1 if n and one else None)
    return elements


def of_array(name: str) -> Callable[[MethodContext], Type]:
    """Return the rule for a reduction that is a method."""
    return lambda ctx: reduced(ctx, name, get_proper_type(ctx.type))


def of_function(name: str) -> Callable[[FunctionContext], Type]:
    """Return the rule for a reduction that is a function."""
    return lambda ctx: reduced(ctx, name, (argument_types(ctx) or [UNKNOWN])[0])


def elementwise(ctx: MethodContext) -> Type:
    """Return the type of a function of each element."""
    name, types = name_of(ctx), argument_types(ctx)
    if argument(ctx, "dtype") or len(types) < 1:
        return ctx.default_return_type
    of = types[0]
    if name in TESTS:
        if dtype_of(of) is not None:
            return array(ctx, scalar(ctx, "bool"), of)
        return scalar(ctx, "bool") if is_float(of) else ctx.default_return_type
    if name not in WHOLE | FLOATING:
        return ctx.default_return_type
    return computed_from(ctx, types[:1], whole=name in WHOLE)


def pairwise(ctx: MethodContext) -> Type:
    """Return the type of a function of two elements."""
    types = argument_types(ctx)
    if name_of(ctx) not in PAIRWISE or argument(ctx, "dtype") or len(types) < 2:
        return ctx.default_return_type
    arrays = [dtype_of(of) for of in types[:2] if dtype_of(of) is not None]
    if name_of(ctx) in EXTREME_OF_TWO and is_class(arrays[0] if arrays else None, INTEGERS):
        rest = [of for of in types[:2] if dtype_of(of) is None]
        if len({str(elements) for elements in arrays}) == 1 and all(is_integer(of) for of in rest):
            return array(ctx, elements_of(next(of for of in types if dtype_of(of) is not None)))
    found = computed_from(ctx, types[:2], whole=True)
    return with_dimensions(ctx, found, common_dimensions(types[:2]))


def computed_from(ctx: Call, types: Sequence[ProperType], *, whole: bool) -> Type:
    """Return the type of a function of numbers and arrays; `whole`: of integers it is one."""
    arrays = [of for of in types if dtype_of(of) is not None]
    if not all(is_float(of) or dtype_of(of) is not None for of in types):
        return ctx.default_return_type
    if not arrays:
        doubles = not whole or any(not is_class(of, "builtins.int") for of in types)
        return scalar(ctx, "float64") if doubles else ctx.default_return_type
    like = arrays[0] if len(types) == 1 else None
    if any(is_any(elements_of(of)) for of in arrays):
        return array(ctx, UNKNOWN, like)
    if all(is_double(dtype_of(of)) for of in arrays):
        return array(ctx, scalar(ctx, "float64"), like)
    return ctx.default_return_type


def name_of(ctx: MethodContext) -> str:
    """Return the name of a universal function."""
    name = get_proper_type(ctx.type)
    literal = get_proper_type(name.args[0]) if isinstance(name, Instance) and name.args else None
    return str(getattr(literal, "value", ""))


def compared(ctx: MethodContext) -> Type:
    """Return the type of a comparison: an array of truth values."""
    found = ctx.default_return_type
    if is_any(found):
        found = array(ctx, scalar(ctx, "bool"))
    return with_dimensions(ctx, found, common_dimensions(operands(ctx)))


def operands(ctx: MethodContext) -> list[ProperType]:
    """Return the types of the two sides of an operator."""
    return [get_proper_type(ctx.type), (argument_types(ctx) or [UNKNOWN])[0]]


def computed(ctx: MethodContext) -> Type:
    """Return the type of arithmetic, also of arrays of which one has an open dtype."""
    found, sides = ctx.default_return_type, operands(ctx)
    own, elements = dtype_of(sides[0]), dtype_of(sides[1])
    is_open = own is not None and (is_any(own) or (elements is not None and is_any(elements)))
    if is_open and (elements is not None or is_float(sides[1])):
        found = array(ctx, UNKNOWN)
    return with_dimensions(ctx, found, common_dimensions(sides))


def indexed(ctx: MethodContext) -> Type:
    """Return the type of an element or of a part, if the number of dimensions is known."""
    own, n = get_proper_type(ctx.type), dimensions(get_proper_type(ctx.type))
    elements = dtype_of(own)
    key = ctx.args[0][0] if ctx.args and ctx.args[0] else None
    found = ctx.default_return_type
    if n is None or elements is None or key is None:
        return found
    n_indices = len(key.items) if isinstance(key, TupleExpr) else 1
    if is_any(found):
        if is_any(argument_types(ctx)[0]) or n_indices > n:
            return found
        return (
            elements
            if n_indices == n
            else with_dimensions(ctx, array(ctx, elements), n - n_indices)
        )
    place = argument_types(ctx)[0]
    if isinstance(key, SliceExpr):
        return with_dimensions(ctx, found, n)
    if n == 1 and dtype_of(place) is not None:
        return with_dimensions(ctx, found, dimensions(place))
    return found


def element_of(ctx: Call, type_: ProperType) -> Type | None:
    """Return the type of an element of an array of known dimensions, as in a loop."""
    n, elements = dimensions(type_), dtype_of(type_)
    if n is None or elements is None:
        return None
    return elements if n == 1 else with_dimensions(ctx, array(ctx, elements), n - 1)


def iterated(ctx: MethodContext) -> Type:
    """Return the type of the iterator over an array."""
    element = element_of(ctx, get_proper_type(ctx.type))
    if element is None or not is_any(ctx.default_return_type):
        return ctx.default_return_type
    return ctx.api.named_generic_type("typing.Iterator", [element])


def paired(ctx: FunctionContext) -> Type:
    """Return the type of `zip`, some of whose arguments are arrays."""
    found, types = get_proper_type(ctx.default_return_type), argument_types(ctx)
    pair = get_proper_type(found.args[0]) if isinstance(found, Instance) and found.args else None
    if not isinstance(pair, TupleType) or len(pair.items) != len(types):
        return found
    items = [
        (element_of(ctx, of) or item) if is_any(item) else item
        for item, of in zip(pair.items, types, strict=True)
    ]
    assert isinstance(found, Instance)
    return found.copy_modified(args=[pair.copy_modified(items=items)])


def numbered(ctx: FunctionContext) -> Type:
    """Return the type of `enumerate` or `list` of an array."""
    found, types = get_proper_type(ctx.default_return_type), argument_types(ctx)
    if not (isinstance(found, Instance) and types and is_any(found.args[0])):
        return found
    element = element_of(ctx, types[0])
    return found if element is None else found.copy_modified(args=[element])


def listed(ctx: MethodContext) -> Type:
    """Return the type of `tolist`: a list, also if the number of dimensions is unknown."""
    if is_any(ctx.default_return_type):
        return ctx.api.named_generic_type("builtins.list", [UNKNOWN])
    return ctx.default_return_type


def vector(ctx: FunctionContext) -> Type:
    """Return the type of a function whose result has one dimension."""
    if argument(ctx, "axis"):
        return ctx.default_return_type
    found = get_proper_type(ctx.default_return_type)
    if isinstance(found, TupleType):
        items = [with_dimensions(ctx, item, 1) for item in found.items]
        return found.copy_modified(items=items)
    return with_dimensions(ctx, found, 1)


def kept(ctx: FunctionContext) -> Type:
    """Return the type of a function whose result has the dimensions of its argument."""
    n = dimensions((argument_types(ctx) or [UNKNOWN])[0])
    return with_dimensions(ctx, ctx.default_return_type, n)


def power(ctx: MethodContext) -> Type:
    """Return the type of a power of a float; no negative number is raised to a fraction here."""
    if is_any(ctx.default_return_type) and is_float((argument_types(ctx) or [UNKNOWN])[0]):
        return ctx.api.named_generic_type("builtins.float", [])
    return ctx.default_return_type


def needed(ctx: FunctionContext) -> Type:
    """Return the type of an optional module, if mypy has read it."""
    name = ctx.args[0][0] if ctx.args and ctx.args[0] else None
    if isinstance(name, StrExpr) and isinstance(ctx.api, TypeChecker):
        module = ctx.api.modules.get(name.value)
        if module is not None:
            return ctx.api.expr_checker.module_type(module)
    return ctx.default_return_type


def of_module(ctx: AttributeContext) -> Type:
    """Return the type of a name in an optional module."""
    module, name = ctx.type, getattr(ctx.context, "name", None)
    known = module.extra_attrs.attrs if isinstance(module, Instance) and module.extra_attrs else {}
    found = known.get(str(name), ctx.default_attr_type)
    untyped = isinstance(found, CallableType) and found.implicit
    return ctx.default_attr_type if untyped else found


def shaped(ctx: AttributeContext) -> Type:
    """Return the type of a shape: integers."""
    shape = get_proper_type(ctx.default_attr_type)
    if isinstance(shape, Instance) and shape.args and is_any(shape.args[0]):
        return shape.copy_modified(args=[ctx.api.named_generic_type("builtins.int", [])])
    return shape


def shape_of(ctx: FunctionContext) -> Type:
    """Return the type of `numpy.shape`: integers."""
    shape = get_proper_type(ctx.default_return_type)
    if isinstance(shape, Instance) and shape.args and is_any(shape.args[0]):
        return shape.copy_modified(args=[ctx.api.named_generic_type("builtins.int", [])])
    return shape


def contracted(ctx: FunctionContext) -> Type:
    """Return the type of `einsum`, from its subscripts."""
    arguments = [t for types in ctx.arg_types[1:2] for t in types]
    subscripts = ctx.args[0][0]
    if not isinstance(subscripts, StrExpr) or "->" not in subscripts.value:
        return ctx.default_return_type
    doubles = all(is_double(dtype_of(get_proper_type(t))) for t in arguments)
    elements: Type = scalar(ctx, "float64") if doubles else UNKNOWN
    return array(ctx, elements) if subscripts.value.split("->")[1].strip() else elements


def normed(ctx: FunctionContext) -> Type:
    """Return the type of `numpy.linalg.norm` along an axis."""
    if not is_certain(ctx, "axis"):
        return ctx.default_return_type
    elements = dtype_of((argument_types(ctx) or [UNKNOWN])[0])
    if is_any(ctx.default_return_type) and elements is not None:
        return array(ctx, scalar(ctx, "float64") if is_double(elements) else UNKNOWN)
    return ctx.default_return_type


class NumpyTypes(Plugin):
    """Types that follow from the arguments of NumPy's functions and methods."""

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        """Return the rule for a method."""
        owner, _, name = fullname.rpartition(".")
        if owner in ("numpy.ndarray", "numpy._ArrayOrScalarCommon"):
            if name in SUMS | EXTREMES | AVERAGES:
                return of_array(name)
            rules = {"__getitem__": indexed, "__iter__": iterated, "tolist": listed}
            if name in ARITHMETIC | COMPARISONS:
                return computed if name in ARITHMETIC else compared
            return rules.get(name)
        if fullname == "builtins.float.__pow__":
            return power
        ufuncs = {"_UFunc_Nin1_Nout1": elementwise, "_UFunc_Nin2_Nout1": pairwise}
        return ufuncs.get(owner.rpartition(".")[2]) if name == "__call__" else None

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        """Return the rule for a function."""
        module, _, name = fullname.rpartition(".")
        if module == "numpy._core.fromnumeric" and name in SUMS | EXTREMES | AVERAGES:
            return of_function(name)
        if module.startswith("numpy.") and name in VECTORS | KEPT:
            return vector if name in VECTORS else kept
        rules = {
            "builtins.enumerate": numbered,
            "builtins.list": numbered,
            "builtins.zip": paired,
            "gramian.base.errors.need": needed,
            "numpy._core.einsumfunc.einsum": contracted,
            "numpy._core.fromnumeric.shape": shape_of,
            "numpy.linalg._linalg.norm": normed,
        }
        return rules.get(fullname)

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        """Return the rule for an attribute."""
        if fullname.startswith("types.ModuleType."):
            return of_module
        return shaped if fullname == "numpy.ndarray.shape" else None

    def get_additional_deps(self, file: MypyFile) -> list[tuple[int, str, int]]:
        """Return the optional modules that mypy must read, though no file imports them."""
        optional = OPTIONAL if file.fullname == "gramian.base.errors" else ()
        return [(PRI_LOW, name, -1) for name in optional]


def plugin(_version: str) -> type[Plugin]:
    """Return the plugin to mypy."""
    return NumpyTypes
