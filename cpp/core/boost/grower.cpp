#include "core/boost/grower.hpp"

#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace gramian::boost {

double damped_step(double x) {
    const double size = std::fabs(x);
    return size <= 2 ? x : std::copysign(2 + std::log1p(size - 2), x);
}

Growth::Growth(GrowColumns columns, Options options, Index rows)
    : search_(std::move(columns), options), rows_(rows) {
    if (rows_ > kMostRows)
        throw std::length_error("gradient boosting: at most 2^27 rows; fit on a sample of them");
}

double* Growth::take_hist() {
    if (free_hists_.empty()) {
        hists_.emplace_back(search_.shape().size);
        return hists_.back().data();
    }
    double* hist = free_hists_.back();
    free_hists_.pop_back();
    return hist;
}

bool Growth::may_split(const Leaf& leaf) const {
    const Options& options = search_.options();
    const bool deep = options.max_depth > 0 && leaf.depth >= options.max_depth;
    const Index n = leaf.rows.size();
    return n >= 2 * options.min_samples_leaf && n >= 2 && !deep;
}

Index Growth::splits_left() const {
    const Index most = search_.options().max_leaves;
    return most > 0 ? most - n_leaves_ : std::numeric_limits<Index>::max();
}

void Growth::make_children(const Leaf& parent, Leaf& left, Leaf& right) const {
    const GrowColumns& columns = search_.columns();
    const Split& split = parent.split;
    const SlotSet goes_left = search_.goes_left(split);
    const Index group = split.feature / kGroup, lane = split.feature % kGroup;
    const Cells sums = search_.cells(parent.hist, group);
    double gradient = 0, hessian = 0, count = 0;
    for (int slot = 0; slot < search_.shape().slots(group); ++slot) {
        if (!has_slot(goes_left, slot)) continue;
        gradient += sums.gradient[slot * kGroup + lane];
        hessian += sums.hessian[slot * kGroup + lane];
        count += sums.count[slot * kGroup + lane];
    }
    for (Leaf* leaf : {&left, &right}) {
        *leaf = Leaf{};
        leaf->depth = parent.depth + 1;
        leaf->low = parent.low;
        leaf->high = parent.high;
        for (const std::int32_t s : parent.sets) {
            const auto* first = columns.set_members.data() + columns.set_starts[s];
            const auto* last = columns.set_members.data() + columns.set_starts[s + 1];
            if (std::find(first, last, split.feature) != last) leaf->sets.push_back(s);
        }
    }
    const Index middle = parent.rows.begin + static_cast<Index>(count);
    left.rows = {parent.rows.begin, middle, 0};
    right.rows = {middle, parent.rows.end, 0};
    left.gradient = gradient;
    left.hessian = hessian;
    right.gradient = parent.gradient - gradient;
    right.hessian = parent.hessian - hessian;
    if (const int monotone = columns.monotone[split.feature]) {
        const auto value = [&](const Leaf& leaf) {
            return std::clamp(-leaf.gradient / (leaf.hessian + search_.l2()), leaf.low, leaf.high);
        };
        const double middle_value = (value(left) + value(right)) / 2;
        (monotone > 0 ? left.high : left.low) = middle_value;
        (monotone > 0 ? right.low : right.high) = middle_value;
    }
}

// Records the split of a leaf in the tree.
void Growth::record(const Leaf& parent, const Leaf& left) {
    const Split& split = parent.split;
    GrownNode& node = nodes_[parent.node];
    node.first_child = left.node;
    node.feature = split.feature;
    node.slot = split.slot;
    node.by_category = split.by_category;
    node.left = split.left;
    // Values that are missing only in prediction go to the larger child.
    node.missing_left = search_.columns().has_missing[split.feature]
                            ? split.missing_left
                            : 2 * left.rows.size() > parent.rows.size();
    nodes_.resize(nodes_.size() + 2);
}

void Growth::find_both(Leaf& left, Leaf& right, double* parent) {
    const bool left_small = left.rows.size() <= right.rows.size();
    find_splits(left_small ? left : right, left_small ? &right : &left, parent);
}

