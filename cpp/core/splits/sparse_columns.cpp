#include "core/splits/sparse_columns.hpp"

#include "core/runtime/check.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace gramian::splits {

template <typename T, typename I>
SparseColumns::SparseColumns(Csr<const T, I> X)
    : row_start_(X.offsets, X.offsets + X.rows + 1), column_start_(X.cols + 1) {
    constexpr Index kMost = 0xffffffff;
    runtime::require(X.rows >= 1 && X.rows < kMost && X.cols >= 1 && X.cols < kMost,
                     "between 1 and 2^32 - 2 rows and columns");
    const Index n = entries();
    runtime::require(std::find(X.values, X.values + n, T{0}) == X.values + n, "no stored zeros");
    if constexpr (std::is_same_v<I, std::int32_t>) {
        columns_ = reinterpret_cast<const std::uint32_t*>(X.columns);
    } else {
        own_columns_.assign(X.columns, X.columns + n);
        columns_ = own_columns_.data();
    }
    for (Index e = 0; e < n; ++e) ++column_start_[Index{columns_[e]} + 1];
    for (Index j = 0; j < X.cols; ++j) column_start_[j + 1] += column_start_[j];

    // An entry of a column knows its place in its row first, then its key.
    by_column_.resize(n);
    std::vector<Index> next(column_start_.begin(), column_start_.end() - 1);
    for (Index i = 0; i < X.rows; ++i) {
        for (Index e = row_start_[i]; e < row_start_[i + 1]; ++e)
            by_column_[next[columns_[e]]++] = {static_cast<std::uint32_t>(i),
                                               static_cast<std::uint32_t>(e - row_start_[i])};
    }
    if constexpr (std::is_same_v<T, float>) {
        floats_ = X.values;
    } else {
        doubles_ = X.values;
        keys_.resize(n);
        zero_key_.resize(X.cols);
    }
    const runtime::Blocks blocks{X.cols, 64};
    runtime::parallel_for(blocks.count(), [&](Index b) {
        std::vector<std::uint64_t> scratch;
        for (Index j = blocks.begin(b); j < blocks.end(b); ++j) {
            if constexpr (std::is_same_v<T, float>)
                sort_floats(j, scratch);
            else
                sort_doubles(j);
        }
    });
}

void SparseColumns::sort_floats(Index j, std::vector<std::uint64_t>& scratch) {
    const Index begin = column_start_[j], m = column_start_[j + 1] - begin;
    scratch.resize(std::max<std::size_t>(scratch.size(), 2 * m));
    std::uint64_t* sorted = scratch.data(); // key << 32 | row; rows ascend
    for (Index k = 0; k < m; ++k) {
        const SparseEntry entry = by_column_[begin + k];
        const std::uint64_t key = Key::of(floats_[row_start_[entry.row] + entry.key]);
        sorted[k] = key << 32 | entry.row;
    }
    if (m > 256)
        sorted = runtime::sort_by_digits<32, 8, 4>(sorted, sorted + m, m);
    else
        std::sort(sorted, sorted + m);
    for (Index k = 0; k < m; ++k)
        by_column_[begin + k] = {static_cast<std::uint32_t>(sorted[k]),
                                 static_cast<std::uint32_t>(sorted[k] >> 32)};
}

void SparseColumns::sort_doubles(Index j) {
    SparseEntry* const begin = by_column_.data() + column_start_[j];
    const Index m = column_start_[j + 1] - column_start_[j];
    const auto at = [&](const SparseEntry& entry) { return row_start_[entry.row] + entry.key; };
    std::sort(begin, begin + m, [&](const SparseEntry& a, const SparseEntry& b) {
        const double x = doubles_[at(a)], y = doubles_[at(b)];
        return x < y || (x == y && a.row < b.row);
    });
    // Keys count from 1; that of zero, and those above it, are one more than the place.
    std::uint32_t key = 0;
    double last = 0;
    bool passed_zero = false;
    zero_key_[j] = static_cast<std::uint32_t>(m) + 1;
    for (Index k = 0; k < m; ++k) {
        const Index entry = at(begin[k]);
        if (!passed_zero && doubles_[entry] > 0) {
            passed_zero = true;
            zero_key_[j] = static_cast<std::uint32_t>(k) + 1;
        }
        if (k == 0 || doubles_[entry] != last)
            key = static_cast<std::uint32_t>(k) + 1 + passed_zero;
        last = doubles_[entry];
        begin[k].key = keys_[entry] = key;
    }
}

Index SparseColumns::find(Index row, Index column) const {
    const std::uint32_t* const end = columns_ + row_start_[row + 1];
    const std::uint32_t* const at =
        std::lower_bound(columns_ + row_start_[row], end, static_cast<std::uint32_t>(column));
    return at != end && *at == column ? at - columns_ : -1;
}

double SparseColumns::value(Index j, std::uint32_t key) const {
    if (floats_) return Key::back(key);
    if (key == zero_key_[j]) return 0;
    const Index place = Index{key} - 1 - (key > zero_key_[j]);
    return doubles_[find(by_column_[column_start_[j] + place].row, j)];
}

std::uint32_t SparseColumns::last_key(Index j, double threshold) const {
    if (floats_) {
        auto below = static_cast<float>(threshold);
        if (static_cast<double>(below) > threshold)
            below = std::nextafter(below, -std::numeric_limits<float>::infinity());
        return Key::of(below + 0.0F); // never -0.0
    }
    const Vector<const SparseEntry> entries = column(j);
    const SparseEntry* const above =
        std::partition_point(entries.begin(), entries.end(), [&](const SparseEntry& entry) {
            return value(j, entry.key) <= threshold;
        });
    const std::uint32_t last = above == entries.begin() ? 0 : (above - 1)->key;
    return threshold >= 0 ? std::max(last, zero_key_[j]) : last;
}

template SparseColumns::SparseColumns(Csr<const float, std::int32_t>);
template SparseColumns::SparseColumns(Csr<const float, std::int64_t>);
template SparseColumns::SparseColumns(Csr<const double, std::int32_t>);
template SparseColumns::SparseColumns(Csr<const double, std::int64_t>);

} // namespace gramian::splits
