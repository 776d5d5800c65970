#include "core/c45/split.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gramian::c45 {

namespace {

// Weights are sums of fractions: two that differ by less are equal, as in C4.5.
constexpr double tolerance = 1e-6;

using Counts = std::vector<double>; // of the classes

double sum(const double* first, Index n) {
    return std::accumulate(first, first + n, 0.0);
}

// N info(S): N log2 N - sum_c N_c log2 N_c.
double information(const XLog2& xlog2, const double* counts, Index n_classes) {
    double inside = 0;
    for (Index c = 0; c < n_classes; ++c) inside += xlog2(counts[c]);
    return xlog2(sum(counts, n_classes)) - inside;
}

// Rows of class counts, one per branch.
struct Branches {
    Counts counts;
    Index n_classes;

    Index size() const { return static_cast<Index>(counts.size()) / n_classes; }
    const double* operator[](Index b) const { return counts.data() + b * n_classes; }
    double* operator[](Index b) { return counts.data() + b * n_classes; }
    double weight(Index b) const { return sum((*this)[b], n_classes); }
};

bool two_reach(const Branches& branches, double min_leaf) {
    int reached = 0;
    for (Index b = 0; b < branches.size(); ++b) {
        if (branches.weight(b) > min_leaf - tolerance) ++reached;
    }
    return reached > 1;
}

double gain(const XLog2& xlog2, const Branches& branches, double total) {
    Counts all(static_cast<std::size_t>(branches.n_classes), 0.0);
    double after = 0;
    for (Index b = 0; b < branches.size(); ++b) {
        for (Index c = 0; c < branches.n_classes; ++c) {
            all[static_cast<std::size_t>(c)] += branches[b][c];
        }
        after += information(xlog2, branches[b], branches.n_classes);
    }
    const double before = information(xlog2, all.data(), branches.n_classes);
    return (before - after) / total; // K/N of the known cases' gain, which is a mean over K
}

double ratio(const XLog2& xlog2, const Branches& branches, double total, double gain) {
    double known = 0, inside = 0;
    for (Index b = 0; b < branches.size(); ++b) {
        known += branches.weight(b);
        inside += xlog2(branches.weight(b));
    }
    const double unknown = std::max(total - known, 0.0);
    const double split_information = xlog2(total) - inside - xlog2(unknown);
    return std::abs(split_information) < tolerance ? 0 : gain * total / split_information;
}

Branches one_per_category(const Table& table, std::int32_t feature, const Cases& cases) {
    const Index k = table.levels[feature];
    Branches branches{Counts(static_cast<std::size_t>(k * table.n_classes), 0.0), table.n_classes};
    for (const Case& c : cases) {
        const std::int32_t code = table.ranks(feature, c.row);
        if (code >= 0) branches[code][table.labels[c.row]] += c.weight;
    }
    return branches;
}

Candidate each_category(const XLog2& xlog2, const Branches& branches, double min_leaf,
                        double total) {
    Candidate found;
    if (!two_reach(branches, min_leaf)) return found;
    found.valid = true;
    found.gain = gain(xlog2, branches, total);
    found.ratio = ratio(xlog2, branches, total, found.gain);
    return found;
}

Candidate one_category(const XLog2& xlog2, const Branches& every, double min_leaf, double total) {
    Candidate found;
    const Index n_classes = every.n_classes;
    Branches pair{Counts(static_cast<std::size_t>(2 * n_classes)), n_classes};
    for (Index code = 0; code < every.size(); ++code) {
        std::fill(pair.counts.begin(), pair.counts.end(), 0.0);
        for (Index b = 0; b < every.size(); ++b) {
            for (Index c = 0; c < n_classes; ++c) pair[b == code ? 0 : 1][c] += every[b][c];
        }
        if (!two_reach(pair, min_leaf)) continue;
        const double gained = gain(xlog2, pair, total);
        const double relative = ratio(xlog2, pair, total, gained);
        if (!found.valid || relative > found.ratio + tolerance) {
            found = {true, gained, relative, static_cast<std::int32_t>(code), -1};
        }
    }
    return found;
}

// Known cases in the order of their values: the rank above, the place among the cases below.
std::vector<std::uint64_t> sorted_keys(const Table& table, std::int32_t feature,
                                       const Cases& cases) {
    std::vector<std::uint64_t> keys;
    keys.reserve(cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const std::int32_t rank = table.ranks(feature, cases[i].row);
        if (rank >= 0) keys.push_back(static_cast<std::uint64_t>(rank) << 32 | i);
    }
    std::sort(keys.begin(), keys.end());
    return keys;
}

std::int32_t rank_of(std::uint64_t key) {
    return static_cast<std::int32_t>(key >> 32);
}

Candidate threshold(const Table& table, const Growth& growth, const XLog2& xlog2,
                    std::int32_t feature, const Cases& cases, double total) {
    Candidate found;
    const Index n_classes = table.n_classes;
    const auto keys = sorted_keys(table, feature, cases);
    Branches sides{Counts(static_cast<std::size_t>(2 * n_classes), 0.0), n_classes};
    for (const std::uint64_t key : keys) {
        const Case& c = cases[key & 0xffffffff];
        sides[1][table.labels[c.row]] += c.weight;
    }
    const double known = sides.weight(1);
    // A branch must hold a tenth of the cases per class, but not less than min_leaf, nor more
    // than 25 (Quinlan 1993, 2.4).
    double least = 0.1 * known / static_cast<double>(n_classes);
    least = least <= growth.min_leaf + tolerance ? growth.min_leaf : std::min(least, 25.0);
    if (known < 2 * least - tolerance) return found;

    const double before = information(xlog2, sides[1], n_classes);
    double left = 0, right = known;                       // weights of the sides
    double in_left = 0, in_right = xlog2(known) - before; // sum_c N_c log2 N_c on either side
    Index candidates = 0;
    double best = 0;
    Branches chosen = sides;
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
        const Case& c = cases[keys[i] & 0xffffffff];
        double& from = sides[1][table.labels[c.row]];
        double& to = sides[0][table.labels[c.row]];
        in_left -= xlog2(to);
        in_right -= xlog2(from);
        to += c.weight;
        from = std::max(from - c.weight, 0.0);
        in_left += xlog2(to);
        in_right += xlog2(from);
        left += c.weight;
        right -= c.weight;
        const std::int32_t here = rank_of(keys[i]), next = rank_of(keys[i + 1]);
        if (here == next) continue;
        if (!(table.value(feature, here) + growth.gap < table.value(feature, next))) continue;
        if (left < least - tolerance || right < least - tolerance) continue;
        ++candidates;
        const double after = xlog2(left) - in_left + xlog2(right) - in_right;
        const double gained = (before - after) / total;
        if (gained > best + tolerance) {
            best = gained;
            found.rank = here;
            found.next = next;
            chosen = sides;
        }
    }
    if (found.rank < 0) return found;
    found.gain = gain(xlog2, chosen, total);
    if (growth.correction) found.gain -= std::log2(static_cast<double>(candidates)) / total;
    found.valid = found.gain > tolerance;
    found.ratio = ratio(xlog2, chosen, total, found.gain);
    return found;
}

} // namespace

XLog2::XLog2(Index largest) : table_(static_cast<std::size_t>(largest) + 1, 0.0) {
    for (std::size_t i = 2; i < table_.size(); ++i) {
        table_[i] = static_cast<double>(i) * std::log2(static_cast<double>(i));
    }
}

double XLog2::operator()(double x) const {
    if (x < tolerance) return 0;
    if (x < static_cast<double>(table_.size())) {
        const auto whole = static_cast<std::size_t>(x);
        if (static_cast<double>(whole) == x) return table_[whole];
    }
    return x * std::log2(x);
}

Candidate candidate_of(const Table& table, const Growth& growth, const XLog2& xlog2,
                       std::int32_t feature, const Cases& cases, double total) {
    if (table.levels[feature] == 0) {
        return threshold(table, growth, xlog2, feature, cases, total);
    }
    const Branches branches = one_per_category(table, feature, cases);
    return growth.binary ? one_category(xlog2, branches, growth.min_leaf, total)
                         : each_category(xlog2, branches, growth.min_leaf, total);
}

} // namespace gramian::c45
