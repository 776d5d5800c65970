#include "core/svm/row_cache.hpp"

#include "core/runtime/pool.hpp"
#include "core/svm/kernel.hpp"
#include "core/svm/large_pages.hpp"

#include <algorithm>
#include <cstdlib>

namespace gramian::svm {
namespace {

constexpr Index kUsableAtFirst = 3'000'000; // values: 12 MB, the last cache of many processors
constexpr Index kRecomputedPerSlot = 4;     // rows computed again for each further one that is kept

} // namespace

template <typename V>
void RowMemory<V>::Free::operator()(V* values) const {
    std::free(values);
}

template <typename V>
V* RowMemory<V>::acquire() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
        const std::size_t bytes = static_cast<std::size_t>(count_) * sizeof(V);
        all_.emplace_back(static_cast<V*>(allocate_untouched(bytes)));
        free_.reserve(all_.size()); // so that release() cannot throw
        return all_.back().get();
    }
    V* const values = free_.back();
    free_.pop_back();
    return values;
}

template <typename V>
void RowMemory<V>::release(V* values) noexcept {
    const std::lock_guard lock(mutex_);
    free_.push_back(values);
}

template <typename V>
Index RowCache<V>::room_needed(Index n, Index length, Index values, Index least) {
    return std::min(n, std::max(least, values / length)) * length;
}

template <typename V>
RowCache<V>::RowCache(RowMemory<V>& memory, Index n, Index length, Index values, Index least,
                      bool cheap_rows)
    : whole_(length), length_(length), room_(room_needed(n, length, values, least)),
      slots_(room_ / length),
      usable_(cheap_rows ? std::max(least * length, kUsableAtFirst) : room_),
      had_row_(static_cast<std::size_t>(n), false), values_(memory.acquire(), Release{&memory}),
      slot_(static_cast<std::size_t>(n), kNone), point_(static_cast<std::size_t>(slots_), kNone),
      before_(point_.size(), kNone), after_(point_.size(), kNone) {}

template <typename V>
void RowCache<V>::unlink(std::int32_t slot) {
    const std::int32_t before = before_[slot], after = after_[slot];
    (before == kNone ? oldest_ : after_[before]) = after;
    (after == kNone ? newest_ : before_[after]) = before;
}

template <typename V>
void RowCache<V>::append(std::int32_t slot) {
    before_[slot] = newest_;
    after_[slot] = kNone;
    (newest_ == kNone ? oldest_ : after_[newest_]) = slot;
    newest_ = slot;
}

template <typename V>
V* RowCache<V>::find(Index point) {
    const std::int32_t slot = slot_[point];
    if (slot == kNone) return nullptr;
    unlink(slot);
    append(slot);
    return row(slot);
}

template <typename V>
bool RowCache<V>::may_use_new_slot(Index point) {
    if ((used_ + 1) * length_ <= usable_) return true;
    if (!had_row_[point] || ++recomputed_ % kRecomputedPerSlot != 0) return false;
    usable_ += length_;
    return true;
}

template <typename V>
V* RowCache<V>::make(Index point) {
    std::int32_t slot;
    if (!free_.empty()) {
        slot = free_.back();
        free_.pop_back();
    } else if (used_ < slots_ && may_use_new_slot(point)) {
        slot = static_cast<std::int32_t>(used_++);
    } else {
        slot = oldest_;
        slot_[point_[slot]] = kNone;
        unlink(slot);
    }
    point_[slot] = static_cast<std::int32_t>(point);
    had_row_[point] = true;
    slot_[point] = slot;
    append(slot);
    return row(slot);
}

template <typename V>
void RowCache<V>::shrink(const std::vector<std::int32_t>& place,
                         const std::vector<std::int32_t>& columns, Index length) {
    std::vector<std::int32_t> kept;
    for (std::int32_t slot = 0; slot < used_; ++slot) {
        const std::int32_t point = point_[slot];
        if (point == kNone) continue;
        if (place[point] >= 0) {
            kept.push_back(slot);
            continue;
        }
        unlink(slot);
        slot_[point] = point_[slot] = kNone;
        free_.push_back(slot);
    }
    std::vector<std::uint8_t> bits(static_cast<std::size_t>(length_ / kKeptColumns), 0);
    for (const std::int32_t j : columns) {
        bits[j / kKeptColumns] |= static_cast<std::uint8_t>(1 << j % kKeptColumns);
    }
    compact(kept, bits, length);
}

// Moves the shortened rows together, which makes room for more of them.
template <typename V>
void RowCache<V>::compact(const std::vector<std::int32_t>& kept,
                          const std::vector<std::uint8_t>& bits, Index length) {
    std::vector<std::int32_t> order; // their points, that of the row used longest ago first
    for (std::int32_t slot = oldest_; slot != kNone; slot = after_[slot]) {
        order.push_back(point_[slot]);
    }
    // Forwards, so that no row is overwritten before it is moved. Rows whose new end is before the
    // first old one are moved in parallel.
    const Index count = static_cast<Index>(kept.size());
    for (Index first = 0, last; first < count; first = last) {
        last = std::clamp(kept[first] * length_ / length, first + 1, count);
        runtime::parallel_for(
            last - first,
            [&, first](Index r) {
                const Index k = first + r;
                solver_kernels<V>().keep_columns(row(kept[k]), bits.data(),
                                                 static_cast<Index>(bits.size()),
                                                 values_.get() + k * length, length);
            },
            (last - first) * length_ < 100000 ? 1 : 0);
    }
    for (Index k = 0; k < count; ++k) {
        slot_[point_[kept[k]]] = static_cast<std::int32_t>(k);
    }
    length_ = length;
    slots_ = room_ / length;
    used_ = static_cast<Index>(kept.size());
    free_.clear();
    point_.assign(static_cast<std::size_t>(slots_), kNone);
    before_.assign(point_.size(), kNone);
    after_.assign(point_.size(), kNone);
    oldest_ = newest_ = kNone;
    for (const std::int32_t point : order) {
        point_[slot_[point]] = point;
        append(slot_[point]);
    }
}

template <typename V>
void RowCache<V>::clear() {
    slots_ = room_ / whole_;
    length_ = whole_;
    point_.resize(static_cast<std::size_t>(slots_));
    before_.resize(point_.size());
    after_.resize(point_.size());
    std::fill(slot_.begin(), slot_.end(), kNone);
    free_.clear();
    used_ = 0;
    oldest_ = newest_ = kNone;
}

template class RowMemory<float>;
template class RowMemory<double>;
template class RowCache<float>;
template class RowCache<double>;

} // namespace gramian::svm
