// One row against a vector of doubles, for methods that visit rows one by one.
#pragma once

#include "core/runtime/views.hpp"
#include "core/simd/register.hpp"

namespace gramian::passes::GRAMIAN_ISA {
namespace {

using namespace simd;

// Prefetches a row that will be visited soon; the order is random, so that the processor cannot
// predict it. (GCC treats a function that only prefetches as one without effects, and drops calls
// of it that it does not inline at once.)
#define GRAMIAN_ASK __attribute__((always_inline)) inline
GRAMIAN_ASK void prefetch_lines(const void* from, const void* to) {
    constexpr std::uintptr_t line = 64;
    const auto end = reinterpret_cast<std::uintptr_t>(to);
    for (auto at = reinterpret_cast<std::uintptr_t>(from) & ~(line - 1); at < end; at += line) {
        __builtin_prefetch(reinterpret_cast<const void*>(at));
    }
}

template <typename T>
GRAMIAN_ASK void prefetch_row(const Matrix<const T>& X, Index i) {
    prefetch_lines(X.row(i), X.row(i + 1));
}
template <typename T, typename I>
GRAMIAN_ASK void prefetch_row(const Csr<const T, I>& X, Index i) {
    prefetch_lines(X.values + X.offsets[i], X.values + X.offsets[i + 1]);
    prefetch_lines(X.columns + X.offsets[i], X.columns + X.offsets[i + 1]);
}

// x_i . w
template <typename T>
inline double dot_row(const Matrix<const T>& X, Index i, const double* w) {
    constexpr Index lanes = kLanes<double>;
    const T* x = X.row(i);
    Vec<double> part[4] = {};
    Index j = 0;
    for (; j + 4 * lanes <= X.cols; j += 4 * lanes) {
        for (int u = 0; u < 4; ++u)
            part[u] += load_wide(x + j + u * lanes) * load(w + j + u * lanes);
    }
    for (; j + lanes <= X.cols; j += lanes) part[0] += load_wide(x + j) * load(w + j);
    double total = sum<double>((part[0] + part[1]) + (part[2] + part[3]));
    for (; j < X.cols; ++j) total += static_cast<double>(x[j]) * w[j];
    return total;
}
template <typename T, typename I>
inline double dot_row(const Csr<const T, I>& X, Index i, const double* w) {
    const T* values = X.values + X.offsets[i];
    const I* columns = X.columns + X.offsets[i];
    const Index size = X.offsets[i + 1] - X.offsets[i];
    double part[4] = {};
    Index at = 0;
    for (; at + 4 <= size; at += 4) {
        for (int u = 0; u < 4; ++u) {
            part[u] += static_cast<double>(values[at + u]) * w[columns[at + u]];
        }
    }
    for (; at < size; ++at) part[0] += static_cast<double>(values[at]) * w[columns[at]];
    return (part[0] + part[1]) + (part[2] + part[3]);
}

// w += scale x_i
template <typename T>
inline void add_row(const Matrix<const T>& X, Index i, double scale, double* w) {
    constexpr Index lanes = kLanes<double>;
    const T* x = X.row(i);
    Index j = 0;
    for (; j + lanes <= X.cols; j += lanes) store(w + j, load(w + j) + scale * load_wide(x + j));
    for (; j < X.cols; ++j) w[j] += scale * static_cast<double>(x[j]);
}
template <typename T, typename I>
inline void add_row(const Csr<const T, I>& X, Index i, double scale, double* w) {
    const T* values = X.values + X.offsets[i];
    const I* columns = X.columns + X.offsets[i];
    const Index size = X.offsets[i + 1] - X.offsets[i];
    for (Index at = 0; at < size; ++at) {
        w[columns[at]] += scale * static_cast<double>(values[at]);
    }
}

// |x_i|^2, by four independent sums, so that the additions overlap
template <typename T>
inline double squared_length(const T* x, Index size) {
    double part[4] = {};
    Index at = 0;
    for (; at + 4 <= size; at += 4) {
        for (int u = 0; u < 4; ++u) {
            const double value = static_cast<double>(x[at + u]);
            part[u] += value * value;
        }
    }
    for (; at < size; ++at) part[0] += static_cast<double>(x[at]) * static_cast<double>(x[at]);
    return (part[0] + part[1]) + (part[2] + part[3]);
}
template <typename T>
inline double squared_norm(const Matrix<const T>& X, Index i) {
    return squared_length(X.row(i), X.cols);
}
template <typename T, typename I>
inline double squared_norm(const Csr<const T, I>& X, Index i) {
    return squared_length(X.values + X.offsets[i], X.offsets[i + 1] - X.offsets[i]);
}

} // namespace
} // namespace gramian::passes::GRAMIAN_ISA
