// A sparse table, prepared once for every tree that is grown on it: its entries by column, in the
// order of their values, and by row.
//
// Equal values of a column share a rank, and ranks ascend with the values; zero, of which no entry
// is kept, has a rank of its own between the negative and the positive ones.
#pragma once

#include "core/runtime/views.hpp"

#include <cstdint>
#include <vector>

namespace gramian::splits {

// An entry of a column or of a row: the row or the column it is in.
struct SparseEntry {
    std::uint32_t at, rank;
};

class SparseColumns {
public:
    // Values are finite; columns of a row ascend.
    template <typename T, typename I>
    explicit SparseColumns(Csr<const T, I> X);

    Index rows() const { return static_cast<Index>(row_start_.size()) - 1; }
    Index cols() const { return static_cast<Index>(column_start_.size()) - 1; }

    Index entries() const { return row_start_.back(); }
    Vector<const SparseEntry> column(Index j) const {
        return {by_column_.data() + column_start_[j], column_start_[j + 1] - column_start_[j]};
    }
    Vector<const SparseEntry> row(Index i) const {
        return {by_row_.data() + row_start_[i], row_start_[i + 1] - row_start_[i]};
    }
    std::uint32_t zero_rank(Index j) const { return zero_rank_[j]; }
    double value(Index j, std::uint32_t rank) const {
        if (rank == zero_rank_[j]) return 0;
        const Index at = column_start_[j] + rank - (rank > zero_rank_[j]);
        return single_.empty() ? double_[at] : static_cast<double>(single_[at]);
    }
    // Halfway between the values of two ranks.
    double threshold(Index j, std::uint32_t low, std::uint32_t high) const;

private:
    std::vector<Index> row_start_, column_start_;
    std::vector<SparseEntry> by_row_, by_column_;
    std::vector<std::uint32_t> zero_rank_;
    std::vector<float> single_; // as by_column_; one of the two is empty
    std::vector<double> double_;
};

} // namespace gramian::splits
