#include "core/kernel_matrix/gaussian.hpp"

#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>

GRAMIAN_DISPATCH(kernel_matrix, GaussianKernels, gaussian_kernels, gaussian_table)

namespace gramian::kernel_matrix {
namespace {

constexpr Index kBlockValues = 1 << 15; // of a block of rows

GaussianRow<float> row_kernel(float) {
    return gaussian_table().f32;
}
GaussianRow<double> row_kernel(double) {
    return gaussian_table().f64;
}

} // namespace

template <typename T>
void gaussian_values(Matrix<T> values, Vector<const T> left, Vector<const T> right, T scale) {
    const Index rows = std::max<Index>(1, kBlockValues / std::max<Index>(1, values.cols));
    const runtime::Blocks blocks{values.rows, rows};
    const auto kernel = row_kernel(T());
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            for (Index i = blocks.begin(b); i < blocks.end(b); ++i) {
                kernel(values.row(i), values.cols, left[i], right.data, scale);
            }
        },
        values.rows * values.cols < 2 * kBlockValues ? 1 : 0);
}

template void gaussian_values(Matrix<float>, Vector<const float>, Vector<const float>, float);
template void gaussian_values(Matrix<double>, Vector<const double>, Vector<const double>, double);

} // namespace gramian::kernel_matrix
