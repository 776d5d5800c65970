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
constexpr Index kSample = 128;
constexpr float kNone = std::numeric_limits<float>::infinity();
constexpr double kSlack = 1e-9; // relative allowance for rounding in a bound

int bits_of(std::uint64_t x) {
    return 64 - std::countl_zero(x);
}

// A number that is at least an eighth of a sample, or kNone.
float frequent_of(const float* sample, Index n) {
    float sorted[kSample];
    std::copy_n(sample, n, sorted);
    std::sort(sorted, sorted + n);
    const Index least = n / 8;
    for (Index i = 0; i + least < n; ++i) {
        if (sorted[i] == sorted[i + least]) return sorted[i];
    }
    return kNone;
}

} // namespace

int NumberBuckets::of(float x) const {
    const int at = scale > 0 ? std::min(static_cast<int>((x - low) * scale), last)
                             : static_cast<int>((ordered_bits(x) - low_bits) >> shift);
    return at + (x >= frequent) + (x > frequent);
}

template <typename E>
Index BucketSearch<E>::ColumnSearch::most_buckets(Index n) {
    return std::min(kBuckets, static_cast<Index>(std::bit_ceil(static_cast<std::uint64_t>(n))) /
                                  kRowsPerBucket);
}

template <typename E>
void BucketSearch<E>::ColumnSearch::set_range(Rank low, Rank high, Index n) {
    low_ = low;
    high_ = high;
    best_ = -std::numeric_limits<double>::infinity();
    best_bucket_ = -1;
    of_numbers_ = false;
    one_value_ = -1;
    const auto span = static_cast<std::uint64_t>(high - low);
    shift_ = std::max(0, bits_of(span) - bits_of(static_cast<std::uint64_t>(most_buckets(n)) - 1));
    count_ = static_cast<Index>(span >> shift_) + 1;
}

template <typename E>
void BucketSearch<E>::ColumnSearch::make(const Rows& rows, RankColumn<Rank> ranks, Rank* spare,
                                         const GrowOptions& options) {
    const BucketKernels& kernels = tree_bucket_table();
    Rank range[2];
    if constexpr (sizeof(Rank) == 2)
        kernels.gather16(ranks, rows.ids, rows.n(), spare, range);
    else
        kernels.gather32(ranks, rows.ids, rows.n(), spare, range);
    set_range(range[0], range[1], rows.n());
    if (!divides()) return;
    before_.assign(count_ + 1, {});
    const double mean = rows.sum / rows.totals.weight;
    if constexpr (sizeof(Rank) == 2)
        kernels.fill16(spare, rows.moments, rows.n(), low_, shift_, mean, before_.data());
    else
        kernels.fill32(spare, rows.moments, rows.n(), low_, shift_, mean, before_.data());
    search_between(rows, options);
}

// Ranks spread evenly over buckets of one width, numbers may not. Most numbers share few of the
// buckets of one width in numbers if there are outliers, and otherwise of those of one width in
// ordered bits; the zeros of a column may be most of its numbers. A sample decides.
template <typename E>
NumberBuckets BucketSearch<E>::ColumnSearch::choose(const Rows& rows,
                                                    const RankColumn<std::uint32_t>& numbers,
                                                    std::uint32_t low, std::uint32_t high) {
    const auto number = [](std::uint32_t bits) {
        return double{runtime::SortKey<float>::back(bits)};
    };
    const Index n = rows.n(), most = most_buckets(n);
    set_range(static_cast<Rank>(low), static_cast<Rank>(high), n);
    of_numbers_ = true;
    numbers_ = {number(low), 0, low, shift_, static_cast<int>(count_) - 1, kNone};
    if (!divides()) return numbers_;
    NumberBuckets even = numbers_;
    even.scale = static_cast<double>(most) / (number(high) - number(low));
    even.last = static_cast<int>(most) - 1;
    float sample[kSample] = {};
    Index m = 0;
    for (; m < std::min(n, kSample); ++m)
        sample[m] = numbers.numbers[rows.ids[m * n / std::min(n, kSample)] * numbers.step] + 0.0F;
    const float frequent = frequent_of(sample, m);
    const auto fullest = [&](const NumberBuckets& buckets) {
        std::uint8_t rows_in[kBuckets] = {};
        for (Index i = 0; i < m; ++i) rows_in[buckets.of(sample[i])] += sample[i] != frequent;
        return *std::max_element(rows_in, rows_in + kBuckets);
    };
    if (fullest(even) <= fullest(numbers_)) {
        numbers_ = even;
        count_ = most;
    }
    if (frequent < kNone) {
        one_value_ = numbers_.of(frequent) + 1;
        numbers_.frequent = frequent;
        count_ += 2;
    }
    return numbers_;
}

template <typename E>
void BucketSearch<E>::ColumnSearch::count(const Rows& rows, const std::uint16_t* buckets,
                                          const GrowOptions& options) {
    if (!divides()) return;
    before_.assign(count_ + 1, {});
    tree_bucket_table().fill16(buckets, rows.moments, rows.n(), 0, 0, rows.sum / rows.totals.weight,
                               before_.data());
    search_between(rows, options);
}

template <typename E>
Index BucketSearch<E>::ColumnSearch::bucket_of(Rank rank) const {
    if (of_numbers_) return numbers_.of(runtime::SortKey<float>::back(rank));
    return static_cast<Rank>(rank - low_) >> shift_;
}

// The sums before each bucket, and the best candidate between two.
template <typename E>
void BucketSearch<E>::ColumnSearch::search_between(const Rows& rows, const GrowOptions& options) {
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
                                                const GrowOptions& options,
                                                const std::uint16_t* buckets) {
    using Entry = EntryOf<E>;
    Candidate found;
    marked_.assign(count_, 0);
    bool any = false;
    for (Index b = 0; b < count_; ++b) {
        const Index n = static_cast<Index>(before_[b + 1].n - before_[b].n);
        marked_[b] = n > 0 && b != one_value_ && may_reach(b, rows, least);
        any |= marked_[b] != 0;
    }
    if (best_bucket_ >= 0 && !is_better(least, best_)) {
        marked_[best_bucket_] = marked_[next(best_bucket_)] = 1;
        any = true;
    }
    if (!any) return found;
    Index m = 0;
    if (buckets) {
        for (Index i = 0; i < rows.n(); ++i) {
            if (marked_[buckets[i]]) entries[m++] = Entry::make(ranks[rows.ids[i]], i);
        }
    } else {
        for (Index i = 0; i < rows.n(); ++i) {
            const Rank rank = ranks[rows.ids[i]];
            entries[m] = Entry::make(rank, i);
            m += marked_[static_cast<Rank>(rank - low_) >> shift_];
        }
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
        const Index b = bucket_of(static_cast<Rank>(Entry::rank(entries[i])));
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
