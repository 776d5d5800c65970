#include "core/splits/order_errors.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gramian::splits {
namespace {

std::vector<Index> ascending(const double* y, Index n) {
    std::vector<Index> order(n);
    std::iota(order.begin(), order.end(), Index{0});
    std::sort(order.begin(), order.end(),
              [y](Index a, Index b) { return y[a] < y[b] || (y[a] == y[b] && a < b); });
    return order;
}

// Prefix sums of n values; updates and queries take O(log n) (Fenwick 1994).
struct Fenwick {
    explicit Fenwick(Index n) : weight(n + 1), moment(n + 1) {
        while (top * 2 <= n) top *= 2;
    }

    void add(Index place, double w, double wy) {
        for (Index i = place + 1; i < static_cast<Index>(weight.size()); i += i & -i) {
            weight[i] += w;
            moment[i] += wy;
        }
    }

    // The first place up to which at least `half` of the weight lies; *w and *wy are the sums
    // before it.
    Index find(double half, double* w, double* wy) const {
        Index at = 0;
        *w = *wy = 0;
        for (Index step = top; step > 0; step /= 2) {
            const Index next = at + step;
            if (next < static_cast<Index>(weight.size()) && *w + weight[next] < half) {
                at = next;
                *w += weight[next];
                *wy += moment[next];
            }
        }
        return std::min<Index>(at, static_cast<Index>(weight.size()) - 2);
    }

    std::vector<double> weight, moment;
    Index top = 1;
};

} // namespace

double absolute_error(const double* y, const double* w, Index n, double* median) {
    const std::vector<Index> order = ascending(y, n);
    const double total = std::accumulate(w, w + n, 0.0);
    double below = 0;
    Index at = 0;
    while (at + 1 < n && below + w[order[at]] < total / 2) below += w[order[at++]];
    *median = y[order[at]];
    if (below + w[order[at]] == total / 2 && at + 1 < n) {
        *median = *median / 2 + y[order[at + 1]] / 2;
    }
    double error = 0;
    for (Index i = 0; i < n; ++i) error += w[i] * std::abs(y[i] - *median);
    return error / total;
}

double worst_error(const double* y, Index n, double* center) {
    const auto [low, high] = std::minmax_element(y, y + n);
    *center = *low / 2 + *high / 2;
    return *high / 2 - *low / 2;
}

void PrefixErrors::add_absolute(const double* y, const double* w, bool first) {
    const auto n = static_cast<Index>(error.size());
    const std::vector<Index> order = ascending(y, n);
    std::vector<Index> place(n);
    for (Index r = 0; r < n; ++r) place[order[r]] = r;
    Fenwick sums(n);
    double total = 0, moment = 0;
    for (Index i = 0; i < n; ++i) {
        sums.add(place[i], w[i], w[i] * y[i]);
        total += w[i];
        moment += w[i] * y[i];
        double below, below_moment;
        const double median = y[order[sums.find(total / 2, &below, &below_moment)]];
        error[i] += std::max(0.0, median * below - below_moment + (moment - below_moment) -
                                      median * (total - below));
        if (first) center[i] = median;
    }
}

void PrefixErrors::add_worst(const double* y, bool first) {
    double low = y[0], high = y[0];
    for (Index i = 0; i < static_cast<Index>(error.size()); ++i) {
        low = std::min(low, y[i]);
        high = std::max(high, y[i]);
        error[i] += high / 2 - low / 2;
        if (first) center[i] = low / 2 + high / 2;
    }
}

} // namespace gramian::splits
