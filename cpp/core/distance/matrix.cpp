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

// Values in the rows and products of one panel, 32 MB: BLAS's threads and ours take turns, and
// each turn must be long beside the waking of threads.
constexpr Index kPanelValues = Index{4} << 20;
constexpr Index kBlock = 64; // rows of a panel that a thread takes at once
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

    const Index panel = std::min(n, std::max(kBlock, kPanelValues / (d + k)));
    std::vector<double> rows(static_cast<std::size_t>(panel * d)), norms(panel);
    // Products of doubles stand where the distances will; those of floats need room of their own.
    constexpr bool in_place = std::is_same_v<T, double>;
    std::vector<double> room(in_place ? 0 : static_cast<std::size_t>(panel * k));
    // The sums of d products err by at most d eps of |x|^2 + |c|^2 each.
    const double doubtful = 4.0 * static_cast<double>(d + 4) * 0x1.0p-53 / kAccuracy;

    for (Index first = 0; first < n; first += panel) {
        const Index count = std::min(panel, n - first);
        const runtime::Blocks blocks{count, kBlock};
        const int threads = count * (d + k) < 20000 ? 1 : 0;
        runtime::parallel_for(
            blocks.count(),
            [&](Index b) {
                const Index begin = blocks.begin(b);
                move_rows(X.row(first + begin), shift,
                          {rows.data() + begin * d, blocks.end(b) - begin, d},
                          norms.data() + begin);
            },
            threads);
        double* products = room.data();
        if constexpr (in_place) {
            products = out.row(first);
        }
        runtime::product_of_rows({rows.data(), count, d}, {centers.data(), k, d},
                                 {products, count, k});
        runtime::parallel_for(
            blocks.count(),
            [&](Index b) {
                std::vector<double> squares(static_cast<std::size_t>(k));
                for (Index i = blocks.begin(b); i < blocks.end(b); ++i) {
                    int doubts = 0;
                    for (Index j = 0; j < k; ++j) {
                        const double scale = norms[i] + center_norms[j];
                        squares[j] = scale - 2 * products[i * k + j];
                        doubts |= !(squares[j] > doubtful * scale);
                    }
                    if (doubts != 0) {
                        remeasure(X.row(first + i), C, norms[i], center_norms, doubtful, squares);
                    }
                    T* const row = out.row(first + i);
                    for (Index j = 0; j < k; ++j) {
                        row[j] = static_cast<T>(std::sqrt(squares[j]));
                    }
                }
            },
            threads);
    }
}

template void distance_matrix(Matrix<const float>, Matrix<const double>, Matrix<float>);
template void distance_matrix(Matrix<const double>, Matrix<const double>, Matrix<double>);

} // namespace gramian::distance
