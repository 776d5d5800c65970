#include "core/boost/stump.hpp"

#include "core/boost/histogram.hpp"
#include "core/runtime/check.hpp"
#include "core/runtime/pool.hpp"
#include "core/runtime/sort.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace gramian::boost {
namespace {

constexpr double kUnit = 0x1p-52; // weights are integers of this unit: sums below 1 are exact
constexpr double kRounding = 1e-14;
constexpr std::size_t kFewBins = 200; // fewer are searched faster than threads can be woken

// The criterion of a cut with these class weights on the left.
double score(StumpCriterion criterion, const double* left, const std::vector<double>& total) {
    const std::size_t k = total.size();
    double l = 0, r = 0, most_left = 0, most_right = 0, ll = 0, rr = 0;
    for (std::size_t c = 0; c < k; ++c) {
        const double right = total[c] - left[c];
        l += left[c];
        r += right;
        most_left = std::max(most_left, left[c]);
        most_right = std::max(most_right, right);
        ll += left[c] * left[c];
        rr += right * right;
    }
    if (criterion == StumpCriterion::error) return most_left + most_right;
    return (l > 0 ? ll / l : 0) + (r > 0 ? rr / r : 0);
}

// An upper bound of the criterion of every cut inside a bin with the weights `inside` after `left`:
// the term of a class is convex in (its own weight, the whole weight), so it is at most its largest
// value at four corners.
double bound(StumpCriterion criterion, const double* left, const double* inside,
             const std::vector<double>& total) {
    const std::size_t k = total.size();
    const double all = std::accumulate(total.begin(), total.end(), 0.0);
    const double low = std::accumulate(left, left + k, 0.0);
    const double high = low + std::accumulate(inside, inside + k, 0.0);
    double most = 0, most_left = 0, most_right = 0;
    for (std::size_t c = 0; c < k; ++c) {
        most_left = std::max(most_left, left[c] + inside[c]);
        most_right = std::max(most_right, total[c] - left[c]);
        double largest = 0;
        for (const double own : {left[c], left[c] + inside[c]}) {
            for (const double whole : {low, high}) {
                const double right = total[c] - own;
                const double l = own > 0 ? own * (own / whole) : 0; // infinite where whole is 0
                const double r = right > 0 ? right * (right / std::max(0.0, all - whole)) : 0;
                largest = std::max(largest, l + r);
            }
        }
        most += largest;
    }
    return criterion == StumpCriterion::error ? most_left + most_right : most;
}

} // namespace

template <typename T>
StumpSearch<T>::StumpSearch(Matrix<const T> X, Vector<const Index> starts,
                            const std::uint8_t* codes, Matrix<const double> cuts,
                            const std::int32_t* n_cuts)
    : X_(X), starts_(starts.begin(), starts.end()), codes_(codes), cuts_(cuts), n_cuts_(n_cuts),
      class_of_(X.rows), order_(X.cols), rises_(X.cols), bin_start_(X.cols), units_(X.rows) {
    runtime::require_rows_in_32_bits(X.rows, "stumps");
    for (Index c = 0; c < classes(); ++c) {
        std::fill(class_of_.begin() + starts_[c], class_of_.begin() + starts_[c + 1],
                  static_cast<std::int32_t>(c));
    }
    hist_.resize(static_cast<std::size_t>(X.cols) * 256 * classes());
    sort_columns(codes);
}

// Rows of each column in ascending order, if a bin holds more than one value.
template <typename T>
void StumpSearch<T>::sort_columns(const std::uint8_t* codes) {
    runtime::parallel_for(
        X_.cols,
        [&](Index j) {
            std::vector<T> values(X_.rows);
            for (Index i = 0; i < X_.rows; ++i) values[i] = X_(i, j) + T(0);
            std::vector<std::uint32_t> order = runtime::radix_order(values);
            std::vector<Index>& start = bin_start_[j];
            start.assign(n_cuts_[j] + 2, 0);
            const std::uint8_t* column = codes + (j / kGroup) * X_.rows * kGroup + j % kGroup;
            for (Index i = 0; i < X_.rows; ++i) ++start[column[i * kGroup] + 1];
            std::partial_sum(start.begin(), start.end(), start.begin());
            bool exact = true;
            for (Index b = 0; b <= n_cuts_[j] && exact; ++b) {
                exact = start[b] == start[b + 1] ||
                        values[order[start[b]]] == values[order[start[b + 1] - 1]];
            }
            if (exact) return;
            rises_[j].resize(X_.rows);
            for (Index i = 0; i + 1 < X_.rows; ++i) {
                rises_[j][i] = values[order[i]] < values[order[i + 1]];
            }
            order_[j] = std::move(order);
        },
        X_.rows * X_.cols < 20000 ? 1 : 0);
}

