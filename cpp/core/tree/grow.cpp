#include "core/tree/grow.hpp"

#include "core/runtime/check.hpp"
#include "core/runtime/pool.hpp"
#include "core/tree/grower.hpp"
#include "core/tree/sparse_grower.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace gramian::tree {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Index kShort = 0xffff; // with fewer rows, entries have 32 bits
constexpr Index kFewLevels = 5;  // parts with no more levels to grow keep the ranks of the table

bool searches_most_columns(const Columns& columns, const GrowOptions& options) {
    return !options.random_split && 2 * options.max_features >= columns.cols();
}

// Searches by buckets need no lists. Regression trees are as fast without them.
bool keeps_lists(const Columns& columns, const Targets& targets, const GrowOptions& options,
                 Lists lists) {
    return searches_most_columns(columns, options) &&
           (lists != Lists::few || targets.classification() ||
            !searches_by_buckets(columns, targets, options));
}

// Copying the ranks of a part into contiguous memory pays if most of them are read.
bool copies_ranks(const Columns& columns, const GrowOptions& options) {
    return !options.random_split && 10 * options.max_features >= columns.cols();
}

// The deferred parts of a tree are grown in parallel and then attached to it.
template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from, Index skip) {
    to.insert(to.end(), from.begin() + skip, from.end());
}

void attach_part(GrownTree& tree, Index at, const GrownTree& part, Index width) {
    const Index offset = tree.size() - 1; // node 1 of the part comes after the last node
    const auto bits = static_cast<std::int32_t>(tree.bits.size());
    check_tree_size(tree.size() + part.size(), tree.bits.size() + part.bits.size());
    const Index first = tree.size();
    append(tree.first_child, part.first_child, 1);
    append(tree.n_children, part.n_children, 1);
    append(tree.kind, part.kind, 1);
    append(tree.feature, part.feature, 1);
    append(tree.threshold, part.threshold, 1);
    append(tree.bit_start, part.bit_start, 1);
    append(tree.missing, part.missing, 1);
    append(tree.samples, part.samples, 1);
    append(tree.weight, part.weight, 1);
    append(tree.impurity, part.impurity, 1);
    append(tree.value, part.value, width);
    append(tree.bits, part.bits, 0);
    tree.first_child[at] = part.first_child[0];
    tree.n_children[at] = part.n_children[0];
    tree.kind[at] = part.kind[0];
    tree.feature[at] = part.feature[0];
    tree.threshold[at] = part.threshold[0];
    tree.bit_start[at] = part.bit_start[0];
    tree.missing[at] = part.missing[0];
    const auto shift = [&](Index i) {
        if (tree.n_children[i] > 0) tree.first_child[i] += static_cast<std::int32_t>(offset);
        if (static_cast<NodeKind>(tree.kind[i]) == NodeKind::group) tree.bit_start[i] += bits;
    };
    shift(at);
    for (Index i = first; i < tree.size(); ++i) shift(i);
}

