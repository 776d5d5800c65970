#include "core/splits/sparse_columns.hpp"

#include "core/runtime/check.hpp"
#include "core/runtime/pool.hpp"
#include "core/splits/columns.hpp"

#include <algorithm>
#include <type_traits>

namespace gramian::splits {
namespace {

template <typename T>
struct SortedEntry {
    T value;
    std::uint32_t row, place;

    bool operator<(const SortedEntry& other) const {
        return value < other.value || (value == other.value && row < other.row);
    }
};

} // namespace

template <typename T, typename I>
SparseColumns::SparseColumns(Csr<const T, I> X)
    : row_start_(X.rows + 1), column_start_(X.cols + 1), zero_rank_(X.cols) {
    constexpr Index kMost = 0xffffffff;
    runtime::require(X.rows >= 1 && X.rows < kMost && X.cols >= 1 && X.cols < kMost,
                     "between 1 and 2^32 - 2 rows and columns");
    for (Index i = 0; i < X.rows; ++i) {
        row_start_[i + 1] = row_start_[i];
        for (I e = X.offsets[i]; e < X.offsets[i + 1]; ++e) {
            if (X.values[e] == 0) continue;
            ++row_start_[i + 1];
            ++column_start_[static_cast<Index>(X.columns[e]) + 1];
        }
    }
    const Index n = row_start_.back();
    for (Index j = 0; j < X.cols; ++j) column_start_[j + 1] += column_start_[j];
    by_row_.resize(n);
    by_column_.resize(n);
    auto& values = [&]() -> std::vector<T>& {
        if constexpr (std::is_same_v<T, float>)
            return single_;
        else
            return double_;
    }();
    values.resize(n);
    // An entry of a row knows its place in its column first, then its rank.
    std::vector<Index> next(column_start_.begin(), column_start_.end() - 1);
    Index at = 0;
    for (Index i = 0; i < X.rows; ++i) {
        for (I e = X.offsets[i]; e < X.offsets[i + 1]; ++e) {
            if (X.values[e] == 0) continue;
            const auto j = static_cast<Index>(X.columns[e]);
            const Index place = next[j]++;
            by_column_[place].at = static_cast<std::uint32_t>(i);
            values[place] = X.values[e];
            by_row_[at++] = {static_cast<std::uint32_t>(j),
                             static_cast<std::uint32_t>(place - column_start_[j])};
        }
    }
    std::vector<std::uint32_t> rank_at(n);
    const runtime::Blocks blocks{X.cols, 64};
    runtime::parallel_for(blocks.count(), [&](Index b) {
        std::vector<SortedEntry<T>> sorted;
        for (Index j = blocks.begin(b); j < blocks.end(b); ++j) {
            const Index begin = column_start_[j], m = column_start_[j + 1] - begin;
            sorted.resize(m);
            for (Index k = 0; k < m; ++k)
                sorted[k] = {values[begin + k], by_column_[begin + k].at,
                             static_cast<std::uint32_t>(k)};
            std::sort(sorted.begin(), sorted.end());
            std::uint32_t negative = 0, rank = 0;
            while (negative < m && sorted[negative].value < 0) ++negative;
            zero_rank_[j] = negative;
            for (Index k = 0; k < m; ++k) {
                if (k == 0 || sorted[k].value != sorted[k - 1].value)
                    rank = static_cast<std::uint32_t>(k) + (k >= negative);
                values[begin + k] = sorted[k].value;
                by_column_[begin + k] = {sorted[k].row, rank};
                rank_at[begin + sorted[k].place] = rank;
            }
        }
    });
    for (SparseEntry& entry : by_row_) entry.rank = rank_at[column_start_[entry.at] + entry.rank];
}

double SparseColumns::threshold(Index j, std::uint32_t low, std::uint32_t high) const {
    return midpoint(value(j, low), value(j, high));
}

template SparseColumns::SparseColumns(Csr<const float, std::int32_t>);
template SparseColumns::SparseColumns(Csr<const float, std::int64_t>);
template SparseColumns::SparseColumns(Csr<const double, std::int32_t>);
template SparseColumns::SparseColumns(Csr<const double, std::int64_t>);

} // namespace gramian::splits
