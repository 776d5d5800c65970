// Threads, instruction sets and the checks of the gate.
#include "bind/arrays.hpp"
#include "core/csr_order.hpp"
#include "core/finite.hpp"
#include "core/isa.hpp"
#include "core/pool.hpp"

// For threadpoolctl, which looks the pool up by these names in the loaded library.
extern "C" {
NB_EXPORT int gramian_get_num_threads() {
    return gramian::pool_size();
}
NB_EXPORT void gramian_set_num_threads(int threads) {
    gramian::set_pool_size(threads);
}
}

namespace gramian::bind {
namespace {

template <typename T>
void bind_finite(nb::module_& m) {
    m.def(
        "all_finite", [](const In1<T>& values) { return all_finite<T>(view<T>(values)); },
        "values"_a.noconvert(), Release());
}

template <typename I>
void bind_csr_order(nb::module_& m) {
    m.def(
        "csr_in_order",
        [](const In1<I>& columns, const In1<I>& offsets, Index cols) {
            return csr_in_order<I>(view<I>(columns), view<I>(offsets), cols);
        },
        "columns"_a.noconvert(), "offsets"_a.noconvert(), "cols"_a, Release());
}

} // namespace

void bind_runtime(nb::module_& m) {
    m.def("num_threads", &num_threads, "Threads that the next call from this thread may use.");
    m.def("pool_size", &pool_size);
    m.def("set_pool_size", &set_pool_size, "threads"_a);
    m.def("swap_thread_request", &swap_thread_request, "threads"_a,
          "Set this thread's own number of threads (0: none) and return the one before.");
    m.def("isa", [] { return isa_name(active_isa()); }, "The instruction set in use.");
    bind_finite<float>(m);
    bind_finite<double>(m);
    bind_csr_order<std::int32_t>(m);
    bind_csr_order<std::int64_t>(m);
}

} // namespace gramian::bind
