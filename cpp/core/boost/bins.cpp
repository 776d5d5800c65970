#include "core/boost/bins.hpp"

#include "core/runtime/pool.hpp"
#include "core/runtime/sort.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <vector>

namespace gramian::boost {
namespace {

// Distinct values, ascending, and the cumulative weight of each.
template <typename T>
struct Distinct {
    std::vector<T> values;
    std::vector<double> weight_up_to;
};

template <typename T>
Distinct<T> distinct_values(Matrix<const T> X, Index column, const double* weights,
                            Vector<const Index> sample) {
    const Index n = sample.size > 0 ? sample.size : X.rows;
    std::vector<T> values;
    std::vector<double> weight;
    values.reserve(n);
    for (Index i = 0; i < n; ++i) {
        const Index row = sample.size > 0 ? sample[i] : i;
        const T x = X(row, column);
        if (std::isnan(x)) continue;
        values.push_back(x + T(0)); // -0 becomes 0, so that the two are equal
        if (weights) weight.push_back(weights[row]);
    }
    if (weights) {
        runtime::sort_with(values, weight);
    } else {
        runtime::radix_sort(values);
    }
    Distinct<T> out;
    double total = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        total += weights ? weight[i] : 1.0;
        if (i + 1 < values.size() && values[i + 1] == values[i]) continue;
        out.values.push_back(values[i]);
        out.weight_up_to.push_back(total);
    }
    return out;
}

// The cuts of one column; returns their number.
template <typename T>
std::int32_t cut_column(const Distinct<T>& d, int max_bins, double* cuts) {
    const Index m = static_cast<Index>(d.values.size());
    std::int32_t count = 0;
    if (m <= max_bins) {
        for (Index i = 0; i + 1 < m; ++i) cuts[count++] = cut_between(d.values[i], d.values[i + 1]);
        return count;
    }
    const double total = d.weight_up_to[m - 1];
    Index at = 0;
    for (int b = 1; b < max_bins; ++b) {
        // The tolerance makes a weight of 2 and a repeated row equal in spite of rounding.
        const double level = total * b / max_bins * (1 - 1e-12);
        while (at < m && d.weight_up_to[at] < level) ++at;
        if (at + 1 >= m) break;
        const double cut = cut_between(d.values[at], d.values[at + 1]);
        if (count == 0 || cut > cuts[count - 1]) cuts[count++] = cut;
    }
    return count;
}

// Number of cuts below x, by binary search without branches; `cuts` is padded to 256 with infinity.
template <typename T>
std::uint8_t code_of(T x, const T* cuts) {
    int low = 0;
    for (int step = 128; step > 0; step /= 2) low += cuts[low + step - 1] < x ? step : 0;
    return static_cast<std::uint8_t>(low);
}

// Codes of rows [begin, end) of a column; returns whether a value was missing.
template <typename T>
bool code_numbers(Matrix<const T> X, Index column, Index begin, Index end, const T* cuts,
                  std::uint8_t missing, std::uint8_t* codes) {
    bool any = false;
    for (Index i = begin; i < end; ++i) {
        const T x = X(i, column);
        any |= std::isnan(x);
        codes[i * kGroup] = std::isnan(x) ? missing : code_of(x, cuts);
    }
    return any;
}

template <typename T>
bool code_categories(Matrix<const T> X, Index column, Index begin, Index end,
                     const std::uint8_t* bin, Index n_categories, std::uint8_t missing,
                     std::uint8_t* codes) {
    bool any = false;
    for (Index i = begin; i < end; ++i) {
        const T x = X(i, column);
        const bool known = x >= 0 && x < static_cast<T>(n_categories);
        any |= !known;
        codes[i * kGroup] = known ? bin[static_cast<Index>(x)] : missing;
    }
    return any;
}

} // namespace

template <typename T>
void find_cuts(Matrix<const T> X, const double* weights, Vector<const Index> sample, int max_bins,
               const std::uint8_t* skip, Matrix<double> cuts, std::int32_t* n_cuts) {
    runtime::parallel_for(
        X.cols,
        [&](Index j) {
            n_cuts[j] = 0;
            if (skip[j]) return;
            n_cuts[j] = cut_column(distinct_values(X, j, weights, sample), max_bins, cuts.row(j));
        },
        X.rows * X.cols < 20000 ? 1 : 0);
}

template <typename T>
void apply_bins(Matrix<const T> X, const Bins& bins, std::uint8_t* codes,
                std::uint8_t* has_missing) {
    const Index groups = groups_of(X.cols);
    std::vector<T> padded(static_cast<std::size_t>(X.cols) * 256,
                          std::numeric_limits<T>::infinity());
    for (Index j = 0; j < X.cols; ++j) {
        for (std::int32_t b = 0; b < bins.n_cuts[j]; ++b) {
            padded[j * 256 + b] = static_cast<T>(bins.cuts(j, b));
        }
    }
    const runtime::Blocks blocks{X.rows, 1024};
    runtime::parallel_for(
        blocks.count(),
        [&](Index block) {
            const Index begin = blocks.begin(block), end = blocks.end(block);
            for (Index g = 0; g < groups; ++g) {
                std::uint8_t* group = codes + g * X.rows * kGroup;
                for (int k = 0; k < kGroup; ++k) {
                    const Index j = g * kGroup + k;
                    if (j >= X.cols) {
                        for (Index i = begin; i < end; ++i) group[i * kGroup + k] = 0;
                        continue;
                    }
                    const Index categories = bins.category_start[j + 1] - bins.category_start[j];
                    const bool missed =
                        categories > 0 ? code_categories(X, j, begin, end,
                                                         bins.category_bin + bins.category_start[j],
                                                         categories, bins.missing[g], group + k)
                                       : code_numbers(X, j, begin, end, padded.data() + j * 256,
                                                      bins.missing[g], group + k);
                    if (missed) std::atomic_ref(has_missing[j]).store(1, std::memory_order_relaxed);
                }
            }
        },
        X.rows * X.cols < 20000 ? 1 : 0);
}

template void find_cuts(Matrix<const float>, const double*, Vector<const Index>, int,
                        const std::uint8_t*, Matrix<double>, std::int32_t*);
template void find_cuts(Matrix<const double>, const double*, Vector<const Index>, int,
                        const std::uint8_t*, Matrix<double>, std::int32_t*);
template void apply_bins(Matrix<const float>, const Bins&, std::uint8_t*, std::uint8_t*);
template void apply_bins(Matrix<const double>, const Bins&, std::uint8_t*, std::uint8_t*);

} // namespace gramian::boost
