// Grows one tree, or a part of it, over rows under local numbers 0, 1, ..., n - 1.
#pragma once

#include "core/runtime/pool.hpp"
#include "core/splits/buckets.hpp"
#include "core/splits/search.hpp"
#include "core/splits/sort.hpp"
#include "core/tree/grow.hpp"

#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <type_traits>
#include <vector>

namespace gramian::tree {

// What a tree is grown by, whatever its columns are.
struct GrowRules {
    const Targets& targets;
    const GrowOptions& options;
    const EntropyTable* table;
    std::uint64_t tree;
    double total_weight;
};

// What is the same for all parts of a tree.
struct GrowContext : GrowRules {
    Columns& columns;
    bool lists; // every column keeps its list of rows; else a node is sorted when a column is drawn
    bool own_lists; // sorted for this tree alone
    bool buckets;   // large nodes are searched by buckets, small ones by SmallGrower
};

inline Moment moment_of(const TargetsById& targets, Index id) {
    if (targets.moments) return targets.moments[id];
    const double w = targets.weights ? targets.weights[id] : 1.0;
    return {w, w * (targets.codes ? static_cast<double>(targets.codes[id]) : targets.values[id])};
}

// The rows of a part: which rows of the table they are (empty: the same numbers), and their
// targets.
struct LocalRows {
    Index n = 0;
    std::vector<std::uint32_t> row;
    std::vector<std::uint16_t> codes;
    std::vector<double> values, weights;
    std::vector<Moment> moments;
    TargetsById targets{};

    // The given rows of the table, renumbered.
    LocalRows(const GrowContext& context, std::vector<std::uint32_t> rows);
    // All rows of the table, as they are.
    explicit LocalRows(const GrowContext& context);

    Index table_row(Index id) const { return row.empty() ? id : row[id]; }

private:
    void make_moments(const GrowContext& context);
};

// The division of a node.
struct Split {
    double decrease = -std::numeric_limits<double>::infinity();
    NodeKind kind = NodeKind::leaf;
    std::int32_t feature = -1;
    std::int32_t missing = -1; // the child of missing values; -1: none in this node
    // NUMBER: the greatest rank that goes to child 0; of narrow entries, how many of them go there.
    std::uint64_t last_left = 0;
    // NUMBER: rows of the table on both sides of the threshold; or -1, and the threshold itself.
    Index low_row = -1, high_row = -1;
    double threshold = std::numeric_limits<double>::quiet_NaN();
    double value_left = 0, value_right = 0;
    std::vector<std::uint64_t> bits; // GROUP
};

// A node that may be divided: a range of rows.
struct OpenNode {
    Index node;
    Index begin, end;
    Index depth;
    std::uint64_t path; // a hash of the way from the root, which the random numbers hang on
    std::vector<double> sums;
    double lower, upper; // bounds on its value

    Index size() const { return end - begin; }
};

// Columns in random order, or as they stand, one after the other.
class ColumnOrder {
public:
    explicit ColumnOrder(Index n);

    Index size() const { return static_cast<Index>(columns_.size()); }
    // The order of another node.
    void start(std::uint64_t random, bool mixed);
    Index next();
    // The first ones, after next().
    Index operator[](Index i) const { return columns_[i]; }

private:
    std::vector<std::uint32_t> columns_;
    std::vector<std::uint32_t> swapped_; // with column i, for the i columns passed
    Index passed_ = 0;
    std::uint64_t state_ = 0;
    bool mixed_ = false;
};

// Whether large nodes can be searched by buckets, and small ones by SmallGrower: numbers without
// missing values, and a criterion of one sum.
bool searches_by_buckets(const Columns& columns, const Targets& targets,
                         const GrowOptions& options);
// Whether a node may be divided that has rows of unequal targets.
bool may_divide(const GrowRules& context, Index depth, Index samples, double weight,
                const double* value);
// Whether a division is worth it that leaves the impurity `after`.
bool worth_it(const GrowRules& context, double weight, double impurity, double after);
std::uint64_t child_path(std::uint64_t path, Index child);

template <typename E>
class SmallGrower;

// E is the type of entries. Those of the narrow type are in lists of numbers, none missing, and no
// other list or order is looked at where they are.
template <typename E>
class Grower {
public:
    static constexpr bool kNarrow = std::is_same_v<E, NarrowEntry>;
    using Rank = std::conditional_t<sizeof(E) == 4, std::uint16_t, std::uint32_t>;

    Grower(const GrowContext& context, std::shared_ptr<const LocalRows> rows, bool parallel);
    ~Grower();

    // The lists of all columns, in the order of `in(column)`, with local[id] for each id;
    // kAbsent leaves it out.
    static constexpr std::uint32_t kAbsent = 0xffffffff;
    template <typename F>
    void take_lists(const std::function<const F*(Index)>& in, Index count,
                    const std::uint32_t* local);
    // The lists of all columns, sorted for this tree.
    void make_lists();
    void free_lists() { lists_.reset(); }
    // The rows, where there are no lists.
    void take_ids(std::vector<std::uint32_t> ids);
    // All rows, which were renumbered, with their ranks copied side by side.
    void take_ranks();
    // The same with the ranks among these rows, which fit entries of 32 bits where those among all
    // rows of the table do not. For numbers without missing values.
    void rank_anew();

    // Grows from a root over all rows, with the path, depth and bounds given; nodes of at most
    // `cutoff` rows are put off.
    void grow(std::uint64_t path, Index depth, double lower, double upper, Index cutoff);

    GrownTree tree;
    std::vector<OpenNode> put_off;

