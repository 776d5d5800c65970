// The compiled module: one line per family, sorted.
#include "bind/arrays.hpp"
#include "core/runtime/pool.hpp"

namespace gramian::bind {
void bind_adaboost(nb::module_& m);
void bind_balanced(nb::module_& m);
void bind_bins(nb::module_& m);
void bind_boosting(nb::module_& m);
void bind_brute(nb::module_& m);
void bind_c45(nb::module_& m);
void bind_cluster(nb::module_& m);
void bind_conv_network(nb::module_& m);
void bind_conv_pool(nb::module_& m);
void bind_density_clusters(nb::module_& m);
void bind_epoch(nb::module_& m);
void bind_image(nb::module_& m);
void bind_kernel_matrix(nb::module_& m);
void bind_kernel_sums(nb::module_& m);
void bind_lasso(nb::module_& m);
void bind_linear(nb::module_& m);
void bind_linkage(nb::module_& m);
void bind_lsh(nb::module_& m);
void bind_medoids(nb::module_& m);
void bind_moments(nb::module_& m);
void bind_neighbors(nb::module_& m);
void bind_network(nb::module_& m);
void bind_nonnegative(nb::module_& m);
void bind_passes(nb::module_& m);
void bind_products(nb::module_& m);
void bind_runtime(nb::module_& m);
void bind_shortest_paths(nb::module_& m);
void bind_subsets(nb::module_& m);
void bind_svm(nb::module_& m);
void bind_sweep(nb::module_& m);
void bind_table(nb::module_& m);
void bind_trees(nb::module_& m);
void bind_walks(nb::module_& m);

namespace {

// PyErr_CheckSignals runs Python's handlers on the main thread and returns -1 after one raised;
// the error stays set and is thrown after the parallel region has ended.
bool signals_raised() {
    const GilAcquire gil;
    return PyErr_CheckSignals() != 0;
}

} // namespace
} // namespace gramian::bind

NB_MODULE(_native, m) {
    using namespace gramian;
    m.doc() = "The compiled steps of gramian.";
    runtime::set_interrupt_hook(bind::signals_raised);
    nanobind::set_leak_warnings(
        false); // a thread that still fits when Python ends keeps its objects
    nanobind::register_exception_translator([](const std::exception_ptr& error, void*) {
        try {
            std::rethrow_exception(error);
        } catch (const runtime::Interrupted&) {
            if (!PyErr_Occurred()) PyErr_SetNone(PyExc_KeyboardInterrupt);
        }
    });
    bind::bind_table(m); // first: signatures of others name it
    bind::bind_adaboost(m);
    bind::bind_balanced(m);
    bind::bind_bins(m);
    bind::bind_boosting(m);
    bind::bind_brute(m);
    bind::bind_c45(m);
    bind::bind_cluster(m);
    bind::bind_conv_pool(m);
    bind::bind_density_clusters(m);
    bind::bind_epoch(m);
    bind::bind_image(m);
    bind::bind_kernel_matrix(m);
    bind::bind_kernel_sums(m);
    bind::bind_lasso(m);
    bind::bind_linear(m);
    bind::bind_linkage(m);
    bind::bind_lsh(m);
    bind::bind_medoids(m);
    bind::bind_moments(m);
    bind::bind_neighbors(m);
    bind::bind_network(m);
    bind::bind_conv_network(m); // whose signatures name its settings
    bind::bind_nonnegative(m);
    bind::bind_passes(m);
    bind::bind_products(m);
    bind::bind_runtime(m);
    bind::bind_shortest_paths(m);
    bind::bind_subsets(m);
    bind::bind_svm(m);
    bind::bind_sweep(m);
    bind::bind_trees(m);
    bind::bind_walks(m);
}
