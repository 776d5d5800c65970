#include "core/lasso/path.hpp"

#include "core/lasso/extrapolation.hpp"
#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

GRAMIAN_DISPATCH(lasso, Kernels, lasso_kernel_table, lasso_kernels)

namespace gramian::lasso {
namespace {

constexpr Index kActiveSets = 20; // iterations of active sets before coordinate descent takes over
constexpr double kRounding = 1e-13; // relative increase of the objective that counts as rounding
constexpr double kLost = 4e-15;     // of the squares that a difference is made of

double dot(const double* a, const double* b, Index n) {
    double total = 0;
    for (Index i = 0; i < n; ++i) total += a[i] * b[i];
    return total;
}

// One problem at the point b with g = q - G b: its objective and duality gap.
struct Point {
    const GramView& G;
    const double* q;
    double yy;
    Shrinkage shrinkage;
    double* b;
    double* g;

    // Recomputes g, so that rounding errors do not accumulate.
    void refresh() const {
        std::vector<Index> support;
        for (Index j = 0; j < G.size; ++j) {
            if (b[j] != 0) support.push_back(j);
        }
        std::copy(q, q + G.size, g);
        lasso_kernels().subtract_rows(G.data, G.stride, G.size, support.data(),
                                      static_cast<Index>(support.size()), b, g);
    }

    // |r|^2 = yy - (q + g) . b and y . r = yy - q . b, because G b = q - g.
    double gap() const {
        const Index m = G.size;
        double steepest = 0, l1 = 0;
        for (Index j = 0; j < m; ++j) {
            steepest = std::max(steepest, shrinkage.gradient_size(g[j], b[j]));
            l1 += std::abs(b[j]);
        }
        const double qb = dot(q, b, m);
        const double squares = std::max(yy - qb - dot(g, b, m), 0.0) + shrinkage.l2 * dot(b, b, m);
        const double scale = steepest > shrinkage.l1 ? shrinkage.l1 / steepest : 1.0;
        return squares / 2 + shrinkage.l1 * l1 - (scale * (yy - qb) - scale * scale * squares / 2);
    }

    // An upper bound of P, by rounding above it: |r|^2 is a difference of terms as large as
    // (sum_j |b_j| |z_j|)^2, and large coefficients would otherwise seem to make it negative.
    double objective(const double* at, const double* g_at) const {
        double reach = 0;
        for (Index j = 0; j < G.size; ++j) reach += std::abs(at[j]) * std::sqrt(G.row(j)[j]);
        const double squares = yy - dot(q, at, G.size) - dot(g_at, at, G.size);
        return squares / 2 + shrinkage.penalty(at, G.size) + kLost * reach * reach;
    }
};

// The best point so far, by the objective from the data. Worse points are discarded: g accumulates
// rounding errors and extrapolation multiplies them, so that without this check a point far away
// may seem better.
class BestPoint {
public:
    BestPoint(const Point& point, const Objective& from_data, const std::vector<double>& b,
              const std::vector<double>& g)
        : point_(point), from_data_(from_data), lowest_(value(b.data(), g.data())), b_(b) {}

    // The objective; g_at is not used if there are data.
    double value(const double* at, const double* g_at) const {
        return from_data_ ? from_data_(at) : point_.objective(at, g_at);
    }
    // Stores the point if it is the best; returns whether it is no worse than the best so far.
    bool update_best(double here) {
        if (here < lowest_) {
            lowest_ = here;
            std::copy(point_.b, point_.b + point_.G.size, b_.begin());
        }
        return here <= lowest_ + kRounding * std::abs(lowest_);
    }
    void restore_best() const {
        std::copy(b_.begin(), b_.end(), point_.b);
        point_.refresh();
    }

private:
    const Point& point_;
    const Objective& from_data_;
    double lowest_;
    std::vector<double> b_;
};

// Ends some cycles: recomputes g and moves to the extrapolated point if it is better. False if
// neither is better than the best point, so that only rounding is left.
bool extrapolate(const Point& point, Extrapolation& iterates, BestPoint& best) {
    const Index m = point.G.size;
    point.refresh();
    double here = best.value(point.b, point.g);
    if (iterates.average() &&
        point.objective(iterates.b(), iterates.affine()) < point.objective(point.b, point.g)) {
        const std::vector<double> b(point.b, point.b + m);
        std::copy(iterates.b(), iterates.b() + m, point.b);
        point.refresh();
        const double there = best.value(point.b, point.g);
        if (there < here) {
            here = there;
        } else {
            std::copy(b.begin(), b.end(), point.b);
            point.refresh();
        }
    }
    return best.update_best(here);
}

// Makes the factor that of the support of b, or of an independent subset of it.
void match_support(SupportFactor& factor, const GramView& G, double l2, const double* b) {
    std::vector<char> present(static_cast<std::size_t>(G.size));
    for (Index i = factor.size() - 1; i >= 0; --i) {
        const Index j = factor.members()[static_cast<std::size_t>(i)];
        if (b[j] == 0) {
            factor.remove(i);
        } else {
            present[static_cast<std::size_t>(j)] = 1;
        }
    }
    for (Index j = 0; j < G.size; ++j) {
        if (b[j] != 0 && !present[static_cast<std::size_t>(j)]) factor.append(G, l2, j);
    }
}

// Extrapolates the last step along a path: solutions are piecewise linear in l1, so b and g change
// by `ratio` times their last change. Columns whose gradient then exceeds l1 enter beforehand.
struct Trend {
    const std::vector<double>& b;
    const std::vector<double>& g;
    double ratio;

