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
                           std::vector<std::uint32_t> rows)
    : rules_(rules), options_(rules.options), columns_(columns), n_features_(columns.cols()),
      targets_{rules.targets.codes, rules.targets.values, rules.targets.weights},
      ids_(std::move(rows)), spare_(ids_.size()), place_(columns.rows(), kNowhere),
      right_(ids_.size()), order_(n_features_), count_(n_features_), start_(n_features_),
      plain_(ids_.size()), own_(rules) {
    for (std::size_t i = 0; i < ids_.size(); ++i) place_[ids_[i]] = static_cast<std::uint32_t>(i);
}

GrownTree SparseGrower::grow() {
    OpenNode root{add_node(), 0, static_cast<Index>(ids_.size()), 0, 1, {}, -kInfinity, kInfinity};
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

// Writes what is known of a node; true if it may be divided.
bool SparseGrower::describe(OpenNode& node) {
    const Index n = node.size();
    std::copy_n(ids_.data() + node.begin, n, plain_.data()); // entries of rank 0
    SplitSearch& s = own_.search;
    node.sums.resize(s.n_sums());
    const double weight = s.add_up(plain_.data(), n, targets_, node.sums.data());
    const Index width = rules_.targets.n_outputs * rules_.targets.n_classes;
    double* value = tree_.value.data() + node.node * width;
    s.value(plain_.data(), n, targets_, weight, node.sums.data(), value);
    const bool is_pure = pure(node);
    if (is_pure && targets_.values) // the number itself, not a rounded mean of equals
        std::copy_n(targets_.values + ids_[node.begin] * width, width, value);
    tree_.samples[node.node] = n;
    tree_.weight[node.node] = weight;
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

void SparseGrower::grow_depth_first(OpenNode root) {
    std::vector<OpenNode> waiting;
    waiting.push_back(std::move(root));
    while (!waiting.empty()) {
        const OpenNode node = std::move(waiting.back());
        waiting.pop_back();
        const SparseSplit split = search(node);
        if (split.feature < 0 || !divide(node, split)) continue;
        for (auto child = children_.rbegin(); child != children_.rend(); ++child)
            waiting.push_back(std::move(*child));
    }
}

// The node whose division lowers the weighted impurity most goes first.
void SparseGrower::grow_best_first(OpenNode root) {
    const auto later = [](const Ready& a, const Ready& b) {
        return a.gain < b.gain || (a.gain == b.gain && a.number > b.number);
    };
    std::vector<Ready> heap;
    Index number = 0;
    const auto push = [&](OpenNode node) {
        const SparseSplit split = search(node);
        if (split.feature < 0) return;
        const double gain = split.found.decrease * tree_.weight[node.node];
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
        std::vector<OpenNode> children = std::move(children_);
        for (OpenNode& child : children) push(std::move(child));
    }
}

// Writes to right_ which child every row of a node goes to.
void SparseGrower::assign(const OpenNode& node, const SparseSplit& split) {
    const std::uint32_t zero = columns_.zero_rank(split.feature);
    const auto goes_right = [&](std::uint32_t rank) -> std::uint8_t {
        if (!options_.random_split) return rank > split.low;
        return !(columns_.value(split.feature, rank) <= split.threshold);
    };
    std::fill(right_.begin() + node.begin, right_.begin() + node.end, goes_right(zero));
    const Vector<const SparseEntry> column = columns_.column(split.feature);
    if (column.size <= 16 * node.size()) {
        for (const SparseEntry& entry : column) {
            const Index place = place_[entry.at];
            if (place >= node.begin && place < node.end) right_[place] = goes_right(entry.rank);
        }
        return;
    }
    for (Index i = node.begin; i < node.end; ++i) {
        const Vector<const SparseEntry> row = columns_.row(ids_[i]);
        const auto at = std::lower_bound(
            row.begin(), row.end(), split.feature,
            [](const SparseEntry& entry, Index feature) { return entry.at < feature; });
        if (at != row.end() && at->at == split.feature) right_[i] = goes_right(at->rank);
    }
}

// False where the split is not worth it: the node stays a leaf.
bool SparseGrower::divide(const OpenNode& node, const SparseSplit& split) {
    assign(node, split);
    Index left = node.begin, n_right = 0;
    for (Index i = node.begin; i < node.end; ++i) {
        const std::uint32_t id = ids_[i];
        const bool goes_right = right_[i] != 0;
        ids_[left] = id;
        spare_[n_right] = id;
        left += !goes_right;
        n_right += goes_right;
    }
    std::copy_n(spare_.begin(), n_right, ids_.begin() + left);
    for (Index i = node.begin; i < node.end; ++i) place_[ids_[i]] = static_cast<std::uint32_t>(i);

    const Index first = tree_.size();
    const Index width = rules_.targets.n_outputs * rules_.targets.n_classes;
    children_.clear();
    double after = 0, heaviest = -1;
    std::int32_t heavy_child = 0;
    for (Index c = 0; c < 2; ++c) {
        add_node();
        OpenNode child{first + c,
                       c == 0 ? node.begin : left,
                       c == 0 ? left : node.end,
                       node.depth + 1,
                       child_path(node.path, c),
                       {},
                       node.lower,
                       node.upper};
        const int monotone = options_.monotone.empty() ? 0 : options_.monotone[split.feature];
        if (monotone != 0) {
            const double middle = split.found.value_left / 2 + split.found.value_right / 2;
            ((c == 0) == (monotone > 0) ? child.upper : child.lower) = middle;
        }
        const bool open = describe(child);
        const double weight = tree_.weight[child.node];
        after += weight / tree_.weight[node.node] * tree_.impurity[child.node];
        if (weight > heaviest) {
            heaviest = weight;
            heavy_child = static_cast<std::int32_t>(c);
        }
        if (open) children_.push_back(std::move(child));
    }
    if (!worth_it(rules_, tree_.weight[node.node], tree_.impurity[node.node], after)) {
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
                                     : columns_.threshold(split.feature, split.low, split.high);
    tree_.missing[node.node] = heavy_child;
    return true;
}

} // namespace gramian::tree
