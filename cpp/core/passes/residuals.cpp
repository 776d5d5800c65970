#include "core/passes/residuals.hpp"

#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <vector>

GRAMIAN_DISPATCH(passes, ResidualKernels, residual_kernels, residual_table)

namespace gramian::passes {
namespace {

constexpr Index kSlotBytes = 32 << 20;
constexpr double kSerialFlops = 1e6;

auto kernel(Matrix<const float>, bool extended) {
    return residual_table().f32[extended];
}
auto kernel(Matrix<const double>, bool extended) {
    return residual_table().f64[extended];
}
auto kernel(Csr<const float, std::int32_t>, bool extended) {
    return residual_table().csr_f32_i32[extended];
}
auto kernel(Csr<const float, std::int64_t>, bool extended) {
    return residual_table().csr_f32_i64[extended];
}
auto kernel(Csr<const double, std::int32_t>, bool extended) {
    return residual_table().csr_f64_i32[extended];
}
auto kernel(Csr<const double, std::int64_t>, bool extended) {
    return residual_table().csr_f64_i64[extended];
}

template <typename T>
Matrix<const T> rows_of(Matrix<const T> X, Index begin, Index end) {
    return {X.row(begin), end - begin, X.cols};
}
template <typename T, typename I>
Csr<const T, I> rows_of(Csr<const T, I> X, Index begin, Index end) {
    return {X.values, X.columns, X.offsets + begin, end - begin, X.cols};
}

template <typename T>
Index stored(Matrix<const T> X) {
    return X.rows * X.cols;
}
template <typename T, typename I>
Index stored(Csr<const T, I> X) {
    return static_cast<Index>(X.offsets[X.rows] - X.offsets[0]);
}

// The sums of one block.
struct Part {
    std::vector<double> high, low, rss;
};

} // namespace

template <typename View>
void residuals(View X, Matrix<const double> Y, const double* w, ConstDoubled model, bool extended,
               Doubled g, Vector<double> rss) {
    const runtime::Blocks blocks{X.rows, kGramRows};
    const Index n_blocks = blocks.count();
    const Index size = Y.cols * (X.cols + 1);
    const Index slots = std::clamp<Index>(kSlotBytes / (size * 16), 4, 64);
    const auto length = static_cast<std::size_t>(size);
    std::vector<Part> parts(static_cast<std::size_t>(std::min(slots, n_blocks)));
    const double flops =
        static_cast<double>(stored(X)) * static_cast<double>(Y.cols) * (extended ? 20 : 4);
    for (Index wave = 0; wave < n_blocks; wave += slots) {
        const Index count = std::min(slots, n_blocks - wave);
        runtime::parallel_for(
            count,
            [&](Index slot) {
                Part& part = parts[static_cast<std::size_t>(slot)];
                part.high.assign(length, 0.0);
                part.low.assign(length, 0.0);
                part.rss.assign(static_cast<std::size_t>(Y.cols), 0.0);
                const Index begin = blocks.begin(wave + slot), end = blocks.end(wave + slot);
                kernel(X, extended)(rows_of(X, begin, end), rows_of(Y, begin, end),
                                    w ? w + begin : nullptr, model,
                                    {part.high.data(), part.low.data()}, part.rss.data());
            },
            flops < kSerialFlops ? 1 : 0);
        for (Index slot = 0; slot < count; ++slot) {
            const Part& part = parts[static_cast<std::size_t>(slot)];
            residual_table().merge(g, {part.high.data(), part.low.data()}, size);
            for (Index t = 0; t < Y.cols; ++t) rss[t] += part.rss[static_cast<std::size_t>(t)];
        }
    }
}

template void residuals(Matrix<const float>, Matrix<const double>, const double*, ConstDoubled,
                        bool, Doubled, Vector<double>);
template void residuals(Matrix<const double>, Matrix<const double>, const double*, ConstDoubled,
                        bool, Doubled, Vector<double>);
template void residuals(Csr<const float, std::int32_t>, Matrix<const double>, const double*,
                        ConstDoubled, bool, Doubled, Vector<double>);
template void residuals(Csr<const float, std::int64_t>, Matrix<const double>, const double*,
                        ConstDoubled, bool, Doubled, Vector<double>);
template void residuals(Csr<const double, std::int32_t>, Matrix<const double>, const double*,
                        ConstDoubled, bool, Doubled, Vector<double>);
template void residuals(Csr<const double, std::int64_t>, Matrix<const double>, const double*,
                        ConstDoubled, bool, Doubled, Vector<double>);

} // namespace gramian::passes
