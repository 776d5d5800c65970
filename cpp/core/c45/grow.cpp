// Growth of a C4.5 tree: at each node, among the columns whose gain is at least the mean gain, the
// test with the greatest gain ratio.
#include "core/c45/split.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>

namespace gramian::c45 {

namespace {

constexpr double tolerance = 1e-6;
constexpr double mean_slack = 1e-3;         // a gain may lie this far below the mean
constexpr double many_levels = 0.3;         // of the cases: too many to count towards the mean
constexpr std::size_t worth_threads = 4096; // cases at a node

struct Grower {
    const Table& table;
    const Growth& growth;
    XLog2 xlog2;
    double all; // weight of all cases

    Index n_features() const { return table.ranks.rows; }

    std::vector<Candidate> candidates(const Cases& cases, double total) const {
        std::vector<Candidate> found(static_cast<std::size_t>(n_features()));
        const auto evaluate = [&](Index feature) {
            found[static_cast<std::size_t>(feature)] = candidate_of(
                table, growth, xlog2, static_cast<std::int32_t>(feature), cases, total);
        };
        runtime::parallel_for(n_features(), evaluate, cases.size() < worth_threads ? 1 : 0);
        return found;
    }

    // A column with nearly as many categories as cases has a large but meaningless gain. It does
    // not count towards the mean, unless all columns are like that.
    std::vector<bool> counts_towards_mean() const {
        std::vector<bool> counts(static_cast<std::size_t>(n_features()));
        for (Index j = 0; j < n_features(); ++j) {
            counts[static_cast<std::size_t>(j)] = table.levels[j] < many_levels * all;
        }
        if (std::find(counts.begin(), counts.end(), true) == counts.end()) counts.flip();
        return counts;
    }

    // The column to test, or -1.
    std::int32_t choose(const std::vector<Candidate>& found,
                        const std::vector<bool>& counts) const {
        double sum = 0;
        int valid = 0;
        for (std::size_t j = 0; j < found.size(); ++j) {
            if (!found[j].valid || !counts[j]) continue;
            sum += found[j].gain;
            ++valid;
        }
        const double mean = valid > 0 ? sum / valid : 0;
        std::int32_t best = -1;
        double most = 0;
        for (std::size_t j = 0; j < found.size(); ++j) {
            if (!found[j].valid || found[j].gain < mean - mean_slack) continue;
            if (found[j].ratio > most + tolerance) {
                most = found[j].ratio;
                best = static_cast<std::int32_t>(j);
            }
        }
        return best;
    }

    // The greatest value of the whole column that is not above the midpoint.
    double threshold(std::int32_t feature, const Candidate& test) const {
        const double low = table.value(feature, test.rank), high = table.value(feature, test.next);
        const double middle = low + (high - low) / 2;
        const double* first = table.values.data + table.starts[feature] + test.rank;
        const double* last = table.values.data + table.starts[feature] + test.next;
        return *(std::upper_bound(first, last, middle) - 1);
    }

    void make_test(Node& node, std::int32_t feature, const Candidate& test) const {
        node.feature = feature;
        const std::int32_t k = table.levels[feature];
        if (k == 0) {
            node.kind = tree::NodeKind::number;
            node.threshold = threshold(feature, test);
        } else if (growth.binary) {
            node.kind = tree::NodeKind::group;
            node.bits.assign(static_cast<std::size_t>((k + 63) / 64), 0);
            node.bits[static_cast<std::size_t>(test.rank / 64)] |= std::uint64_t{1}
                                                                   << (test.rank % 64);
        } else {
            node.kind = tree::NodeKind::each;
        }
    }

    bool may_split(const Node& node, Index depth) const {
        return depth < growth.max_depth && node.errors() > tolerance &&
               node.total() > 2 * growth.min_leaf - tolerance;
    }
};

struct PendingNode {
    std::int32_t node;
    Index depth;
    Cases cases;
};

} // namespace

Tree grow(const Table& table, const Growth& growth) {
    Tree tree{{Node{}}, table.n_classes};
    std::vector<PendingNode> pending;
    pending.push_back({0, 0, cases_of(table)});
    count_nodes(table, pending.back().cases, tree.nodes[0]);
    const Grower grower{table, growth, XLog2(table.labels.size), tree.nodes[0].total()};
    const std::vector<bool> counts = grower.counts_towards_mean();
    while (!pending.empty()) {
        runtime::poll_interrupt();
        const PendingNode now = std::move(pending.back());
        pending.pop_back();
        const auto at = static_cast<std::size_t>(now.node);
        if (!grower.may_split(tree.nodes[at], now.depth)) continue;
        const auto found = grower.candidates(now.cases, tree.nodes[at].total());
        const std::int32_t feature = grower.choose(found, counts);
        if (feature < 0) continue;
        grower.make_test(tree.nodes[at], feature, found[static_cast<std::size_t>(feature)]);
        const std::int32_t k =
            tree.nodes[at].kind == tree::NodeKind::each ? table.levels[feature] : 2;
        const auto first = static_cast<std::int32_t>(tree.nodes.size());
        for (std::int32_t b = 0; b < k; ++b) tree.nodes[at].children.push_back(first + b);
        tree.nodes.resize(tree.nodes.size() + static_cast<std::size_t>(k));
        auto branches = branches_of(table, tree.nodes[at], now.cases);
        for (std::int32_t b = 0; b < k; ++b) {
            Cases& cases = branches[static_cast<std::size_t>(b)];
            count_nodes(table, cases, tree.nodes[static_cast<std::size_t>(first + b)]);
            pending.push_back({first + b, now.depth + 1, std::move(cases)});
        }
    }
    return tree;
}

} // namespace gramian::c45
