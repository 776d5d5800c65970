#include "core/passes/leave_one_out.hpp"

#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <limits>
#include <vector>

GRAMIAN_DISPATCH(passes, ProductKernels, product_kernels, product_table)

namespace gramian::passes {
namespace {

constexpr Index kRows = 64;    // multiplied at a time
constexpr Index kBlock = 2048; // handed to a thread
constexpr Index kSlots = 64;   // sums of blocks that wait to be added in order
constexpr Index kPanelWidth = 4;
constexpr double kSerialFlops = 1e6;

// A table packed in panels of columns.
struct Panels {
    Index depth, count;
    std::vector<double> values;

    explicit Panels(Matrix<const double> B)
        : depth(B.rows), count((B.cols + kPanelWidth - 1) / kPanelWidth),
          values(static_cast<std::size_t>(depth * count * kPanelWidth)) {
        for (Index k = 0; k < B.rows; ++k) {
            for (Index j = 0; j < B.cols; ++j) {
                values[static_cast<std::size_t>((j / kPanelWidth * depth + k) * kPanelWidth +
                                                j % kPanelWidth)] = B(k, j);
            }
        }
    }

    Index width() const { return count * kPanelWidth; }
    void multiply(const double* A, Index rows, std::vector<double>& out) const {
        out.resize(static_cast<std::size_t>(rows * width()));
        product_table().multiply(A, rows, depth, values.data(), count, out.data());
    }
};

} // namespace

template <typename T>
void leave_one_out(Matrix<const T> X, Matrix<const double> Y, const double* w,
                   const RidgeFits& model, Matrix<double> squares, double* errors) {
    const double* means = model.means;
    const double share = model.share;
    const Index d = X.cols, m = Y.cols, p = model.inverse.cols;
    const Panels basis(model.Q), fits(model.weights), spreads(model.inverse);
    const runtime::Blocks blocks{X.rows, kBlock};
    const double flops = 2.0 * static_cast<double>(X.rows) * static_cast<double>(d) *
                         static_cast<double>(d + p + m * p);
    std::vector<double> sums(static_cast<std::size_t>(std::min(kSlots, blocks.count()) * m * p));

    const auto one_block = [&](Index block, double* sum) {
        std::vector<double> centred(static_cast<std::size_t>(kRows * d)), z, fitted, spread;
        std::vector<double> coordinates(static_cast<std::size_t>(kRows * d));
        for (Index i = blocks.begin(block); i < blocks.end(block); i += kRows) {
            const Index rows = std::min(kRows, blocks.end(block) - i);
            for (Index k = 0; k < rows; ++k) {
                for (Index j = 0; j < d; ++j) {
                    centred[static_cast<std::size_t>(k * d + j)] =
                        static_cast<double>(X(i + k, j)) - means[j];
                }
            }
            basis.multiply(centred.data(), rows, z);
            for (Index k = 0; k < rows; ++k) { // without the padding of the last panel
                std::copy_n(z.data() + k * basis.width(), d, coordinates.data() + k * d);
            }
            fits.multiply(coordinates.data(), rows, fitted);
            for (double& value : coordinates) value *= value;
            spreads.multiply(coordinates.data(), rows, spread);
            for (Index k = 0; k < rows; ++k) {
                const double weight = w ? w[i + k] : 1.0;
                double* kept = spread.data() + k * spreads.width();
                for (Index a = 0; a < p; ++a) {
                    const double rest = 1 - weight * (share + kept[a]);
                    kept[a] = std::max(rest, std::numeric_limits<double>::epsilon());
                }
                for (Index t = 0; t < m; ++t) {
                    const double y = Y(i + k, t) - means[d + t];
                    const double* fit = fitted.data() + k * fits.width() + t * p;
                    for (Index a = 0; a < p; ++a) {
                        const double error = (y - fit[a]) / kept[a];
                        sum[t * p + a] += weight * error * error;
                        if (errors) errors[(i + k) * m * p + t * p + a] = error;
                    }
                }
            }
        }
    };

    for (Index wave = 0; wave < blocks.count(); wave += kSlots) {
        const Index count = std::min(kSlots, blocks.count() - wave);
        std::fill(sums.begin(), sums.end(), 0.0);
        runtime::parallel_for(
            count, [&](Index slot) { one_block(wave + slot, sums.data() + slot * m * p); },
            flops < kSerialFlops ? 1 : 0);
        for (Index slot = 0; slot < count; ++slot) {
            const double* sum = sums.data() + slot * m * p;
            for (Index j = 0; j < m * p; ++j) squares.data[j] += sum[j];
        }
    }
}

template void leave_one_out(Matrix<const float>, Matrix<const double>, const double*,
                            const RidgeFits&, Matrix<double>, double*);
template void leave_one_out(Matrix<const double>, Matrix<const double>, const double*,
                            const RidgeFits&, Matrix<double>, double*);

} // namespace gramian::passes
