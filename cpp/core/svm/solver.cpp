#include "core/svm/solver.hpp"

#include "core/runtime/pool.hpp"
#include "core/svm/machine_rows.hpp"
#include "core/svm/rounding.hpp"
#include "core/svm/small_machine.hpp"
#include "core/svm/working_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace gramian::svm {
namespace {

constexpr Index kWorkingSet = 256; // its kernel values are 256 KB, half of an L2 cache
constexpr Index kTwoHalves = 384;  // where points have two variables, few of which share a point
// For machines solved in parallel, mostly pairs of classes with few support vectors: a larger
// working set would compute rows that no step needs.
constexpr Index kSmallSet = 128;
constexpr Index kFewPoints = 4096;
constexpr Index kShrinkEvery = 8; // rounds
constexpr double kWorthShrinking = 0.75;
constexpr int kMostUnshrinks = 2;
constexpr Index kLongRound = 1 << 18;  // steps between two checks for Ctrl-C
constexpr Index kParallelMachines = 4; // machines from which on threads take one each
constexpr double kRounding = 1e-13;
constexpr double kLargestSingle = 1e30;
constexpr int kMostRefreshes = 3;
constexpr Index kManySmall = 32; // small machines that a thread takes at once

// Variables of a working set, of which `settings.working` kernel values may be held.
Index working_set_of(const Machine& machine, const Settings& settings) {
    const Index n = machine.ids.size, large = machine.halves == 2 ? kTwoHalves : kWorkingSet;
    const bool small = settings.in_parallel && n > kWorkingSet && n < kFewPoints;
    return std::clamp<Index>(settings.working / padded(n), 16, small ? kSmallSet : large);
}

// On kernel values of type V; double precision only on points that are their own `exact`.
template <typename V>
class Solver {
public:
    Solver(const Points& points, const Machine& machine, const Settings& settings,
           RowMemory<V>& memory)
        : points_(points), machine_(machine), settings_(settings), n_(machine.ids.size),
          most_(working_set_of(machine, settings)), variables_(machine),
          rows_(points, variables_, memory, settings.cache, std::min(n_, most_)),
          working_(points, variables_, std::min(most_, padded(variables_.size()))) {}

    Solution run() {
        start_gradient();
        double past = std::numeric_limits<double>::infinity(); // violation of the round before
        while (true) {
            runtime::poll_interrupt();
            variables_.find_extremes();
            const double violation = variables_.largest_violation();
            target_ = target_violation(settings_, slack_of(variables_, settings_));
            if (!(violation >= target_) || steps_ >= settings_.max_steps || stalled_) {
                if (variables_.is_shrunk() && restore()) continue;
                if (!kSingle && refresh()) continue;
                break;
            }
            if (settings_.shrinking && variables_.size() > most_ && ++rounds_ % kShrinkEvery == 0 &&
                unshrinks_ < kMostUnshrinks) {
                shrink();
            }
            round(violation, past);
            past = violation;
        }
        return finish();
    }

private:
    static constexpr bool kSingle = sizeof(V) == sizeof(float);

    // gradient = K b at the start.
    void start_gradient() {
        if (machine_.known) {
            std::copy(machine_.gradient, machine_.gradient + n_, variables_.gradient.begin());
        } else {
            rows_.add_all(variables_.gradient.data());
        }
    }

    // Recomputes the gradient of all points, which removes the rounding errors of the steps.
    // Returns whether there is more to do.
    bool refresh() {
        if (!moved_since_ || refreshes_ >= kMostRefreshes || steps_ >= settings_.max_steps) {
            return false;
        }
        ++refreshes_;
        moved_since_ = false;
        if (!rows_.whole()) rows_.restore();
        std::fill(variables_.gradient.begin(), variables_.gradient.end(), 0.0);
        rows_.add_all(variables_.gradient.data());
        variables_.find_extremes();
        if (!(variables_.largest_violation() >= target_)) return false;
        stalled_ = false;
        return true;
    }

