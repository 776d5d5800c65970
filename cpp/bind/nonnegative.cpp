// Nonnegative least squares of many rows.
#include "bind/arrays.hpp"
#include "core/nonnegative/least_squares.hpp"

#include <nanobind/stl/tuple.h>

#include <tuple>

namespace gramian::bind {
namespace {

double nonnegative_rows(const In2<double>& gram, const In2<double>& cross,
                        std::tuple<double, double> penalties,
                        std::tuple<Index, double, double> stop, const Out2<double>& W) {
    const Index k = static_cast<Index>(gram.shape(0));
    require(static_cast<Index>(gram.shape(1)) == k && static_cast<Index>(W.shape(1)) == k,
            "a square matrix as wide as W");
    require(cross.shape(0) == W.shape(0) && cross.shape(1) == W.shape(1),
            "products of the shape of W");
    const auto [l1, l2] = penalties;
    const auto [sweeps, share, limit] = stop;
    const nonnegative::Problem problem{gram.data(), k, l1, l2};
    const GilRelease release;
    return nonnegative::improve_rows(problem, {sweeps, share, limit}, view<double>(cross),
                                     view<double>(W));
}

} // namespace

void bind_nonnegative(nb::module_& m) {
    m.def("nonnegative_rows", nonnegative_rows, "gram"_a.noconvert(), "cross"_a.noconvert(),
          "penalties"_a, "stop"_a, "W"_a.noconvert(),
          "penalties are (l1, l2), stop (sweeps, share, limit); returns the first violation.");
}

} // namespace gramian::bind
