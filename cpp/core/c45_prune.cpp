// Pruning of a C4.5 tree by what its nodes are expected to err on new cases.
#include "core/c45.hpp"
#include "core/pool.hpp"

#include <algorithm>
#include <cmath>

namespace gramian {

namespace {

constexpr double training_slack = 1e-3; // cases
constexpr double pruning_slack = 0.1;
constexpr double tolerance = 1e-6;

double training_errors(const C45Tree& tree, std::int32_t at) {
    const C45Node& node = tree.nodes[static_cast<std::size_t>(at)];
    if (node.is_leaf()) return node.errors();
    double errors = 0;
    for (const std::int32_t child : node.children) errors += training_errors(tree, child);
    return errors;
}

void collapse(C45Tree& tree, std::int32_t at) {
    C45Node& node = tree.nodes[static_cast<std::size_t>(at)];
    if (node.is_leaf()) return;
    if (training_errors(tree, at) >= node.errors() - training_slack) {
        node.make_leaf();
        return;
    }
    for (const std::int32_t child : node.children) collapse(tree, child);
}

// Upper limit of the error rate f = e/n (Witten, Frank, Hall and Pal 2017, section 6.1):
//     (f + z^2/2n + z sqrt(f/n - f^2/n + z^2/4n^2)) / (1 + z^2/n)
double upper_rate(double n, double e, double z) {
    const double f = e / n;
    return (f + z * z / (2 * n) + z * std::sqrt(f / n - f * f / n + z * z / (4 * n * n))) /
           (1 + z * z / n);
}

struct Pruner {
    C45Tree& tree;
    const C45Table& table;
    const C45Estimate& estimate;
    bool raising;

    C45Node& node(std::int32_t at) const { return tree.nodes[static_cast<std::size_t>(at)]; }

    double as_leaf(const C45Node& leaf) const { return estimate(leaf.total(), leaf.errors()); }

    double as_it_is(std::int32_t at) const {
        if (node(at).is_leaf()) return as_leaf(node(at));
        double errors = 0;
        for (const std::int32_t child : node(at).children) errors += as_it_is(child);
        return errors;
    }

    // What a subtree is expected to err if these cases come to it.
    double with_cases(std::int32_t at, const C45Cases& cases) const {
        if (node(at).is_leaf()) {
            C45Node leaf;
            c45_count(table, cases, leaf);
            return as_leaf(leaf);
        }
        double errors = 0;
        const auto branches = c45_branches(table, node(at), cases);
        for (std::size_t b = 0; b < branches.size(); ++b) {
            errors += with_cases(node(at).children[b], branches[b]);
        }
        return errors;
    }

    void count_again(std::int32_t at, const C45Cases& cases) const {
        c45_count(table, cases, node(at));
        if (node(at).is_leaf()) return;
        const auto branches = c45_branches(table, node(at), cases);
        for (std::size_t b = 0; b < branches.size(); ++b) {
            count_again(node(at).children[b], branches[b]);
        }
    }

    // Of branches that weigh the same, the last.
    std::int32_t largest_branch(std::int32_t at) const {
        std::int32_t largest = node(at).children.front();
        for (const std::int32_t child : node(at).children) {
            if (node(child).total() > node(largest).total() - tolerance) largest = child;
        }
        return largest;
    }

    void prune(std::int32_t at, const C45Cases& cases) const {
        poll_interrupt();
        if (node(at).is_leaf()) return;
        {
            const auto branches = c45_branches(table, node(at), cases);
            for (std::size_t b = 0; b < branches.size(); ++b) {
                prune(node(at).children[b], branches[b]);
            }
        }
        const std::int32_t largest = largest_branch(at);
        const double leaf = as_leaf(node(at)) - pruning_slack - tolerance;
        const double subtree = as_it_is(at);
        const double branch = raising ? with_cases(largest, cases) : HUGE_VAL;
        if (leaf <= subtree && leaf <= branch) {
            node(at).make_leaf();
        } else if (branch - pruning_slack - tolerance <= subtree) {
            const C45Node raised = node(largest);
            node(at) = raised;
            count_again(at, cases);
            prune(at, cases);
        }
    }
};

} // namespace

double C45Estimate::operator()(double n, double e) const {
    if (n < tolerance) return 0;
    return formula == Formula::normal ? n * upper_rate(n, e, z) : e + added(n, e);
}

double C45Estimate::added(double n, double e) const {
    if (e < 1) { // exact for no error; a straight line from there to one error
        const double none = n * (1 - std::pow(confidence, 1 / n));
        return e < tolerance ? none : none + e * (added(n, 1) - none);
    }
    if (e + 0.5 >= n) {
        const double share = formula == Formula::quinlan ? 0.67 : 1.0;
        return share * std::max(n - e, 0.0);
    }
    return n * upper_rate(n, e + 0.5, z) - e;
}

void c45_collapse(C45Tree& tree) {
    collapse(tree, 0);
}

void c45_prune(C45Tree& tree, const C45Table& table, const C45Estimate& estimate, bool raising) {
    Pruner{tree, table, estimate, raising}.prune(0, c45_cases(table));
}

} // namespace gramian
