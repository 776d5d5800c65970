#include "core/lasso/path.hpp"

#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gramian::lasso {
namespace {

constexpr Index kFirst = 64;         // columns that may enter at once, at least
constexpr Index kLargestGram = 5000; // 200 MB
constexpr double kRounding = 1e-13;  // relative increase of the objective that counts as rounding

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

} // namespace

Path::Path(Columns& columns, Vector<const double> y)
    : columns_(columns), p_(columns.count()), y_(y.begin(), y.end()),
      start_(static_cast<std::size_t>(p_)), yy_(dot(y_, y_)), residual_(y_),
      last_l1_(std::numeric_limits<double>::infinity()), place_(static_cast<std::size_t>(p_), -1),
      largest_gram_(std::min(kLargestGram, 256 + 4 * columns.values_per_column())) {
    std::vector<Index> all(static_cast<std::size_t>(p_));
    std::iota(all.begin(), all.end(), Index{0});
    columns_.correlate(all, residual_.data(), start_.data());
    correlation_ = start_;
}

void Path::restart(Vector<const double> coef) {
    columns_.clear();
    solver_.clear();
    by_gram_ = true;
    working_.clear();
    std::fill(place_.begin(), place_.end(), -1);
    q_.clear();
    b_.clear();
    g_.clear();
    std::vector<Index> entering;
    for (Index j = 0; j < p_; ++j) {
        const bool moves = columns_.squares()[static_cast<std::size_t>(j)] > 0;
        if (coef[j] != 0 && moves) entering.push_back(j);
    }
    enter(entering);
    for (std::size_t k = 0; k < working_.size(); ++k) b_[k] = coef[working_[k]];
    update_residual();
    std::vector<Index> all(static_cast<std::size_t>(p_));
    std::iota(all.begin(), all.end(), Index{0});
    columns_.correlate(all, residual_.data(), correlation_.data());
    last_l1_ = std::numeric_limits<double>::infinity();
}

Result Path::solve(Shrinkage shrinkage, double tol, Index max_sweeps, Vector<double> coef) {
    // Columns outside the working set: those in `likely` may enter by the strong rule, which can
    // err. The `others` are checked before the end, so that the gap is that of the whole problem.
    const double likely_from = 2 * shrinkage.l1 - std::min(last_l1_, 2 * shrinkage.l1);
    std::vector<Index> likely, others;
    for (Index j = 0; j < p_; ++j) {
        const auto at = static_cast<std::size_t>(j);
        if (!(columns_.squares()[at] > 0) || place_[at] >= 0) continue;
        const bool strong = shrinkage.gradient_size(correlation_[at], 0) >= likely_from;
        (strong ? likely : others).push_back(j);
    }
    enter(violating_columns(likely, shrinkage));

    Result result{0, 0, false};
    double inner_tol = 0.3 * tol;
    double value = objective(shrinkage, residual_, b_.data());
    while (true) {
        runtime::poll_interrupt();
        const std::vector<double> b = b_, residual = residual_;
        result.sweeps += solve_working(shrinkage, inner_tol, max_sweeps - result.sweeps).sweeps;
        update_residual();
        const double after = objective(shrinkage, residual_, b_.data());
        if (after <= value + kRounding * value) {
            value = std::min(value, after);
        } else { // a minimum by the Gram matrix that the data do not confirm
            b_ = b;
            residual_ = residual;
        }
        const bool last_iteration = result.sweeps >= max_sweeps;

        const auto outside = [&](const std::vector<Index>& columns) {
            std::vector<Index> found;
            for (const Index j : columns) {
                if (place_[static_cast<std::size_t>(j)] < 0) found.push_back(j);
            }
            return found;
        };
        const std::vector<Index> near = outside(likely);
        columns_.correlate(near, residual_.data(), correlation_.data());
        std::vector<Index> entering = violating_columns(near, shrinkage);
        if (!entering.empty() && !last_iteration) {
            enter(entering);
            continue;
        }
        const std::vector<Index> far = outside(others);
        columns_.correlate(far, residual_.data(), correlation_.data());
        columns_.correlate(working_, residual_.data(), correlation_.data());
        double steepest = 0;
        for (const Index j : near) {
            steepest = std::max(
                steepest, shrinkage.gradient_size(correlation_[static_cast<std::size_t>(j)], 0));
        }
        for (const Index j : far) {
            steepest = std::max(
                steepest, shrinkage.gradient_size(correlation_[static_cast<std::size_t>(j)], 0));
        }
        for (std::size_t k = 0; k < working_.size(); ++k) {
            const double c = correlation_[static_cast<std::size_t>(working_[k])];
            steepest = std::max(steepest, shrinkage.gradient_size(c, b_[k]));
        }
        result.gap = duality_gap(y_, residual_, b_, shrinkage, steepest);
        result.converged = result.gap <= tol;
        entering = violating_columns(far, shrinkage);
        const bool stuck = entering.empty() && inner_tol <= 1e-3 * tol;
        if (result.converged || last_iteration || stuck) break;
        if (entering.empty()) inner_tol *= 0.1;
        enter(entering);
    }
    last_l1_ = shrinkage.l1;
    std::fill(coef.begin(), coef.end(), 0.0);
    for (std::size_t k = 0; k < working_.size(); ++k) coef[working_[k]] = b_[k];
    return result;
}