    const E* list(Index column) const { return lists_.get() + column * n_; }
    const std::shared_ptr<const LocalRows>& rows() const { return rows_; }
    const std::vector<std::uint32_t>& ids() const { return ids_; }
    Index table_row(Index id) const { return rows_->table_row(id); }

private:
    struct Scratch {
        SplitSearch search;
        std::unique_ptr<E[]> entries, spare; // of which searches by buckets touch little
        std::vector<Rank> ranks;
        std::vector<double> values; // of a node on a column, where thresholds are drawn

        Scratch(const GrowContext& context, Index n)
            : search(context.options, context.targets, context.table),
              entries(std::make_unique_for_overwrite<E[]>(context.lists ? 0 : n + kSortPadding)),
              spare(std::make_unique_for_overwrite<E[]>(n + kSortPadding)) {}
    };
    // A node as a search sees it. Ids of entries are local numbers (lists) or positions in the
    // node.
    struct Sight {
        const OpenNode& node;
        NodeTotals totals;
        TargetsById targets;
    };

    void take_all();
    bool describe(OpenNode& node);
    bool pure(const E* entries, Index n) const;
    Split search(const OpenNode& node);
    Split search_by_buckets(const OpenNode& node);
    Sight sight(const OpenNode& node);
    const E* sorted(const OpenNode& node, Index feature, Scratch& scratch) const;
    bool look(const Sight& sight, Index feature, std::uint64_t random, Scratch& scratch,
              Split& best);
    bool look_at_number(const Sight& sight, Index feature, Scratch& scratch, Split& best);
    void keep_number(const Candidate& found, Index feature, bool any_missing, Split& best);
    bool look_at_random(const Sight& sight, Index feature, std::uint64_t random, Scratch& scratch,
                        Split& best);
    bool look_at_categories(const Sight& sight, Index feature, Scratch& scratch, Split& best);
    bool look_at_each(const Sight& sight, Index feature, const E* entries, Scratch& scratch,
                      Split& best);
    void keep_group(const Sight& sight, Index feature, const Candidate& candidate, const E* entries,
                    const E* codes, bool single, Split& best);
    Index row_of(const Sight& sight, E entry) const;
    RankColumn<Rank> ranks_of(Index feature) const; // by id
    bool describe_moments(OpenNode& node);
    const Moment* take_moments(const OpenNode& node); // to node_moments_

    bool divide(const OpenNode& node, const Split& split);
    Index child_of(const Split& split, std::uint64_t rank) const;
    void assign(const OpenNode& node, const Split& split, Index n_children);
    void assign_listed(const OpenNode& node, const Split& split);
    template <typename T, typename Side>
    Index partition(T* a, T* spare, Index n, Side side) const;
    void grow_depth_first(OpenNode root, Index cutoff);
    void grow_best_first(OpenNode root);
    void poll(const OpenNode& node);
    bool in_parallel(Index work) const { return parallel_ && work > 30000; }
    Index add_node();

    // body(i, scratch) for i < count, each thread with scratch memory of its own.
    template <typename Body>
    void for_each(Index count, bool parallel, Body&& body);

    const GrowContext& context_;
    const GrowOptions& options_;
    const Index n_features_;
    const std::shared_ptr<const LocalRows> rows_;
    const bool parallel_;
    Index n_ = 0;
    std::unique_ptr<E[]> lists_;     // column after column
    std::vector<std::uint32_t> ids_; // the rows of the nodes, where there are no lists
    std::vector<Rank> own_ranks_;    // row after row; empty: those of the table
    std::vector<std::uint32_t> spare_ids_;
    // The number of a child. Where entries are short, no column has more than so many categories.
    using Child = std::conditional_t<kNarrow, std::uint8_t, Rank>;
    std::vector<Child> side_;        // of each id: the child it goes to
    Index unpolled_ = 0;             // rows of the nodes looked at since the last poll
    std::vector<OpenNode> children_; // of the node divided last
    std::vector<Index> starts_;      // and where they begin
    const E* home_ = nullptr;        // a list whose ranges are those of the nodes
    std::vector<std::uint16_t> node_codes_;
    std::vector<double> node_values_, node_weights_;
    std::vector<Moment> node_moments_;
    ColumnOrder columns_;
    std::vector<E> plain_entries_;
    using Sorted = std::conditional_t<kNarrow, std::uint32_t, E>; // entries of a node sorted anew
    std::unique_ptr<SmallGrower<Sorted>> small_; // where it serves; so do surveys, then
    std::vector<typename BucketSearch<Sorted>::Survey> surveys_;
    std::unique_ptr<Scratch> own_;
    std::mutex scratch_mutex_;
    std::vector<std::unique_ptr<Scratch>> scratch_; // those in no thread's hands
};

template <typename E>
template <typename Body>
void Grower<E>::for_each(Index count, bool parallel, Body&& body) {
    if (!parallel) {
        for (Index i = 0; i < count; ++i) body(i, *own_);
        return;
    }
    runtime::parallel_for(count, [&](Index i) {
        std::unique_ptr<Scratch> mine;
        {
            const std::lock_guard lock(scratch_mutex_);
            if (!scratch_.empty()) {
                mine = std::move(scratch_.back());
                scratch_.pop_back();
            }
        }
        if (!mine) mine = std::make_unique<Scratch>(context_, n_);
        body(i, *mine);
        const std::lock_guard lock(scratch_mutex_);
        scratch_.push_back(std::move(mine));
    });
}

std::uint64_t mixed(std::uint64_t x);

} // namespace gramian::tree
