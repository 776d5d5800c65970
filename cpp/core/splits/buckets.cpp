#include "core/splits/buckets.hpp"

#include "core/runtime/isa.hpp"
#include "core/splits/scan.hpp"
#include "core/splits/sort.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

GRAMIAN_DISPATCH(splits, BucketKernels, tree_bucket_kernels, tree_bucket_table)

namespace gramian::splits {
namespace {

constexpr Index kBuckets = 512;
constexpr Index kRowsPerBucket = 16;
constexpr double kSlack = 1e-9; // relative allowance for rounding in a bound

int bits_of(std::uint64_t x) {
    return 64 - std::countl_zero(x);
}

} // namespace

template <typename E>
void BucketSearch<E>::ColumnSearch::make(const Rows& rows, RankColumn<Rank> ranks, Rank* spare,
                                         const GrowOptions& options) {
    const BucketKernels& kernels = tree_bucket_table();
    Rank range[2];
    if constexpr (sizeof(Rank) == 2)
        kernels.gather16(ranks, rows.ids, rows.n(), spare, range);
    else
        kernels.gather32(ranks, rows.ids, rows.n(), spare, range);
    low_ = range[0];
    high_ = range[1];
    best_ = -std::numeric_limits<double>::infinity();
    best_bucket_ = -1;
    if (!divides()) return;
    const auto span = static_cast<std::uint64_t>(high_ - low_);
    const Index most =
        std::min(kBuckets, static_cast<Index>(std::bit_ceil(static_cast<std::uint64_t>(rows.n()))) /
                               kRowsPerBucket);
    shift_ = std::max(0, bits_of(span) - bits_of(static_cast<std::uint64_t>(most) - 1));
    count_ = static_cast<Index>(span >> shift_) + 1;
    before_.assign(count_ + 1, {});
    const double mean = rows.sum / rows.totals.weight;
    if constexpr (sizeof(Rank) == 2)
        kernels.fill16(spare, rows.moments, rows.n(), low_, shift_, mean, before_.data());
    else
        kernels.fill32(spare, rows.moments, rows.n(), low_, shift_, mean, before_.data());
    Bucket left{};
    for (Bucket& bucket : before_) {
        const Bucket own = bucket;
        bucket = left;
        left = {left.w + own.w, left.s + own.s, left.a + own.a, left.n + own.n};
    }
    const double W = rows.totals.weight;
    for (Index b = 0; b + 1 < count_; ++b) {
        const Bucket& at = before_[b + 1];
        if (at.n == before_[b].n || !allowed(at, rows, options)) continue;
        const double d = W * at.s - at.w * rows.sum;
        const double score = d * d / (at.w * (W - at.w));
        if (score > best_) {
            best_ = score;
            best_bucket_ = b;
        }
    }
}

template <typename E>
bool BucketSearch<E>::ColumnSearch::allowed(const Bucket& left, const Rows& rows,
                                            const GrowOptions& options) const {
    const auto n = static_cast<double>(rows.n());
    const auto least = static_cast<double>(options.min_samples_leaf);
    return left.n >= least && n - left.n >= least && left.w >= options.min_weight_leaf &&
           rows.totals.weight - left.w >= options.min_weight_leaf;
}

// Whether a corner of a bucket's polygon, and so perhaps a candidate in it, reaches `least`.
template <typename E>
bool BucketSearch<E>::ColumnSearch::may_reach(Index bucket, const Rows& rows, double least) const {
    const Bucket &left = before_[bucket], &right = before_[bucket + 1];
    const double W = rows.totals.weight, mean = rows.sum / W, w = right.w - left.w;
    const double t = left.s - mean * left.w, own = right.s - left.s - mean * w;
    const double up = std::max(0.0, (right.a - left.a + own) / 2);
    const double down = std::max(0.0, (right.a - left.a - own) / 2);
    const double rise = up * rows.inverse_max_deviation, fall = down * rows.inverse_max_deviation;
    const auto reaches = [&](double weight, double sum) {
        const double sides = std::max(weight * (W - weight), 1e-300);
        return W * W * sum * sum * (1 + kSlack) >= least * sides;
    };
    return reaches(left.w + rise, t + up) || reaches(right.w - fall, t + up) ||
           reaches(left.w + fall, t - down) || reaches(right.w - rise, t - down);
}

template <typename E>
Index BucketSearch<E>::ColumnSearch::next(Index bucket) const {
    do ++bucket;
    while (before_[bucket + 1].n == before_[bucket].n);
    return bucket;
}

template <typename E>
Candidate BucketSearch<E>::ColumnSearch::refine(const Rows& rows, RankColumn<Rank> ranks,
                                                double least, E* entries, E* spare,
                                                const GrowOptions& options) {
    using Entry = EntryOf<E>;
    Candidate found;
    marked_.assign(count_, 0);
    bool any = false;
    for (Index b = 0; b < count_; ++b) {
        const Index n = static_cast<Index>(before_[b + 1].n - before_[b].n);
        marked_[b] = n > 0 && may_reach(b, rows, least);
        any |= marked_[b] != 0;
    }
    if (best_bucket_ >= 0 && !is_better(least, best_)) {
        marked_[best_bucket_] = marked_[next(best_bucket_)] = 1;
        any = true;
    }
    if (!any) return found;
    Index m = 0;
    for (Index i = 0; i < rows.n(); ++i) {
        const Rank rank = ranks[rows.ids[i]];
        entries[m] = Entry::make(rank, i);
        m += marked_[static_cast<Rank>(rank - low_) >> shift_];
    }
    if (const E* sorted = sort_by_rank(entries, spare, m); sorted != entries)
        std::copy_n(sorted, m, entries);
    Moment sums[kScanBlock + kScanPadding]; // left of the candidates of a block
    Index position[kScanBlock], count = 0;
    double raw = -std::numeric_limits<double>::infinity();
    const auto compare = [&] {
        if (count == 0) return;
        std::fill_n(sums + count, kScanPadding, sums[count - 1]);
        const Index at = scan_table().moments(sums, count, rows.totals.weight, rows.sum, &raw);
        if (at >= 0) found.position = position[at];
        count = 0;
    };
    const bool limited = options.min_samples_leaf > 1 || options.min_weight_leaf > 0;
    for (Index i = 0; i < m;) {
        const Index b = static_cast<Rank>(Entry::rank(entries[i]) - low_) >> shift_;
        const Index end = i + static_cast<Index>(before_[b + 1].n - before_[b].n);
        const bool to_next = end < m && marked_[next(b)];
        Bucket left = before_[b];
        for (; i < end; ++i) {
            const Moment& one = rows.moments[Entry::id(entries[i])];
            left.w += one.w;
            left.s += one.s;
            left.n += 1;
            sums[count] = {left.w, left.s};
            position[count] = i + 1;
            const bool ranks_differ =
                i + 1 < end ? Entry::rank(entries[i]) != Entry::rank(entries[i + 1]) : to_next;
            count += ranks_differ & (!limited || allowed(left, rows, options));
            if (count == kScanBlock) compare();
        }
    }
    compare();
    found.decrease = raw;
    return found;
}

template class BucketSearch<std::uint32_t>;
template class BucketSearch<std::uint64_t>;

} // namespace gramian::splits
