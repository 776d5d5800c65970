// Linear machines trained row by row: dual coordinate sweeps.
#include "core/passes/sweep.hpp"

#include "bind/table.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <string>
#include <tuple>

namespace gramian::bind {
namespace {

// The parameters of all sweeps.
struct SweepOptions {
    passes::Dual dual;
    double ones, epsilon;
    std::uint64_t seed;
};

// Returns how many rows are still visited, the largest violation and the sum of the steps.
std::tuple<Index, double, double> dual_sweep(const SweepOptions& options, const Table& X,
                                             const Out2<double>& coordinates, const Out1<double>& w,
                                             const Out1<std::int32_t>& active, double offset,
                                             double bound, std::uint64_t number) {
    require(static_cast<Index>(coordinates.shape(0)) == X.rows() &&
                static_cast<Index>(coordinates.shape(1)) == losses::kCoordinateFields,
            "one coordinate of six numbers per row");
    require(static_cast<Index>(w.shape(0)) == X.cols() + 1, "one weight per column, and one more");
    for (const std::int32_t row : view<std::int32_t>(active)) {
        require(0 <= row && row < X.rows(), "row numbers");
    }
    passes::Sweep state{reinterpret_cast<losses::Coordinate*>(coordinates.data()),
                        w.data(),
                        options.ones,
                        offset,
                        options.epsilon,
                        active.data(),
                        static_cast<Index>(active.shape(0)),
                        bound,
                        0,
                        0};
    X.visit(
        [&](const auto& rows) { passes::sweep(options.dual, rows, state, options.seed, number); });
    return {state.n_active, state.largest, state.total};
}

void squared_norms(const Table& X, const Out1<double>& out) {
    require(static_cast<Index>(out.shape(0)) == X.rows(), "one norm per row");
    X.visit([&](const auto& rows) { passes::squared_norms(rows, view<double>(out)); });
}

} // namespace

void bind_sweep(nb::module_& m) {
    nb::class_<SweepOptions>(m, "SweepOptions", "The parameters of all sweeps.")
        .def(
            "__init__",
            [](SweepOptions* self, const std::string& dual, double ones, double epsilon,
               std::uint64_t seed) {
                require(dual == "box" || dual == "logistic", "a dual that is box or logistic");
                new (self) SweepOptions{dual == "box" ? passes::Dual::box : passes::Dual::logistic,
                                        ones, epsilon, seed};
            },
            "dual"_a, nb::kw_only(), "ones"_a, "epsilon"_a, "seed"_a);
    m.def("dual_sweep", dual_sweep, "options"_a, "X"_a, "coordinates"_a.noconvert(),
          "w"_a.noconvert(), "active"_a.noconvert(), "offset"_a, "bound"_a, "number"_a,
          "One sweep over the active rows; those that stay active are moved to the front. Returns "
          "the rows still visited, the largest violation, the steps.");
    m.def("squared_norms", squared_norms, "X"_a, "out"_a.noconvert());
}

} // namespace gramian::bind