template <typename T>
void StumpSearch<T>::search_group(Index group, StumpCriterion criterion,
                                  const std::vector<double>& total, Found& best,
                                  std::vector<UnresolvedBin>& unresolved) {
    const Index k = classes();
    const Index first = group * kGroup, last = std::min(first + kGroup, X_.cols);
    const std::uint8_t* codes = codes_ + group * X_.rows * kGroup;
    alignas(64) std::uint64_t cells[256 * kGroup];
    for (Index c = 0; c < k; ++c) {
        std::fill_n(cells, 256 * kGroup, std::uint64_t{0});
        hist_table().add(codes + starts_[c] * kGroup, nullptr, units_.data() + starts_[c],
                         starts_[c + 1] - starts_[c], static_cast<int>(last - first), cells);
        for (Index j = first; j < last; ++j) {
            double* hist = hist_.data() + j * 256 * k;
            for (Index b = 0; b <= n_cuts_[j]; ++b) {
                hist[b * k + c] =
                    static_cast<double>(static_cast<std::int64_t>(cells[b * kGroup + j - first])) *
                    kUnit;
            }
        }
    }
    for (Index j = first; j < last; ++j) {
        if (k == 2 && criterion == StumpCriterion::gini) {
            search_two_classes(j, total, best, unresolved);
        } else {
            search_column(j, criterion, total, best, unresolved);
        }
    }
}

// The cuts between the bins of a column; then the bins that could contain a better one.
template <typename T>
void StumpSearch<T>::search_column(Index j, StumpCriterion criterion,
                                   const std::vector<double>& total, Found& best,
                                   std::vector<UnresolvedBin>& unresolved) const {
    const Index k = classes();
    const double* hist = hist_.data() + j * 256 * k;
    std::vector<double> left(k);
    for (Index b = 0; b < n_cuts_[j]; ++b) {
        for (Index c = 0; c < k; ++c) left[c] += hist[b * k + c];
        if (!is_cut(j, b)) continue;
        const double found = score(criterion, left.data(), total);
        if (found > best.score) best = {found, j, b, cuts_(j, b), left};
    }
    if (order_[j].empty()) return;
    std::fill(left.begin(), left.end(), 0.0);
    for (Index b = 0; b <= n_cuts_[j]; ++b) {
        const double most = bound(criterion, left.data(), hist + b * k, total);
        if (most > best.score) unresolved.push_back({most, j, static_cast<int>(b)});
        for (Index c = 0; c < k; ++c) left[c] += hist[b * k + c];
    }
}

// The same for two classes, many bins at a time. Two corners of the box of bin b are cuts between
// bins; the other two have one class after the bin and the other before it.
template <typename T>
void StumpSearch<T>::search_two_classes(Index j, const std::vector<double>& total, Found& best,
                                        std::vector<UnresolvedBin>& unresolved) const {
    const double* hist = hist_.data() + j * 512;
    const Index n = n_cuts_[j], padded = (n + 1 + 7) / 8 * 8;
    double a[264], b[264], scores[264]; // class weights before bin i
    a[0] = b[0] = 0;
    for (Index i = 0; i < padded; ++i) {
        a[i + 1] = a[i] + (i <= n ? hist[2 * i] : 0);
        b[i + 1] = b[i] + (i <= n ? hist[2 * i + 1] : 0);
    }
    const auto gini = hist_table().gini;
    gini(a + 1, b + 1, total[0], total[1], padded, scores);
    for (Index i = 0; i < n; ++i) {
        if (scores[i] > best.score && is_cut(j, i)) {
            best = {scores[i], j, i, cuts_(j, i), {a[i + 1], b[i + 1]}};
        }
    }
    if (order_[j].empty()) return;
    double others[264];
    gini(a + 1, b, total[0], total[1], padded, scores);
    gini(a, b + 1, total[0], total[1], padded, others);
    for (Index i = 0; i <= n; ++i) {
        const double most = std::max(scores[i], others[i]);
        if (most > best.score) unresolved.push_back({most, j, static_cast<int>(i), a[i], b[i]});
    }
}

