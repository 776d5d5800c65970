#include "core/distance/matrix.hpp"

#include "core/distance/tile.hpp"
#include "core/runtime/blas.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

namespace gramian::distance {
namespace {

constexpr Index kBlock = 128; // rows of a task; their products are one BLAS call
constexpr double kAccuracy = 1e-12;

// Writes the rows minus the shift, and their squared norms.
template <typename T>
void shift_rows(const T* rows, const std::vector<double>& shift, Matrix<double> shifted,
                double* norms) {
    for (Index i = 0; i < shifted.rows; ++i) {
        double norm = 0;
        for (Index t = 0; t < shifted.cols; ++t) {
            const double x = static_cast<double>(rows[i * shifted.cols + t]) - shift[t];
            shifted(i, t) = x;
            norm += x * x;
        }
        norms[i] = norm;
    }
}

std::vector<double> mean_of(Matrix<const double> C) {
    std::vector<double> mean(static_cast<std::size_t>(C.cols), 0.0);
    for (Index j = 0; j < C.rows; ++j) {
        for (Index t = 0; t < C.cols; ++t) {
            mean[t] += C(j, t) / static_cast<double>(C.rows);
        }
    }
    return mean;
}

// A square that is small compared with its norms has lost digits: recompute it by differences.
template <typename T>
void remeasure(const T* x, Matrix<const double> C, double norm,
               const std::vector<double>& center_norms, double cancellation_limit,
               std::vector<double>& squares) {
    for (Index j = 0; j < C.rows; ++j) {
        if (!(squares[j] > cancellation_limit * (norm + center_norms[j]))) {
            squares[j] = row_kernels<T>().squared_to_double(x, C.row(j), C.cols);
        }
    }
}

} // namespace

template <typename T>
void distance_matrix(Matrix<const T> X, Matrix<const double> C, Matrix<T> out) {
    const Index n = X.rows, k = C.rows, d = X.cols;
    const std::vector<double> shift = mean_of(C);
    std::vector<double> centers(static_cast<std::size_t>(k * d)), center_norms(k);
    shift_rows(C.data, shift, {centers.data(), k, d}, center_norms.data());

    // For double the products are stored in the output. For float they need their own buffer.
    constexpr bool in_place = std::is_same_v<T, double>;
    // The sums of d products err by at most d eps of |x|^2 + |c|^2 each.
    const double cancellation_limit = 4.0 * static_cast<double>(d + 4) * 0x1.0p-53 / kAccuracy;

    const auto fill = [&](Index begin, Index count) {
        std::vector<double> rows(static_cast<std::size_t>(count * d)), norms(count), squares(k);
        std::vector<double> room(in_place ? 0 : static_cast<std::size_t>(count * k));
        shift_rows(X.row(begin), shift, {rows.data(), count, d}, norms.data());
        double* products = room.data();
        if constexpr (in_place) products = out.row(begin);
        runtime::product_with_transpose({rows.data(), count, d}, {centers.data(), k, d},
                                        {products, count, k});
        for (Index i = 0; i < count; ++i) {
            int any_cancelled = 0;
            for (Index j = 0; j < k; ++j) {
                const double scale = norms[i] + center_norms[j];
                squares[j] = scale - 2 * products[i * k + j];
                any_cancelled |= !(squares[j] > cancellation_limit * scale);
            }
            if (any_cancelled != 0) {
                remeasure(X.row(begin + i), C, norms[i], center_norms, cancellation_limit, squares);
            }
            T* const row = out.row(begin + i);
            for (Index j = 0; j < k; ++j) row[j] = static_cast<T>(std::sqrt(squares[j]));
        }
    };
    const runtime::Blocks blocks{n, kBlock};
    runtime::parallel_for(
        blocks.count(), [&](Index b) { fill(blocks.begin(b), blocks.end(b) - blocks.begin(b)); },
        n * (d + k) < 20000 ? 1 : 0);
}

template void distance_matrix(Matrix<const float>, Matrix<const double>, Matrix<float>);
template void distance_matrix(Matrix<const double>, Matrix<const double>, Matrix<double>);

} // namespace gramian::distance