    // Chooses a working set, solves its subproblem, and updates the gradient of all points.
    void round(double violation, double past) {
        working_.choose();
        const std::vector<V*> none;
        const std::vector<V*>& kernel_rows =
            working_.reads_rows() ? rows_.fetch(working_.variables()) : none;
        // If a round did not help, the next one uses a smaller tolerance.
        const Index size = working_.size();
        const bool whole = size == variables_.size();
        const double share = whole ? 0 : violation < past ? 0.3 : 0.15;
        const double tol = std::max(share * violation, 0.5 * settings_.tol);
        const Index limit =
            std::min(settings_.max_steps - steps_, whole ? kLongRound : 40 * size + 1000);
        steps_ += solver_kernels<V>().solve(working_.block(kernel_rows, tol, limit)).steps;
        moved_.clear();
        changes_.clear();
        for (Index k = 0; k < size; ++k) {
            const std::int32_t v = working_.variables()[k];
            const double alpha = working_.alpha(k);
            const double change = working_.sign(k) * (alpha - machine_.alpha[v]);
            if (change == 0) continue;
            variables_.set_alpha(v, alpha);
            moved_.push_back(v);
            changes_.push_back(change);
            largest_change_ = std::max(largest_change_, std::abs(alpha * working_.diagonal(k)));
        }
        // Violations below the rounding error of the scores cannot be reduced.
        const double highest =
            std::max(std::abs(variables_.top[0]), std::abs(variables_.bottom[0]));
        moved_since_ = moved_since_ || !moved_.empty();
        stalled_ = moved_.empty() || violation <= kRounding * (largest_change_ + highest);
        rows_.add_changes(moved_, changes_, variables_.gradient.data());
    }

    void shrink() {
        const std::vector<std::int32_t> columns = variables_.columns_to_keep();
        if (static_cast<double>(columns.size()) >
            kWorthShrinking * static_cast<double>(variables_.active.size())) {
            return;
        }
        variables_.keep(columns);
        rows_.shrink(columns);
    }

    // Restores all points after updating the gradients of the removed ones. Returns whether there
    // is more to do.
    bool restore() {
        for (Variables::RemovedPoints& out : variables_.removed) rows_.update_removed(out);
        variables_.restore_all();
        ++unshrinks_;
        variables_.find_extremes();
        if (!(variables_.largest_violation() >= target_) || steps_ >= settings_.max_steps) {
            return false;
        }
        stalled_ = false;
        rows_.restore();
        return true;
    }

    Solution finish() {
        variables_.find_extremes();
        return solution_of(points_, variables_, settings_, steps_,
                           rows_.entries() + working_.entries());
    }

    const Points& points_;
    const Machine& machine_;
    const Settings& settings_;
    Index n_;
    Index most_; // size of the working set
    Variables variables_;
    MachineRows<V> rows_;
    WorkingSet<V> working_;
    Index steps_ = 0, rounds_ = 0;
    int unshrinks_ = 0, refreshes_ = 0;
    bool stalled_ = false, moved_since_ = false; // since the gradient was computed anew
    double target_ = 0;                          // violation below which all is done
    double largest_change_ = 0;
    std::vector<std::int32_t> moved_; // variables of the last round, and how their values changed
    std::vector<double> changes_;
};

// Solves some of the machines, in parallel or one after the other.
template <typename Solve>
void solve_each(const std::vector<Index>& chosen, bool in_parallel, Index at_once,
                const Solve& solve) {
    const Index count = static_cast<Index>(chosen.size());
    if (!in_parallel) {
        for (const Index k : chosen) solve(k);
        return;
    }
    const runtime::Blocks blocks{count, at_once};
    runtime::parallel_for(blocks.count(), [&](Index b) {
        for (Index c = blocks.begin(b); c < blocks.end(b); ++c) solve(chosen[c]);
    });
}

// Solves the chosen machines with kernel values of type V.
template <typename V>
void solve_with_precision(const Points& points, const std::vector<Machine>& machines,
                          const std::vector<Index>& chosen, Settings settings,
                          Solution* solutions) {
    constexpr Index kValues = std::is_same_v<V, double> ? 2 : 1; // floats that a value takes
    settings.cache /= kValues;
    settings.working /= kValues;
    Index room = 0;
    for (const Index k : chosen) {
        const Index n = machines[k].ids.size;
        const Index least = std::min(n, working_set_of(machines[k], settings));
        room = std::max(room, RowCache<V>::room_needed(n, padded(n), settings.cache, least));
    }
    RowMemory<V> memory(room);
    solve_each(chosen, settings.in_parallel, 1, [&](Index k) {
        solutions[k] = Solver<V>(points, machines[k], settings, memory).run();
    });
}

} // namespace

