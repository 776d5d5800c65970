#include "core/tree/sparse_grower.hpp"

#include "core/runtime/pool.hpp"

#include <algorithm>
#include <limits>

namespace gramian::tree {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kNowhere = 0xffffffff;

} // namespace

SparseGrower::Scratch::Scratch(const GrowRules& rules)
    : search(rules.options, rules.targets, rules.table), left(search.n_sums()),
      block(search.n_sums()) {}

SparseGrower::SparseGrower(const GrowRules& rules, const SparseColumns& columns,
                           std::vector<std::uint32_t> rows, bool whole)
    : rules_(rules), options_(rules.options), columns_(columns), n_features_(columns.cols()),
      targets_{rules.targets.codes, rules.targets.values, rules.targets.weights},
      subtracts_(whole || !rules.targets.classification()), ids_(std::move(rows)),
      place_(columns.rows(), kNowhere), order_(n_features_), drawn_(n_features_),
      count_(n_features_), start_(n_features_), plain_(ids_.size()), main_scratch_(rules) {
    for (std::size_t i = 0; i < ids_.size(); ++i) place_[ids_[i]] = static_cast<std::uint32_t>(i);
}

GrownTree SparseGrower::grow() {
    SparseNode root{
        {add_node(), 0, static_cast<Index>(ids_.size()), 0, 1, {}, -kInfinity, kInfinity}};
    add_up(root);
    if (describe(root)) {
        if (options_.max_leaf_nodes > 0)
            grow_best_first(std::move(root));
        else
            grow_depth_first(std::move(root));
    }
    return std::move(tree_);
}

Index SparseGrower::add_node() {
    const Index node = tree_.size();
    const Index width = rules_.targets.n_outputs * rules_.targets.n_classes;
    tree_.resize(node + 1, width);
    tree_.kind[node] = static_cast<std::uint8_t>(NodeKind::leaf);
    tree_.feature[node] = -1;
    tree_.threshold[node] = std::numeric_limits<double>::quiet_NaN();
    return node;
}

bool SparseGrower::pure(const OpenNode& node) const {
    const Index outputs = rules_.targets.n_outputs;
    const Index first = ids_[node.begin] * outputs;
    for (Index i = node.begin + 1; i < node.end; ++i) {
        const Index other = ids_[i] * outputs;
        for (Index o = 0; o < outputs; ++o) {
            if (targets_.codes ? targets_.codes[first + o] != targets_.codes[other + o]
                               : targets_.values[first + o] != targets_.values[other + o])
                return false;
        }
    }
    return true;
}

// Adds up the rows of a node.
void SparseGrower::add_up(SparseNode& node) {
    const Index n = node.size();
    std::copy_n(ids_.data() + node.begin, n, plain_.data()); // entries of key 0
    node.sums.resize(main_scratch_.search.n_sums());
    tree_.weight[node.node] =
        main_scratch_.search.add_up(plain_.data(), n, targets_, node.sums.data());
    node.summed = n;
}

// Computes the impurity and the value of a node; true if it may be split.
bool SparseGrower::describe(const SparseNode& node) {
    const Index n = node.size();
    SplitSearch& s = main_scratch_.search;
    if (s.by_order()) std::copy_n(ids_.data() + node.begin, n, plain_.data());
    const double weight = tree_.weight[node.node];
    const Index width = rules_.targets.n_outputs * rules_.targets.n_classes;
    double* value = tree_.value.data() + node.node * width;
    s.value(plain_.data(), n, targets_, weight, node.sums.data(), value);
    const bool is_pure = pure(node);
    if (is_pure && targets_.values) // the number itself, not a rounded mean of equals
        std::copy_n(targets_.values + ids_[node.begin] * width, width, value);
    tree_.samples[node.node] = n;
    tree_.impurity[node.node] =
        is_pure && options_.criterion != Criterion::function
            ? 0.0
            : s.impurity(plain_.data(), n, targets_, weight, node.sums.data());
    if (!options_.monotone.empty()) {
        if (rules_.targets.classification()) {
            value[1] = std::clamp(value[1], node.lower, node.upper);
            value[0] = 1 - value[1];
        } else {
            value[0] = std::clamp(value[0], node.lower, node.upper);
        }
    }
    return !is_pure && may_divide(rules_, node.depth, n, weight, value);
}

void SparseGrower::grow_depth_first(SparseNode root) {
    std::vector<SparseNode> waiting;
    waiting.push_back(std::move(root));
    while (!waiting.empty()) {
        const SparseNode node = std::move(waiting.back());
        waiting.pop_back();
        const SparseSplit split = search(node);
        if (split.feature < 0 || !divide(node, split)) continue;
        for (auto child = children_.rbegin(); child != children_.rend(); ++child)
            waiting.push_back(std::move(*child));
    }
}

