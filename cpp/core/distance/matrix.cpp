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

constexpr Index kBlock = 128; // rows that a thread takes at once; their products are one call
constexpr double kAccuracy = 1e-12;

// Rows begin .. begin + moved.rows - 1, less the shift, and their squared norms.
template <typename T>
void move_rows(const T* rows, const std::vector<double>& shift, Matrix<double> moved,
               double* norms) {
    for (Index i = 0; i < moved.rows; ++i) {
        double norm = 0;
        for (Index t = 0; t < moved.cols; ++t) {
            const double x = static_cast<double>(rows[i * moved.cols + t]) - shift[t];
            moved(i, t) = x;
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

// A square that is small beside the norms it came from has lost its digits: measure it directly.
template <typename T>
void remeasure(const T* x, Matrix<const double> C, double norm,
               const std::vector<double>& center_norms, double doubtful,
               std::vector<double>& squares) {
    for (Index j = 0; j < C.rows; ++j) {
        if (!(squares[j] > doubtful * (norm + center_norms[j]))) {
            squares[j] = row_kernels<T>().squared_to_wide(x, C.row(j), C.cols);
        }
    }
}

} // namespace

template <typename T>
void distance_matrix(Matrix<const T> X, Matrix<const double> C, Matrix<T> out) {
    const Index n = X.rows, k = C.rows, d = X.cols;
    const std::vector<double> shift = mean_of(C);
    std::vector<double> centers(static_cast<std::size_t>(k * d)), center_norms(k);
    move_rows(C.data, shift, {centers.data(), k, d}, center_norms.data());

    // Products of doubles stand where the distances will; those of floats need room of their own.
    constexpr bool in_place = std::is_same_v<T, double>;
    // The sums of d products err by at most d eps of |x|^2 + |c|^2 each.
    const double doubtful = 4.0 * static_cast<double>(d + 4) * 0x1.0p-53 / kAccuracy;

    const auto fill = [&](Index begin, Index count) {
        std::vector<double> rows(static_cast<std::size_t>(count * d)), norms(count), squares(k);
        std::vector<double> room(in_place ? 0 : static_cast<std::size_t>(count * k));
        move_rows(X.row(begin), shift, {rows.data(), count, d}, norms.data());
        double* products = room.data();
        if constexpr (in_place) products = out.row(begin);
        runtime::product_of_rows({rows.data(), count, d}, {centers.data(), k, d},
                                 {products, count, k});
        for (Index i = 0; i < count; ++i) {
            int doubts = 0;
            for (Index j = 0; j < k; ++j) {
                const double scale = norms[i] + center_norms[j];
                squares[j] = scale - 2 * products[i * k + j];
                doubts |= !(squares[j] > doubtful * scale);
            }
            if (doubts != 0) {
                remeasure(X.row(begin + i), C, norms[i], center_norms, doubtful, squares);
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
