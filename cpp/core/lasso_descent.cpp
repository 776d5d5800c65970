#include "core/lasso.hpp"

#include "core/lasso_extrapolation.hpp"
#include "core/pool.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gramian {
namespace {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

} // namespace

double lasso_gap(const std::vector<double>& y, const std::vector<double>& residual,
                 const std::vector<double>& b, Shrinkage shrinkage, double steepest) {
    double l1 = 0, l2 = 0;
    for (const double value : b) {
        l1 += std::abs(value);
        l2 += value * value;
    }
    const double squares = dot(residual, residual) + shrinkage.l2 * l2;
    const double scale = steepest > shrinkage.l1 ? shrinkage.l1 / steepest : 1.0;
    const double dual = scale * dot(y, residual) - scale * scale * squares / 2;
    return squares / 2 + shrinkage.l1 * l1 - dual;
}

LassoResult solve_columns(Columns& columns, const std::vector<Index>& working,
                          const std::vector<double>& y, Shrinkage shrinkage, double tol,
                          Index max_sweeps, std::vector<double>& b, std::vector<double>& residual) {
    const Index m = static_cast<Index>(b.size());
    std::vector<double> correlation(static_cast<std::size_t>(columns.count()));
    std::vector<Index> all(b.size()), support;
    std::iota(all.begin(), all.end(), Index{0});
    columns.set_residual(residual.data());
    Extrapolation turns(m, static_cast<Index>(columns.state().size()));

    const auto objective = [&](const double* at) {
        double penalty = 0;
        for (Index k = 0; k < m; ++k) {
            if (shrinkage.positive && at[k] < 0) return std::numeric_limits<double>::infinity();
            penalty += shrinkage.l1 * std::abs(at[k]) + shrinkage.l2 * at[k] * at[k] / 2;
        }
        columns.residual(residual.data());
        return dot(residual, residual) / 2 + penalty;
    };
    const auto gap_here = [&] {
        columns.residual(residual.data());
        columns.correlate(working, residual.data(), correlation.data());
        double steepest = 0;
        for (std::size_t k = 0; k < b.size(); ++k) {
            const double c = correlation[static_cast<std::size_t>(working[k])];
            steepest = std::max(steepest, shrinkage.pull(c, b[k]));
        }
        return lasso_gap(y, residual, b, shrinkage, steepest);
    };

    double gap = gap_here();
    Index sweeps = 0;
    while (gap > tol && sweeps < max_sweeps) {
        poll_interrupt();
        // All members once, then those that are not 0, then a look at where this leads.
        columns.sweep(all, shrinkage.l1, shrinkage.l2, shrinkage.positive, b.data());
        support.clear();
        for (Index k = 0; k < m; ++k) {
            if (b[static_cast<std::size_t>(k)] != 0) support.push_back(k);
        }
        turns.restart(b.data(), columns.state().data());
        ++sweeps;
        gap = gap_here();
        if (gap <= tol) break;
        while (!turns.full() && sweeps < max_sweeps) {
            columns.sweep(support, shrinkage.l1, shrinkage.l2, shrinkage.positive, b.data());
            turns.record(b.data(), columns.state().data());
            ++sweeps;
        }
        if (turns.full() && turns.average()) {
            const double before = objective(b.data());
            const std::vector<double> state = columns.state();
            std::copy_n(turns.follower(), state.size(), columns.state().begin());
            if (objective(turns.b()) < before) {
                std::copy_n(turns.b(), m, b.begin());
            } else {
                columns.state() = state;
            }
        }
        gap = gap_here();
    }
    return {gap, sweeps, gap <= tol};
}

} // namespace gramian
