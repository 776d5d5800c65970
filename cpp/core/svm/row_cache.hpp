// Kernel rows that are kept, the least recently used one being dropped first.
//
// Memory that was never touched may cost more than a row that is quick to compute: the system
// clears it, a virtual machine may have to ask for it, and what lies in it is far from the
// processor. So such rows share some megabytes at first, and further ones are taken in as rows that
// were dropped are computed again.
#pragma once

#include "core/runtime/views.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace gramian::svm {

// Memory for caches of at most `count` values that live one after the other, on several threads:
// what one of them has touched serves the next.
template <typename V>
class RowMemory {
public:
    explicit RowMemory(Index count) : count_(count) {}

    V* take();
    void give_back(V* values) noexcept;

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
    // Rows of `length` values for n points, which may be quick to compute; room for `least` rows at
    // any rate.
    RowCache(RowMemory<V>& memory, Index n, Index length, Index values, Index least, bool quick);
    // How many values it takes of the memory.
    static Index room_for(Index n, Index length, Index values, Index least);

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

    bool takes_new(Index point);
    V* row(std::int32_t slot) { return values_.get() + static_cast<Index>(slot) * length_; }
    void unlink(std::int32_t slot);
    void append(std::int32_t slot);
    void move_together(const std::vector<std::int32_t>& kept, const std::vector<std::uint8_t>& bits,
                       Index length);

    Index whole_; // length of a row with all columns
    Index length_;
    Index room_; // values of all rows
    Index slots_;
    Index opened_;           // values of the rows that may be in use at present
    Index lost_ = 0;         // rows that were dropped and computed again
    std::vector<bool> made_; // whether a point has had a row
    Index used_ = 0;
    struct GiveBack {
        RowMemory<V>* memory;
        void operator()(V* values) const { memory->give_back(values); }
    };
    std::unique_ptr<V[], GiveBack> values_;
    std::vector<std::int32_t> slot_;  // of a point
    std::vector<std::int32_t> point_; // of a slot
    std::vector<std::int32_t> before_, after_;
    std::vector<std::int32_t> free_; // slots of dropped rows
    std::int32_t oldest_ = kNone, newest_ = kNone;
};

} // namespace gramian::svm