Result Path::solve_working(Shrinkage shrinkage, double tol, Index max_sweeps) {
    if (!by_gram_) {
        return solve_columns(columns_, working_, y_, shrinkage, tol, max_sweeps, b_, residual_);
    }
    const Index m = static_cast<Index>(working_.size());
    const auto from_data = [&](const double* b) {
        std::vector<double> residual = y_;
        columns_.subtract(b, residual.data());
        return objective(shrinkage, residual, b);
    };
    return solver_.solve({{gram_.data(), gram_.stride(), m}, q_.data(), yy_}, shrinkage,
                         {tol, max_sweeps}, b_.data(), g_.data(), false, from_data);
}

// The columns that violate optimality most, |gradient| > l1: at most twice as many as there are
// coefficients.
std::vector<Index> Path::violating_columns(const std::vector<Index>& candidates,
                                           Shrinkage shrinkage) const {
    const auto gradient_size = [&](Index j) {
        return shrinkage.gradient_size(correlation_[static_cast<std::size_t>(j)], 0);
    };
    std::vector<Index> found;
    for (const Index j : candidates) {
        if (gradient_size(j) > shrinkage.l1) found.push_back(j);
    }
    const Index support = static_cast<Index>(b_.size()) - std::count(b_.begin(), b_.end(), 0.0);
    const auto most = static_cast<std::size_t>(std::max(kFirst, 2 * support));
    if (found.size() > most) {
        std::nth_element(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(most),
                         found.end(),
                         [&](Index a, Index b) { return gradient_size(a) > gradient_size(b); });
        found.resize(most);
        std::sort(found.begin(), found.end());
    }
    return found;
}

void Path::enter(const std::vector<Index>& entering) {
    if (entering.empty()) return;
    const Index before = static_cast<Index>(working_.size());
    const Index after = before + static_cast<Index>(entering.size());
    if (after > largest_gram_) {
        by_gram_ = false;
        columns_.end_products();
        gram_.clear();
    } else if (after > gram_.stride()) {
        gram_.grow(before, std::min(std::max(after + after / 2, 4 * kFirst), std::max(p_, after)));
    }
    columns_.enter(entering, by_gram_ ? gram_.data() : nullptr, gram_.stride());
    for (const Index j : entering) {
        place_[static_cast<std::size_t>(j)] = static_cast<Index>(working_.size());
        working_.push_back(j);
        q_.push_back(start_[static_cast<std::size_t>(j)]);
    }
    b_.resize(working_.size());
    g_.resize(working_.size());
}

double Path::objective(Shrinkage shrinkage, const std::vector<double>& residual,
                       const double* b) const {
    return dot(residual, residual) / 2 + shrinkage.penalty(b, static_cast<Index>(b_.size()));
}

void Path::update_residual() {
    residual_ = y_;
    columns_.subtract(b_.data(), residual_.data());
}

} // namespace gramian::lasso
