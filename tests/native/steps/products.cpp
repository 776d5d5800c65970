// Products of a table with a few columns, and nonnegative rows, against loops.
#include "core/nonnegative/least_squares.hpp"
#include "core/products/table_times.hpp"

#include "steps.hpp"

#include <algorithm>

namespace steps {
namespace {

template <typename T>
double away(const Table<T>& X, const std::vector<double>& mean, Index i, Index j) {
    return static_cast<double>(X(i, j)) - mean[static_cast<std::size_t>(j)];
}

template <typename T>
void table_products(Index n, Index d, Index b) {
    Table<T> X = groups<T>(n, d, 3);
    const Sparse<T> sparse(X, static_cast<T>(2));
    const Table<double> V = groups<double>(d, b, 4), U = groups<double>(n, b, 5);
    std::vector<double> mean(static_cast<std::size_t>(d), 0.5);
    Table<double> XV(n, b), again(n, b), XU(d, b), both(d, b);
    gramian::products::times(X.in(), V.in(), XV.out());
    gramian::products::times(sparse.in(), V.in(), again.out());
    gramian::products::transposed_times(X.in(), U.in(), XU.out());
    gramian::products::gram_times(X.in(), mean.data(), V.in(), both.out());
    Table<double> centred(n, b);
    for (Index c = 0; c < b; ++c) {
        for (Index i = 0; i < n; ++i) {
            double sum = 0;
            for (Index j = 0; j < d; ++j) {
                sum += static_cast<double>(X(i, j)) * V(j, c);
                centred(i, c) += away(X, mean, i, j) * V(j, c);
            }
            HOLDS(close(XV(i, c), sum, 1e-12) && close(again(i, c), sum, 1e-12));
        }
        for (Index j = 0; j < d; ++j) {
            double sum = 0, square = 0;
            for (Index i = 0; i < n; ++i) {
                sum += static_cast<double>(X(i, j)) * U(i, c);
                square += away(X, mean, i, j) * centred(i, c);
            }
            HOLDS(close(XU(j, c), sum, 1e-12) && close(both(j, c), square, 1e-10));
        }
    }
}

// At its end every derivative is 0, or not negative where the number is 0.
void nonnegative_rows(Index n, Index k) {
    const Table<double> H = groups<double>(k, 2 * k, 6), cross = groups<double>(n, k, 7);
    Table<double> gram(k, k), W(n, k);
    for (Index a = 0; a < k; ++a) {
        for (Index b = 0; b < k; ++b) {
            for (Index j = 0; j < 2 * k; ++j) gram(a, b) += H(a, j) * H(b, j) / 64;
        }
        gram(a, a) += 1;
    }
    const gramian::nonnegative::Problem problem{gram.values.data(), k, 0.1, 0.2};
    gramian::nonnegative::improve_rows(problem, {10000, 0.0, 1e-12}, cross.in(), W.out());
    for (Index i = 0; i < n; ++i) {
        for (Index a = 0; a < k; ++a) {
            double derivative = 0.1 + 0.2 * W(i, a) - cross(i, a);
            for (Index b = 0; b < k; ++b) derivative += gram(a, b) * W(i, b);
            HOLDS(W(i, a) > 0 ? std::abs(derivative) < 1e-8 : derivative > -1e-8);
        }
    }
}

} // namespace

void products() {
    table_products<float>(230, 37, 5);
    table_products<double>(131, 50, 19);
    table_products<double>(4, 17000, 3);
    nonnegative_rows(150, 5);
}

} // namespace steps
