// SparseGrower's search for the best split of a node.
#include "core/runtime/pool.hpp"
#include "core/runtime/random.hpp"
#include "core/tree/sparse_grower.hpp"
#include "core/tree/sparse_sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gramian::tree {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
using Entry = EntryOf<std::uint64_t>;

std::uint32_t key_of(std::uint64_t entry) {
    return static_cast<std::uint32_t>(Entry::rank(entry));
}

} // namespace

// Collects the entries of the node's rows, column by column: of all columns, or of those drawn.
void SparseGrower::collect_rows(const OpenNode& node, bool drawn_only) {
    touched_.clear();
    found_column_.clear();
    found_.clear();
    for (Index i = node.begin; i < node.end; ++i) {
        const Index row = ids_[i];
        for (Index e = columns_.row_start(row); e < columns_.row_start(row + 1); ++e) {
            const std::uint32_t j = columns_.column_of(e);
            if (drawn_only && !drawn_[j]) continue;
            if (count_[j]++ == 0) touched_.push_back(j);
            found_column_.push_back(j);
            found_.push_back(Entry::make(columns_.key_of(e), row));
        }
    }
    std::sort(touched_.begin(), touched_.end());
    Index at = 0;
    for (const Index j : touched_) {
        start_[j] = at;
        at += count_[j];
        count_[j] = 0;
    }
    collected_.resize(std::max(collected_.size(), found_.size()));
    for (std::size_t i = 0; i < found_.size(); ++i)
        collected_[start_[found_column_[i]] + count_[found_column_[i]]++] = found_[i];
    by_row_ = true;
}

void SparseGrower::clear_collected() {
    for (const Index j : touched_) count_[j] = 0;
    by_row_ = false;
}

// The entries of a column in a node: ascending, or, for random thresholds, the smallest first and
// the largest last.
Vector<std::uint64_t> SparseGrower::entries_of(const OpenNode& node, Index feature,
                                               Scratch& scratch) {
    if (by_row_) {
        std::uint64_t* entries = collected_.data() + start_[feature];
        const Index n = count_[feature];
        if (options_.random_split) {
            if (n > 0) std::swap(entries[0], *std::min_element(entries, entries + n));
            if (n > 0) std::swap(entries[n - 1], *std::max_element(entries, entries + n));
        } else {
            std::sort(entries, entries + n);
        }
        return {entries, n};
    }
    const Vector<const SparseEntry> column = columns_.column(feature);
    scratch.entries.resize(std::max<std::size_t>(scratch.entries.size(), column.size));
    const auto begin = static_cast<std::uint32_t>(node.begin);
    const auto size = static_cast<std::uint32_t>(node.size());
    Index n = 0;
    for (const SparseEntry& entry : column) {
        scratch.entries[n] = Entry::make(entry.key, entry.row);
        n += place_[entry.row] - begin <
             size; // before the beginning, the unsigned difference is huge
    }
    return {scratch.entries.data(), n};
}

bool SparseGrower::enough(Index left, Index right, double weight_left, double weight_right) const {
    return left >= options_.min_samples_leaf && right >= options_.min_samples_leaf &&
           weight_left >= options_.min_weight_leaf && weight_right >= options_.min_weight_leaf &&
           weight_left > 0 && weight_right > 0;
}

template <typename Left>
void SparseGrower::scan(const NodeView& view, Index feature, Vector<std::uint64_t> entries,
                        Left left, SparseSplit& best) const {
    const Index n = view.totals.samples, zeros = n - entries.size;
    const std::uint32_t zero = columns_.zero_key(feature);
    const int monotone = options_.monotone.empty() ? 0 : options_.monotone[feature];
    if (zeros > 0) {
        for (const std::uint64_t entry : entries) left.take_from_zeros(Entry::id(entry));
    }
    Index n_left = 0;
    bool zeros_left = zeros > 0; // not yet added
    const auto candidate = [&](std::uint32_t low, std::uint32_t high) {
        const double w = left.weight();
        if (!enough(n_left, n - n_left, w, view.totals.weight - w)) return;
        if (!left.improve(monotone, best.found)) return;
        best.feature = feature;
        best.low = low;
        best.high = high;
    };
    for (Index i = 0; i <= entries.size; ++i) {
        const std::uint32_t next =
            i < entries.size ? key_of(entries[i]) : std::numeric_limits<std::uint32_t>::max();
        if (zeros_left && next > zero) {
            if (i > 0) candidate(key_of(entries[i - 1]), zero);
            left.add_zeros();
            n_left += zeros;
            zeros_left = false;
            if (i < entries.size) candidate(zero, next);
        } else if (i > 0 && i < entries.size && key_of(entries[i - 1]) != next) {
            candidate(key_of(entries[i - 1]), next);
        }
        if (i < entries.size) {
            left.add(Entry::id(entries[i]));
            ++n_left;
        }
    }
}

