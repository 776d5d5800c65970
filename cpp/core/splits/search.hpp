// The best split of a node on one column.
// A column of a node is given as entries (rank, id), ascending; the id is the index of the row's
// target. The entries are read once. There is a candidate between entries of unequal rank. The sums
// over the rows left of a candidate are updated row by row.
#pragma once

#include "core/splits/problem.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace gramian::splits {

// rank << kIdBits | id; the greatest rank marks a missing value.
template <typename E>
struct EntryOf {
    static constexpr int kIdBits = sizeof(E) * 4;
    static constexpr E kIdMask = (E{1} << kIdBits) - 1;
    static constexpr E kMissing = kIdMask;

    static E rank(E entry) { return entry >> kIdBits; }
    static Index id(E entry) { return static_cast<Index>(entry & kIdMask); }
    static E make(E rank, Index id) { return rank << kIdBits | static_cast<E>(id); }
    // Whether neighbours in a list have different ranks.
    static bool ranks_differ(E entry, E next) { return rank(entry) != rank(next); }
};

// An entry of a numeric column without missing values: the id, and a bit that is set where a new
// value begins.
enum class NarrowEntry : std::uint32_t {};

template <>
struct EntryOf<NarrowEntry> {
    static constexpr std::uint32_t kBegins = std::uint32_t{1} << 31;

    static bool begins(NarrowEntry entry) {
        return (static_cast<std::uint32_t>(entry) & kBegins) != 0;
    }
    static Index id(NarrowEntry entry) {
        return static_cast<Index>(static_cast<std::uint32_t>(entry) & ~kBegins);
    }
    static NarrowEntry make(bool begins, Index id) {
        return static_cast<NarrowEntry>((begins ? kBegins : 0) | static_cast<std::uint32_t>(id));
    }
    static bool ranks_differ(NarrowEntry /*entry*/, NarrowEntry next) { return begins(next); }
};

// A weight and the weighted target (0 or 1 if there are two classes), read and added together.
struct Moment {
    double w, s;
};

// The targets that ids of entries point to.
struct TargetsById {
    const std::uint16_t* codes;
    const double* values;
    const double* weights;
    const Moment* moments = nullptr; // if the criterion needs one sum and there are weights
};

// Sums over the rows of a node. `sums` holds the class weights of each output, one after the
// other, or for numbers (sum w y, sum w y^2) of each output.
struct NodeTotals {
    Index samples;
    double weight;
    double impurity;
    const double* sums;
    double lower, upper; // bounds on the value, from monotonic constraints of the ancestors
};

// Decreases that differ by less than rounding errors count as equal, so that the tree does not
// change if rows are repeated or weighted, reordered, or stored in a sparse table.
constexpr double kTie = 1e-10;

inline bool is_better(double decrease, double than) {
    return decrease - than > kTie * std::abs(decrease);
}

// A difference of impurities, or 0 if it is only a rounding error of that of the node.
inline double without_noise(double decrease, double impurity) {
    return std::abs(decrease) < 1e-13 * impurity ? 0.0 : decrease;
}

// The leading 30 bits of a number, to sort such decreases by.
inline double leading_bits(double x) {
    int exponent;
    const double part = std::frexp(x, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(part, 30)), exponent - 30);
}

struct Candidate {
    double decrease =
        -std::numeric_limits<double>::infinity(); // of the criterion; what is maximised
    Index position = 0;                           // known entries before it
    bool missing_left = false;
    double value_left = 0, value_right = 0; // for monotonic constraints

    bool found() const { return decrease > -std::numeric_limits<double>::infinity(); }
};

// x log2 x for whole x, in fixed point: sums of it are exact, so equal splits compare equal.
class EntropyTable {
public:
    explicit EntropyTable(Index largest);

    std::int64_t operator[](Index x) const { return values_[x]; }
    double unit() const { return unit_; } // one bit is 1 / unit

private:
    std::vector<std::int64_t> values_;
    double unit_;
};

// The criterion and scratch memory; one per thread.
class SplitSearch {
public:
    // `table` has the logarithms up to the total weight if all weights are whole; otherwise null.
    SplitSearch(const GrowOptions& options, const Targets& targets, const EntropyTable* table);

    // The best candidate of `n` entries, the last `n_missing` of which are missing and are tried
    // on both sides. `monotone` is -1, 0 or 1. Among equals the first.
    template <typename E>
    Candidate best(const E* entries, Index n, Index n_missing, const TargetsById& targets,
                   const NodeTotals& node, int monotone);

    // The best single rank against all others; `position` is where its entries begin.
    template <typename E>
    Candidate best_single(const E* entries, Index n, const TargetsById& targets,
                          const NodeTotals& node);

    // The decrease with one child per rank; not found if a child is too small or the only one.
    template <typename E>
    Candidate each(const E* entries, Index n, const TargetsById& targets, const NodeTotals& node);

