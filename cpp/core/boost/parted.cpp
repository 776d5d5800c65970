#include "core/boost/parted.hpp"

#include "core/runtime/check.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <utility>

namespace gramian::boost {

PlacedRows::PlacedRows(const std::uint8_t* codes, Index rows, const GrowColumns& columns)
    : shape_(columns.columns, columns.missing_code), rows_(codes, rows, shape_) {}

void PlacedRows::begin(const float* gradient, const float* hessian, const CellLayout& layout) {
    rows_.pack(gradient, hessian, layout);
    leaves_.assign(1, rows_.all());
}

void PlacedRows::histogram(Index key, double* hist) {
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

void PlacedRows::divide(const Division& division) {
    runtime::require(0 <= division.leaf && division.leaf < n_keys() && 0 <= division.feature &&
                         division.feature < shape_.columns && division.children == n_keys(),
                     "a leaf, a column, the next keys");
    const Range leaf = leaves_[division.leaf];
    const Index n_left = rows_.count(leaf, division.feature, division.left);
    const int side = rows_.divide(leaf, n_left, division.feature, division.left);
    leaves_[division.leaf] = {};
    leaves_.push_back({leaf.begin, leaf.begin + n_left, side});
    leaves_.push_back({leaf.begin + n_left, leaf.end, side});
}

std::vector<LeafSums> PlacedRows::sums(const float* gradient, const float* hessian,
                                       const SumDigits& digits) const {
    return rows_.sums(leaves_, gradient, hessian, digits);
}

void PlacedRows::add(const double* values, double* score) const {
    rows_.add(leaves_, values, score);
}

PartedGrower::PartedGrower(Index rows, GrowColumns columns, Options options)
    : Growth(std::move(columns), options, rows) {}

void PartedGrower::grow(const CellLayout& layout, bool careful, std::uint64_t seed,
                        std::uint64_t tree, const Divide& divide, const Sums& sums) {
    divide_ = &divide;
    known_.clear();
    parent_of_key_.assign(1, -1);
    grow_tree(layout, seed, tree);
    known_.clear();

    // Rows that were divided further than the tree is belong to the leaf above.
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
    set_values(of_leaf, careful);
}

void PartedGrower::count_all(const Leaf& leaf) {
    if (leaf.key == 0) return (*divide_)({}, leaf.hist, 1);
    const Known& known = known_.at(divided_);
    std::copy(known.hist.begin(), known.hist.end(), leaf.hist);
    known_.erase(divided_);
}

void PartedGrower::divide_rows(const Leaf& parent, const SlotSet&, Leaf& left, Leaf& right) {
    if (!known_.contains(parent.key)) request(parent);
    divided_ = parent.key;
    left.key = known_.at(parent.key).children;
    right.key = left.key + 1;
}

Division PartedGrower::division_of(const Leaf& leaf, bool last) {
    const SlotSet goes_left = search_.goes_left(leaf.split);
    const Index n_left = count_left(leaf, goes_left), n_right = leaf.rows.size() - n_left;
    const int depth = nodes_[leaf.node].depth + 1;
    const bool counted = !last && (may_split(n_left, depth) || may_split(n_right, depth));
    const std::int32_t children = static_cast<std::int32_t>(parent_of_key_.size());
    parent_of_key_.insert(parent_of_key_.end(), 2, leaf.key);
    return {leaf.key, children,
            !counted            ? -1
            : n_left <= n_right ? 0
                                : 1,
            leaf.split.feature, goes_left};
}

// A message takes longer than a histogram. Hence not only this leaf is divided but also the others
// that may be next: of k splits that are left, the k leaves of largest gain. Those that turn out
// not to be split stay one leaf.
void PartedGrower::request(const Leaf& parent) {
    std::vector<const Leaf*> leaves;
    for (const Leaf& leaf : open_) {
        if (!known_.contains(leaf.key)) leaves.push_back(&leaf);
    }
    std::sort(leaves.begin(), leaves.end(), [](const Leaf* a, const Leaf* b) {
        return a->split.gain > b->split.gain ||
               (a->split.gain == b->split.gain && a->node < b->node);
    });
    const Index others = std::min<Index>(static_cast<Index>(leaves.size()), splits_left() - 1);
    leaves.resize(others);
    leaves.insert(leaves.begin(), &parent);
    std::vector<Division> divisions;
    Index n_hists = 0;
    for (const Leaf* leaf : leaves) {
        divisions.push_back(division_of(*leaf, splits_left() == 1));
        n_hists += divisions.back().counted >= 0;
    }
    const Index size = hist_size();
    std::vector<double> hists(static_cast<std::size_t>(size) * n_hists);
    (*divide_)(divisions, hists.data(), n_hists);
    const double* next = hists.data();
    for (const Division& division : divisions) {
        Known known{static_cast<std::int32_t>(division.children), {}};
        if (division.counted >= 0) {
            known.hist.assign(next, next + size);
            next += size;
        }
        known_.emplace(static_cast<std::int32_t>(division.leaf), std::move(known));
    }
}

} // namespace gramian::boost
