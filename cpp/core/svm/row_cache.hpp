// Kernel rows that are kept, the least recently used one being dropped first.
#pragma once

#include "core/runtime/views.hpp"

#include <memory>
#include <vector>

namespace gramian::svm {

class RowCache {
public:
    // Rows of `length` values for n points; room for `least` rows at any rate.
    RowCache(Index n, Index length, Index values, Index least);

    // The row of a point, null where there is none; it counts as used.
    float* find(Index point);
    // Room for the row of a point that has none; takes that of the row used longest ago.
    float* make(Index point);
    // Keeps the columns listed (ascending), and no others, of the rows of points whose place is not
    // negative; drops the other rows. Rows of `length` values, a multiple of 16, hold them.
    void shrink(const std::vector<std::int32_t>& place, const std::vector<std::int32_t>& columns,
                Index length);
    // Drops all rows; those to come have all columns again.
    void clear();

private:
    static constexpr std::int32_t kNone = -1;

    float* row(std::int32_t slot) { return values_.get() + static_cast<Index>(slot) * length_; }
    void unlink(std::int32_t slot);
    void append(std::int32_t slot);
    void move_together(const std::vector<std::int32_t>& kept, Index size, Index length);

    Index whole_; // length of a row with all columns
    Index length_;
    Index slots_;
    Index room_; // values of all rows
    Index used_ = 0;
    struct Free {
        void operator()(float* values) const;
    };
    std::unique_ptr<float[], Free> values_; // pages are touched when a row is written
    std::vector<std::int32_t> slot_;        // of a point
    std::vector<std::int32_t> point_;       // of a slot
    std::vector<std::int32_t> before_, after_;
    std::vector<std::int32_t> free_; // slots of dropped rows
    std::int32_t oldest_ = kNone, newest_ = kNone;
};

} // namespace gramian::svm
