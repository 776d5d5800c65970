#include "core/lasso/path.hpp"

#include "core/lasso/extrapolation.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gramian::lasso {
namespace {

constexpr double kRounding = 1e-13; // relative increase of the objective that counts as rounding

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

} // namespace

double duality_gap(const std::vector<double>& y, const std::vector<double>& residual,
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

Result solve_columns(Columns& columns, const std::vector<Index>& working,
                     const std::vector<double>& y, Shrinkage shrinkage, double tol,
                     Index max_sweeps, std::vector<double>& b, std::vector<double>& residual) {
    const Index m = static_cast<Index>(b.size());
    std::vector<double> correlation(static_cast<std::size_t>(columns.count()));
    std::vector<Index> all(b.size()), support;
    std::iota(all.begin(), all.end(), Index{0});
    columns.set_residual(residual.data());
    Extrapolation iterates(m, static_cast<Index>(columns.state().size()));

    // The residual of the sweeps accumulates rounding errors, and extrapolation multiplies them.
    // Points are therefore compared by the residual from the data.
    const auto objective = [&](const std::vector<double>& at) {
        residual = y;
        columns.subtract(at.data(), residual.data());
        return dot(residual, residual) / 2 + shrinkage.penalty(at.data(), m);
    };
    const auto gap_here = [&] {
        columns.correlate(working, residual.data(), correlation.data());
        double steepest = 0;
        for (std::size_t k = 0; k < b.size(); ++k) {
            const double c = correlation[static_cast<std::size_t>(working[k])];
            steepest = std::max(steepest, shrinkage.gradient_size(c, b[k]));
        }
        return duality_gap(y, residual, b, shrinkage, steepest);
    };

    double lowest = objective(b), gap = gap_here();
    std::vector<double> best = b;
    // Stores b if it is the best; returns whether it is no worse than the best so far.
    const auto update_best = [&](double here) {
        if (here < lowest) {
            lowest = here;
            best = b;
        }
        return here <= lowest + kRounding * lowest;
    };
    Index sweeps = 0;
    while (gap > tol && sweeps < max_sweeps) {
        runtime::poll_interrupt();
        // One sweep over all members, then sweeps over the support, then an extrapolation.
        columns.set_residual(residual.data());
        columns.sweep(all, shrinkage.l1, shrinkage.l2, shrinkage.positive, b.data());
        support.clear();
        for (Index k = 0; k < m; ++k) {
            if (b[static_cast<std::size_t>(k)] != 0) support.push_back(k);
        }
        iterates.restart(b.data(), columns.state().data());
        ++sweeps;
        if (!update_best(objective(b))) break; // rounding is all that is left
        gap = gap_here();
        if (gap <= tol) break;
        while (!iterates.full() && sweeps < max_sweeps) {
            columns.sweep(support, shrinkage.l1, shrinkage.l2, shrinkage.positive, b.data());
            iterates.record(b.data(), columns.state().data());
            ++sweeps;
        }
        if (!iterates.full()) break; // cut short: a longer run sees the best point, too
        double here = objective(b);
        if (iterates.average()) {
            const std::vector<double> there(iterates.b(), iterates.b() + m);
            if (const double value = objective(there); value < here) {
                here = value;
                b = there;
            } else {
                objective(b); // its residual again
            }
        }
        if (!update_best(here)) break;
        gap = gap_here();
    }
    if (gap > tol) {
        b = best;
        objective(b);
        gap = gap_here();
    }
    return {gap, sweeps, gap <= tol};
}

} // namespace gramian::lasso
