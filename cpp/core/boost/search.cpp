#include "core/boost/grower.hpp"

#include "core/runtime/pool.hpp"
#include "core/runtime/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gramian::boost {
namespace {

constexpr double kCategorySupport = 10; // rows that a category needs to be told from the rest
constexpr double kRelativeGain = 1e-12; // a gain below it is rounding

} // namespace

double* TreeGrower::take_hist() {
    if (free_hists_.empty()) {
        hists_.emplace_back(hist_size_);
        return hists_.back().data();
    }
    double* hist = free_hists_.back();
    free_hists_.pop_back();
    return hist;
}

Cells TreeGrower::cells(double* hist, Index group) const {
    const Index size = (Index(columns_.missing_code[group]) + 1) * kGroup;
    double* start = hist + hist_start_[group];
    double* count = start + size;
    return {start, layout_.hessian_bits > 0 ? count + size : count, count};
}

// The histogram of one chunk of a leaf's rows in one group of columns.
void TreeGrower::build(const Leaf& leaf, double* hist, Index group, Index chunk, Index chunks) {
    const HistKernels& kernels = hist_table();
    const Index size = (Index(columns_.missing_code[group]) + 1) * kGroup;
    const Index n = leaf.end - leaf.begin;
    const Index begin = leaf.begin + n * chunk / chunks,
                end = leaf.begin + n * (chunk + 1) / chunks;
    const std::uint8_t* codes = codes_ + group * rows_ * kGroup;
    const int columns = columns_in(group, columns_.columns);
    const Cells sums = cells(hist, group);
    thread_local std::array<std::uint64_t, 256 * kGroup> empty_cells{}; // a flush empties them
    std::uint64_t* block = empty_cells.data();
    for (Index i = begin; i < end; i += layout_.rows) {
        const Index m = std::min(layout_.rows, end - i);
        if (leaf.side < 0) {
            kernels.add(codes + i * kGroup, nullptr, root_samples() + i, m, columns, block);
        } else {
            kernels.add(codes, row_buffer_[leaf.side].data() + i,
                        sample_buffer_[leaf.side].data() + i, m, columns, block);
        }
        kernels.flush(block, size, columns, layout_, i == begin, sums);
    }
}

// -(2 G v + (H + l2) v^2) at the best v within the bounds: G^2 / (H + l2) where they are wide.
double TreeGrower::term(double gradient, double hessian, double low, double high) const {
    const double curvature = hessian + l2_;
    if (!(curvature > 0)) return 0;
    const double v = std::clamp(-gradient / curvature, low, high);
    return -(2 * gradient * v + curvature * v * v);
}

std::vector<std::uint8_t> TreeGrower::allowed_columns(const Leaf& leaf) const {
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

void TreeGrower::search_group(const Leaf& leaf, Index group,
                              const std::vector<std::uint8_t>& allowed, Split& best) const {
    const Index first = group * kGroup;
    const Index last = first + columns_in(group, columns_.columns);
    CutSearch s{};
    s.cells = cells(leaf.hist, group);
    s.columns = static_cast<int>(last - first);
    s.slots = columns_.missing_code[group];
    s.gradient = leaf.gradient;
    s.hessian = leaf.hessian;
    s.count = static_cast<double>(leaf.end - leaf.begin);
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

// Categories in the order of G / (H + smoothing) are cut like numbers (Fisher 1958); from either
// end at most half of them go left. Those with too few rows go right.
void TreeGrower::search_categories(const Leaf& leaf, const Cells& cells, Index feature,
                                   Split& best) const {
    const Index group = feature / kGroup, lane = feature % kGroup;
    const int missing = columns_.missing_code[group];
    const double n = static_cast<double>(leaf.end - leaf.begin);
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

bool TreeGrower::may_split(const Leaf& leaf) const {
    const Index n = leaf.end - leaf.begin;
    const bool deep = options_.max_depth > 0 && nodes_[leaf.node].depth >= options_.max_depth;
    return n >= 2 * options_.min_samples_leaf && n >= 2 && !deep;
}

// Histograms and best splits of one leaf, or of two siblings given their parent's histogram: the
// small one is counted, the large one is the difference.
void TreeGrower::make_histograms(Leaf& small, Leaf* large, double* parent) {
    small.hist = take_hist();
    if (large) large->hist = parent;
    const Index n = small.end - small.begin;
    const Index chunks = std::clamp<Index>(n / (4 * kRowBlock), 1, std::max<Index>(1, 8 / groups_));
    const Index cells_of_group = hist_size_ / groups_;
    // about one cycle a row and column; searching costs about two a cell
    const bool serial = n * groups_ * kGroup + groups_ * cells_of_group < 20000;
    if (chunks > 1) {
        chunk_hists_.resize(static_cast<std::size_t>(hist_size_) * (chunks - 1));
        runtime::parallel_for(groups_ * chunks, [&](Index task) {
            const Index chunk = task / groups_;
            double* hist = chunk == 0 ? small.hist : chunk_hists_.data() + hist_size_ * (chunk - 1);
            build(small, hist, task % groups_, chunk, chunks);
        });
    }
    const std::vector<std::uint8_t> allowed_small = allowed_columns(small);
    const std::vector<std::uint8_t> allowed_large =
        large ? allowed_columns(*large) : std::vector<std::uint8_t>{};
    const bool search_small = may_split(small), search_large = large && may_split(*large);
    std::vector<Split> best_small(groups_), best_large(groups_);
    runtime::parallel_for(
        groups_,
        [&](Index group) {
            const Index start = hist_start_[group];
            const Index size = (group + 1 < groups_ ? hist_start_[group + 1] : hist_size_) - start;
            const Index used = layout_.hessian_bits > 0 ? size : size / 3 * 2;
            double* hist = small.hist + start;
            if (chunks == 1) build(small, small.hist, group, 0, 1);
            for (Index chunk = 1; chunk < chunks; ++chunk) {
                const double* more = chunk_hists_.data() + hist_size_ * (chunk - 1) + start;
                for (Index i = 0; i < used; ++i) hist[i] += more[i];
            }
            if (large) hist_table().subtract(large->hist + start, hist, used);
            if (small.side < 0 && group == 0) { // the root's sums, from its first column
                const Cells sums = cells(small.hist, 0);
                small.gradient = small.hessian = 0;
                for (int slot = 0; slot <= columns_.missing_code[0]; ++slot) {
                    small.gradient += sums.gradient[slot * kGroup];
                    small.hessian += sums.hessian[slot * kGroup];
                }
            }
            if (small.side >= 0 && search_small) {
                search_group(small, group, allowed_small, best_small[group]);
            }
            if (search_large) search_group(*large, group, allowed_large, best_large[group]);
        },
        serial ? 1 : 0);
    if (small.side < 0 && search_small) { // the root's search needs its sums first
        runtime::parallel_for(
            groups_,
            [&](Index group) { search_group(small, group, allowed_small, best_small[group]); },
            serial ? 1 : 0);
    }
    for (Index group = 0; group < groups_; ++group) {
        if (best_small[group].gain > small.split.gain) small.split = best_small[group];
        if (large && best_large[group].gain > large->split.gain) large->split = best_large[group];
    }
}

} // namespace gramian::boost
