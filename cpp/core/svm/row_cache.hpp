// A cache of kernel rows that evicts the least recently used one.
//
// Fresh memory may cost more than a row that is cheap to compute: the system clears it, a virtual
// machine may have to request it, and it is not in the processor's caches. Cheap rows therefore
// share some megabytes at first. The cache grows when evicted rows are computed again.
#pragma once

#include "core/runtime/views.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace gramian::svm {

// Memory for successive caches of at most `count` values, on several threads. It is reused, because
// its pages are already mapped.
template <typename V>
class RowMemory {
public:
    explicit RowMemory(Index count) : count_(count) {}

    V* acquire();
    void release(V* values) noexcept;

private:
    struct Free {
        void operator()(V* values) const;
    };

    Index count_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<V[], Free>> all_; // pages are touched when a row is written
    std::vector<V*> free_;
};

template <typename V>
class RowCache {
public:
    // Rows of `length` values for n points; room for at least `least` rows. `cheap_rows`: a row
    // takes little time to compute.
    RowCache(RowMemory<V>& memory, Index n, Index length, Index values, Index least,
             bool cheap_rows);
    // How many values it takes of the memory.
    static Index room_needed(Index n, Index length, Index values, Index least);

    // The row of a point, null where there is none; it counts as used.
    V* find(Index point);
    // Room for the row of a point that has none: new, or that of the row used longest ago.
    V* make(Index point);
    // Keeps the columns listed (ascending), and no others, of the rows of points whose place is not
    // negative; drops the other rows. Rows of `length` values, a multiple of 16, hold them.
    void shrink(const std::vector<std::int32_t>& place, const std::vector<std::int32_t>& columns,
                Index length);
    // Drops all rows; those to come have all columns again.
    void clear();

private:
    static constexpr std::int32_t kNone = -1;

    bool may_use_new_slot(Index point);
    V* row(std::int32_t slot) { return values_.get() + static_cast<Index>(slot) * length_; }
    void unlink(std::int32_t slot);
    void append(std::int32_t slot);
    void compact(const std::vector<std::int32_t>& kept, const std::vector<std::uint8_t>& bits,
                 Index length);

    Index whole_; // length of a row with all columns
    Index length_;
    Index room_; // values of all rows
    Index slots_;
    Index usable_;              // values of the rows that may be in use now
    Index recomputed_ = 0;      // rows that were dropped and computed again
    std::vector<bool> had_row_; // whether a point has had a row
    Index used_ = 0;
    struct Release {
        RowMemory<V>* memory;
        void operator()(V* values) const { memory->release(values); }
    };
    std::unique_ptr<V[], Release> values_;
    std::vector<std::int32_t> slot_;  // of a point
    std::vector<std::int32_t> point_; // of a slot
    std::vector<std::int32_t> before_, after_;
    std::vector<std::int32_t> free_; // slots of dropped rows
    std::int32_t oldest_ = kNone, newest_ = kNone;
};

} // namespace gramian::svm
