// Grows one tree, or a subtree, over rows with local numbers 0, 1, ..., n - 1.
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

// What growing a tree needs, for dense and for sparse columns.
struct GrowRules {
    const Targets& targets;
    const GrowOptions& options;
    const EntropyTable* table;
    std::uint64_t tree;
    double total_weight;
};

// What all parts of a tree share.
struct GrowContext : GrowRules {
    Columns& columns;
    bool lists;     // every column keeps a sorted list of the rows; otherwise nodes are sorted when
                    // searched
    bool own_lists; // sorted for this tree alone
    bool buckets;   // large nodes are searched by buckets, small ones by SmallGrower
};

inline Moment moment_of(const TargetsById& targets, Index id) {
    if (targets.moments) return targets.moments[id];
    const double w = targets.weights ? targets.weights[id] : 1.0;
    return {w, w * (targets.codes ? static_cast<double>(targets.codes[id]) : targets.values[id])};
}

// The rows of a part and their targets. `row` maps local numbers to rows of the table; empty means
// that they are the same.
struct LocalRows {
    Index n = 0;
    std::vector<std::uint32_t> row;
    std::vector<std::uint16_t> codes;
    std::vector<double> values, weights;
    std::vector<Moment> moments;
    TargetsById targets{};

    // The given rows of the table, renumbered from 0.
    LocalRows(const GrowContext& context, std::vector<std::uint32_t> rows);
    // All rows of the table.
    explicit LocalRows(const GrowContext& context);

    Index table_row(Index id) const { return row.empty() ? id : row[id]; }

private:
    void make_moments(const GrowContext& context);
};

// A split of a node.
struct Split {
    double decrease = -std::numeric_limits<double>::infinity();
    NodeKind kind = NodeKind::leaf;
    std::int32_t feature = -1;
    std::int32_t missing = -1; // the child of missing values; -1: this node has none
    // NUMBER: the greatest rank in child 0; for narrow entries, the number of rows in child 0.
    std::uint64_t last_left = 0;
    // NUMBER: the rows of the table next to the threshold on each side; -1 if `threshold` is set.
    Index low_row = -1, high_row = -1;
    double threshold = std::numeric_limits<double>::quiet_NaN();
    double value_left = 0, value_right = 0;
    std::vector<std::uint64_t> bits; // GROUP
};

// A node that may be split: a range of rows.
struct OpenNode {
    Index node;
    Index begin, end;
    Index depth;
    std::uint64_t path; // a hash of the path from the root, which seeds the random numbers
    std::vector<double> sums;
    double lower, upper; // bounds on its value

    Index size() const { return end - begin; }
};

// Visits the columns in random order or in the order of the table.
class ColumnOrder {
public:
    explicit ColumnOrder(Index n);

    Index size() const { return static_cast<Index>(columns_.size()); }
    // Starts the order of another node.
    void start(std::uint64_t random, bool mixed);
    Index next();
    // Column i of those that next() returned.
    Index operator[](Index i) const { return columns_[i]; }

private:
    std::vector<std::uint32_t> columns_;
    std::vector<std::uint32_t>
        swapped_; // the column that column i was swapped with, for each column visited
    Index passed_ = 0;
    std::uint64_t state_ = 0;
    bool mixed_ = false;
};

// Whether large nodes can be searched by buckets and small ones by SmallGrower: all columns are
// numeric without missing values, and the criterion depends on one sum.
bool searches_by_buckets(const Columns& columns, const Targets& targets,
                         const GrowOptions& options);
// Whether a node whose targets differ may be split.
bool may_divide(const GrowRules& context, Index depth, Index samples, double weight,
                const double* value);
// Whether a split that leaves the impurity `after` reaches min_impurity_decrease.
bool decreases_enough(const GrowRules& context, double weight, double impurity, double after);
std::uint64_t child_path(std::uint64_t path, Index child);

template <typename E>
class SmallGrower;

// E is the type of entries. NarrowEntry is used only if every column is numeric without missing
// values and has a sorted list.
template <typename E>
class Grower {
public:
    static constexpr bool kNarrow = std::is_same_v<E, NarrowEntry>;
    using Rank = std::conditional_t<sizeof(E) == 4, std::uint16_t, std::uint32_t>;

    Grower(const GrowContext& context, std::shared_ptr<const LocalRows> rows, bool parallel);
    ~Grower();

