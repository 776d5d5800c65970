// Clusters of a reducible linkage, each with a row of its dissimilarities from all others.
//
// Clusters are stored in slots, and a slot is a position in every row. A merged cluster takes the
// slot of one of its parts. Its own row is written at the merge. Its values in the other rows are
// written only when these are read; until then its own row has the value. Memory is therefore
// accessed along rows, except for one value of each cluster created since a row was last read. When
// half of the slots are dead, the rows are compacted.
#pragma once

#include "core/linkage/chain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace gramian::linkage {

// `Rows` has the functions
//   open(slot): null if the row of the slot is stored; otherwise (a singleton cluster) the point
//     from which to measure it;
//   measure(from, begin, end, row): the dissimilarities from the singletons in these slots;
//   row(slot): the row, after open(slot);
//   dissimilarity(a, b): of two singletons;
//   merged_row(a, b): which of the two slots the merged cluster takes, and where to write its row;
//   compact(kept): slot kept[i] becomes slot i.
template <typename Rows>
class LazyClusters {
public:
    LazyClusters(Rows& rows, Index n, Method method, bool squared)
        : rows_(rows), method_(method), squared_(squared), slots_(n), live_(n),
          dead_(static_cast<std::size_t>(n)), sizes_(dead_.size(), 1.0), ids_(dead_.size()),
          created_at_(dead_.size()), read_at_(dead_.size()), slot_of_(2 * dead_.size() - 1, -1),
          parts_(static_cast<std::size_t>(blocks().count())) {
        std::iota(ids_.begin(), ids_.end(), 0);
        std::iota(slot_of_.begin(), slot_of_.begin() + n, 0);
    }

    bool alive(std::int32_t id) const { return slot_of_[id] >= 0; }
    double height(double value) const { return squared_ ? std::sqrt(value) : value; }
    double dissimilarity(std::int32_t a, std::int32_t b) const {
        const Index x = slot_of_[a], y = slot_of_[b];
        if (created_at_[x] == 0 && created_at_[y] == 0) return rows_.dissimilarity(x, y);
        return created_at_[x] > created_at_[y] ? rows_.row(x)[y] : rows_.row(y)[x];
    }

    Neighbor nearest(std::int32_t id) {
        const Reader own = reader(slot_of_[id]);
        each_part([&](Index begin, Index end, Part& part) {
            update_row(own, -1, begin, end, part);
            linkage_kernels().least(own.row + begin, dead_.data() + begin, end - begin, &part.value,
                                    &part.place);
        });
        return least_of_parts();
    }

    Neighbor join(std::int32_t a, std::int32_t b, std::int32_t made) {
        const double merge_value = dissimilarity(a, b);
        Reader x = reader(slot_of_[a]), y = reader(slot_of_[b]);
        const auto [kept, row] = rows_.merged_row(x.slot, y.slot);
        if (kept != x.slot) std::swap(x, y);
        const Index gone = y.slot;
        slot_of_[a] = slot_of_[b] = -1;
        slot_of_[made] = static_cast<std::int32_t>(kept);
        ids_[kept] = made;
        dead_[kept] = dead_[gone] = kNever;
        each_part([&, out = row](Index begin, Index end, Part& part) {
            update_row(x, gone, begin, end, part);
            update_row(y, x.slot, begin, end, part);
            const Rule rule =
                Rule::of(method_, sizes_[x.slot], sizes_[gone], merge_value, sizes_.data() + begin);
            linkage_kernels().join(rule, x.row + begin, y.row + begin, dead_.data() + begin,
                                   end - begin, out + begin, &part.value, &part.place);
        });
        row[kept] = kNever;
        dead_[kept] = 0;
        sizes_[kept] += sizes_[gone];
        created_at_[kept] = read_at_[kept] = ++time_;
        created_at_[gone] = 0;
        record_merge(kept);
        --live_;
        const Neighbor next = live_ > 1 ? least_of_parts() : Neighbor{-1, 0.0};
        if (2 * live_ < slots_ && slots_ > kFewSlots) compact();
        return next;
    }

private:
    struct MergedSlot {
        std::int32_t slot;
        std::int32_t time;
    };
    // A range of slots: the clusters created in it, in order (some have been merged since), and the
    // result of the last search.
    struct Part {
        std::vector<MergedSlot> made;
        std::size_t room = kFewSlots;
        double value = 0;
        Index place = 0;
    };
    struct Reader {
        Index slot;
        double* row;
        const double* from; // null, or the point to measure the row from
        std::int32_t since; // the row includes all clusters created until then
    };
    static constexpr double kNever = std::numeric_limits<double>::infinity();
    static constexpr Index kFewSlots = 64;
    static constexpr Index kPart = 1024;      // slots, a multiple of kPadding
    static constexpr Index kShared = 3000;    // slots from which a second thread pays
    static constexpr std::size_t kAhead = 24; // prefetch distance, in values

