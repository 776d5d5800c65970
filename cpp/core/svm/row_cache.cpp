#include "core/svm/row_cache.hpp"

#include "core/runtime/pool.hpp"

#include <algorithm>

namespace gramian::svm {

RowCache::RowCache(Index n, Index length, Index values, Index least)
    : whole_(length), length_(length), slots_(std::min(n, std::max(least, values / length))),
      room_(slots_ * length), values_(new float[static_cast<std::size_t>(room_)]),
      slot_(static_cast<std::size_t>(n), kNone), point_(static_cast<std::size_t>(slots_), kNone),
      before_(point_.size(), kNone), after_(point_.size(), kNone) {}

void RowCache::unlink(std::int32_t slot) {
    const std::int32_t before = before_[slot], after = after_[slot];
    (before == kNone ? oldest_ : after_[before]) = after;
    (after == kNone ? newest_ : before_[after]) = before;
}

void RowCache::append(std::int32_t slot) {
    before_[slot] = newest_;
    after_[slot] = kNone;
    (newest_ == kNone ? oldest_ : after_[newest_]) = slot;
    newest_ = slot;
}

float* RowCache::find(Index point) {
    const std::int32_t slot = slot_[point];
    if (slot == kNone) return nullptr;
    unlink(slot);
    append(slot);
    return row(slot);
}

float* RowCache::make(Index point) {
    std::int32_t slot;
    if (used_ < slots_) {
        slot = static_cast<std::int32_t>(used_++);
    } else {
        slot = oldest_;
        slot_[point_[slot]] = kNone;
        unlink(slot);
    }
    point_[slot] = static_cast<std::int32_t>(point);
    slot_[point] = slot;
    append(slot);
    return row(slot);
}

void RowCache::keep_columns(const std::vector<std::int32_t>& columns, Index length) {
    const bool crowded = used_ == slots_ && slots_ < static_cast<Index>(slot_.size());
    runtime::parallel_for(used_, [&](Index slot) {
        float* const values = row(static_cast<std::int32_t>(slot));
        for (std::size_t j = 0; j < columns.size(); ++j) values[j] = values[columns[j]];
    });
    if (!crowded) return;
    // Rows move together, which makes room for more of them.
    for (Index slot = 1; slot < used_; ++slot) {
        const float* const from = values_.get() + slot * length_;
        std::copy(from, from + columns.size(), values_.get() + slot * length);
    }
    slots_ = room_ / length;
    length_ = length;
    point_.resize(static_cast<std::size_t>(slots_), kNone);
    before_.resize(point_.size(), kNone);
    after_.resize(point_.size(), kNone);
}

void RowCache::clear() {
    slots_ = room_ / whole_;
    length_ = whole_;
    point_.resize(static_cast<std::size_t>(slots_));
    before_.resize(point_.size());
    after_.resize(point_.size());
    std::fill(slot_.begin(), slot_.end(), kNone);
    used_ = 0;
    oldest_ = newest_ = kNone;
}

} // namespace gramian::svm