    // Whether the criterion depends on the order of the targets, not on sums.
    bool by_order() const {
        return options_.criterion == Criterion::absolute_error ||
               options_.criterion == Criterion::worst_error;
    }
    // Adds a row to sums as those of NodeTotals; returns its weight.
    double add(double* sums, const TargetsById& targets, Index id) const {
        const double w = targets.weights ? targets.weights[id] : 1.0;
        add_row(sums, targets, id, w);
        return w;
    }
    // Replaces `found` by the split whose left side has these sums, if that is better and satisfies
    // the monotonic constraint.
    bool improve(const double* left, double weight_left, const NodeTotals& node, int monotone,
                 Candidate& found);

    Index n_sums() const { return n_sums_; }
    // Whether the criterion needs one sum of a side: gini of two classes or squared error.
    static bool uses_moments(const GrowOptions& options, const Targets& targets);
    // The same, or squared error of several outputs, with one sum for each.
    static bool uses_left_sums(const GrowOptions& options, const Targets& targets);
    // The candidate with these entries on its left, if uses_left_sums(); no value is missing.
    template <typename E>
    Candidate evaluate_left(const E* entries, Index n_left, const TargetsById& targets,
                            const NodeTotals& node);
    // The decrease by a candidate with these sums of the targets on its left, up to a factor,
    // which decrease_of_raw() applies.
    double raw_decrease(const double* left, double w, const NodeTotals& node) const;
    double decrease_of_raw(double raw, const NodeTotals& node) const;
    // Sums over rows, for NodeTotals. Returns the weight.
    template <typename E>
    double add_up(const E* entries, Index n, const TargetsById& targets, double* sums) const;
    // The impurity of a node with these sums.
    template <typename E>
    double impurity(const E* entries, Index n, const TargetsById& targets, double weight,
                    const double* sums);
    // Its value, (n_outputs, n_classes): shares of the classes, or numbers.
    template <typename E>
    void value(const E* entries, Index n, const TargetsById& targets, double weight,
               const double* sums, double* out);

private:
    // One pass over the known entries; with `missing_left`, missing values are left of them.
    struct Pass {
        Index n, n_known;
        bool missing_left;
        int monotone;
    };

    template <typename E>
    Candidate scan(const E* entries, Pass pass, const TargetsById& targets, const NodeTotals& node);
    enum class MomentsOf { codes, values, weighted };
    template <typename E, MomentsOf kOf>
    Candidate scan_moments(const E* entries, Pass pass, const TargetsById& targets,
                           const NodeTotals& node);
    template <typename E, bool kWeighted>
    Candidate scan_gini(const E* entries, Pass pass, const TargetsById& targets,
                        const NodeTotals& node);
    template <typename E, bool kWeighted>
    Candidate scan_entropy(const E* entries, Pass pass, const TargetsById& targets,
                           const NodeTotals& node);
    template <typename E>
    Candidate scan_sums(const E* entries, Pass pass, const TargetsById& targets,
                        const NodeTotals& node);
    template <typename E>
    Candidate scan_outputs(const E* entries, Pass pass, const TargetsById& targets,
                           const NodeTotals& node);
    template <typename E>
    Candidate scan_order(const E* entries, Pass pass, const TargetsById& targets,
                         const NodeTotals& node);
    // Adds entries to the weight and the sums of the targets.
    template <typename E>
    double add_targets(const E* entries, Index begin, Index end, const TargetsById& targets,
                       double w, double* left) const;

    template <typename E>
    double order_error(const E* entries, Index n, const TargetsById& targets, Index output,
                       double* center);
    Index fewest(const TargetsById& targets) const; // rows on a side
    double impurity_of_sums(const double* sums, double weight) const;
    double center_of_sums(const double* sums, double weight) const;
    void add_row(double* sums, const TargetsById& targets, Index id, double weight) const;
    double decrease(double weight_left, double impurity_left, double weight_right,
                    double impurity_right, const NodeTotals& node) const;

    const GrowOptions& options_;
    const Targets& targets_;
    const EntropyTable* table_;
    Index n_sums_;
    std::vector<double> left_, a_, b_, c_, rows_left_, rows_right_, impurity_left_, impurity_right_;
    std::vector<Moment> moments_;
    std::vector<Index> order_;
};

constexpr Index kScanPadding = 16; // space for candidates after the last one: at least a register

// How a block of candidates is compared; scan_kernel.cpp.
struct ScanKernels {
    // The first i of the greatest (W s_i - w_i S)^2 / (w_i (W - w_i)), if it is better than *best;
    // else -1. The last of the m sums is repeated up to a whole register.
    Index (*moments)(const Moment* sums, Index m, double W, double S, double* best);
    // The first i of the greatest l_i / w_i + r_i / (W - w_i), if it is better than *best; else -1.
    Index (*squares)(const double* w, const double* l, const double* r, Index m, double W,
                     double* best);
};

const ScanKernels& scan_table();

} // namespace gramian::splits