// A random threshold between the smallest and the largest value.
double SparseGrower::random_threshold(Index feature, Vector<std::uint64_t> entries,
                                      Index zeros) const {
    double low = columns_.value(feature, key_of(entries[0]));
    double high = columns_.value(feature, key_of(entries[entries.size - 1]));
    if (zeros > 0) {
        low = std::min(low, 0.0);
        high = std::max(high, 0.0);
    }
    const std::uint64_t random = mixed(random_ ^ mixed(static_cast<std::uint64_t>(feature)));
    const double share = static_cast<double>(random >> 11) * 0x1.0p-53;
    const double threshold = low + share * (high - low);
    return threshold < high ? threshold : low;
}

template <typename Left>
bool SparseGrower::draw(const NodeView& view, Index feature, Vector<std::uint64_t> entries,
                        Left left, SparseSplit& best) const {
    const Index n = view.totals.samples, zeros = n - entries.size;
    const double threshold = random_threshold(feature, entries, zeros);
    const std::uint32_t last = columns_.last_key(feature, threshold);
    const int monotone = options_.monotone.empty() ? 0 : options_.monotone[feature];
    Index n_left = 0;
    for (const std::uint64_t entry : entries) {
        if (zeros > 0) left.take_from_zeros(Entry::id(entry));
        if (key_of(entry) > last) continue;
        left.add(Entry::id(entry));
        ++n_left;
    }
    if (zeros > 0 && 0 <= threshold) {
        left.add_zeros();
        n_left += zeros;
    }
    const double w = left.weight();
    if (!enough(n_left, n - n_left, w, view.totals.weight - w)) return true;
    if (!left.improve(monotone, best.found)) return true;
    best.feature = feature;
    best.low = last;
    best.threshold = threshold;
    return true;
}

// Criteria that depend on the order of the targets: all rows of the node, also zeros, in order.
void SparseGrower::scan_order(const NodeView& view, Index feature, Vector<std::uint64_t> entries,
                              Scratch& scratch, SparseSplit& best) {
    const OpenNode& node = view.node;
    const Index n = node.size(), zeros = n - entries.size;
    const double threshold =
        options_.random_split ? random_threshold(feature, entries, zeros) : kInfinity;
    const std::uint32_t last = options_.random_split ? columns_.last_key(feature, threshold) : 0;
    const auto sorted_key = [&](std::uint32_t key) -> std::uint32_t {
        return options_.random_split ? key > last : key;
    };
    std::vector<std::uint64_t>& all = scratch.dense;
    all.clear();
    const std::uint32_t zero = columns_.zero_key(feature);
    for (const std::uint64_t entry : entries)
        all.push_back(Entry::make(sorted_key(key_of(entry)), Entry::id(entry)));
    std::vector<std::uint32_t> with(entries.size);
    for (Index i = 0; i < entries.size; ++i)
        with[i] = static_cast<std::uint32_t>(Entry::id(entries[i]));
    std::sort(with.begin(), with.end());
    for (Index i = node.begin; i < node.end && zeros > 0; ++i) {
        if (!std::binary_search(with.begin(), with.end(), ids_[i]))
            all.push_back(Entry::make(sorted_key(zero), ids_[i]));
    }
    std::sort(all.begin(), all.end());
    const int monotone = options_.monotone.empty() ? 0 : options_.monotone[feature];
    const Candidate found = scratch.search.best(all.data(), n, 0, targets_, view.totals, monotone);
    if (!found.found() || !is_better(found.decrease, best.found.decrease)) return;
    best.found = found;
    best.feature = feature;
    best.threshold = threshold;
    best.low = options_.random_split ? last : key_of(all[found.position - 1]);
    best.high = key_of(all[found.position]);
}

