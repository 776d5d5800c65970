#include "core/lasso/logistic.hpp"

#include "core/losses/conjugate.hpp"
#include "core/passes/gradient.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gramian::lasso {
namespace {

constexpr Index kFirst = 64;
constexpr double kNear = 0.9; // members whose |gradient| exceeds this times l1 are active in a step

} // namespace

LogisticPath::LogisticPath(Columns& columns, Vector<const double> y, Vector<const double> weights,
                           bool intercept)
    : columns_(columns), n_(columns.rows()), p_(columns.count()), y_(y.begin(), y.end()),
      s_(weights.begin(), weights.end()), start_(static_cast<std::size_t>(p_)),
      intercept_(intercept), z_(static_cast<std::size_t>(n_)),
      place_(static_cast<std::size_t>(p_), -1) {
    fit_intercept();
    null_value_ = rates_.value;
    std::vector<Index> all(static_cast<std::size_t>(p_));
    std::iota(all.begin(), all.end(), Index{0});
    columns_.correlate(all, rates_.negative_gradient.data(), start_.data());
    correlation_ = start_;
}

// The loss at margins z; t and h too where asked for.
double LogisticPath::loss(const std::vector<double>& z, Rates* rates) {
    Rates local;
    Rates& to = rates ? *rates : local;
    to.negative_gradient = z;
    to.curvature.resize(z.size());
    const auto block = passes::pass_kernels().losses[static_cast<int>(losses::Loss::logistic)];
    to.value = block(n_, to.negative_gradient.data(), y_.data(), s_.data(), to.curvature.data());
    for (double& t : to.negative_gradient) t = -t;
    return to.value;
}

// Newton's method on the intercept alone, until the gradients sum to 0.
void LogisticPath::fit_intercept() {
    loss(z_, &rates_);
    if (!intercept_) return;
    const double total = std::accumulate(s_.begin(), s_.end(), 0.0);
    for (int iteration = 0; iteration < 30; ++iteration) {
        const double negative_gradient =
            std::accumulate(rates_.negative_gradient.begin(), rates_.negative_gradient.end(), 0.0);
        const double curvature =
            std::accumulate(rates_.curvature.begin(), rates_.curvature.end(), 0.0);
        if (std::abs(negative_gradient) <= 1e-13 * total) break;
        const double step =
            std::clamp(negative_gradient / std::max(curvature, 1e-12 * total), -2.0, 2.0);
        c_ += step;
        for (double& z : z_) z += step;
        loss(z_, &rates_);
    }
}

Result LogisticPath::solve(double l1, double l2, double tol, Index max_steps, Vector<double> coef,
                           double* intercept) {
    std::vector<Index> outside;
    Result result{0, 0, false};
    double inner_tol = 0.3 * tol;
    while (true) {
        runtime::poll_interrupt();
        std::vector<Index> entering;
        for (Index j = 0; j < p_; ++j) {
            const auto at = static_cast<std::size_t>(j);
            const bool moves = place_[at] < 0 && columns_.squares()[at] > 0;
            if (moves && std::abs(correlation_[at]) > l1) entering.push_back(j);
        }
        const Index support = static_cast<Index>(b_.size()) - std::count(b_.begin(), b_.end(), 0.0);
        const auto most = static_cast<std::size_t>(std::max(kFirst, 2 * support));
        if (entering.size() > most) {
            std::nth_element(entering.begin(), entering.begin() + static_cast<std::ptrdiff_t>(most),
                             entering.end(), [&](Index a, Index b) {
                                 return std::abs(correlation_[static_cast<std::size_t>(a)]) >
                                        std::abs(correlation_[static_cast<std::size_t>(b)]);
                             });
            entering.resize(most);
            std::sort(entering.begin(), entering.end());
        }
        if (result.sweeps > 0 && entering.empty()) {
            if (inner_tol <= 1e-3 * tol) break;
            inner_tol *= 0.1;
        }
        columns_.enter(entering, nullptr, 0);
        for (const Index j : entering) {
            place_[static_cast<std::size_t>(j)] = static_cast<Index>(working_.size());
            working_.push_back(j);
        }
        b_.resize(working_.size());
        solve_working_set(l1, l2, inner_tol, max_steps, result.sweeps);

        outside.clear();
        for (Index j = 0; j < p_; ++j) {
            const auto at = static_cast<std::size_t>(j);
            if (place_[at] < 0 && columns_.squares()[at] > 0) outside.push_back(j);
        }
        columns_.correlate(outside, rates_.negative_gradient.data(), correlation_.data());
        outside.insert(outside.end(), working_.begin(), working_.end());
        double penalty = 0;
        for (const double b : b_) penalty += l1 * std::abs(b) + l2 * b * b / 2;
        result.gap = rates_.value + penalty - dual(l1, l2, outside);
        result.converged = result.gap <= tol;
        if (result.converged || result.sweeps >= max_steps) break;
    }
    std::fill(coef.begin(), coef.end(), 0.0);
    for (std::size_t k = 0; k < working_.size(); ++k) coef[working_[k]] = b_[k];
    *intercept = c_;
    return result;
}

