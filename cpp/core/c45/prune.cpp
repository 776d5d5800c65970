// Pruning of a C4.5 tree by the errors that its nodes are expected to make on new cases.
#include "core/c45/tree.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>

namespace gramian::c45 {

namespace {

constexpr double training_slack = 1e-3; // cases
constexpr double pruning_slack = 0.1;
constexpr double tolerance = 1e-6;

// Of every reachable node, the weight that the leaves below it get wrong in training.
std::vector<double> training_errors(const Tree& tree, const std::vector<std::int32_t>& order) {
    std::vector<double> errors(tree.nodes.size(), 0.0);
    for (auto at = order.rbegin(); at != order.rend(); ++at) { // children before their parent
        const Node& node = tree.nodes[static_cast<std::size_t>(*at)];
        double& sum = errors[static_cast<std::size_t>(*at)];
        if (node.is_leaf()) sum = node.errors();
        for (const std::int32_t child : node.children)
            sum += errors[static_cast<std::size_t>(child)];
    }
    return errors;
}

// Upper limit of the error rate f = e/n (Witten, Frank, Hall and Pal 2017, section 6.1):
//     (f + z^2/2n + z sqrt(f/n - f^2/n + z^2/4n^2)) / (1 + z^2/n)
double upper_rate(double n, double e, double z) {
    const double f = e / n;
    return (f + z * z / (2 * n) + z * std::sqrt(f / n - f * f / n + z * z / (4 * n * n))) /
           (1 + z * z / n);
}

// A node on the way down, with the cases of its branches; trees may be deeper than the stack.
struct Visit {
    std::int32_t at;
    Cases cases;
    std::vector<Cases> branches;
    std::size_t next = 0; // branch
    double errors = 0;    // of the branches before it
};

class Pruner {
public:
    Pruner(Tree& tree, const Table& table, const Estimate& estimate, bool raising)
        : tree_(tree), table_(table), estimate_(estimate), raising_(raising) {}

    void prune() {
        visit_bottom_up(visit(0, cases_of(table_)), [&](Visit& now) {
            if (node(now.at).is_leaf()) {
                now.errors = as_leaf(node(now.at));
            } else if (const Change change = best_change(now); change == Change::to_leaf) {
                node(now.at).make_leaf();
                now.errors = as_leaf(node(now.at));
            } else if (change == Change::to_branch) {
                const Node raised = node(largest_branch(now.at));
                node(now.at) = raised;
                count_again(now.at, now.cases);
                now = visit(now.at, std::move(now.cases)); // which may be pruned further
                return false;
            }
            return true;
        });
    }

private:
    enum class Change { none, to_leaf, to_branch };

    Node& node(std::int32_t at) const { return tree_.nodes[static_cast<std::size_t>(at)]; }

    double as_leaf(const Node& leaf) const { return estimate_(leaf.total(), leaf.errors()); }

    Visit visit(std::int32_t at, Cases cases) const {
        Visit made{at, std::move(cases), {}};
        if (!node(at).is_leaf()) made.branches = branches_of(table_, node(at), made.cases);
        return made;
    }

    Visit next_visit(Visit& parent) const {
        const std::size_t branch = parent.next++;
        return visit(node(parent.at).children[branch], std::move(parent.branches[branch]));
    }

    Change best_change(const Visit& now) const {
        const double leaf = as_leaf(node(now.at)) - pruning_slack - tolerance;
        const double branch = raising_ ? with_cases(largest_branch(now.at), now.cases) : HUGE_VAL;
        if (leaf <= now.errors && leaf <= branch) return Change::to_leaf;
        return branch - pruning_slack - tolerance <= now.errors ? Change::to_branch : Change::none;
    }

    // A visit adds up the expected errors of its branches, then calls finish(visit), which returns
    // whether the visit is over. Returns the expected errors of the first visit.
    template <typename Finish>
    double visit_bottom_up(Visit first, const Finish& finish) const {
        std::vector<Visit> visits;
        visits.push_back(std::move(first));
        while (true) {
            runtime::poll_interrupt();
            Visit& now = visits.back();
            if (now.next < now.branches.size()) {
                visits.push_back(next_visit(now));
                continue;
            }
            if (!finish(now)) continue;
            const double errors = now.errors;
            visits.pop_back();
            if (visits.empty()) return errors;
            visits.back().errors += errors;
        }
    }

    // The expected errors of a subtree on these cases.
    double with_cases(std::int32_t root, const Cases& cases) const {
        return visit_bottom_up(visit(root, cases), [&](Visit& now) {
            if (now.branches.empty()) {
                Node leaf;
                count_nodes(table_, now.cases, leaf);
                now.errors = as_leaf(leaf);
            }
            return true;
        });
    }

    void count_again(std::int32_t root, const Cases& cases) const {
        std::vector<Visit> waiting;
        waiting.push_back(visit(root, cases));
        while (!waiting.empty()) {
            Visit now = std::move(waiting.back());
            waiting.pop_back();
            count_nodes(table_, now.cases, node(now.at));
            while (now.next < now.branches.size()) {
                waiting.push_back(next_visit(now));
            }
        }
    }

    // The heaviest branch; the last one in a tie.
    std::int32_t largest_branch(std::int32_t at) const {
        std::int32_t largest = node(at).children.front();
        for (const std::int32_t child : node(at).children) {
            if (node(child).total() > node(largest).total() - tolerance) largest = child;
        }
        return largest;
    }

    Tree& tree_;
    const Table& table_;
    const Estimate& estimate_;
    const bool raising_;
};

} // namespace

double Estimate::operator()(double n, double e) const {
    if (n < tolerance) return 0;
    return formula == Formula::normal ? n * upper_rate(n, e, z) : e + added(n, e);
}

double Estimate::added(double n, double e) const {
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

void collapse(Tree& tree) {
    const std::vector<std::int32_t> order = tree.by_level();
    const std::vector<double> errors = training_errors(tree, order);
    for (const std::int32_t at : order) { // below a leaf made here nothing changes the answer
        Node& node = tree.nodes[static_cast<std::size_t>(at)];
        if (node.is_leaf()) continue;
        if (errors[static_cast<std::size_t>(at)] >= node.errors() - training_slack) {
            node.make_leaf();
        }
    }
}

void prune(Tree& tree, const Table& table, const Estimate& estimate, bool raising) {
    Pruner(tree, table, estimate, raising).prune();
}

} // namespace gramian::c45
