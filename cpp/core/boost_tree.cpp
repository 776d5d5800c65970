#include "core/boost_tree.hpp"

#include "core/isa.hpp"
#include "core/pool.hpp"
#include "core/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

GRAMIAN_DISPATCH(HistKernels, hist_kernels, hist_table)

namespace gramian {
namespace {

constexpr Index kRowBlock = 8192;
constexpr Index kSerialRows = 8192;         // below it a pass over rows takes a few microseconds
constexpr double kCategorySupport = 10;     // rows that a category needs to be told from the rest
constexpr double kRelativeGain = 1e-12;     // a gain below it is rounding
constexpr Index kMostRows = Index(1) << 27; // more could overflow a sum

int bits_for(Index n) {
    int bits = 1;
    while ((Index(1) << bits) <= n) ++bits;
    return bits;
}

} // namespace

double careful_step(double x) {
    const double size = std::fabs(x);
    return size <= 2 ? x : std::copysign(2 + std::log1p(size - 2), x);
}

TreeGrower::TreeGrower(const std::uint8_t* codes, Index rows, GrowColumns columns,
                       GrowOptions options)
    : codes_(codes), rows_(rows), groups_(groups_of(columns.columns)), columns_(std::move(columns)),
      options_(options) {
    if (rows_ > kMostRows) throw std::invalid_argument("more than 2^27 rows");
    for (Index g = 0; g < groups_; ++g) {
        hist_start_.push_back(hist_size_);
        hist_size_ += 3 * (Index(columns_.missing_code[g]) + 1) * kGroup;
    }
    samples_.resize(rows_);
    for (int side : {0, 1}) {
        row_buffer_[side].resize(rows_);
        sample_buffer_[side].resize(rows_);
    }
}

// Bits of a sample: as many as the fields hold for a block of rows. Where a few gradients are far
// above the others, blocks are shorter and samples have four bits more.
void TreeGrower::choose_layout(const float* gradient, const float* hessian) {
    const Blocks blocks{rows_, 4 * kRowBlock};
    struct Extent {
        float largest = 0, curvature = 0;
        double sum = 0;
    };
    std::vector<Extent> parts(blocks.count());
    parallel_for(
        blocks.count(),
        [&](Index b) {
            Extent e;
            for (Index i = blocks.begin(b); i < blocks.end(b); ++i) {
                const float size = std::fabs(gradient[i]);
                e.largest = std::max(e.largest, size);
                e.sum += size;
                if (hessian) e.curvature = std::max(e.curvature, hessian[i]);
            }
            parts[b] = e;
        },
        rows_ < kSerialRows ? 1 : 0);
    Extent all;
    for (const Extent& e : parts) {
        all.largest = std::max(all.largest, e.largest);
        all.curvature = std::max(all.curvature, e.curvature);
        all.sum += e.sum;
    }
    double most_gradient = 0, most_hessian = 1; // integers of the largest samples
    if (!hessian) {
        layout_.count_bits = 13;
        layout_.hessian_bits = 0;
        layout_.rows = 4096;
        most_gradient = std::ldexp(1.0, std::min(37, 50 - bits_for(rows_)));
    } else {
        const bool heavy = all.largest * static_cast<double>(rows_) > 64 * all.sum;
        layout_.count_bits = heavy ? 10 : 13;
        layout_.hessian_bits = heavy ? 27 : 25;
        layout_.rows = heavy ? 512 : 4096;
        most_gradient = heavy ? 131071 : 8191;
        most_hessian = heavy ? 262143 : 8191;
    }
    layout_.gradient_scale = all.largest > 0 ? all.largest / most_gradient : 1.0;
    layout_.hessian_scale = hessian && all.curvature > 0 ? all.curvature / most_hessian : 1.0;
    layout_.offset = static_cast<std::int64_t>(most_gradient);
    l2_ = options_.l2 / layout_.hessian_scale;

    const Blocks rows{rows_, kRowBlock};
    parallel_for(
        rows.count(),
        [&](Index b) {
            const Index begin = rows.begin(b);
            hist_table().pack(gradient + begin, hessian ? hessian + begin : nullptr,
                              rows.end(b) - begin, layout_, samples_.data() + begin);
        },
        rows_ < kSerialRows ? 1 : 0);
}

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
    const Cells sums = cells(hist, group);
    thread_local std::array<std::uint64_t, 256 * kGroup> empty_cells{}; // a flush empties them
    std::uint64_t* block = empty_cells.data();
    for (Index i = begin; i < end; i += layout_.rows) {
        const Index m = std::min(layout_.rows, end - i);
        if (leaf.side < 0) {
            kernels.add(codes + i * kGroup, nullptr, samples_.data() + i, m, block);
        } else {
            kernels.add(codes, row_buffer_[leaf.side].data() + i,
                        sample_buffer_[leaf.side].data() + i, m, block);
        }
        kernels.flush(block, size, layout_, i == begin, sums);
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
        const Philox random{seed_, tree_ << 32 | static_cast<std::uint32_t>(leaf.node)};
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
    const Index last = std::min(first + kGroup, columns_.columns);
    CutSearch s{};
    s.cells = cells(leaf.hist, group);
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
        parallel_for(groups_ * chunks, [&](Index task) {
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
    parallel_for(
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
        parallel_for(
            groups_,
            [&](Index group) { search_group(small, group, allowed_small, best_small[group]); },
            serial ? 1 : 0);
    }
    for (Index group = 0; group < groups_; ++group) {
        if (best_small[group].gain > small.split.gain) small.split = best_small[group];
        if (large && best_large[group].gain > large->split.gain) large->split = best_large[group];
    }
}

// Rows [begin, end) of the parent go to the other buffer: the n_left of the first child, then the
// others, both in their order.
void TreeGrower::partition(const Leaf& parent, Index n_left, const std::uint8_t* goes_left) {
    const Index feature = nodes_[parent.node].feature;
    const std::uint8_t* codes = codes_ + (feature / kGroup) * rows_ * kGroup + feature % kGroup;
    const int to = parent.side == 0 ? 1 : 0;
    const std::uint32_t* from_rows = parent.side < 0 ? nullptr : row_buffer_[parent.side].data();
    const std::uint64_t* from_samples =
        parent.side < 0 ? samples_.data() : sample_buffer_[parent.side].data();
    std::uint32_t* to_rows = row_buffer_[to].data();
    std::uint64_t* to_samples = sample_buffer_[to].data();
    const auto row_at = [&](Index i) {
        return from_rows ? from_rows[i] : static_cast<std::uint32_t>(i);
    };
    const auto put = [&](Index at, std::uint32_t row, std::uint64_t sample) {
        to_rows[at] = row;
        to_samples[at] = sample;
    };
    const auto goes_first = [&](std::uint32_t row) {
        return goes_left[codes[Index(row) * kGroup]] != 0;
    };
    // Rows [begin, end) in order; children's rows are written from `left` and `right` upwards.
    const auto move = [&](Index begin, Index end, Index left, Index right) {
        for (Index i = begin; i < end; ++i) {
            const std::uint32_t row = row_at(i);
            const bool first = goes_first(row);
            put(first ? left : right, row, from_samples[i]);
            left += first;
            right += !first;
        }
    };
    // The same from the last row to the first, written downwards from below `left` and `right`.
    const auto move_back = [&](Index begin, Index end, Index left, Index right) {
        for (Index i = end; i-- > begin;) {
            const std::uint32_t row = row_at(i);
            const bool first = goes_first(row);
            left -= first;
            right -= !first;
            put(first ? left : right, row, from_samples[i]);
        }
    };
    const Index n = parent.end - parent.begin, middle = parent.begin + n / 2;
    const Index split = parent.begin + n_left;
    const Blocks blocks{n, kRowBlock};
    if (n < 2048) {
        move(parent.begin, parent.end, parent.begin, split);
        return;
    }
    // The number of rows that go left is known, so that two halves can be moved at once: one from
    // the front, one from the back.
    if (num_threads() <= 2 || blocks.count() < 8) {
        parallel_for(2, [&](Index half) {
            if (half == 0) {
                move(parent.begin, middle, parent.begin, split);
            } else {
                move_back(middle, parent.end, split, parent.end);
            }
        });
        return;
    }
    std::vector<Index> lefts(blocks.count());
    parallel_for(blocks.count(), [&](Index b) {
        Index count = 0;
        for (Index i = parent.begin + blocks.begin(b); i < parent.begin + blocks.end(b); ++i) {
            count += goes_first(row_at(i));
        }
        lefts[b] = count;
    });
    std::vector<Index> before(blocks.count());
    std::exclusive_scan(lefts.begin(), lefts.end(), before.begin(), Index(0));
    parallel_for(blocks.count(), [&](Index b) {
        const Index begin = blocks.begin(b);
        move(parent.begin + begin, parent.begin + blocks.end(b), parent.begin + before[b],
             split + begin - before[b]);
    });
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
    partition(parent, n_left, goes_left);

    const int side = parent.side == 0 ? 1 : 0;
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
        poll_interrupt();
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

// body(number of the leaf in done_, first and last place of a block of its rows, block number).
template <typename Body>
void TreeGrower::for_leaf_blocks(Body&& body) const {
    std::vector<std::pair<Index, Index>> tasks;
    for (std::size_t l = 0; l < done_.size(); ++l) {
        for (Index i = done_[l].begin; i < done_[l].end; i += kRowBlock) {
            tasks.emplace_back(static_cast<Index>(l), i);
        }
    }
    parallel_for(
        static_cast<Index>(tasks.size()),
        [&](Index t) {
            const auto [l, begin] = tasks[t];
            body(l, begin, std::min(begin + kRowBlock, done_[l].end), t);
        },
        rows_ < kSerialRows ? 1 : 0);
}

// Exact sums of the leaves from the gradients themselves, then of all nodes, then the values.
void TreeGrower::finish(const float* gradient, const float* hessian, bool careful) {
    struct Part {
        Index leaf = 0;
        double gradient = 0, hessian = 0, squares = 0;
    };
    Index n_parts = 0;
    for (const Leaf& leaf : done_) n_parts += (leaf.end - leaf.begin + kRowBlock - 1) / kRowBlock;
    std::vector<Part> parts(n_parts);
    for_leaf_blocks([&](Index l, Index begin, Index end, Index t) {
        const Leaf& leaf = done_[l];
        const std::uint32_t* rows = leaf.side < 0 ? nullptr : row_buffer_[leaf.side].data();
        double g = 0, h = 0, squares = 0;
        for (Index i = begin; i < end; ++i) {
            const Index row = rows ? Index(rows[i]) : i;
            g += gradient[row];
            squares += double(gradient[row]) * gradient[row];
            h += hessian ? hessian[row] : 1.0f;
        }
        parts[t] = {l, g, h, squares};
    });
    for (const Part& part : parts) {
        GrownNode& node = nodes_[done_[part.leaf].node];
        node.gradient += part.gradient;
        node.hessian += part.hessian;
        node.squares += part.squares;
    }
    for (const Leaf& leaf : done_) nodes_[leaf.node].count = leaf.end - leaf.begin;
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
        const double curvature = node.hessian + options_.l2;
        node.value = curvature > 0 ? -node.gradient / curvature : 0.0;
        if (careful) node.value = careful_step(node.value);
    }
    const double unit = layout_.gradient_scale / layout_.hessian_scale; // of a value
    for (const Leaf& leaf : done_) {
        double& value = nodes_[leaf.node].value;
        value = std::clamp(value, leaf.low * unit, leaf.high * unit);
    }
}

void TreeGrower::add(const double* values, double* score) const {
    for_leaf_blocks([&](Index l, Index begin, Index end, Index) {
        const Leaf& leaf = done_[l];
        const double value = values[leaf.node];
        if (leaf.side < 0) {
            for (Index i = begin; i < end; ++i) score[i] += value;
        } else {
            const std::uint32_t* rows = row_buffer_[leaf.side].data();
            for (Index i = begin; i < end; ++i) score[rows[i]] += value;
        }
    });
}

void TreeGrower::leaves(std::int32_t* out) const {
    for_leaf_blocks([&](Index l, Index begin, Index end, Index) {
        const Leaf& leaf = done_[l];
        for (Index i = begin; i < end; ++i) {
            out[leaf.side < 0 ? i : Index(row_buffer_[leaf.side][i])] = leaf.node;
        }
    });
}

void TreeGrower::leaf_quantiles(const double* residual, const double* weights, double q,
                                double* values) const {
    parallel_for(
        static_cast<Index>(done_.size()),
        [&](Index l) {
            const Leaf& leaf = done_[l];
            std::vector<std::pair<double, double>> pairs; // residual and weight
            double total = 0;
            for (Index i = leaf.begin; i < leaf.end; ++i) {
                const Index row = leaf.side < 0 ? i : Index(row_buffer_[leaf.side][i]);
                pairs.emplace_back(residual[row], weights ? weights[row] : 1.0);
                total += pairs.back().second;
            }
            std::sort(pairs.begin(), pairs.end());
            // Half-way between the two values where q falls exactly between them.
            const double level = q * total, tolerance = 1e-12 * total;
            double sum = 0, value = pairs.back().first;
            for (std::size_t i = 0; i < pairs.size(); ++i) {
                sum += pairs[i].second;
                if (sum < level - tolerance) continue;
                value = pairs[i].first;
                if (sum <= level + tolerance && i + 1 < pairs.size()) {
                    value = (value + pairs[i + 1].first) / 2;
                }
                break;
            }
            values[leaf.node] = value;
        },
        rows_ < kSerialRows ? 1 : 0);
}

} // namespace gramian