Solution solution_of(const Points& points, const Variables& variables, const Settings& settings,
                     Index steps, Index entries) {
    const Machine& machine = variables.machine;
    const std::vector<double>& gradient = variables.gradient;
    double value = 0, missing = 0;
    for (Index i = 0; i < variables.points; ++i) {
        const double b = variables.value_of(i);
        value += 0.5 * b * gradient[i];
        if (b != 0) missing += b * points.shift_term(machine.ids[i]);
    }
    for (Index v = 0; v < variables.size(); ++v) {
        value += machine.offset[v] * machine.sign[v] * machine.alpha[v];
    }
    std::copy(gradient.begin(), gradient.begin() + variables.points, machine.gradient);
    const double first = variables.level(0);
    const double second = variables.groups == 2 ? variables.level(1) : first;
    // Scores are -(K b): b_i k(x_i, x) - rho is zero on the boundary.
    const double rho = missing - (first + second) / 2, r = (second - first) / 2;
    const double violation = variables.largest_violation(), slack = slack_of(variables, settings);
    const bool certain = std::isfinite(violation) && slack <= kPartOfTol * settings.tol;
    // Rounding below the tolerance does not count against a solution that meets it.
    const double largest = slack < settings.tol ? violation : violation + slack;
    return {rho, r, value, largest, steps, entries, certain};
}

void solve_all(const Points& points, const std::vector<Machine>& machines, Settings settings,
               Solution* solutions) {
    const Index count = static_cast<Index>(machines.size());
    settings.in_parallel = count >= kParallelMachines;
    // The size of working sets must not depend on the threads; the size of the cache may.
    settings.working = settings.cache / (settings.in_parallel ? 2 * kParallelMachines : 2);
    if (settings.in_parallel) settings.cache /= std::min<Index>(count, runtime::num_threads());
    std::vector<Index> small, large;
    for (Index k = 0; k < count; ++k) {
        const bool few = machines[k].halves * machines[k].ids.size <= kSmallMachine;
        (few ? small : large).push_back(k);
    }
    settings.error = points.single_error();
    const bool single = settings.error < kLargestSingle;
    if (single && !large.empty())
        solve_with_precision<float>(points, machines, large, settings, solutions);
    // The machines that have not converged although they have steps left.
    std::vector<Index> unfinished;
    for (const Index k : large) {
        const bool spent = single && solutions[k].steps >= settings.max_steps;
        if (!single || (!spent && !(solutions[k].certain && solutions[k].largest < settings.tol))) {
            unfinished.push_back(k);
        }
    }
    if (small.empty() && unfinished.empty()) return;
    const Points& exact = points.exact();
    Settings exact_settings = settings;
    exact_settings.error = exact.exact_error();
    solve_each(small, settings.in_parallel, kManySmall,
               [&](Index k) { solutions[k] = solve_small(exact, machines[k], exact_settings); });
    if (unfinished.empty()) return;
    std::vector<Machine> rest;
    std::vector<Index> all(unfinished.size());
    std::vector<Solution> found(unfinished.size());
    Index most = 0;
    for (std::size_t c = 0; c < unfinished.size(); ++c) {
        rest.push_back(machines[unfinished[c]]);
        rest.back().known = false;
        all[c] = static_cast<Index>(c);
        if (single) most = std::max(most, solutions[unfinished[c]].steps);
    }
    exact_settings.max_steps -= most;
    solve_with_precision<double>(exact, rest, all, exact_settings, found.data());
    for (std::size_t c = 0; c < unfinished.size(); ++c) {
        Solution& solution = solutions[unfinished[c]];
        if (single) {
            found[c].steps += solution.steps;
            found[c].entries += solution.entries;
        }
        solution = found[c];
    }
}

} // namespace gramian::svm
