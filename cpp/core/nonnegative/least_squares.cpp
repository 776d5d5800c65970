#include "core/nonnegative/least_squares.hpp"

#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

GRAMIAN_DISPATCH(nonnegative, SweepKernels, sweep_kernels, sweep_table)

namespace gramian::nonnegative {
namespace {

constexpr Index kBlockRows = 8 * kRows;
constexpr double kSerialWork = 1e5; // products of a sweep below which threads cost more

// Rows become lanes; those beyond the last row are zero.
void to_lanes(Matrix<const double> from, Index first, Index rows, double* lanes) {
    std::fill_n(lanes, from.cols * kRows, 0.0);
    for (Index i = 0; i < rows; ++i) {
        for (Index t = 0; t < from.cols; ++t) lanes[t * kRows + i] = from(first + i, t);
    }
}

} // namespace

double improve_rows(const Problem& problem, const Stop& stop, Matrix<const double> cross,
                    Matrix<double> W) {
    const runtime::Blocks blocks{W.rows, kBlockRows};
    const Index k = problem.k;
    const Matrix<const double> fixed{W.data, W.rows, W.cols};
    std::vector<double> sums(static_cast<std::size_t>(blocks.count()));
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            std::vector<double> lanes(static_cast<std::size_t>(2 * k * kRows));
            double* w = lanes.data();
            double* c = w + k * kRows;
            for (Index i = blocks.begin(b); i < blocks.end(b); i += kRows) {
                const Index rows = std::min(kRows, blocks.end(b) - i);
                to_lanes(fixed, i, rows, w);
                to_lanes(cross, i, rows, c);
                double first[kRows] = {};
                sweep_table().improve(problem, stop, c, w, first);
                for (Index r = 0; r < rows; ++r) {
                    for (Index t = 0; t < k; ++t) W(i + r, t) = w[t * kRows + r];
                    sums[static_cast<std::size_t>(b)] += first[r];
                }
                runtime::poll_interrupt();
            }
        },
        static_cast<double>(W.rows) * static_cast<double>(k * k) < kSerialWork ? 1 : 0);
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

} // namespace gramian::nonnegative
