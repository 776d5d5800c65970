// Steps of the core against obvious loops, in C++ alone: no Python and no BLAS are needed, so that
// the programs run under every sanitizer and on every machine that a compiler is had for.
#pragma once

#include "core/runtime/random.hpp"
#include "core/runtime/views.hpp"

#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace steps {

using gramian::Index;
using gramian::Matrix;
using gramian::Vector;

void passes();
void kmeans();
void neighbors();
void forest();
void boosting();
void lasso();
void moments();
void kernel_sums();
void network();
void products();
void svm();

inline std::atomic<long> comparisons{0};

#define HOLDS(condition)                                                                           \
    do {                                                                                           \
        ++steps::comparisons;                                                                      \
        if (!(condition)) {                                                                        \
            std::fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);     \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (0)

inline bool close(double a, double b, double relative) {
    return std::abs(a - b) <= relative * (1 + std::abs(a) + std::abs(b));
}

// A vector's memory as the core sees it.
template <typename T>
Vector<const T> in(const std::vector<T>& values) {
    return {values.data(), static_cast<Index>(values.size())};
}
template <typename T>
Vector<T> out(std::vector<T>& values) {
    return {values.data(), static_cast<Index>(values.size())};
}

// Rows of equal length that own their memory.
template <typename T>
struct Table {
    std::vector<T> values;
    Index rows, cols;

    Table(Index n, Index d) : values(static_cast<std::size_t>(n * d)), rows(n), cols(d) {}
    T& operator()(Index i, Index j) { return values[static_cast<std::size_t>(i * cols + j)]; }
    T operator()(Index i, Index j) const { return values[static_cast<std::size_t>(i * cols + j)]; }
    Matrix<const T> in() const { return {values.data(), rows, cols}; }
    Matrix<T> out() { return {values.data(), rows, cols}; }
};

// Rows around three centres, rounded to multiples of 1/16 so that there are ties.
template <typename T>
Table<T> groups(Index n, Index d, std::uint64_t seed) {
    const gramian::runtime::Philox random{seed, 0};
    Table<T> X(n, d);
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < d; ++j) {
            const double noise = random.uniform(static_cast<std::uint64_t>(i * d + j));
            X(i, j) = static_cast<T>(std::round(16 * (4 * noise + 3 * ((i + j) % 3))) / 16);
        }
    }
    return X;
}

// The rows again, without what is below `least`, as CSR.
template <typename T>
struct Sparse {
    std::vector<T> values;
    std::vector<std::int32_t> columns, offsets{0};
    Index cols;

    Sparse(Table<T>& X, T least) : cols(X.cols) {
        for (Index i = 0; i < X.rows; ++i) {
            for (Index j = 0; j < X.cols; ++j) {
                if (X(i, j) < least) {
                    X(i, j) = 0;
                } else {
                    values.push_back(X(i, j));
                    columns.push_back(static_cast<std::int32_t>(j));
                }
            }
            offsets.push_back(static_cast<std::int32_t>(values.size()));
        }
    }
    gramian::Csr<const T, std::int32_t> in() const {
        return {values.data(), columns.data(), offsets.data(),
                static_cast<Index>(offsets.size()) - 1, cols};
    }
};

} // namespace steps