// Proximal Newton over the working set.
void LogisticPath::solve_working_set(double l1, double l2, double tol, Index max_steps,
                                     Index& steps) {
    const Shrinkage shrinkage{l1, l2, false};
    std::vector<Index> active;
    std::vector<double> gram, sums, q, b, g, along(static_cast<std::size_t>(n_)), moved;
    while (true) {
        runtime::poll_interrupt();
        columns_.correlate(working_, rates_.negative_gradient.data(), correlation_.data());
        double penalty = 0;
        active.clear();
        for (std::size_t k = 0; k < working_.size(); ++k) {
            const double negative_gradient = correlation_[static_cast<std::size_t>(working_[k])];
            penalty += l1 * std::abs(b_[k]) + l2 * b_[k] * b_[k] / 2;
            if (b_[k] != 0 || std::abs(negative_gradient) > kNear * l1)
                active.push_back(static_cast<Index>(k));
        }
        const double gap = rates_.value + penalty - dual(l1, l2, working_);
        if (gap <= tol || steps >= max_steps) return;
        ++steps;

        const Index k = static_cast<Index>(active.size());
        const auto size = static_cast<std::size_t>(k);
        gram.resize(size * size);
        sums.resize(size);
        q.resize(size);
        b.resize(size);
        g.resize(size);
        columns_.weighted_gram(active, rates_.curvature.data(), gram.data(), k, sums.data());
        const double mass =
            std::accumulate(rates_.curvature.begin(), rates_.curvature.end(), 0.0) + 1e-300;
        // The quadratic model with the intercept at its best: columns centred with weights h.
        // Working responses u = X b + t / h give the constant of its squares.
        double level = 0, yy = 0;
        for (Index i = 0; i < n_; ++i) {
            const auto at = static_cast<std::size_t>(i);
            const double h = std::max(rates_.curvature[at], 1e-12 * s_[at] + 1e-300);
            along[at] = z_[at] - c_ + rates_.negative_gradient[at] / h;
            level += rates_.curvature[at] * along[at];
        }
        level = intercept_ ? level / mass : 0.0;
        for (Index i = 0; i < n_; ++i) {
            const auto at = static_cast<std::size_t>(i);
            yy += rates_.curvature[at] * (along[at] - level) * (along[at] - level);
        }
        for (std::size_t s = 0; s < size; ++s) {
            b[s] = b_[static_cast<std::size_t>(active[s])];
            for (std::size_t t = 0; intercept_ && t < size; ++t) {
                gram[s * size + t] -= sums[s] * sums[t] / mass;
            }
        }
        for (std::size_t s = 0; s < size; ++s) {
            const Index j = working_[static_cast<std::size_t>(active[s])];
            q[s] = correlation_[static_cast<std::size_t>(j)];
            for (std::size_t t = 0; t < size; ++t) q[s] += gram[s * size + t] * b[t];
        }
        GramSolver solver;
        solver.solve({{gram.data(), k, k}, q.data(), yy}, shrinkage, {0.01 * tol, 1000}, b.data(),
                     g.data());

        // Along the step as far as F falls.
        moved.assign(b_.size(), 0.0);
        double shift = 0, slope = 0;
        for (std::size_t s = 0; s < size; ++s) {
            const auto at = static_cast<std::size_t>(active[s]);
            const double d = b[s] - b_[at];
            moved[at] = -d; // `subtract` takes it away
            if (intercept_) shift -= sums[s] * d / mass;
            slope -= correlation_[static_cast<std::size_t>(working_[at])] * d;
            slope +=
                l1 * (std::abs(b[s]) - std::abs(b_[at])) + l2 * (b[s] * b[s] - b_[at] * b_[at]) / 2;
        }
        std::fill(along.begin(), along.end(), shift);
        columns_.subtract(moved.data(), along.data());
        const double before = rates_.value + penalty;
        const std::vector<double> z = z_;
        double t = 1;
        for (; t > 1e-10; t /= 2) {
            double after = 0;
            for (std::size_t i = 0; i < z.size(); ++i) z_[i] = z[i] + t * along[i];
            for (std::size_t m = 0; m < b_.size(); ++m) {
                const double value = b_[m] - t * moved[m];
                after += l1 * std::abs(value) + l2 * value * value / 2;
            }
            after += loss(z_, &rates_);
            if (after <= before + 1e-4 * t * slope + 1e-14 * std::abs(before)) break;
        }
        for (std::size_t s = 0; s < size; ++s) { // a full step keeps exact zeros
            double& to = b_[static_cast<std::size_t>(active[s])];
            to = t == 1 ? b[s] : to + t * (b[s] - to);
        }
        c_ += t * shift;
        fit_intercept();
        if (t <= 1e-10) return; // rounding is all that is left
    }
}

double LogisticPath::dual(double l1, double l2, const std::vector<Index>& candidates) const {
    double steepest = 0, over = 0;
    for (const Index j : candidates) {
        const double negative_gradient = std::abs(correlation_[static_cast<std::size_t>(j)]);
        steepest = std::max(steepest, negative_gradient);
        if (l2 > 0 && negative_gradient > l1)
            over += (negative_gradient - l1) * (negative_gradient - l1) / (2 * l2);
    }
    const double scale = l2 > 0 || steepest <= l1 ? 1.0 : l1 / steepest;
    double total = -over;
    for (std::size_t i = 0; i < y_.size(); ++i) {
        if (s_[i] > 0)
            total -= s_[i] * losses::logistic_conjugate(
                                 y_[i] - scale * rates_.negative_gradient[i] / s_[i]);
    }
    return total;
}

} // namespace gramian::lasso
