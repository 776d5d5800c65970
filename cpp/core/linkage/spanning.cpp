#include "core/linkage/linkage.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gramian::linkage {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();
constexpr Index kPrimBlock = 4096;  // rows, a multiple of kWholeStep
constexpr Index kPrimWork = 200000; // differences of a step that are worth a second thread

} // namespace

void matrix_spanning_tree(Matrix<const double> D, Matrix<double> edges) {
    const Index n = D.rows;
    const std::size_t size = static_cast<std::size_t>(n);
    std::vector<double> best(size, kNone), inside(size);
    std::vector<std::int32_t> from(size);
    Index at = 0;
    for (Index count = 0; count < n - 1; ++count) {
        runtime::poll_interrupt();
        inside[at] = kNone;
        for (Index j = 0; j < n; ++j) {
            const double value = at < j ? D(at, j) : D(j, at);
            if (value < best[j]) {
                best[j] = value;
                from[j] = static_cast<std::int32_t>(at);
            }
        }
        double value;
        linkage_kernels().least(best.data(), inside.data(), n, &value, &at);
        edges(count, 0) = from[at];
        edges(count, 1) = static_cast<double>(at);
        edges(count, 2) = value;
    }
}

template <typename T>
void rows_spanning_tree(Matrix<const T> X, Vector<const double> core, Matrix<double> edges) {
    const Index d = X.cols;
    Columns columns = columns_of(X);
    const std::size_t room = static_cast<std::size_t>(columns.stride);
    std::vector<double> best(room, kNone), query(static_cast<std::size_t>(d));
    std::vector<double> cores(core.size > 0 ? room : 0);
    for (Index i = 0; i < core.size; ++i) cores[i] = core[i] * core[i];
    std::vector<std::int32_t> from(room), rows(room);
    std::iota(rows.begin(), rows.end(), 0);
    std::vector<Index> nearest(static_cast<std::size_t>(X.rows / kPrimBlock + 1));
    double own_core = 0;
    // Row `at` joins the tree; the last row takes its place.
    const auto take = [&](Index at, Index last) {
        const std::int32_t row = rows[at];
        if (core.size > 0) own_core = cores[at];
        for (Index t = 0; t < d; ++t) {
            double* const x = columns.at(t);
            query[t] = x[at];
            x[at] = x[last];
        }
        if (core.size > 0) cores[at] = cores[last];
        best[at] = best[last];
        from[at] = from[last];
        rows[at] = rows[last];
        return row;
    };
    std::int32_t row = take(0, X.rows - 1);
    for (Index left = X.rows - 1; left > 0; --left) {
        runtime::poll_interrupt();
        const runtime::Blocks blocks{left, kPrimBlock};
        runtime::parallel_for(
            blocks.count(),
            [&](Index b) {
                const Index begin = blocks.begin(b);
                nearest[b] = begin + linkage_kernels().prim(
                                         columns.values.data() + begin, columns.stride,
                                         blocks.end(b) - begin, d, query.data(),
                                         core.size > 0 ? cores.data() + begin : nullptr, own_core,
                                         row, best.data() + begin, from.data() + begin);
            },
            left * d < kPrimWork ? 1 : 0);
        Index at = nearest[0];
        for (Index b = 1; b < blocks.count(); ++b) {
            if (best[nearest[b]] < best[at]) at = nearest[b];
        }
        const Index edge = X.rows - 1 - left;
        edges(edge, 0) = from[at];
        edges(edge, 1) = rows[at];
        edges(edge, 2) = std::sqrt(best[at]);
        row = take(at, left - 1);
    }
}

template void rows_spanning_tree(Matrix<const float>, Vector<const double>, Matrix<double>);
template void rows_spanning_tree(Matrix<const double>, Vector<const double>, Matrix<double>);

} // namespace gramian::linkage
