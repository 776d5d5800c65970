#include "core/boost/search.hpp"

#include "core/runtime/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gramian::boost {
namespace {

constexpr double kCategorySupport =
    10; // a category with fewer rows is not separated from the others
constexpr double kRelativeGain = 1e-12; // a smaller gain is a rounding error

} // namespace

SplitSearch::SplitSearch(GrowColumns columns, Options options)
    : columns_(std::move(columns)), options_(options),
      shape_(columns_.columns, columns_.missing_code) {}

void SplitSearch::begin(const CellLayout& layout, std::uint64_t seed, std::uint64_t tree) {
    layout_ = layout;
    l2_ = options_.l2 / layout.hessian_scale;
    seed_ = seed;
    tree_ = tree;
}

SlotSet SplitSearch::goes_left(const Split& split) const {
    const int missing = columns_.missing_code[split.feature / kGroup];
    SlotSet left = split.left;
    if (!split.by_category) {
        for (int slot = 0; slot <= split.slot; ++slot) {
            left[slot / 64] |= std::uint64_t(1) << (slot % 64);
        }
    }
    const std::uint64_t bit = std::uint64_t(1) << (missing % 64);
    if (split.missing_left) {
        left[missing / 64] |= bit;
    } else {
        left[missing / 64] &= ~bit;
    }
    return left;
}

// -(2 G v + (H + l2) v^2) at the best v within the bounds: G^2 / (H + l2) where they are wide.
double SplitSearch::term(double gradient, double hessian, double low, double high) const {
    const double curvature = hessian + l2_;
    if (!(curvature > 0)) return 0;
    const double v = std::clamp(-gradient / curvature, low, high);
    return -(2 * gradient * v + curvature * v * v);
}

std::vector<std::uint8_t> SplitSearch::allowed_columns(const Leaf& leaf) const {
    std::vector<std::uint8_t> allowed(columns_.columns, columns_.set_starts.empty() ? 1 : 0);
    for (const std::int32_t s : leaf.sets) {
        for (Index m = columns_.set_starts[s]; m < columns_.set_starts[s + 1]; ++m) {
            allowed[columns_.set_members[m]] = 1;
        }
    }
    if (options_.max_features < 1) {
        std::vector<std::int32_t> candidates;
        for (Index j = 0; j < columns_.columns; ++j) {
            if (allowed[j]) candidates.push_back(static_cast<std::int32_t>(j));
        }
        const Index n = static_cast<Index>(candidates.size());
        const Index wanted = std::max<Index>(
            1, static_cast<Index>(std::ceil(options_.max_features * static_cast<double>(n))));
        const runtime::Philox random{seed_, tree_ << 32 | static_cast<std::uint32_t>(leaf.node)};
        for (Index k = 0; k < wanted && k < n; ++k) { // the first steps of a shuffle
            std::swap(candidates[k], candidates[k + random.below(k, n - k)]);
        }
        for (Index k = wanted; k < n; ++k) allowed[candidates[k]] = 0;
    }
    return allowed;
}

void SplitSearch::search_group(const Leaf& leaf, Index group,
                               const std::vector<std::uint8_t>& allowed, Split& best) const {
    const Index first = group * kGroup;
    const Index last = first + columns_in(group, columns_.columns);
    CutSearch s{};
    s.cells = cells(leaf.hist, group);
    s.columns = static_cast<int>(last - first);
    s.slots = columns_.missing_code[group];
    s.gradient = leaf.gradient;
    s.hessian = leaf.hessian;
    s.count = static_cast<double>(leaf.rows.size());
    s.l2 = l2_;
    s.least_hessian = options_.min_hessian / layout_.hessian_scale;
    s.least_count = static_cast<double>(options_.min_samples_leaf);
    s.low = leaf.low;
    s.high = leaf.high;
    s.bounded = !(leaf.low == -std::numeric_limits<double>::infinity() &&
                  leaf.high == std::numeric_limits<double>::infinity());
    for (Index j = first; j < last; ++j) {
        s.with_missing |= columns_.has_missing[j] != 0;
        s.monotone[j - first] = columns_.monotone[j];
        s.bounded |= columns_.monotone[j] != 0;
    }
    BestCuts cuts;
    hist_table().search(s, cuts);
    const double parent = term(leaf.gradient, leaf.hessian, leaf.low, leaf.high);
    for (Index j = first; j < last; ++j) {
        if (!allowed[j]) continue;
        if (columns_.categorical[j]) {
            search_categories(leaf, s.cells, j, best);
            continue;
        }
        const int k = static_cast<int>(j - first);
        const double gain = cuts.gain[k] - parent;
        if (gain > best.gain && gain > kRelativeGain * std::fabs(cuts.gain[k])) {
            best = {gain,
                    static_cast<std::int32_t>(j),
                    static_cast<std::int32_t>(cuts.slot[k]),
                    cuts.missing_left[k] > 0,
                    false,
                    {}};
        }
    }
}

// Categories sorted by G / (H + smoothing) are cut like numbers (Fisher 1958); at most half of
// them, from either end, go left. Categories with too few rows go right.
void SplitSearch::search_categories(const Leaf& leaf, const Cells& cells, Index feature,
                                    Split& best) const {
    const Index group = feature / kGroup, lane = feature % kGroup;
    const int missing = columns_.missing_code[group];
    const double n = static_cast<double>(leaf.rows.size());
    const double smoothing = kCategorySupport * leaf.hessian / n;
    struct Category {
        double order;
        int slot;
    };
    std::vector<Category> known;
    const auto consider = [&](int slot) {
        const Index at = slot * kGroup + lane;
        if (cells.count[at] < kCategorySupport) return;
        known.push_back({cells.gradient[at] / (cells.hessian[at] + smoothing), slot});
    };
    for (int slot = 0; slot < columns_.n_bins[feature]; ++slot) consider(slot);
    if (columns_.has_missing[feature]) consider(missing);
    std::stable_sort(known.begin(), known.end(),
                     [](const Category& a, const Category& b) { return a.order < b.order; });
    const double parent = term(leaf.gradient, leaf.hessian, leaf.low, leaf.high);
    const double least_hessian = options_.min_hessian / layout_.hessian_scale;
    const double least_count = static_cast<double>(options_.min_samples_leaf);
    const Index m = static_cast<Index>(known.size());
    for (const bool rising : {true, false}) {
        double gl = 0, hl = 0, cl = 0;
        SlotSet left{};
        for (Index k = 0; k < (m + 1) / 2; ++k) {
            const int slot = known[rising ? k : m - 1 - k].slot;
            const Index at = slot * kGroup + lane;
            gl += cells.gradient[at];
            hl += cells.hessian[at];
            cl += cells.count[at];
            left[slot / 64] |= std::uint64_t(1) << (slot % 64);
            if (cl < least_count || hl < least_hessian) continue;
            if (n - cl < least_count || leaf.hessian - hl < least_hessian) break;
            const double both = term(gl, hl, leaf.low, leaf.high) +
                                term(leaf.gradient - gl, leaf.hessian - hl, leaf.low, leaf.high);
            const double gain = both - parent;
            if (gain > best.gain && gain > kRelativeGain * std::fabs(both)) {
                const bool missing_left = left[missing / 64] >> (missing % 64) & 1;
                best = {gain, static_cast<std::int32_t>(feature), -1, missing_left, true, left};
            }
        }
    }
}

} // namespace gramian::boost