template <typename E>
GrownTree grow_with(const GrowContext& context, std::vector<std::uint32_t> rows) {
    const auto n = static_cast<Index>(rows.size());
    const Index table_rows = context.columns.rows();
    // Parts have entries of 32 bits.
    const bool in_parts =
        context.options.max_leaf_nodes == 0 && context.columns.most_levels() < kShort;
    const Index cutoff = in_parts ? std::clamp<Index>(n / 32, 1024, kShort - 1) : 0;
    std::shared_ptr<const LocalRows> local;
    std::vector<std::uint32_t> ids;    // without lists: the rows themselves
    std::vector<std::uint32_t> number; // the number of each id in its part
    if (!context.lists) {
        ids = std::move(rows);
        local = std::make_shared<const LocalRows>(context);
    } else if (n < table_rows) {
        number.assign(table_rows, Grower<E>::kAbsent);
        for (Index i = 0; i < n; ++i) number[rows[i]] = static_cast<std::uint32_t>(i);
        local = std::make_shared<const LocalRows>(context, std::move(rows));
    } else {
        local = std::make_shared<const LocalRows>(context);
    }
    Grower<E> whole(context, std::move(local), true);
    const std::uint32_t* const numbers = number.empty() ? nullptr : number.data();
    if (!context.lists) {
        if constexpr (!Grower<E>::kNarrow) whole.take_ids(std::move(ids));
    } else if (context.own_lists) {
        whole.make_lists();
    } else if (context.columns.narrow()) {
        if constexpr (sizeof(E) == 4)
            whole.template take_lists<NarrowEntry>(
                [&](Index j) { return context.columns.narrow_sorted(j); }, table_rows, numbers);
    } else if constexpr (!Grower<E>::kNarrow) {
        whole.template take_lists<std::uint64_t>([&](Index j) { return context.columns.sorted(j); },
                                                 table_rows, numbers);
    }
    whole.grow(1, 0, -kInfinity, kInfinity, n > cutoff ? cutoff : 0);
    if (whole.deferred.empty()) return std::move(whole.tree);

    using Part = Grower<std::uint32_t>;
    const bool copy_ranks = copies_ranks(context.columns, context.options);
    const bool rerank = sizeof(E) > sizeof(std::uint32_t) && context.buckets &&
                        searches_most_columns(context.columns, context.options);
    const auto n_parts = static_cast<Index>(whole.deferred.size());
    std::vector<GrownTree> parts(n_parts);
    number.resize(context.lists ? table_rows : 0);
    runtime::parallel_for(n_parts, [&](Index p) {
        const OpenNode& node = whole.deferred[p];
        if constexpr (!Grower<E>::kNarrow) {
            if (!context.lists) {
                std::vector<std::uint32_t> ids(whole.ids().begin() + node.begin,
                                               whole.ids().begin() + node.end);
                if (rerank && context.options.max_depth - node.depth > kFewLevels) {
                    Part part(context, std::make_shared<const LocalRows>(context, std::move(ids)),
                              false);
                    part.rerank();
                    part.grow(node.path, node.depth, node.lower, node.upper, 0);
                    parts[p] = std::move(part.tree);
                    return;
                }
                Grower<E> part(context,
                               copy_ranks ? std::make_shared<const LocalRows>(context, ids)
                                          : whole.rows(),
                               false);
                if (copy_ranks)
                    part.copy_ranks_of_rows();
                else
                    part.take_ids(std::move(ids));
                part.grow(node.path, node.depth, node.lower, node.upper, 0);
                parts[p] = std::move(part.tree);
                return;
            }
        }
        std::vector<std::uint32_t> part_rows(node.size());
        for (Index i = 0; i < node.size(); ++i) {
            const Index id = EntryOf<E>::id(whole.list(0)[node.begin + i]);
            number[id] = static_cast<std::uint32_t>(i);
            part_rows[i] = static_cast<std::uint32_t>(whole.table_row(id));
        }
        Part part(context, std::make_shared<const LocalRows>(context, std::move(part_rows)), false);
        part.template take_lists<E>([&](Index j) { return whole.list(j) + node.begin; },
                                    node.size(), number.data());
        part.grow(node.path, node.depth, node.lower, node.upper, 0);
        parts[p] = std::move(part.tree);
    });
    whole.free_lists();
    const Index width = context.targets.n_outputs * context.targets.n_classes;
    Index nodes = whole.tree.size();
    for (const GrownTree& part : parts) nodes += part.size() - 1;
    whole.tree.reserve(nodes, width);
    for (Index p = 0; p < n_parts; ++p) {
        attach_part(whole.tree, whole.deferred[p].node, parts[p], width);
        parts[p] = {};
    }
    return std::move(whole.tree);
}

// The rows of positive weight.
std::vector<std::uint32_t> weighted_rows(const Targets& targets, Index n) {
    std::vector<std::uint32_t> rows;
    rows.reserve(n);
    for (Index i = 0; i < n; ++i) {
        if (!targets.weights || targets.weights[i] > 0)
            rows.push_back(static_cast<std::uint32_t>(i));
    }
    runtime::require(!rows.empty(), "at least one row of positive weight");
    return rows;
}

