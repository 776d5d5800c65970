// Constructs a Walk: checks all nodes and packs them.
#include "core/runtime/check.hpp"
#include "core/runtime/pool.hpp"
#include "core/tree/walk.hpp"

#include <algorithm>
#include <limits>

namespace gramian::tree {
namespace {

using runtime::require;

constexpr Index kManyNodes = 1 << 16; // packing more takes longer than waking the threads

Index words_of(Index levels) {
    return (levels + 63) / 64;
}

} // namespace

void Walk::check(const NodeArrays& a, Index tree, Index first_word, Index node) const {
    const Index local = node - roots_[tree];
    const Index n = roots_[tree + 1] - roots_[tree];
    const auto kind = static_cast<NodeKind>(a.kind[node]);
    if (kind == NodeKind::leaf) {
        require(a.n_children[node] == 0, "a leaf has no children");
        return;
    }
    const Index feature = a.feature[node];
    const Index children = a.n_children[node];
    require(a.first_child[node] > local && children >= 1 && a.first_child[node] + children <= n,
            "children come after their parent, inside the tree");
    require(feature >= 0 && feature < n_features(), "the column of a node is one of the table");
    require(a.missing[node] >= -1 && a.missing[node] < children,
            "a missing value goes to a child, or to all (-1)");
    switch (kind) {
    case NodeKind::number:
        require(children == 2 && a.threshold[node] == a.threshold[node],
                "a threshold divides in two");
        break;
    case NodeKind::group:
        require(children == 2 && levels_[feature] >= 1 && a.bit_start[node] >= 0 &&
                    first_word + a.bit_start[node] + words_of(levels_[feature]) <= a.bits.size,
                "a group of categories divides in two, its bits inside `bits`");
        break;
    case NodeKind::each:
        require(children == levels_[feature], "one child per category");
        break;
    default:
        require(false, "an unknown kind of node");
    }
}

Walk::Walk(const NodeArrays& a, Vector<const std::int64_t> roots, Vector<const std::int64_t> words,
           Vector<const std::int32_t> levels)
    : bits_(a.bits.begin(), a.bits.end()), roots_(roots.begin(), roots.end()),
      levels_(levels.begin(), levels.end()) {
    runtime::in_32_bits(
        a.n_nodes, "trees: the number of nodes of all of them",
        "Limit max_depth, max_leaf_nodes or min_samples_leaf, or grow fewer trees.");
    require(roots_.size() >= 2 && roots_.front() == 0 && roots_.back() == a.n_nodes,
            "the trees fill the arrays, each with at least one node");
    require(!levels_.empty() && n_features() < (Index{1} << 30), "at least one column");
    for (std::size_t t = 0; t + 1 < roots_.size(); ++t) {
        require(roots_[t] < roots_[t + 1], "every tree has at least one node");
    }
    require(words.size >= n_trees(), "a first word per tree");
    for (Index t = 0; t < n_trees(); ++t) {
        require(words[t] >= 0 && words[t] <= a.bits.size &&
                    a.bits.size <= std::numeric_limits<std::int32_t>::max(),
                "the bits of a tree lie inside `bits`");
    }
    nodes_.resize(a.n_nodes);
    struct Found {
        bool other_than_numbers = false, shared = false;
    };
    std::vector<Found> found(n_trees());
    const auto pack = [&](Index t) {
        for (Index i = roots_[t]; i < roots_[t + 1]; ++i) {
            check(a, t, words[t], i);
            const auto kind = static_cast<NodeKind>(a.kind[i]);
            if (kind == NodeKind::leaf) {
                nodes_[i] = {std::numeric_limits<double>::infinity(), static_cast<std::int32_t>(i),
                             kMissingGoesFirst};
                continue;
            }
            found[t].other_than_numbers |= kind != NodeKind::number || a.missing[i] < 0;
            found[t].shared |= a.missing[i] < 0;
            nodes_[i] = {a.threshold[i], static_cast<std::int32_t>(roots_[t] + a.first_child[i]),
                         static_cast<std::uint32_t>(a.feature[i]) |
                             (a.missing[i] == 0 ? kMissingGoesFirst : 0)};
        }
    };
    runtime::parallel_for(n_trees(), pack, a.n_nodes < kManyNodes ? 1 : 0);
    const auto any = [&](bool Found::* what) {
        return std::any_of(found.begin(), found.end(), [what](const Found& f) { return f.*what; });
    };
    if (!any(&Found::other_than_numbers)) return;
    categories_.resize(a.n_nodes);
    for (Index t = 0; t < n_trees(); ++t) {
        for (Index i = roots_[t]; i < roots_[t + 1]; ++i) {
            const double* weight = a.weight + nodes_[i].child;
            const auto heaviest = a.n_children[i] > 0
                                      ? std::max_element(weight, weight + a.n_children[i]) - weight
                                      : 0;
            categories_[i] = {a.kind[i], static_cast<std::int32_t>(words[t] + a.bit_start[i]),
                              a.missing[i], static_cast<std::int32_t>(heaviest), a.n_children[i]};
        }
    }
    if (any(&Found::shared)) weight_.assign(a.weight, a.weight + a.n_nodes);
}

} // namespace gramian::tree
