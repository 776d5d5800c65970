#include "bind/table.hpp"

namespace gramian::bind {
namespace {

// A matrix of exactly this type. An implicit conversion would otherwise first cast a matrix of
// doubles to floats.
template <typename T>
struct Exactly {};

} // namespace
} // namespace gramian::bind

namespace nanobind::detail {

template <typename T>
struct type_caster<gramian::bind::Exactly<T>> {
    bool from_python(handle source, std::uint32_t, cleanup_list* cleanup) noexcept {
        return make_caster<gramian::bind::In2<T>>().from_python(source, 0, cleanup);
    }
};

} // namespace nanobind::detail

namespace gramian::bind {
namespace {

template <typename T>
void bind_dense(nb::class_<Table>& table) {
    table.def(
        "__init__", [](Table* self, const In2<T>& X) { new (self) Table{view<T>(X)}; },
        "X"_a.noconvert(), nb::keep_alive<1, 2>());
    nb::implicitly_convertible<Exactly<T>, Table>();
}

template <typename T, typename I>
void bind_csr(nb::class_<Table>& table) {
    table.def(
        "__init__",
        [](Table* self, const In1<T>& values, const In1<I>& columns, const In1<I>& offsets,
           Index cols) { new (self) Table{csr(values, columns, offsets, cols)}; },
        "values"_a.noconvert(), "columns"_a.noconvert(), "offsets"_a.noconvert(), "cols"_a,
        nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>());
}

} // namespace

void bind_table(nb::module_& m) {
    nb::class_<Table> table(m, "Table",
                            "Rows that passes, sweeps and epochs read: a C-contiguous matrix, "
                            "which can be passed directly, or the arrays of a CSR matrix.");
    bind_dense<float>(table);
    bind_dense<double>(table);
    bind_csr<float, std::int32_t>(table);
    bind_csr<float, std::int64_t>(table);
    bind_csr<double, std::int32_t>(table);
    bind_csr<double, std::int64_t>(table);
}

} // namespace gramian::bind