bool whole_weights(const Targets& targets, const std::vector<std::uint32_t>& rows, double* total) {
    bool whole = true;
    *total = 0;
    for (const std::uint32_t i : rows) {
        const double w = targets.weights ? targets.weights[i] : 1.0;
        whole &= w == std::floor(w);
        *total += w;
    }
    return whole && *total < 1 << 24;
}

} // namespace

void check_tree_size(Index nodes, std::size_t words) {
    const char* remedy = "Limit max_depth, max_leaf_nodes or min_samples_leaf.";
    runtime::in_32_bits(nodes, "trees: the number of nodes of one", remedy);
    runtime::in_32_bits(static_cast<Index>(words),
                        "trees: the words that hold the categories of one", remedy);
}

void GrownTree::resize(Index nodes, Index width) {
    for (auto* array : {&first_child, &n_children, &feature, &bit_start, &missing})
        array->resize(nodes);
    for (auto* array : {&threshold, &weight, &impurity}) array->resize(nodes);
    kind.resize(nodes);
    samples.resize(nodes);
    value.resize(nodes * width);
}

void GrownTree::reserve(Index nodes, Index width) {
    for (auto* array : {&first_child, &n_children, &feature, &bit_start, &missing})
        array->reserve(nodes);
    for (auto* array : {&threshold, &weight, &impurity}) array->reserve(nodes);
    kind.reserve(nodes);
    samples.reserve(nodes);
    value.reserve(nodes * width);
}

void prepare_columns(Columns& columns, const Targets& targets, const GrowOptions& options,
                     Lists lists) {
    if (keeps_lists(columns, targets, options, lists)) {
        if (columns.narrow())
            columns.narrow_sorted(0);
        else
            columns.sorted(0);
    } else if (!options.random_split || columns.most_levels() > 0) {
        if (!columns.short_ranks())
            columns.ranks32(0);
        else if (copies_ranks(columns, options))
            columns.ranks16_by_row();
        else
            columns.ranks16(0);
    }
}

GrownTree grow_tree(Columns& columns, const Targets& targets, const GrowOptions& options,
                    std::uint64_t tree, Lists lists) {
    const bool any_lists = keeps_lists(columns, targets, options, lists);
    const bool own_lists = any_lists && lists == Lists::own && !columns.binned();
    if (!own_lists) prepare_columns(columns, targets, options, lists);
    std::vector<std::uint32_t> rows = weighted_rows(targets, columns.rows());
    double total = 0;
    const bool whole = whole_weights(targets, rows, &total);
    const bool entropy =
        options.criterion == Criterion::entropy || options.criterion == Criterion::gain_ratio;
    std::unique_ptr<EntropyTable> table;
    if (entropy && whole) table = std::make_unique<EntropyTable>(static_cast<Index>(total));
    const bool buckets = !any_lists && searches_by_buckets(columns, targets, options);
    const GrowContext context{
        {targets, options, table.get(), tree, total}, columns, any_lists, own_lists, buckets};
    const bool is_short =
        (context.lists ? static_cast<Index>(rows.size()) < kShort && columns.most_levels() < kShort
                       : columns.short_ranks());
    if (is_short) return grow_with<std::uint32_t>(context, std::move(rows));
    return any_lists && columns.narrow() ? grow_with<NarrowEntry>(context, std::move(rows))
                                         : grow_with<std::uint64_t>(context, std::move(rows));
}

GrownTree grow_tree(SparseColumns& columns, const Targets& targets, const GrowOptions& options,
                    std::uint64_t tree, Lists /*lists*/) {
    std::vector<std::uint32_t> rows = weighted_rows(targets, columns.rows());
    double total = 0;
    const bool whole = whole_weights(targets, rows, &total);
    const GrowRules rules{targets, options, nullptr, tree, total};
    return SparseGrower(rules, columns, std::move(rows), whole).grow();
}

} // namespace gramian::tree
