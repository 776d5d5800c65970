// The best split of a large node, without sorting it.
//
// The rows of a node are counted into buckets of neighbouring ranks, which gives every candidate
// between two buckets exactly. With w the weight left of a candidate and t the sum of w_i (y_i -
// mean) there, what is maximised is t^2 / (w (W - w)), a convex function of (w, t). Inside a bucket
// (w, t) stays in the polygon that the bucket's weight, its sum P of positive and N of negative
// terms span, with |t| growing by no more than M per weight; so a corner of it bounds all
// candidates in the bucket; of its corners, four bound the others, from which they are reached by
// steps of slope M, along which t grows faster than w and than W - w. Only the rows of buckets
// whose bound reaches the best candidate of any column are sorted.
#pragma once

#include "core/splits/columns.hpp"
#include "core/splits/search.hpp"

#include <cstdint>
#include <type_traits>
#include <vector>

namespace gramian::splits {

// Sums over rows: their weight, w y, |w (y - mean)|, and their number.
struct Bucket {
    double w, s, a, n;
};

template <typename E>
class BucketSearch {
public:
    using Rank = std::conditional_t<sizeof(E) == 4, std::uint16_t, std::uint32_t>;
    static constexpr Index kMinRows = 256; // nodes with fewer rows are searched otherwise
    static constexpr Index kColumnsAtOnce =
        8; // columns searched together: the best candidate of one bounds the others

    // The rows of a node, ascending.
    struct Rows {
        const std::uint32_t* ids;
        const Moment* moments;
        NodeTotals totals;
        double sum;                   // of w y
        double inverse_max_deviation; // 1 / max |y - mean|
        Index n() const { return totals.samples; }
    };

    // The search of one column of a node.
    class ColumnSearch {
    public:
        // `ranks` by id; `spare` has room for the rows.
        void make(const Rows& rows, RankColumn<Rank> ranks, Rank* spare,
                  const GrowOptions& options);
        bool divides() const { return low_ != high_; }
        // The best candidate between buckets, in the unit of TreeScanKernels::moments.
        double best() const { return best_; }
        // The best candidate that reaches `least`, if there is one. `entries` gets the sorted rows
        // of some buckets; the candidate is between position - 1 and position.
        Candidate refine(const Rows& rows, RankColumn<Rank> ranks, double least, E* entries,
                         E* spare, const GrowOptions& options);

    private:
        bool may_reach(Index bucket, const Rows& rows, double least) const;
        bool allowed(const Bucket& left, const Rows& rows, const GrowOptions& options) const;
        Index next(Index bucket) const; // the next bucket that has rows

        Rank low_ = 0, high_ = 0;
        int shift_ = 0;
        Index count_ = 0;
        std::vector<Bucket> before_; // the sums before each bucket, and those of all
        std::vector<std::uint8_t> marked_;
        double best_ = 0;
        Index best_bucket_ = -1;
    };
};

struct BucketKernels {
    // Writes the ranks of the rows to `out`, the smallest to range[0], the largest to range[1].
    void (*gather16)(RankColumn<std::uint16_t> ranks, const std::uint32_t* ids, Index n,
                     std::uint16_t* out, std::uint16_t* range);
    void (*gather32)(RankColumn<std::uint32_t> ranks, const std::uint32_t* ids, Index n,
                     std::uint32_t* out, std::uint32_t* range);
    // Adds every row to bucket (rank - low) >> shift.
    void (*fill16)(const std::uint16_t* ranks, const Moment* moments, Index n, std::uint16_t low,
                   int shift, double mean, Bucket* buckets);
    void (*fill32)(const std::uint32_t* ranks, const Moment* moments, Index n, std::uint32_t low,
                   int shift, double mean, Bucket* buckets);
};

} // namespace gramian::splits