    void extrapolate(SupportFactor& factor, const Point& point,
                     std::vector<signed char>& sign) const {
        for (Index i = factor.size() - 1; i >= 0; --i) {
            const auto j = static_cast<std::size_t>(factor.members()[static_cast<std::size_t>(i)]);
            const double next = point.b[j] + ratio * (point.b[j] - b[j]);
            if (next * point.b[j] > 0) continue;
            factor.remove(i);
            sign[j] = 0;
        }
        for (std::size_t j = 0; j < g.size(); ++j) {
            const double next = point.g[j] + ratio * (point.g[j] - g[j]);
            if (point.b[j] != 0 || point.shrinkage.gradient_size(next, 0) <= point.shrinkage.l1)
                continue;
            if (factor.append(point.G, point.shrinkage.l2, static_cast<Index>(j))) {
                sign[j] = next > 0 ? 1 : -1;
            }
        }
    }
};

// Active sets: true if the signs and the support agree with their solution. The point then is the
// minimum; otherwise it is the best point seen.
bool solve_active_set(SupportFactor& factor, const Point& point, const Trend* trend) {
    const Index m = point.G.size;
    const Shrinkage s = point.shrinkage;
    std::vector<double> best_b(point.b, point.b + m), best_g(point.g, point.g + m);
    double best = point.objective(point.b, point.g);
    std::vector<signed char> sign(static_cast<std::size_t>(m));
    match_support(factor, point.G, s.l2, point.b);
    for (const Index j : factor.members()) {
        sign[static_cast<std::size_t>(j)] = point.b[j] > 0 ? 1 : -1;
    }
    if (trend) trend->extrapolate(factor, point, sign);
    std::vector<double> x;
    for (Index iteration = 0; iteration < kActiveSets; ++iteration) {
        runtime::poll_interrupt();
        const Index k = factor.size();
        x.resize(static_cast<std::size_t>(k));
        for (Index i = 0; i < k; ++i) {
            const Index j = factor.members()[static_cast<std::size_t>(i)];
            x[static_cast<std::size_t>(i)] = point.q[j] - s.l1 * sign[static_cast<std::size_t>(j)];
        }
        factor.solve(x.data());
        std::fill(point.b, point.b + m, 0.0);
        Index wrong = 0;
        for (Index i = 0; i < k; ++i) {
            const Index j = factor.members()[static_cast<std::size_t>(i)];
            point.b[j] = x[static_cast<std::size_t>(i)];
            wrong += point.b[j] * sign[static_cast<std::size_t>(j)] <= 0;
        }
        point.refresh();
        const double value = point.objective(point.b, point.g);
        if (value < best) {
            best = value;
            std::copy(point.b, point.b + m, best_b.begin());
            std::copy(point.g, point.g + m, best_g.begin());
        }
        for (Index i = k - 1; wrong > 0 && i >= 0; --i) {
            const Index j = factor.members()[static_cast<std::size_t>(i)];
            if (point.b[j] * sign[static_cast<std::size_t>(j)] > 0) continue;
            factor.remove(i);
            sign[static_cast<std::size_t>(j)] = 0;
        }
        Index entered = 0;
        bool dependent = false;
        for (Index j = 0; j < m; ++j) {
            if (point.b[j] != 0 || s.gradient_size(point.g[j], 0) <= s.l1 * (1 + 1e-12)) continue;
            if (!factor.append(point.G, s.l2, j)) {
                dependent = true;
                continue;
            }
            sign[static_cast<std::size_t>(j)] = point.g[j] > 0 ? 1 : -1;
            ++entered;
        }
        const bool agrees = wrong == 0 && entered == 0;
        if (agrees && !dependent && value <= best + kRounding * std::abs(best)) return true;
        if (agrees) break;
    }
    std::copy(best_b.begin(), best_b.end(), point.b);
    std::copy(best_g.begin(), best_g.end(), point.g);
    return false;
}

} // namespace

Result GramSolver::solve(const Quadratic& problem, Shrinkage shrinkage, Stopping stopping,
                         double* b, double* g, bool unchanged, const Objective& from_data) {
    const GramView& G = problem.G;
    const auto [tol, max_sweeps] = stopping;
    const Point point{G, problem.q, problem.yy, shrinkage, b, g};
    if (shrinkage.l2 != l2_) factor_.clear();
    l2_ = shrinkage.l2;
    if (!unchanged) point.refresh();
    double gap = point.gap();
    Index sweeps = 0, next_try = 0, pause = 4 * Extrapolation::kIterates;
    Extrapolation iterates(G.size, G.size);
    const bool known = unchanged && before_.l1 > last_l1_ && last_l1_ > shrinkage.l1;
    const Trend trend{before_.b, before_.g,
                      known ? (last_l1_ - shrinkage.l1) / (before_.l1 - last_l1_) : 0.0};
    std::vector<double> b_start(b, b + G.size), g_start(g, g + G.size);
    std::optional<BestPoint> best; // where the first iteration of active sets does not converge
    bool solved = false;
    while (gap > tol && sweeps < max_sweeps) {
        runtime::poll_interrupt();
        ++sweeps;
        if (sweeps > next_try) {
            const bool first = sweeps == 1;
            solved = solve_active_set(factor_, point, known && first ? &trend : nullptr);
            if (solved) break; // the remaining gap is rounding
            if (first) best.emplace(point, from_data, b_start, g_start);
            if (!best->update_best(best->value(b, g))) best->restore_best();
            iterates.restart(b, g);
            next_try = sweeps + pause;
            pause *= 2;
        } else {
            lasso_kernels().sweep(G.data, G.stride, G.size, shrinkage, b, g);
            iterates.record(b, g);
            if (iterates.full()) {
                if (!extrapolate(point, iterates, *best)) break;
                iterates.restart(b, g);
            }
        }
        gap = point.gap();
    }
    // A run that is cut short ends at the best point seen. A longer run sees the same points and
    // more, so it is never worse.
    if (best) {
        const bool cut = gap > tol && !solved;
        if (!solved) point.refresh();
        if (cut || !best->update_best(best->value(b, g))) best->restore_best();
    }
    if (best || solved) gap = point.gap();
    before_ = {last_l1_, std::move(b_start), std::move(g_start)};
    last_l1_ = shrinkage.l1;
    return {gap, sweeps, gap <= tol};
}

void solve_gram_paths(const Quadratics& problems, const PenaltyGrid& grid, Vector<const double> tol,
                      Index max_sweeps, const Paths& paths) {
    const Index p = problems.q.cols, n_penalties = grid.l1.size;
    runtime::parallel_for(problems.q.rows, [&](Index k) {
        const double* start = paths.coef.row(k * n_penalties);
        std::vector<double> b(start, start + p), g(static_cast<std::size_t>(p));
        const Quadratic problem{
            {problems.grams.data + k * p * p, p, p}, problems.q.row(k), problems.yy[k]};
        GramSolver solver;
        for (Index t = 0; t < n_penalties; ++t) {
            const Result found = solver.solve(problem, {grid.l1[t], grid.l2[t], grid.positive},
                                              {tol[k], max_sweeps}, b.data(), g.data(), t > 0);
            std::copy(b.begin(), b.end(), paths.coef.row(k * n_penalties + t));
            paths.gaps(k, t) = found.gap;
            paths.sweeps(k, t) = found.sweeps;
        }
    });
}

} // namespace gramian::lasso