// Every cut inside a bin, for two classes and the Gini criterion. First integer sums without
// branches, because the classes of neighbouring rows are unpredictable; then the criterion of many
// cuts at a time.
template <typename T>
void StumpSearch<T>::search_bin_of_two(const UnresolvedBin& bin, const std::vector<double>& total,
                                       Found& best) const {
    constexpr Index block = 128;
    const Index j = bin.feature, end = bin_start_[j][bin.bin + 1] - 1;
    const std::uint32_t* order = order_[j].data();
    const std::uint8_t* rises = rises_[j].data();
    const std::uint64_t* units = units_.data();
    const auto second = static_cast<std::uint32_t>(starts_[1]); // the first row of class 1
    const auto weight = [](std::uint64_t sum) {
        return static_cast<double>(static_cast<std::int64_t>(sum)) * kUnit;
    };
    auto both = static_cast<std::uint64_t>((bin.first + bin.second) * (1 / kUnit));
    auto first = static_cast<std::uint64_t>(bin.first * (1 / kUnit));
    double a[block], b[block], scores[block];
    for (Index begin = bin_start_[j][bin.bin]; begin < end; begin += block) {
        const Index n = std::min(block, end - begin), padded = (n + 7) / 8 * 8;
        for (Index i = 0; i < n; ++i) {
            const std::uint32_t row = order[begin + i];
            both += units[row];
            first += units[row] & -static_cast<std::uint64_t>(row < second);
            a[i] = weight(first);
            b[i] = weight(both - first);
        }
        std::fill(a + n, a + padded, 0.0);
        std::fill(b + n, b + padded, 0.0);
        hist_table().gini(a, b, total[0], total[1], padded, scores);
        for (Index i = 0; i < n; ++i) {
            if (scores[i] < best.score || !rises[begin + i]) continue;
            const T here = X_(order[begin + i], j), next = X_(order[begin + i + 1], j);
            Found cut{scores[i], j, bin.bin, cut_between(here, next), {}};
            if (!cut.before(best)) continue;
            cut.left = {a[i], b[i]};
            best = std::move(cut);
        }
    }
}

// Every cut between two different values inside a bin.
template <typename T>
void StumpSearch<T>::search_bin(const UnresolvedBin& bin, StumpCriterion criterion,
                                const std::vector<double>& total, Found& best) const {
    const Index k = classes(), j = bin.feature;
    const double* hist = hist_.data() + j * 256 * k;
    std::vector<double> left(k);
    for (int b = 0; b < bin.bin; ++b) {
        for (Index c = 0; c < k; ++c) left[c] += hist[b * k + c];
    }
    const std::vector<std::uint32_t>& order = order_[j];
    for (Index i = bin_start_[j][bin.bin]; i + 1 < bin_start_[j][bin.bin + 1]; ++i) {
        const std::uint32_t row = order[i];
        left[class_of_[row]] += static_cast<double>(units_[row]) * kUnit;
        if (!rises_[j][i]) continue;
        const T here = X_(row, j), next = X_(order[i + 1], j);
        Found cut{score(criterion, left.data(), total), j, bin.bin, cut_between(here, next), {}};
        if (!cut.before(best)) continue;
        cut.left = left;
        best = std::move(cut);
    }
}

