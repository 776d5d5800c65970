// Bindings of threads, instruction sets and input checks.
#include "bind/arrays.hpp"
#include "core/gate/csr_order.hpp"
#include "core/gate/finite.hpp"
#include "core/gate/stack_columns.hpp"
#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"

#include <nanobind/stl/vector.h>

// threadpoolctl finds these names in the loaded library.
extern "C" {
NB_EXPORT int gramian_get_num_threads() {
    return gramian::runtime::pool_size();
}
NB_EXPORT void gramian_set_num_threads(int threads) {
    gramian::runtime::set_pool_size(threads);
}
}

namespace gramian::bind {
namespace {

template <typename T>
void bind_finite(nb::module_& m) {
    m.def(
        "all_finite", [](const In1<T>& values) { return gate::all_finite<T>(view<T>(values)); },
        "values"_a.noconvert(), Release());
}

template <typename I>
void bind_csr_order(nb::module_& m) {
    m.def(
        "csr_in_order",
        [](const In1<I>& columns, const In1<I>& offsets, Index cols) {
            return gate::csr_in_order<I>(view<I>(columns), view<I>(offsets), cols);
        },
        "columns"_a.noconvert(), "offsets"_a.noconvert(), "cols"_a, Release());
}

template <typename T>
void bind_stack_columns(nb::module_& m) {
    m.def(
        "stack_columns",
        [](const std::vector<In1<T>>& columns, const Out2<T>& out) {
            const Matrix<T> table = view<T>(out);
            require(static_cast<Index>(columns.size()) == table.cols,
                    "columns must have one array for each column of out");
            std::vector<const T*> starts;
            for (const In1<T>& column : columns) {
                require(static_cast<Index>(column.shape(0)) == table.rows,
                        "each column must have as many values as out has rows");
                starts.push_back(column.data());
            }
            gate::stack_columns<T>(starts, table);
        },
        "columns"_a.noconvert(), "out"_a.noconvert(), Release());
}

} // namespace

void bind_runtime(nb::module_& m) {
    m.def("num_threads", &runtime::num_threads,
          "Threads that the next call from this thread may use.");
    m.def("pool_size", &runtime::pool_size);
    m.def("set_pool_size", &runtime::set_pool_size, "threads"_a);
    m.def("swap_thread_request", &runtime::swap_thread_request, "threads"_a,
          "Set this thread's own number of threads (0: none) and return the previous one.");
    m.def(
        "isa", [] { return runtime::isa_name(runtime::active_isa()); },
        "The instruction set in use.");
    bind_finite<float>(m);
    bind_finite<double>(m);
    bind_stack_columns<float>(m);
    bind_stack_columns<double>(m);
    bind_csr_order<std::int32_t>(m);
    bind_csr_order<std::int64_t>(m);
}

} // namespace gramian::bind