// Splits the node with the largest weighted decrease of impurity first.
void SparseGrower::grow_best_first(SparseNode root) {
    const auto later = [](const Ready& a, const Ready& b) {
        return a.gain < b.gain || (a.gain == b.gain && a.number > b.number);
    };
    std::vector<Ready> heap;
    Index number = 0;
    const auto push = [&](SparseNode node) {
        const SparseSplit split = search(node);
        if (split.feature < 0) return;
        const double gain = leading_bits(split.found.decrease * tree_.weight[node.node]);
        heap.push_back({std::move(node), split, gain, number++});
        std::push_heap(heap.begin(), heap.end(), later);
    };
    push(std::move(root));
    for (Index leaves = 1; leaves < options_.max_leaf_nodes && !heap.empty();) {
        std::pop_heap(heap.begin(), heap.end(), later);
        const Ready next = std::move(heap.back());
        heap.pop_back();
        if (!divide(next.node, next.split)) continue;
        ++leaves;
        std::vector<SparseNode> children = std::move(children_);
        for (SparseNode& child : children) push(std::move(child));
    }
}

// Finds the rows that go to another child than the zeros; returns whether that is child 1.
bool SparseGrower::find_moved_rows(const OpenNode& node, const SparseSplit& split) {
    const bool zeros_right = columns_.zero_key(split.feature) > split.low;
    moved_rows_.clear();
    const Vector<const SparseEntry> column = columns_.column(split.feature);
    if (column.size <= 16 * node.size()) {
        for (const SparseEntry& entry : column) {
            const std::uint32_t place = place_[entry.row];
            if (place >= node.begin && place < node.end && (entry.key > split.low) != zeros_right)
                moved_rows_.push_back(place);
        }
        std::sort(moved_rows_.begin(), moved_rows_.end());
        return !zeros_right;
    }
    for (Index i = node.begin; i < node.end; ++i) {
        const Index entry = columns_.find(ids_[i], split.feature);
        if (entry >= 0 && (columns_.key_of(entry) > split.low) != zeros_right)
            moved_rows_.push_back(static_cast<std::uint32_t>(i));
    }
    return !zeros_right;
}

// Moves these rows to the end of the node's range, or to its beginning.
void SparseGrower::move(const OpenNode& node, bool to_end) {
    const auto m = static_cast<Index>(moved_rows_.size());
    for (Index k = 0; k < m; ++k) {
        const Index from = moved_rows_[to_end ? m - 1 - k : k];
        const Index to = to_end ? node.end - 1 - k : node.begin + k;
        std::swap(ids_[from], ids_[to]);
        place_[ids_[from]] = static_cast<std::uint32_t>(from);
        place_[ids_[to]] = static_cast<std::uint32_t>(to);
    }
}

// Returns false, and the node stays a leaf, if the split does not decrease the impurity enough.
bool SparseGrower::divide(const SparseNode& node, const SparseSplit& split) {
    const bool to_end = find_moved_rows(node, split);
    move(node, to_end);
    const auto n_movers = static_cast<Index>(moved_rows_.size());
    const Index middle = to_end ? node.end - n_movers : node.begin + n_movers;

    const Index first = tree_.size();
    const Index width = rules_.targets.n_outputs * rules_.targets.n_classes;
    SparseNode both[2];
    for (Index c = 0; c < 2; ++c) {
        both[c] = {{add_node(),
                    c == 0 ? node.begin : middle,
                    c == 0 ? middle : node.end,
                    node.depth + 1,
                    child_path(node.path, c),
                    {},
                    node.lower,
                    node.upper}};
        const int monotone = options_.monotone.empty() ? 0 : options_.monotone[split.feature];
        if (monotone != 0) {
            const double center = split.found.value_left / 2 + split.found.value_right / 2;
            ((c == 0) == (monotone > 0) ? both[c].upper : both[c].lower) = center;
        }
    }
    // The sums of the other child are those of the node minus those of the moved rows, unless so
    // many rows were subtracted before that rounding errors would matter.
    SparseNode &moved = both[to_end], &stayed = both[!to_end];
    add_up(moved);
    if (subtracts_ && 2 * stayed.size() > node.summed) {
        stayed.sums = node.sums;
        for (std::size_t k = 0; k < stayed.sums.size(); ++k) stayed.sums[k] -= moved.sums[k];
        stayed.summed = node.summed;
        tree_.weight[stayed.node] = tree_.weight[node.node] - tree_.weight[moved.node];
    } else {
        add_up(stayed);
    }
    children_.clear();
    double after = 0, heaviest = -1;
    std::int32_t heavy_child = 0;
    for (Index c = 0; c < 2; ++c) {
        const bool open = describe(both[c]);
        const double weight = tree_.weight[both[c].node];
        after += weight / tree_.weight[node.node] * tree_.impurity[both[c].node];
        if (weight >= heaviest) { // among equals the last
            heaviest = weight;
            heavy_child = static_cast<std::int32_t>(c);
        }
        if (open) children_.push_back(std::move(both[c]));
    }
    if (!decreases_enough(rules_, tree_.weight[node.node], tree_.impurity[node.node], after)) {
        tree_.resize(first, width);
        return false;
    }
    check_tree_size(tree_.size(), 0);
    tree_.first_child[node.node] = static_cast<std::int32_t>(first);
    tree_.n_children[node.node] = 2;
    tree_.kind[node.node] = static_cast<std::uint8_t>(NodeKind::number);
    tree_.feature[node.node] = static_cast<std::int32_t>(split.feature);
    tree_.threshold[node.node] = options_.random_split
                                     ? split.threshold
                                     : midpoint(columns_.value(split.feature, split.low),
                                                columns_.value(split.feature, split.high));
    tree_.missing[node.node] = heavy_child;
    return true;
}

} // namespace gramian::tree