// Histograms and best splits of one leaf, or of two siblings given their parent's histogram: that
// of the smaller is computed, that of the larger is the difference.
void Growth::find_splits(Leaf& small, Leaf* large, double* parent) {
    const HistShape& shape = search_.shape();
    small.hist = take_hist();
    if (large) large->hist = parent;
    count_all(small);
    // about one cycle a row and column; searching costs about two a cell
    const bool serial = small.rows.size() * shape.groups * kGroup + shape.size < 20000;
    const std::vector<std::uint8_t> allowed_small = search_.allowed_columns(small);
    const std::vector<std::uint8_t> allowed_large =
        large ? search_.allowed_columns(*large) : std::vector<std::uint8_t>{};
    const bool search_small = may_split(small), search_large = large && may_split(*large);
    std::vector<Split> best_small(shape.groups), best_large(shape.groups);
    runtime::parallel_for(
        shape.groups,
        [&](Index group) {
            count_group(small, group);
            const Index start = shape.start[group], size = 3 * shape.slots(group) * kGroup;
            const Index used = search_.layout().hessian_bits > 0 ? size : size / 3 * 2;
            if (large) hist_table().subtract(large->hist + start, small.hist + start, used);
            if (!large && group == 0) { // the root's sums, from its first column
                const Cells sums = search_.cells(small.hist, 0);
                small.gradient = small.hessian = 0;
                for (int slot = 0; slot < shape.slots(0); ++slot) {
                    small.gradient += sums.gradient[slot * kGroup];
                    small.hessian += sums.hessian[slot * kGroup];
                }
            }
            if (large && search_small) {
                search_.search_group(small, group, allowed_small, best_small[group]);
            }
            if (search_large) search_.search_group(*large, group, allowed_large, best_large[group]);
        },
        serial ? 1 : 0);
    if (!large && search_small) { // the root's search needs its sums first
        runtime::parallel_for(
            shape.groups,
            [&](Index group) {
                search_.search_group(small, group, allowed_small, best_small[group]);
            },
            serial ? 1 : 0);
    }
    for (Index group = 0; group < shape.groups; ++group) {
        if (best_small[group].gain > small.split.gain) small.split = best_small[group];
        if (large && best_large[group].gain > large->split.gain) large->split = best_large[group];
    }
}

void Growth::add_leaf(Leaf&& leaf) {
    if (leaf.split.gain > 0) {
        open_.push_back(std::move(leaf));
        return;
    }
    if (leaf.hist) free_hists_.push_back(leaf.hist);
    leaf.hist = nullptr;
    done_.push_back(std::move(leaf));
}

void Growth::grow_tree(const CellLayout& layout, std::uint64_t seed, std::uint64_t tree) {
    search_.begin(layout, seed, tree);
    nodes_.assign(1, GrownNode{});
    done_.clear();
    open_.clear();
    free_hists_.clear();
    for (std::vector<double>& hist : hists_) free_hists_.push_back(hist.data());

    Leaf root;
    root.rows = {0, rows_, -1};
    root.low = -std::numeric_limits<double>::infinity();
    root.high = std::numeric_limits<double>::infinity();
    for (std::size_t s = 0; s + 1 < search_.columns().set_starts.size(); ++s) {
        root.sets.push_back(static_cast<std::int32_t>(s));
    }
    if (may_split(root)) find_splits(root, nullptr, nullptr);
    add_leaf(std::move(root));

    // Best-first. Without a limit on the number of leaves the order does not matter; depth-first
    // then needs fewer histograms.
    const bool limited = search_.options().max_leaves > 0;
    n_leaves_ = 1;
    while (!open_.empty() && splits_left() > 0) {
        runtime::poll_interrupt();
        auto next = open_.end() - 1;
        if (limited) {
            next = std::max_element(open_.begin(), open_.end(), [](const Leaf& a, const Leaf& b) {
                return a.split.gain < b.split.gain ||
                       (a.split.gain == b.split.gain && a.node > b.node);
            });
        }
        Leaf parent = std::move(*next);
        open_.erase(next);
        Leaf left, right;
        divide(parent, static_cast<std::int32_t>(nodes_.size()), left, right);
        record(parent, left);
        ++n_leaves_;
        add_leaf(std::move(left));
        add_leaf(std::move(right));
    }
    for (Leaf& leaf : open_) done_.push_back(std::move(leaf));
    open_.clear();
    std::sort(done_.begin(), done_.end(),
              [](const Leaf& a, const Leaf& b) { return a.node < b.node; });
}

void Growth::set_values(const std::vector<LeafSums>& sums, bool damped) {
    const CellLayout& layout = search_.layout();
    for (std::size_t l = 0; l < done_.size(); ++l) {
        GrownNode& node = nodes_[done_[l].node];
        node.count = done_[l].rows.size();
        node.gradient = sums[l].gradient.value();
        node.hessian =
            layout.hessian_bits > 0 ? sums[l].hessian.value() : static_cast<double>(node.count);
        node.squares = sums[l].squares.value();
    }
    for (std::size_t k = nodes_.size(); k-- > 0;) {
        GrownNode& node = nodes_[k];
        if (node.first_child > 0) {
            for (const int child : {node.first_child, node.first_child + 1}) {
                node.count += nodes_[child].count;
                node.gradient += nodes_[child].gradient;
                node.hessian += nodes_[child].hessian;
                node.squares += nodes_[child].squares;
            }
        }
        const double curvature = node.hessian + search_.options().l2;
        node.value = curvature > 0 ? -node.gradient / curvature : 0.0;
        if (damped) node.value = damped_step(node.value);
    }
    const double unit = layout.gradient_scale / layout.hessian_scale; // of a value
    for (const Leaf& leaf : done_) {
        double& value = nodes_[leaf.node].value;
        value = std::clamp(value, leaf.low * unit, leaf.high * unit);
    }
}

