// Linear machines trained row by row: dual coordinate sweeps.
#include "bind/arrays.hpp"
#include "core/passes/sweep.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <limits>
#include <string>
#include <tuple>

namespace gramian::bind {
namespace {

template <typename T>
Index length(const T& array, int axis) {
    return static_cast<Index>(array.shape(axis));
}

// Returns how many rows are still visited, the largest violation and the sum of the steps.
using SweepResult = std::tuple<Index, double, double>;

template <typename View>
SweepResult sweep_of(const std::string& dual, const View& X, const Out2<double>& coordinates,
                     const Out1<double>& w, const Out1<std::int32_t>& active, Index n_active,
                     double ones, double offset, double epsilon, double bound, std::uint64_t seed,
                     std::uint64_t number) {
    require(dual == "box" || dual == "logistic", "a dual that is box or logistic");
    require(length(coordinates, 0) == X.rows && length(coordinates, 1) == passes::kCoordinateFields,
            "one coordinate of six numbers per row");
    require(length(w, 0) == X.cols + 1, "one weight per column, and one more");
    require(0 <= n_active && n_active <= length(active, 0), "the rows that are visited");
    for (Index k = 0; k < n_active; ++k) {
        require(0 <= active.data()[k] && active.data()[k] < X.rows, "row numbers");
    }
    passes::Sweep state{reinterpret_cast<passes::Coordinate*>(coordinates.data()),
                        w.data(),
                        ones,
                        offset,
                        epsilon,
                        active.data(),
                        n_active,
                        bound,
                        0,
                        0};
    {
        const nb::gil_scoped_release release;
        passes::sweep(dual == "box" ? passes::Dual::box : passes::Dual::logistic, X, state, seed,
                      number);
    }
    return {state.n_active, state.largest, state.total};
}

template <typename View>
void norms_of(const View& X, const Out1<double>& out) {
    require(length(out, 0) == X.rows, "one norm per row");
    const nb::gil_scoped_release release;
    passes::squared_norms(X, view<double>(out));
}

template <typename T>
void bind_dense(nb::module_& m) {
    m.def(
        "dual_sweep",
        [](const In2<T>& X, const Out2<double>& coordinates, const Out1<double>& w,
           const Out1<std::int32_t>& active, Index n_active, double ones, double offset,
           double epsilon, double bound, std::uint64_t seed, std::uint64_t number,
           const std::string& dual) {
            return sweep_of(dual, view<T>(X), coordinates, w, active, n_active, ones, offset,
                            epsilon, bound, seed, number);
        },
        "X"_a.noconvert(), "coordinates"_a.noconvert(), "w"_a.noconvert(), "active"_a.noconvert(),
        "n_active"_a, "ones"_a, "offset"_a, "epsilon"_a, "bound"_a, "seed"_a, "number"_a, "dual"_a,
        "One sweep; returns the rows still visited, the largest violation, the steps.");
    m.def(
        "squared_norms",
        [](const In2<T>& X, const Out1<double>& out) { norms_of(view<T>(X), out); },
        "X"_a.noconvert(), "out"_a.noconvert());
}

template <typename T, typename I>
void bind_csr(nb::module_& m) {
    m.def(
        "csr_dual_sweep",
        [](const In1<T>& values, const In1<I>& columns, const In1<I>& offsets, Index cols,
           const Out2<double>& coordinates, const Out1<double>& w, const Out1<std::int32_t>& active,
           Index n_active, double ones, double offset, double epsilon, double bound,
           std::uint64_t seed, std::uint64_t number, const std::string& dual) {
            return sweep_of(dual, csr(values, columns, offsets, cols), coordinates, w, active,
                            n_active, ones, offset, epsilon, bound, seed, number);
        },
        "values"_a.noconvert(), "columns"_a.noconvert(), "offsets"_a.noconvert(), "cols"_a,
        "coordinates"_a.noconvert(), "w"_a.noconvert(), "active"_a.noconvert(), "n_active"_a,
        "ones"_a, "offset"_a, "epsilon"_a, "bound"_a, "seed"_a, "number"_a, "dual"_a);
    m.def(
        "csr_squared_norms",
        [](const In1<T>& values, const In1<I>& columns, const In1<I>& offsets, Index cols,
           const Out1<double>& out) { norms_of(csr(values, columns, offsets, cols), out); },
        "values"_a.noconvert(), "columns"_a.noconvert(), "offsets"_a.noconvert(), "cols"_a,
        "out"_a.noconvert());
}

} // namespace

void bind_machines(nb::module_& m) {
    bind_dense<float>(m);
    bind_dense<double>(m);
    bind_csr<float, std::int32_t>(m);
    bind_csr<float, std::int64_t>(m);
    bind_csr<double, std::int32_t>(m);
    bind_csr<double, std::int64_t>(m);
}

} // namespace gramian::bind
