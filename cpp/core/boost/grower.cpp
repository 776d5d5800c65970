#include "core/boost/grower.hpp"

#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

GRAMIAN_DISPATCH(boost, HistKernels, hist_kernels, hist_table)

namespace gramian::boost {
namespace {

constexpr Index kSerialRows = 8192;         // below it a pass over rows takes a few microseconds
constexpr Index kFewRows = Index(1) << 18;  // 2^25 units are a hundred each
constexpr Index kMostRows = Index(1) << 27; // more could overflow a sum

int bits_for(Index n) {
    int bits = 1;
    while ((Index(1) << bits) <= n) ++bits;
    return bits;
}

} // namespace

TreeGrower::TreeGrower(const std::uint8_t* codes, Index rows, GrowColumns columns, Options options)
    : codes_(codes), rows_(rows), groups_(groups_of(columns.columns)), columns_(std::move(columns)),
      options_(options) {
    if (rows_ > kMostRows)
        throw std::length_error("gradient boosting: at most 2^27 rows; fit on a sample of them");
    for (Index g = 0; g < groups_; ++g) {
        hist_start_.push_back(hist_size_);
        hist_size_ += 3 * (Index(columns_.missing_code[g]) + 1) * kGroup;
    }
    for (int side : {0, 1}) {
        row_buffer_[side].resize(rows_);
        sample_buffer_[side].resize(rows_);
    }
}

// The units of gradients and curvatures: so small that the mean gradient has about a hundred of
// them or more, so large that no field of a cell overflows before the cells are flushed. Samples of
// 14 bits do for that in blocks of 4096 rows. Where a few gradients are far above the others,
// either all rows together fit the fields, or blocks are shorter and samples have four bits more.
void TreeGrower::choose_layout(const float* gradient, const float* hessian) {
    const runtime::Blocks blocks{rows_, 4 * kRowBlock};
    std::vector<SampleSizes> parts(blocks.count());
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            const Index begin = blocks.begin(b);
            parts[b] = hist_table().sizes(gradient + begin, hessian ? hessian + begin : nullptr,
                                          blocks.end(b) - begin);
        },
        rows_ < kSerialRows ? 1 : 0);
    SampleSizes all;
    for (const SampleSizes& part : parts) {
        all.largest_gradient = std::max(all.largest_gradient, part.largest_gradient);
        all.largest_hessian = std::max(all.largest_hessian, part.largest_hessian);
        all.sum_of_gradients += part.sum_of_gradients;
        all.sum_of_hessians += part.sum_of_hessians;
    }
    const double n = static_cast<double>(rows_);
    layout_.count_bits = 13;
    layout_.hessian_bits = hessian ? 25 : 0;
    layout_.rows = 4096;
    double gradient_unit = all.largest_gradient / 8191, hessian_unit = all.largest_hessian / 8191;
    if (!hessian) {
        gradient_unit = all.largest_gradient / std::ldexp(1.0, std::min(37, 50 - bits_for(rows_)));
    } else if (all.largest_gradient * n > 64 * all.sum_of_gradients) {
        if (rows_ <= kFewRows) {
            const double most = std::ldexp(1.0, 25) - n; // rounding adds up to half a unit a row
            gradient_unit = all.sum_of_gradients / most;
            hessian_unit = all.sum_of_hessians / most;
        } else {
            layout_.count_bits = 10;
            layout_.hessian_bits = 27;
            layout_.rows = 512;
            gradient_unit = all.largest_gradient / 131071;
            hessian_unit = all.largest_hessian / 262143;
        }
    }
    layout_.gradient_scale = gradient_unit > 0 ? gradient_unit : 1.0;
    layout_.hessian_scale = hessian_unit > 0 ? hessian_unit : 1.0;
    l2_ = options_.l2 / layout_.hessian_scale;

    const runtime::Blocks rows{rows_, kRowBlock};
    runtime::parallel_for(
        rows.count(),
        [&](Index b) {
            const Index begin = rows.begin(b);
            hist_table().pack(gradient + begin, hessian ? hessian + begin : nullptr,
                              rows.end(b) - begin, layout_, root_samples() + begin);
        },
        rows_ < kSerialRows ? 1 : 0);
}

