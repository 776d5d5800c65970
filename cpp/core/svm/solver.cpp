#include "core/svm/solver.hpp"

#include "core/runtime/pool.hpp"
#include "core/svm/machine_rows.hpp"
#include "core/svm/working_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gramian::svm {
namespace {

constexpr Index kWorkingSet = 256; // its kernel values are 256 KB, half of an L2 cache
constexpr Index kTwoHalves = 384;  // where points have two variables, few of which share a point
// Of machines side by side, mostly pairs of classes with few vectors between them: more would be
// rows that no step needs.
constexpr Index kSmallSet = 128;
constexpr Index kFewPoints = 4096;
constexpr Index kShrinkEvery = 8; // rounds
constexpr double kWorthShrinking = 0.75;
constexpr int kMostUnshrinks = 2;
constexpr Index kLongRound = 1 << 18; // steps between two looks for Ctrl-C
constexpr Index kSideBySide = 4;      // machines from which on threads take one each
constexpr double kRounding = 1e-13;

// Variables of a working set, of which `settings.working` kernel values may be held.
Index working_set_of(const Machine& machine, const Settings& settings) {
    const Index n = machine.ids.size, large = machine.halves == 2 ? kTwoHalves : kWorkingSet;
    const bool small = settings.side_by_side && n > kWorkingSet && n < kFewPoints;
    return std::clamp<Index>(settings.working / padded(n), 16, small ? kSmallSet : large);
}

class Solver {
public:
    Solver(const Points& points, const Machine& machine, const Settings& settings,
           RowMemory& memory)
        : machine_(machine), settings_(settings), n_(machine.ids.size),
          most_(working_set_of(machine, settings)), variables_(machine),
          rows_(points, variables_, memory, settings.cache, std::min(n_, most_)),
          working_(points, variables_, most_) {}

    Solution run() {
        start_gradient();
        double past = std::numeric_limits<double>::infinity(); // violation of the round before
        while (true) {
            runtime::poll_interrupt();
            variables_.find_extremes();
            const double violation = variables_.largest_violation();
            if (!(violation >= settings_.tol) || steps_ >= settings_.max_steps || stalled_) {
                if (variables_.shrunken() && restore()) continue;
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
    // gradient = K b at the start.
    void start_gradient() {
        if (machine_.known) {
            std::copy(machine_.gradient, machine_.gradient + n_, variables_.gradient.begin());
        } else {
            rows_.add_all(variables_.gradient.data());
        }
    }

    // Chooses a working set, solves its machine, and adds what changed to the gradient of all.
    void round(double violation, double past) {
        working_.choose();
        const std::vector<float*> none;
        const std::vector<float*>& kernel_rows =
            working_.reads_rows() ? rows_.fetch(working_.variables()) : none;
        // Where a round did not help, the next one goes further.
        const Index size = working_.size();
        const bool whole = size == variables_.size();
        const double share = whole ? 0 : violation < past ? 0.3 : 0.15;
        const double tol = std::max(share * violation, 0.5 * settings_.tol);
        const Index limit =
            std::min(settings_.max_steps - steps_, whole ? kLongRound : 40 * size + 1000);
        steps_ += solver_kernels().solve(working_.block(kernel_rows, tol, limit)).steps;
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
        // Below what rounding leaves of the scores, steps lead nowhere.
        const double highest =
            std::max(std::abs(variables_.top[0]), std::abs(variables_.bottom[0]));
        stalled_ = moved_.empty() || violation <= kRounding * (largest_change_ + highest);
        rows_.add_changes(moved_, changes_, variables_.gradient.data());
    }

    void shrink() {
        const std::vector<std::int32_t> columns = variables_.unsettled();
        if (static_cast<double>(columns.size()) >
            kWorthShrinking * static_cast<double>(variables_.active.size())) {
            return;
        }
        variables_.keep(columns);
        rows_.shrink(columns);
    }

    // Brings all points back, the gradient of those left out followed to where it is now. Tells
    // whether there is more to do.
    bool restore() {
        for (Variables::LeftOut& out : variables_.left_out) rows_.follow(out);
        variables_.bring_back();
        ++unshrinks_;
        variables_.find_extremes();
        if (!(variables_.largest_violation() >= settings_.tol) || steps_ >= settings_.max_steps) {
            return false;
        }
        stalled_ = false;
        rows_.restore();
        return true;
    }

    Solution finish() {
        variables_.find_extremes();
        const std::vector<double>& gradient = variables_.gradient;
        double value = 0;
        for (Index i = 0; i < n_; ++i) value += 0.5 * variables_.value_of(i) * gradient[i];
        for (Index v = 0; v < variables_.size(); ++v) {
            value += machine_.offset[v] * machine_.sign[v] * machine_.alpha[v];
        }
        std::copy(gradient.begin(), gradient.begin() + n_, machine_.gradient);
        const double first = variables_.level(0);
        const double second = variables_.groups == 2 ? variables_.level(1) : first;
        // Scores are -(K b): b_i k(x_i, x) - rho is zero on the boundary.
        const double rho = -(first + second) / 2, r = (second - first) / 2;
        const Index entries = rows_.entries() + working_.entries();
        return {rho, r, value, variables_.largest_violation(), steps_, entries};
    }

    const Machine& machine_;
    const Settings& settings_;
    Index n_;
    Index most_; // size of the working set
    Variables variables_;
    MachineRows rows_;
    WorkingSet working_;
    Index steps_ = 0, rounds_ = 0;
    int unshrinks_ = 0;
    bool stalled_ = false;
    double largest_change_ = 0;
    std::vector<std::int32_t> moved_; // variables of the last round, and how their values changed
    std::vector<double> changes_;
};

} // namespace

void solve_all(const Points& points, const std::vector<Machine>& machines, Settings settings,
               Solution* solutions) {
    const Index count = static_cast<Index>(machines.size());
    settings.side_by_side = count >= kSideBySide;
    // The size of working sets must not depend on the threads; what is kept of the rows may.
    settings.working = settings.cache / (settings.side_by_side ? 2 * kSideBySide : 2);
    if (settings.side_by_side) settings.cache /= std::min<Index>(count, runtime::num_threads());
    Index room = 0;
    for (const Machine& machine : machines) {
        const Index n = machine.ids.size, least = std::min(n, working_set_of(machine, settings));
        room = std::max(room, RowCache::room_for(n, padded(n), settings.cache, least));
    }
    RowMemory memory(room);
    const auto one = [&](Index k) {
        solutions[k] = Solver(points, machines[k], settings, memory).run();
    };
    if (settings.side_by_side) {
        runtime::parallel_for(count, one);
    } else {
        for (Index k = 0; k < count; ++k) one(k);
    }
}

} // namespace gramian::svm
