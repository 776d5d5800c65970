#include "core/splits/sparse_columns.hpp"

#include "core/runtime/check.hpp"
#include "core/runtime/pool.hpp"
#include "core/splits/columns.hpp"

#include <algorithm>
#include <type_traits>

namespace gramian::splits {

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
    struct Placed {
        T value;
        std::uint32_t row;
        Index at; // in by_row_
    };
    std::vector<Placed> placed(n);
    std::vector<Index> next(column_start_.begin(), column_start_.end() - 1);
    Index at = 0;
    for (Index i = 0; i < X.rows; ++i) {
        for (I e = X.offsets[i]; e < X.offsets[i + 1]; ++e) {
            if (X.values[e] == 0) continue;
            const auto j = static_cast<Index>(X.columns[e]);
            placed[next[j]++] = {X.values[e], static_cast<std::uint32_t>(i), at};
            by_row_[at++].at = static_cast<std::uint32_t>(j);
        }
    }
    auto& values = [&]() -> std::vector<T>& {
        if constexpr (std::is_same_v<T, float>)
            return single_;
        else
            return double_;
    }();
    values.resize(n);
    const runtime::Blocks blocks{X.cols, 64};
    runtime::parallel_for(blocks.count(), [&](Index b) {
        for (Index j = blocks.begin(b); j < blocks.end(b); ++j) {
            const auto begin = placed.begin() + column_start_[j];
            const auto end = placed.begin() + column_start_[j + 1];
            std::sort(begin, end, [](const Placed& x, const Placed& y) {
                return x.value < y.value || (x.value == y.value && x.row < y.row);
            });
            const auto negative =
                std::partition_point(begin, end, [](const Placed& p) { return p.value < 0; });
            zero_rank_[j] = static_cast<std::uint32_t>(negative - begin);
            std::uint32_t rank = 0;
            for (auto p = begin; p != end; ++p) {
                if (p == begin || p->value != (p - 1)->value)
                    rank = static_cast<std::uint32_t>(p - begin) + (p >= negative);
                values[p - placed.begin()] = p->value;
                by_column_[p - placed.begin()] = {p->row, rank};
                by_row_[p->at].rank = rank;
            }
        }
    });
}

double SparseColumns::threshold(Index j, std::uint32_t low, std::uint32_t high) const {
    return midpoint(value(j, low), value(j, high));
}

template SparseColumns::SparseColumns(Csr<const float, std::int32_t>);
template SparseColumns::SparseColumns(Csr<const float, std::int64_t>);
template SparseColumns::SparseColumns(Csr<const double, std::int32_t>);
template SparseColumns::SparseColumns(Csr<const double, std::int64_t>);

} // namespace gramian::splits