// Splits a leaf as its best split says.
void TreeGrower::divide(Leaf& parent, Leaf& left, Leaf& right) {
    const Split split = parent.split;
    const Index group = split.feature / kGroup, lane = split.feature % kGroup;
    const int missing = columns_.missing_code[group];
    std::uint8_t goes_left[256] = {};
    for (int slot = 0; slot <= missing; ++slot) {
        goes_left[slot] =
            split.by_category ? split.left[slot / 64] >> (slot % 64) & 1 : slot <= split.slot;
    }
    goes_left[missing] = split.missing_left;

    const Cells sums = cells(parent.hist, group);
    double gradient = 0, hessian = 0, count = 0;
    for (int slot = 0; slot <= missing; ++slot) {
        if (!goes_left[slot]) continue;
        gradient += sums.gradient[slot * kGroup + lane];
        hessian += sums.hessian[slot * kGroup + lane];
        count += sums.count[slot * kGroup + lane];
    }
    const Index n_left = static_cast<Index>(count);
    const std::int32_t child = static_cast<std::int32_t>(nodes_.size());
    const int depth = nodes_[parent.node].depth + 1;
    nodes_.resize(nodes_.size() + 2);
    GrownNode& node = nodes_[parent.node];
    node.first_child = child;
    node.feature = split.feature;
    node.slot = split.slot;
    node.by_category = split.by_category;
    node.left = split.left;
    // A value missing only later goes where most rows went.
    node.missing_left = columns_.has_missing[split.feature]
                            ? split.missing_left
                            : 2 * n_left > parent.end - parent.begin;
    nodes_[child].depth = nodes_[child + 1].depth = depth;
    const bool in_place = stays_in_place(parent, n_left);
    in_place ? exchange(parent, n_left, goes_left) : partition(parent, n_left, goes_left);

    const int side = in_place ? parent.side : parent.side == 0 ? 1 : 0;
    for (Leaf* leaf : {&left, &right}) {
        *leaf = Leaf{};
        leaf->side = side;
        leaf->low = parent.low;
        leaf->high = parent.high;
        for (const std::int32_t s : parent.sets) {
            const auto* first = columns_.set_members.data() + columns_.set_starts[s];
            const auto* last = columns_.set_members.data() + columns_.set_starts[s + 1];
            if (std::find(first, last, split.feature) != last) leaf->sets.push_back(s);
        }
    }
    left.node = child;
    right.node = child + 1;
    left.begin = parent.begin;
    left.end = right.begin = parent.begin + n_left;
    right.end = parent.end;
    left.gradient = gradient;
    left.hessian = hessian;
    right.gradient = parent.gradient - gradient;
    right.hessian = parent.hessian - hessian;
    if (const int monotone = columns_.monotone[split.feature]) {
        const auto value = [&](const Leaf& leaf) {
            return std::clamp(-leaf.gradient / (leaf.hessian + l2_), leaf.low, leaf.high);
        };
        const double middle = (value(left) + value(right)) / 2;
        (monotone > 0 ? left.high : left.low) = middle;
        (monotone > 0 ? right.low : right.high) = middle;
    }
}

void TreeGrower::grow(const float* gradient, const float* hessian, bool careful, std::uint64_t seed,
                      std::uint64_t tree) {
    seed_ = seed;
    tree_ = tree;
    nodes_.assign(1, GrownNode{});
    done_.clear();
    free_hists_.clear();
    for (std::vector<double>& hist : hists_) free_hists_.push_back(hist.data());
    choose_layout(gradient, hessian);

    Leaf root;
    root.end = rows_;
    root.low = -std::numeric_limits<double>::infinity();
    root.high = std::numeric_limits<double>::infinity();
    for (std::size_t s = 0; s + 1 < columns_.set_starts.size(); ++s) {
        root.sets.push_back(static_cast<std::int32_t>(s));
    }
    if (may_split(root)) make_histograms(root, nullptr, nullptr);

    // Leaves that can still be split: the one of largest gain first; where the number of leaves
    // has no limit the order does not matter, and the last one first keeps few histograms alive.
    std::vector<Leaf> open;
    const auto settle = [&](Leaf&& leaf) {
        if (leaf.split.gain > 0) {
            open.push_back(std::move(leaf));
            return;
        }
        if (leaf.hist) free_hists_.push_back(leaf.hist);
        leaf.hist = nullptr;
        done_.push_back(std::move(leaf));
    };
    settle(std::move(root));
    Index n_leaves = 1;
    while (!open.empty() && (options_.max_leaves == 0 || n_leaves < options_.max_leaves)) {
        runtime::poll_interrupt();
        auto next = open.end() - 1;
        if (options_.max_leaves > 0) {
            next = std::max_element(open.begin(), open.end(), [](const Leaf& a, const Leaf& b) {
                return a.split.gain < b.split.gain ||
                       (a.split.gain == b.split.gain && a.node > b.node);
            });
        }
        Leaf parent = std::move(*next);
        open.erase(next);
        Leaf left, right;
        divide(parent, left, right);
        ++n_leaves;
        const bool last = options_.max_leaves > 0 && n_leaves == options_.max_leaves;
        if (!last && (may_split(left) || may_split(right))) {
            const bool left_small = left.end - left.begin <= right.end - right.begin;
            make_histograms(left_small ? left : right, left_small ? &right : &left, parent.hist);
        } else {
            free_hists_.push_back(parent.hist);
        }
        settle(std::move(left));
        settle(std::move(right));
    }
    for (Leaf& leaf : open) done_.push_back(std::move(leaf));
    std::sort(done_.begin(), done_.end(),
              [](const Leaf& a, const Leaf& b) { return a.node < b.node; });
    finish(gradient, hessian, careful);
}

} // namespace gramian::boost