    runtime::Blocks blocks() const { return {slots_, kPart}; }

    template <typename Body>
    void each_part(const Body& body) {
        const runtime::Blocks parts = blocks();
        runtime::parallel_for(
            parts.count(), [&](Index p) { body(parts.begin(p), parts.end(p), parts_[p]); },
            slots_ < kShared ? 1 : 0);
    }

    Neighbor least_of_parts() const {
        Index best = 0;
        for (Index p = 1; p < blocks().count(); ++p) {
            if (parts_[p].value < parts_[best].value) best = p;
        }
        return {ids_[best * kPart + parts_[best].place], parts_[best].value};
    }

    // All parts of the row must be updated before the next merge.
    Reader reader(Index slot) {
        const double* const from = rows_.open(slot);
        const std::int32_t since = from ? 0 : read_at_[slot];
        read_at_[slot] = time_;
        return {slot, rows_.row(slot), from, since};
    }

    // Updates a part of a row, except for the slot `excluded`.
    void update_row(const Reader& own, Index excluded, Index begin, Index end, const Part& part) {
        if (own.from) {
            rows_.measure(own.from, begin, end, own.row);
            if (begin <= own.slot && own.slot < end) own.row[own.slot] = kNever;
        }
        const std::vector<MergedSlot>& made = part.made;
        for (std::size_t i = made.size(); i-- > 0 && made[i].time > own.since;) {
            const Index other = made[i].slot;
            if (i >= kAhead) __builtin_prefetch(rows_.row(made[i - kAhead].slot) + own.slot);
            if (is_current(made[i]) && other != excluded && other != own.slot) {
                own.row[other] = rows_.row(other)[own.slot];
            }
        }
    }

    bool is_current(const MergedSlot& made) const { return created_at_[made.slot] == made.time; }

    void record_merge(Index slot) {
        Part& part = parts_[slot / kPart];
        part.made.push_back({static_cast<std::int32_t>(slot), time_});
        if (part.made.size() < part.room) return;
        std::erase_if(part.made, [&](const MergedSlot& made) { return !is_current(made); });
        part.room = part.made.size() + part.made.size() / 4 + kFewSlots / 4;
    }

    void compact() {
        std::vector<std::int32_t> kept, place(static_cast<std::size_t>(slots_), -1);
        for (Index j = 0; j < slots_; ++j) {
            if (dead_[j] > 0) continue;
            place[j] = static_cast<std::int32_t>(kept.size());
            kept.push_back(static_cast<std::int32_t>(j));
        }
        rows_.compact(kept);
        std::vector<MergedSlot> made;
        for (Part& part : parts_) {
            for (const MergedSlot& one : part.made) {
                if (is_current(one)) made.push_back({place[one.slot], one.time});
            }
        }
        std::sort(made.begin(), made.end(),
                  [](const MergedSlot& a, const MergedSlot& b) { return a.time < b.time; });
        for (Index i = 0; i < live_; ++i) {
            sizes_[i] = sizes_[kept[i]];
            ids_[i] = ids_[kept[i]];
            created_at_[i] = created_at_[kept[i]];
            read_at_[i] = read_at_[kept[i]];
            slot_of_[ids_[i]] = static_cast<std::int32_t>(i);
        }
        slots_ = live_;
        std::fill(dead_.begin(), dead_.end(), 0.0);
        parts_.assign(static_cast<std::size_t>(blocks().count()), {});
        for (const MergedSlot& one : made) parts_[one.slot / kPart].made.push_back(one);
    }

    Rows& rows_;
    Method method_;
    bool squared_; // heights are roots of the values
    Index slots_, live_;
    std::int32_t time_ = 0;                      // merges so far
    std::vector<double> dead_, sizes_;           // by slot, as the next three; dead: infinity
    std::vector<std::int32_t> ids_, created_at_; // born: when it was made, 0 for a row
    std::vector<std::int32_t> read_at_;          // when its row was last read
    std::vector<std::int32_t> slot_of_;          // by cluster
    std::vector<Part> parts_;
};

} // namespace gramian::linkage
