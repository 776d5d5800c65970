#include "core/tree/forest.hpp"

#include "core/runtime/pool.hpp"
#include "core/runtime/random.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

namespace gramian::tree {
namespace {

// The stream of a tree's draws; its nodes use stream `tree` itself.
constexpr std::uint64_t kDrawStreams = std::uint64_t{1} << 63;

// From this number of rows on, all threads work on one tree.
constexpr Index kLargeTable = 1 << 18;

// Copying this number of nodes takes longer than waking a thread.
constexpr Index kManyNodes = 1 << 14;

// weight *= drawn / (classes present * draws of the row's class), for each output.
void balance(const Targets& targets, Index rows, const double* counts, double* weights) {
    std::vector<double> drawn(targets.n_classes);
    for (Index o = 0; o < targets.n_outputs; ++o) {
        std::fill(drawn.begin(), drawn.end(), 0.0);
        double total = 0;
        for (Index i = 0; i < rows; ++i) {
            drawn[targets.codes[i * targets.n_outputs + o]] += counts[i];
            total += counts[i];
        }
        const auto present = static_cast<double>(
            std::count_if(drawn.begin(), drawn.end(), [](double c) { return c > 0; }));
        for (Index i = 0; i < rows; ++i) {
            if (counts[i] > 0) {
                weights[i] *= total / (present * drawn[targets.codes[i * targets.n_outputs + o]]);
            }
        }
    }
}

// Passes the trees of several threads to the caller in the order of their numbers, each as soon as
// it is next, so that a tree is in memory twice only while it is copied. Small trees are passed in
// batches.
class Handover {
public:
    Handover(Index n_trees, const TakeTrees& take) : take_(take), trees_(n_trees) {}

    void add(Index number, GrownTree tree) {
        const std::lock_guard lock(mutex_);
        const auto n_trees = static_cast<Index>(trees_.size());
        trees_[number] = std::move(tree);
        // A finished tree has a node.
        for (; next_ < n_trees && trees_[next_].size() > 0; ++next_) nodes_ += trees_[next_].size();
        if (nodes_ == 0 || (nodes_ < kManyNodes && next_ < n_trees)) return;
        std::vector<GrownTree> ready;
        for (; returned_ < next_; ++returned_)
            ready.push_back(std::exchange(trees_[returned_], {}));
        nodes_ = 0;
        take_(std::move(ready));
    }

private:
    const TakeTrees& take_;
    std::mutex mutex_;
    std::vector<GrownTree> trees_;
    Index returned_ = 0, next_ = 0; // trees passed on, and trees that are ready
    Index nodes_ = 0;               // of the trees between the two
};

} // namespace

void count_draws(const Draws& draws, std::uint64_t tree, double* counts) {
    const runtime::Philox random{draws.seed, kDrawStreams | tree};
    std::fill_n(counts, draws.rows, 0.0);
    const auto row_of = [&](std::uint64_t bits) {
        if (!draws.cumulative)
            return static_cast<Index>(
                runtime::Philox::below_of(bits, static_cast<std::uint64_t>(draws.rows)));
        const double* end = draws.cumulative + draws.rows;
        const double target = runtime::Philox::uniform_of(bits) * end[-1];
        return std::upper_bound(draws.cumulative, end - 1, target) - draws.cumulative;
    };
    for (Index i = 0; i < draws.count; i += 2) {
        const runtime::Philox::Block two = random.block(static_cast<std::uint64_t>(i / 2));
        ++counts[row_of(runtime::Philox::bits(two, 0))];
        if (i + 1 < draws.count) ++counts[row_of(runtime::Philox::bits(two, 1))];
    }
}

template <typename AnyColumns>
void grow_forest(AnyColumns& columns, const Targets& targets, const GrowOptions& options,
                 const Draws& draws, bool balanced, std::uint64_t first, Index n_trees,
                 const TakeTrees& take) {
    prepare_columns(columns, targets, options, Lists::few);
    Handover handover(n_trees, take);
    const auto grow = [&](Index t) {
        const std::uint64_t number = first + static_cast<std::uint64_t>(t);
        Targets own = targets;
        std::vector<double> weights;
        if (draws.count > 0) {
            weights.resize(draws.rows);
            count_draws(draws, number, weights.data());
            if (balanced) {
                const std::vector<double> counts = weights;
                balance(targets, draws.rows, counts.data(), weights.data());
            }
            own.weights = weights.data();
        }
        handover.add(t, grow_tree(columns, own, options, number, Lists::few));
    };
    if (columns.rows() > kLargeTable) {
        for (Index t = 0; t < n_trees; ++t) grow(t);
    } else {
        runtime::parallel_for(n_trees, grow);
    }
}

template void grow_forest(Columns&, const Targets&, const GrowOptions&, const Draws&, bool,
                          std::uint64_t, Index, const TakeTrees&);
template void grow_forest(SparseColumns&, const Targets&, const GrowOptions&, const Draws&, bool,
                          std::uint64_t, Index, const TakeTrees&);

void write_trees(const std::vector<const GrownTree*>& trees, const Output& out,
                 const OwnSize& size) {
    std::vector<Index> node(1, 0), word(1, 0), number(1, 0); // where each tree begins
    for (const GrownTree* tree : trees) {
        node.push_back(node.back() + tree->size());
        word.push_back(word.back() + static_cast<Index>(tree->bits.size()));
        number.push_back(number.back() + static_cast<Index>(tree->value.size()));
    }
    const auto write = [&](Index t) {
        const GrownTree& tree = *trees[t];
        const auto copy = [](const auto& from, auto* to) {
            std::copy(from.begin(), from.end(), to);
        };
        copy(tree.first_child, out.first_child + node[t]);
        copy(tree.n_children, out.n_children + node[t]);
        copy(tree.feature, out.feature + node[t]);
        copy(tree.bit_start, out.bit_start + node[t]);
        copy(tree.missing, out.missing + node[t]);
        copy(tree.kind, out.kind + node[t]);
        copy(tree.threshold, out.threshold + node[t]);
        copy(tree.weight, out.weight + node[t]);
        copy(tree.impurity, out.impurity + node[t]);
        copy(tree.value, out.value + number[t]);
        copy(tree.samples, out.samples + node[t]);
        copy(tree.bits, out.bits + word[t]);
        for (Index o = 0; o < size.center.size; ++o) {
            for (Index i = number[t] + o; i < number[t + 1]; i += size.center.size)
                out.value[i] = (out.value[i] + size.center[o]) * size.scale;
        }
        if (size.center.size > 0) {
            for (Index i = node[t]; i < node[t + 1]; ++i) {
                out.impurity[i] *= size.scale;
                if (size.squared) out.impurity[i] *= size.scale;
            }
        }
    };
    runtime::parallel_for(static_cast<Index>(trees.size()), write,
                          node.back() < kManyNodes ? 1 : 0);
}

} // namespace gramian::tree
