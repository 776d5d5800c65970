// The nodes of C4.5, and how cases travel along them.
#include "core/c45/tree.hpp"

#include <algorithm>
#include <numeric>

namespace gramian::c45 {

namespace {

constexpr double smallest_share = 1e-6; // of a case; less is dropped

// The branch of a known value, or -1 for a missing one or a category that no branch has.
std::int32_t branch_of(const Table& table, const Node& node, std::int32_t row) {
    const std::int32_t rank = table.ranks(node.feature, row);
    if (rank < 0) return node.missing;
    switch (node.kind) {
    case tree::NodeKind::number:
        return table.value(node.feature, rank) <= node.threshold ? 0 : 1;
    case tree::NodeKind::group: {
        const auto word = static_cast<std::size_t>(rank / 64);
        if (word >= node.bits.size()) return node.missing;
        return node.bits[word] >> (rank % 64) & 1 ? 0 : 1;
    }
    default:
        return rank < static_cast<std::int32_t>(node.children.size()) ? rank : node.missing;
    }
}

} // namespace

void Node::make_leaf() {
    kind = tree::NodeKind::leaf;
    feature = -1;
    missing = -1;
    threshold = 0;
    bits.clear();
    children.clear();
}

double Node::total() const {
    return std::accumulate(counts.begin(), counts.end(), 0.0);
}

double Node::errors() const {
    return total() - *std::max_element(counts.begin(), counts.end());
}

std::vector<std::int32_t> Tree::by_level() const {
    std::vector<std::int32_t> order{0};
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto& children = nodes[static_cast<std::size_t>(order[i])].children;
        order.insert(order.end(), children.begin(), children.end());
    }
    return order;
}

Cases cases_of(const Table& table) {
    Cases cases;
    cases.reserve(static_cast<std::size_t>(table.labels.size));
    for (Index row = 0; row < table.labels.size; ++row) {
        if (table.weights[row] > 0) {
            cases.push_back({static_cast<std::int32_t>(row), table.weights[row]});
        }
    }
    return cases;
}

void count_nodes(const Table& table, const Cases& cases, Node& node) {
    node.counts.assign(static_cast<std::size_t>(table.n_classes), 0.0);
    for (const Case& c : cases) {
        node.counts[static_cast<std::size_t>(table.labels[c.row])] += c.weight;
    }
    node.samples = static_cast<Index>(cases.size());
}

std::vector<Cases> branches_of(const Table& table, const Node& node, const Cases& cases) {
    const std::size_t count = node.children.size();
    std::vector<Cases> branches(count);
    std::vector<double> weight(count, 0.0);
    Cases unknown;
    for (const Case& c : cases) {
        const std::int32_t branch = branch_of(table, node, c.row);
        if (branch < 0) {
            unknown.push_back(c);
        } else {
            branches[static_cast<std::size_t>(branch)].push_back(c);
            weight[static_cast<std::size_t>(branch)] += c.weight;
        }
    }
    if (unknown.empty()) return branches;
    const double known = std::accumulate(weight.begin(), weight.end(), 0.0);
    for (std::size_t b = 0; b < count; ++b) {
        const double share = known > 0 ? weight[b] / known : 1.0 / static_cast<double>(count);
        if (share <= smallest_share) continue;
        for (const Case& c : unknown) branches[b].push_back({c.row, share * c.weight});
    }
    return branches;
}

} // namespace gramian::c45