    // Copies the list of every column from `in(column)`, with local[id] in place of each id; rows
    // with local[id] = kAbsent are left out.
    static constexpr std::uint32_t kAbsent = 0xffffffff;
    template <typename F>
    void take_lists(const std::function<const F*(Index)>& in, Index count,
                    const std::uint32_t* local);
    // Sorts every column for this tree.
    void make_lists();
    void free_lists() { lists_.reset(); }
    // Sets the rows, if there are no lists.
    void take_ids(std::vector<std::uint32_t> ids);
    // Uses all rows, and copies the ranks of each row into contiguous memory.
    void copy_ranks_of_rows();
    // The same with ranks among these rows only, which fit entries of 32 bits even if those among
    // all rows of the table do not. Columns must be numeric without missing values.
    void rerank();

    // Grows from a root that holds all rows. Nodes of at most `cutoff` rows go to `deferred`.
    void grow(std::uint64_t path, Index depth, double lower, double upper, Index cutoff);

    GrownTree tree;
    std::vector<OpenNode> deferred;

    const E* list(Index column) const { return lists_.get() + column * n_; }
    const std::shared_ptr<const LocalRows>& rows() const { return rows_; }
    const std::vector<std::uint32_t>& ids() const { return ids_; }
    Index table_row(Index id) const { return rows_->table_row(id); }

private:
    struct Scratch {
        SplitSearch search;
        std::unique_ptr<E[]> entries, spare; // searches by buckets use little of them
        std::vector<Rank> ranks;
        std::vector<double> values; // of a column in a node, for random thresholds

        Scratch(const GrowContext& context, Index n)
            : search(context.options, context.targets, context.table),
              entries(std::make_unique_for_overwrite<E[]>(context.lists ? 0 : n + kSortPadding)),
              spare(std::make_unique_for_overwrite<E[]>(n + kSortPadding)) {}
    };
    // A node with its totals and targets. Ids of entries are local numbers if there are lists,
    // otherwise positions in the node.
    struct NodeView {
        const OpenNode& node;
        NodeTotals totals;
        TargetsById targets;
    };

    void take_all();
    bool describe(OpenNode& node);
    bool pure(const E* entries, Index n) const;
    Split search(const OpenNode& node);
    Split search_by_buckets(const OpenNode& node);
    NodeView node_view(const OpenNode& node);
    const E* sorted(const OpenNode& node, Index feature, Scratch& scratch) const;
    bool search_column(const NodeView& view, Index feature, std::uint64_t random, Scratch& scratch,
                       Split& best);
    bool search_numeric(const NodeView& view, Index feature, Scratch& scratch, Split& best);
    void set_numeric(const Candidate& found, Index feature, bool any_missing, Split& best);
    bool search_random_threshold(const NodeView& view, Index feature, std::uint64_t random,
                                 Scratch& scratch, Split& best);
    bool search_categorical(const NodeView& view, Index feature, Scratch& scratch, Split& best);
    bool search_multiway(const NodeView& view, Index feature, const E* entries, Scratch& scratch,
                         Split& best);
    void set_categorical(const NodeView& view, Index feature, const Candidate& candidate,
                         const E* entries, const E* codes, bool single, Split& best);
    Index row_of(const NodeView& view, E entry) const;
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
    std::vector<std::uint32_t> ids_; // the rows of the nodes, if there are no lists
    std::vector<Rank> local_ranks_;  // row by row; empty: the ranks of the table are used
    std::vector<std::uint32_t> spare_ids_;
    // The number of a child. Short entries guarantee that no column has more categories than fit.
    using Child = std::conditional_t<kNarrow, std::uint8_t, Rank>;
    std::vector<Child> side_;   // the child of each id
    Index rows_since_poll_ = 0; // rows of the nodes searched since the last check for an interrupt
    std::vector<OpenNode> children_; // of the node split last
    std::vector<Index> starts_;      // where their rows begin
    const E* row_list_ = nullptr;    // a column's list, already in the order of the nodes
    std::vector<std::uint16_t> node_codes_;
    std::vector<double> node_values_, node_weights_;
    std::vector<Moment> node_moments_;
    ColumnOrder columns_;
    std::vector<E> plain_entries_;
    using Sorted =
        std::conditional_t<kNarrow, std::uint32_t, E>; // entries that are sorted in each node
    std::unique_ptr<SmallGrower<Sorted>> small_;       // only if context_.buckets
    std::vector<typename BucketSearch<Sorted>::ColumnSearch> column_searches_;
    std::unique_ptr<Scratch> main_scratch_;
    std::mutex scratch_mutex_;
    std::vector<std::unique_ptr<Scratch>> scratch_; // not in use by any thread
};

template <typename E>
template <typename Body>
void Grower<E>::for_each(Index count, bool parallel, Body&& body) {
    if (!parallel) {
        for (Index i = 0; i < count; ++i) body(i, *main_scratch_);
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
