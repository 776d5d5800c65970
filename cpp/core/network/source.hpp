// The rows of a table, copied where the products can read them; or rows that are computed from
// those of a table, by something that learns from the derivatives by them.
#pragma once

#include "core/network/units.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace gramian::network {

template <typename T>
struct Source {
    const void* table;
    Index rows, cols;
    // out(i) = row order[i], or row i where there is no order
    void (*gather)(const void* table, const std::int32_t* order, Index first, Rows<T> out);

    // Gets the derivatives by the rows gathered last with the same arguments; null: not wanted.
    // Parts of the rows that are at work at once begin at a multiple of `together`.
    void (*back)(void* learner, const std::int32_t* order, Index first,
                 Rows<const T> slopes) = nullptr;
    void* learner = nullptr;
    Index together = 1;
    double work = 0; // multiply-adds of a row in `gather`
};

// Asks for the beginning of a row that is needed soon.
template <typename T>
void fetch_row(const Matrix<const T>& X, Index row) {
    const char* at = reinterpret_cast<const char*>(X.row(row));
    const Index bytes = std::min<Index>(X.cols * static_cast<Index>(sizeof(T)), 512);
    for (Index b = 0; b < bytes; b += 64) __builtin_prefetch(at + b);
}
template <typename T, typename I>
void fetch_row(const Csr<const T, I>&, Index) {}

template <typename T>
void gather_row(const Matrix<const T>& X, Index row, T* to) {
    constexpr Index few = 16 / sizeof(T); // short rows: a call of memcpy takes longer than they do
    const T* from = X.row(row);
    if (X.cols > 64) {
        std::copy_n(from, X.cols, to);
        return;
    }
    Index j = 0;
    for (; j + few <= X.cols; j += few) std::memcpy(to + j, from + j, 16);
    for (; j < X.cols; ++j) to[j] = from[j];
}
template <typename T, typename I>
void gather_row(const Csr<const T, I>& X, Index row, T* to) {
    std::fill_n(to, X.cols, T(0));
    for (I at = X.offsets[row]; at < X.offsets[row + 1]; ++at) to[X.columns[at]] = X.values[at];
}

template <typename T, typename View>
Source<T> source_of(const View& X) {
    const auto gather = [](const void* table, const std::int32_t* order, Index first, Rows<T> out) {
        const View& view = *static_cast<const View*>(table);
        constexpr Index ahead = 8;
        for (Index i = 0; i < out.rows; ++i) {
            if (order && i + ahead < out.rows) fetch_row(view, order[first + i + ahead]);
            gather_row(view, order ? order[first + i] : first + i, out.row(i));
        }
    };
    return {.table = &X, .rows = X.rows, .cols = X.cols, .gather = gather};
}

} // namespace gramian::network
