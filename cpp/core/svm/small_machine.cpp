#include "core/svm/small_machine.hpp"

#include "core/runtime/pool.hpp"
#include "core/svm/rounding.hpp"

#include <limits>

namespace gramian::svm {
namespace {

constexpr int kMostRounds = 50; // each starts from a recomputed gradient
constexpr double kInfinity = std::numeric_limits<double>::infinity();

class SmallMachine {
public:
    SmallMachine(const Points& points, const Machine& machine, const Settings& settings)
        : points_(points), machine_(machine), settings_(settings), all_(machine),
          size_(all_.size()), room_(padded(size_)), width_(padded(all_.points)) {
        double* to[kSmallMachine];
        for (Index i = 0; i < all_.points; ++i) to[i] = values_ + i * width_;
        points.columns(machine.ids.data, all_.points)
            ->rows(points, machine.ids.data, all_.points, 0, all_.points, to);
        std::fill(kernel_, kernel_ + room_ * room_, 0.0);
        std::fill(diagonal_, diagonal_ + room_, 0.0);
        std::fill(score_, score_ + room_, 0.0);
        for (Index k = 0; k < size_; ++k) {
            const double* const row = values_ + all_.point(k) * width_;
            for (Index l = 0; l < size_; ++l) kernel_[k * room_ + l] = row[all_.point(l)];
            diagonal_[k] = row[all_.point(k)];
            group_[k] = all_.group(k);
        }
    }

    Solution run() {
        Index steps = 0;
        for (int round = 0; round < kMostRounds; ++round) {
            runtime::poll_interrupt();
            set_gradient();
            all_.find_extremes();
            const double target = target_violation(settings_, slack_of(all_, settings_));
            if (!(all_.largest_violation() >= target) || steps >= settings_.max_steps) break;
            const Index made = solve(settings_.max_steps - steps);
            if (made == 0) break;
            steps += made;
        }
        return solution_of(points_, all_, settings_, steps, all_.points * all_.points);
    }

private:
    void set_gradient() {
        double b[kSmallMachine];
        for (Index i = 0; i < all_.points; ++i) b[i] = all_.value_of(i);
        for (Index i = 0; i < all_.points; ++i) {
            double sum = 0;
            for (Index j = 0; j < all_.points; ++j) sum += b[j] * values_[i * width_ + j];
            all_.gradient[i] = sum;
        }
    }

    Index solve(Index most) {
        std::fill(up_, up_ + all_.groups * room_, -kInfinity);
        std::fill(down_, down_ + all_.groups * room_, kInfinity);
        for (Index k = 0; k < size_; ++k) {
            score_[k] = all_.score(k);
            alpha_[k] = machine_.alpha[k];
            if (all_.can_rise(k)) up_[group_[k] * room_ + k] = 0;
            if (all_.can_fall(k)) down_[group_[k] * room_ + k] = 0;
        }
        const Index limit = std::min(most, Index{1} << 18);
        const BlockResult result = solver_kernels<double>().solve(
            {room_, kernel_, diagonal_, score_, up_, down_, all_.groups, machine_.sign,
             machine_.upper, group_, alpha_, 0.5 * settings_.tol, limit});
        for (Index k = 0; k < size_; ++k) all_.set_alpha(k, alpha_[k]);
        return result.steps;
    }

    const Points& points_;
    const Machine& machine_;
    const Settings& settings_;
    Variables all_;
    Index size_, room_, width_;
    double values_[kSmallMachine * kSmallMachine]; // between points
    double kernel_[kSmallMachine * kSmallMachine]; // between variables
    double diagonal_[kSmallMachine], score_[kSmallMachine], alpha_[kSmallMachine];
    double up_[2 * kSmallMachine], down_[2 * kSmallMachine];
    std::int32_t group_[kSmallMachine];
};

} // namespace

Solution solve_small(const Points& points, const Machine& machine, const Settings& settings) {
    return SmallMachine(points, machine, settings).run();
}

} // namespace gramian::svm
