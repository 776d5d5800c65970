// A sparse table, prepared once for every tree that is grown on it: its entries by column, in the
// order of their values; the table itself has them by row.
// A key represents a value: equal values have equal keys, larger values larger keys.
// The key of a float are its bits, that of a double is its place in its column. Zero, of which
// there is no entry, has a key between those of the negative and the positive values.
#pragma once

#include "core/runtime/sort.hpp"
#include "core/runtime/views.hpp"

#include <cstdint>
#include <vector>

namespace gramian::splits {

struct SparseEntry {
    std::uint32_t row, key;
};

class SparseColumns {
public:
    // Values are finite and not zero; columns of a row ascend. The table must outlive this.
    template <typename T, typename I>
    explicit SparseColumns(Csr<const T, I> X);

    Index rows() const { return static_cast<Index>(row_start_.size()) - 1; }
    Index cols() const { return static_cast<Index>(column_start_.size()) - 1; }
    Index entries() const { return row_start_.back(); }

    Vector<const SparseEntry> column(Index j) const {
        return {by_column_.data() + column_start_[j], column_start_[j + 1] - column_start_[j]};
    }
    // Row i has the entries row_start(i) .. row_start(i + 1) - 1 of the table.
    Index row_start(Index i) const { return row_start_[i]; }
    std::uint32_t column_of(Index entry) const { return columns_[entry]; }
    std::uint32_t key_of(Index entry) const {
        return floats_ ? Key::of(floats_[entry]) : keys_[entry];
    }
    // The entry of a row on a column, -1 where there is none.
    Index find(Index row, Index column) const;

    std::uint32_t zero_key(Index j) const { return floats_ ? kZero : zero_key_[j]; }
    double value(Index j, std::uint32_t key) const;
    // The greatest key whose value is at most `threshold`; all values have keys above 0.
    std::uint32_t last_key(Index j, double threshold) const;

private:
    using Key = runtime::SortKey<float>;
    static constexpr std::uint32_t kZero = Key::kSign; // the key of 0.0f

    void sort_floats(Index j, std::vector<std::uint64_t>& scratch);
    void sort_doubles(Index j);

    std::vector<Index> row_start_, column_start_;
    std::vector<SparseEntry> by_column_;
    const std::uint32_t* columns_ = nullptr; // of the table's entries
    std::vector<std::uint32_t> own_columns_; // where the table's are of another type
    const float* floats_ = nullptr;          // the table's values; one of the two is null
    const double* doubles_ = nullptr;
    std::vector<std::uint32_t> keys_;     // of the table's entries, for doubles
    std::vector<std::uint32_t> zero_key_; // for doubles
};

} // namespace gramian::splits
