#include "core/boost/distributed.hpp"

#include "core/runtime/check.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <queue>
#include <set>
#include <utility>

namespace gramian::boost {

WorkerRows::WorkerRows(const std::uint8_t* codes, Index rows, const GrowColumns& columns)
    : shape_(columns.columns, columns.missing_code), rows_(codes, rows, shape_) {}

void WorkerRows::begin(const float* gradient, const float* hessian, const CellLayout& layout) {
    rows_.pack(gradient, hessian, layout);
    leaves_.assign(1, rows_.all());
}

void WorkerRows::histogram(Index key, double* hist) {
    const Range leaf = leaves_[key];
    const Index chunks = rows_.chunks_for(leaf.size());
    chunk_hists_.resize(static_cast<std::size_t>(shape_.size) * (chunks - 1));
    const auto build = [&](Index task) {
        const Index chunk = task / shape_.groups;
        double* part = chunk == 0 ? hist : chunk_hists_.data() + shape_.size * (chunk - 1);
        rows_.build(leaf, part, task % shape_.groups, chunk, chunks);
    };
    runtime::parallel_for(shape_.groups * chunks, build,
                          leaf.size() * shape_.groups * kGroup < 20000 ? 1 : 0);
    for (Index chunk = 1; chunk < chunks; ++chunk) {
        const double* more = chunk_hists_.data() + shape_.size * (chunk - 1);
        for (Index i = 0; i < shape_.size; ++i) hist[i] += more[i];
    }
}

void WorkerRows::divide(const Division& division) {
    runtime::require(0 <= division.leaf && division.leaf < n_keys() && 0 <= division.feature &&
                         division.feature < shape_.columns && division.children == n_keys(),
                     "a leaf, a column, the next keys");
    const auto children = rows_.divide(leaves_[division.leaf], division.feature, division.left);
    leaves_[division.leaf] = {};
    leaves_.insert(leaves_.end(), children.begin(), children.end());
}

std::vector<LeafSums> WorkerRows::sums(const float* gradient, const float* hessian,
                                       const SumDigits& digits) const {
    return rows_.sums(leaves_, gradient, hessian, digits);
}

void WorkerRows::add(const double* values, double* score) const {
    rows_.add(leaves_, values, score);
}

DistributedGrower::DistributedGrower(Index rows, GrowColumns columns, Options options,
                                     double lookahead)
    : Growth(std::move(columns), options, rows), lookahead_(lookahead) {}

void DistributedGrower::grow(const CellLayout& layout, bool damped, std::uint64_t seed,
                             std::uint64_t tree, const Divide& divide, const Sums& sums) {
    divide_ = &divide;
    divided_.clear();
    parent_of_key_.assign(1, -1);
    grow_tree(layout, seed, tree);
    divided_.clear();

    // If the workers split a leaf that the tree did not split, its rows stay in that leaf.
    node_of_key_.assign(parent_of_key_.size(), -1);
    for (const Leaf& leaf : done_) node_of_key_[leaf.key] = leaf.node;
    for (std::size_t key = 1; key < node_of_key_.size(); ++key) {
        if (node_of_key_[key] < 0) node_of_key_[key] = node_of_key_[parent_of_key_[key]];
    }
    const std::vector<LeafSums> of_key = sums(static_cast<Index>(node_of_key_.size()));
    std::vector<LeafSums> of_node(nodes_.size()), of_leaf;
    for (std::size_t key = 0; key < of_key.size(); ++key) {
        if (node_of_key_[key] >= 0) of_node[node_of_key_[key]].add(of_key[key]);
    }
    for (const Leaf& leaf : done_) of_leaf.push_back(of_node[leaf.node]);
    set_values(of_leaf, damped);
}

void DistributedGrower::count_all(const Leaf& leaf) {
    if (leaf.key == 0) return (*divide_)({}, leaf.hist, 1);
    std::copy_n(received_, hist_size(), leaf.hist);
}

void DistributedGrower::divide(Leaf& parent, std::int32_t child, Leaf& left, Leaf& right) {
    if (!divided_.contains(parent.key)) request(next_leaves(parent));
    Divided divided = std::move(divided_.at(parent.key));
    divided_.erase(parent.key);
    left = std::move(divided.left);
    right = std::move(divided.right);
    left.node = child;
    right.node = child + 1;
    if (divided.hist.empty()) return;
    received_ = divided.hist.data();
    find_both(left, right, parent.hist);
}

// A message takes as long as computing several histograms. So one message requests not only the
// split of this leaf but those of others too: the leaves that come next if no new child has a
// larger gain, up to the fraction `lookahead` of the remaining splits. Leaves that the tree does
// not split after all remain leaves. The last of the remaining splits needs no histograms: it
// either completes the tree or is replaced by splits of larger gain. (Equal gains are ordered by
// node numbers, which are not known yet.)
std::vector<DistributedGrower::Next> DistributedGrower::next_leaves(Leaf& parent) {
    const auto later = [](const Leaf* a, const Leaf* b) {
        return a->split.gain < b->split.gain || (a->split.gain == b->split.gain && a->key > b->key);
    };
    std::priority_queue<Leaf*, std::vector<Leaf*>, decltype(later)> open(later);
    for (Leaf& leaf : open_) open.push(&leaf);
    std::vector<Next> next{{&parent, splits_left() > 1}};
    std::set<double> gains{parent.split.gain};
    bool equal = false;
    const double most = lookahead_ * static_cast<double>(splits_left());
    for (Index rank = 1; static_cast<double>(rank) < most && !open.empty(); ++rank) {
        const Index left = splits_left() - rank;
        Leaf* leaf = open.top();
        open.pop();
        equal |= !gains.insert(leaf->split.gain).second;
        const auto found = divided_.find(leaf->key);
        if (found == divided_.end()) {
            next.push_back({leaf, left > 1 || equal});
            continue;
        }
        for (Leaf* child : {&found->second.left, &found->second.right}) {
            if (child->split.gain > 0) open.push(child);
        }
    }
    return next;
}

// Requests splits from the workers. The best splits of the children are found at once, unless
// columns are drawn: the draw depends on node numbers, which the children get when the tree splits
// their parent.
void DistributedGrower::request(const std::vector<Next>& leaves) {
    std::vector<Division> divisions;
    Index n_hists = 0;
    for (const auto& [leaf, more] : leaves) {
        auto& [left, right, hist] = divided_[leaf->key];
        make_children(*leaf, left, right);
        left.key = static_cast<std::int32_t>(parent_of_key_.size());
        right.key = left.key + 1;
        parent_of_key_.insert(parent_of_key_.end(), 2, leaf->key);
        const bool counted = more && (may_split(left) || may_split(right));
        const int smaller = left.rows.size() <= right.rows.size() ? 0 : 1;
        divisions.push_back({leaf->key, left.key, counted ? smaller : -1, leaf->split.feature,
                             search_.goes_left(leaf->split)});
        n_hists += counted;
    }
    const Index size = hist_size();
    std::vector<double> hists(static_cast<std::size_t>(size) * n_hists);
    (*divide_)(divisions, hists.data(), n_hists);
    received_ = hists.data();
    for (std::size_t k = 0; k < leaves.size(); ++k) {
        if (divisions[k].counted < 0) continue;
        Leaf& parent = *leaves[k].leaf;
        Divided& divided = divided_.at(parent.key);
        if (search_.options().max_features < 1) {
            divided.hist.assign(received_, received_ + size);
        } else {
            find_both(divided.left, divided.right, parent.hist);
        }
        received_ += size;
    }
}

} // namespace gramian::boost