// --- rows in memory ---------------------------------------------------------------------------

TreeGrower::TreeGrower(const std::uint8_t* codes, Index rows, GrowColumns columns, Options options)
    : Growth(std::move(columns), options, rows), leaf_rows_(codes, rows, search_.shape()) {}

void TreeGrower::grow(const float* gradient, const float* hessian, bool damped, std::uint64_t seed,
                      std::uint64_t tree) {
    SampleSizes sizes = LeafRows::largest(gradient, hessian, rows_);
    const SumDigits digits(sizes.largest_gradient, sizes.largest_hessian);
    if (hessian) {
        const SizeSums sums = LeafRows::size_sums(gradient, hessian, rows_, digits);
        sizes.sum_of_gradients = sums.gradients.value();
        sizes.sum_of_hessians = sums.hessians.value();
    }
    const CellLayout layout = choose_layout(sizes, rows_, hessian != nullptr);
    leaf_rows_.pack(gradient, hessian, layout);
    grow_tree(layout, seed, tree);
    set_values(leaf_rows_.sums(ranges(), gradient, hessian, digits), damped);
}

void TreeGrower::count_all(const Leaf& leaf) {
    const HistShape& shape = search_.shape();
    const Index chunks = leaf_rows_.chunks_for(leaf.rows.size());
    if (chunks == 1) return;
    chunk_hists_.resize(static_cast<std::size_t>(shape.size) * (chunks - 1));
    runtime::parallel_for(shape.groups * chunks, [&](Index task) {
        const Index chunk = task / shape.groups;
        double* hist = chunk == 0 ? leaf.hist : chunk_hists_.data() + shape.size * (chunk - 1);
        leaf_rows_.build(leaf.rows, hist, task % shape.groups, chunk, chunks);
    });
}

void TreeGrower::count_group(const Leaf& leaf, Index group) {
    const HistShape& shape = search_.shape();
    const Index chunks = leaf_rows_.chunks_for(leaf.rows.size());
    if (chunks == 1) return leaf_rows_.build(leaf.rows, leaf.hist, group, 0, 1);
    const Index start = shape.start[group], size = 3 * shape.slots(group) * kGroup;
    const Index used = search_.layout().hessian_bits > 0 ? size : size / 3 * 2;
    double* hist = leaf.hist + start;
    for (Index chunk = 1; chunk < chunks; ++chunk) {
        const double* more = chunk_hists_.data() + shape.size * (chunk - 1) + start;
        for (Index i = 0; i < used; ++i) hist[i] += more[i];
    }
}

void TreeGrower::divide(Leaf& parent, std::int32_t child, Leaf& left, Leaf& right) {
    make_children(parent, left, right);
    left.node = child;
    right.node = child + 1;
    left.rows.side = right.rows.side = leaf_rows_.divide(
        parent.rows, left.rows.size(), parent.split.feature, search_.goes_left(parent.split));
    if (splits_left() > 1 && (may_split(left) || may_split(right))) {
        find_both(left, right, parent.hist);
    } else {
        free_hist(parent.hist);
    }
}

std::vector<Range> TreeGrower::ranges() const {
    std::vector<Range> all;
    for (const Leaf& leaf : done_) all.push_back(leaf.rows);
    return all;
}

void TreeGrower::add(const double* values, double* score) const {
    std::vector<double> of_leaf;
    for (const Leaf& leaf : done_) of_leaf.push_back(values[leaf.node]);
    leaf_rows_.add(ranges(), of_leaf.data(), score);
}

void TreeGrower::leaves(std::int32_t* out) const {
    std::vector<std::int32_t> names;
    for (const Leaf& leaf : done_) names.push_back(leaf.node);
    leaf_rows_.name(ranges(), names.data(), out);
}

void TreeGrower::leaf_quantiles(const double* residual, const double* weights, double q,
                                double* values) const {
    runtime::parallel_for(
        static_cast<Index>(done_.size()),
        [&](Index l) {
            values[done_[l].node] = leaf_rows_.quantile(done_[l].rows, residual, weights, q);
        },
        rows_ < 8192 ? 1 : 0);
}

} // namespace gramian::boost