bool SparseGrower::search_column(const NodeView& view, Index feature, Scratch& scratch,
                                 SparseSplit& best) {
    const Vector<std::uint64_t> entries = entries_of(view.node, feature, scratch);
    const Index zeros = view.totals.samples - entries.size;
    if (entries.size == 0 ||
        (zeros == 0 && key_of(entries[0]) == key_of(entries[entries.size - 1])))
        return false;
    if (scratch.search.by_order()) {
        scan_order(view, feature, entries, scratch, best);
        return true;
    }
    const auto with = [&](auto left) {
        if (options_.random_split)
            draw(view, feature, entries, left, best);
        else
            scan(view, feature, entries, left, best);
    };
    const bool plain =
        rules_.targets.n_outputs == 1 && !options_.plain_sum && options_.monotone.empty();
    if (plain && options_.criterion == Criterion::gini)
        with(GiniLeft(targets_, view.totals, scratch.left.data(), scratch.block.data(),
                      rules_.targets.n_classes));
    else if (plain && options_.criterion == Criterion::squared_error)
        with(SquaresLeft(targets_, view.totals));
    else if (options_.criterion == Criterion::squared_error &&
             SplitSearch::uses_left_sums(options_, rules_.targets))
        with(OutputsLeft(scratch.search, targets_, view.totals, scratch.left.data(),
                         scratch.block.data(), rules_.targets.n_outputs));
    else
        with(SumsLeft(scratch.search, targets_, view.totals, scratch.left.data(),
                      scratch.block.data()));
    return true;
}

// The best split of several columns. If there are many entries, threads take blocks of columns.
void SparseGrower::search_columns(const NodeView& view, const std::vector<Index>& features,
                                  SparseSplit& best) {
    const runtime::Blocks blocks{static_cast<Index>(features.size()), 32};
    if (view.node.size() < 2048 || blocks.count() < 2) {
        for (const Index feature : features) search_column(view, feature, main_scratch_, best);
        return;
    }
    std::vector<SparseSplit> found(blocks.count());
    runtime::parallel_for(blocks.count(), [&](Index b) {
        Scratch scratch(rules_);
        for (Index i = blocks.begin(b); i < blocks.end(b); ++i)
            search_column(view, features[i], scratch, found[b]);
    });
    for (const SparseSplit& each : found) {
        if (is_better(each.found.decrease, best.found.decrease)) best = each;
    }
}

SparseGrower::SparseSplit SparseGrower::search(const OpenNode& node) {
    rows_since_poll_ += node.size();
    if (rows_since_poll_ >= 4096) {
        rows_since_poll_ = 0;
        runtime::poll_interrupt();
    }
    const Index wanted = std::min(options_.max_features, n_features_);
    const bool all = wanted == n_features_;
    random_ = all && !options_.random_split
                  ? 0
                  : runtime::Philox{options_.seed, rules_.tree}.bits(node.path);
    const NodeView view{node,
                        {node.size(), tree_.weight[node.node], tree_.impurity[node.node],
                         node.sums.data(), node.lower, node.upper}};
    order_.start(random_, !all);
    std::vector<Index> drawn;
    Index by_columns = 0, by_rows = 0;
    if (all) {
        by_columns = columns_.entries();
    } else {
        drawn.resize(wanted);
        for (Index& feature : drawn) {
            feature = order_.next();
            drawn_[feature] = 1;
            by_columns += columns_.column(feature).size;
        }
    }
    by_rows = node.size() * columns_.entries() / columns_.rows(); // about
    const Index cost_of_rows =
        all ? 4 : 1; // per entry: if columns are drawn, only their entries are kept and sorted
    SparseSplit best;
    if (cost_of_rows * by_rows < by_columns) collect_rows(node, !all);
    if (all && by_row_) {
        search_columns(view, touched_, best);
    } else if (all) {
        std::vector<Index> every(n_features_);
        for (Index j = 0; j < n_features_; ++j) every[j] = j;
        search_columns(view, every, best);
    } else {
        // Constant columns do not count: continue until one column can be split.
        Index useful = 0;
        for (const Index feature : drawn) {
            if (!by_row_ || count_[feature] > 0)
                useful += search_column(view, feature, main_scratch_, best);
        }
        for (const Index feature : drawn) drawn_[feature] = 0;
        if (useful == 0) {
            if (by_row_) clear_collected();
            collect_rows(node, false);
        }
        for (Index visited = wanted; visited < n_features_ && useful == 0; ++visited) {
            const Index feature = order_.next();
            if (count_[feature] > 0) useful += search_column(view, feature, main_scratch_, best);
        }
    }
    if (by_row_) clear_collected();
    return best;
}

} // namespace gramian::tree