// The bins are dealt out to a fixed number of parts, so that the result does not depend on the
// threads. A part stops when the next bound is not above the best cut it has found.
template <typename T>
void StumpSearch<T>::refine(const std::vector<UnresolvedBin>& unresolved, StumpCriterion criterion,
                            const std::vector<double>& total, Found& best) const {
    constexpr std::size_t kParts = 4;
    std::array<Found, kParts> found;
    found.fill(best);
    const bool two = classes() == 2 && criterion == StumpCriterion::gini;
    runtime::parallel_for(
        kParts,
        [&](Index part) {
            Found& own = found[part];
            for (std::size_t i = part; i < unresolved.size(); i += kParts) {
                if (unresolved[i].bound * (1 + kRounding) <= own.score) break;
                if (two) {
                    search_bin_of_two(unresolved[i], total, own);
                } else {
                    search_bin(unresolved[i], criterion, total, own);
                }
            }
        },
        unresolved.size() < kFewBins ? 1 : 0);
    for (const Found& one : found) {
        if (one.before(best)) best = one;
    }
}

template <typename T>
void StumpSearch<T>::wrong(const std::uint8_t* on_left, Index left, Index right,
                           std::uint8_t* out) const {
    for (Index c = 0; c < classes(); ++c) {
        const std::uint8_t of_right = c != right, changed = (c != left) ^ of_right;
        const Index end = starts_[c + 1];
        for (Index i = starts_[c]; i < end; ++i) out[i] = of_right ^ (on_left[i] & changed);
    }
}

template <typename T>
Stump StumpSearch<T>::best(const double* weights, StumpCriterion criterion, std::uint8_t* on_left) {
    const Index k = classes(), groups = groups_of(X_.cols);
    std::vector<std::uint64_t> total_units(k);
    for (Index c = 0; c < k; ++c) {
        for (Index i = starts_[c]; i < starts_[c + 1]; ++i) {
            units_[i] = static_cast<std::int64_t>(weights[i] * (1 / kUnit) + 0.5);
            total_units[c] += units_[i];
        }
    }
    std::vector<double> total(k);
    for (Index c = 0; c < k; ++c) total[c] = static_cast<double>(total_units[c]) * kUnit;

    std::vector<Found> found(groups);
    std::vector<std::vector<UnresolvedBin>> doubts(groups);
    runtime::parallel_for(
        groups, [&](Index g) { search_group(g, criterion, total, found[g], doubts[g]); },
        X_.rows * groups < 8000 ? 1 : 0);
    Found best;
    std::vector<UnresolvedBin> unresolved;
    for (Index g = 0; g < groups; ++g) {
        if (found[g].score > best.score) best = found[g];
        unresolved.insert(unresolved.end(), doubts[g].begin(), doubts[g].end());
    }
    // with rounding, an equal bound could still belong to a better cut
    std::erase_if(unresolved, [&](const UnresolvedBin& bin) {
        return bin.bound * (1 + kRounding) <= best.score;
    });
    std::stable_sort(
        unresolved.begin(), unresolved.end(),
        [](const UnresolvedBin& a, const UnresolvedBin& b) { return a.bound > b.bound; });
    refine(unresolved, criterion, total, best);

    Stump stump;
    stump.feature = best.feature;
    stump.threshold = best.threshold;
    stump.left = best.feature >= 0 ? best.left : total;
    stump.right.resize(k);
    for (Index c = 0; c < k; ++c) stump.right[c] = total[c] - stump.left[c];
    if (best.feature < 0) {
        std::fill_n(on_left, X_.rows, std::uint8_t{1});
        return stump;
    }
    const std::uint8_t* code =
        codes_ + (best.feature / kGroup) * X_.rows * kGroup + best.feature % kGroup;
    // Rows of the bin with the threshold go by their values, other rows by their codes.
    const bool exact = order_[best.feature].empty();
    const int last = static_cast<int>(exact ? best.bin : best.bin - 1);
    for (Index i = 0; i < X_.rows; ++i) on_left[i] = code[i * kGroup] <= last;
    if (!exact) {
        const std::vector<Index>& start = bin_start_[best.feature];
        for (Index at = start[best.bin]; at < start[best.bin + 1]; ++at) {
            const std::uint32_t row = order_[best.feature][at];
            on_left[row] = static_cast<double>(X_(row, best.feature)) <= best.threshold;
        }
    }
    return stump;
}

template class StumpSearch<float>;
template class StumpSearch<double>;

} // namespace gramian::boost
