// Boosting: codes by counting cuts, the first split and the leaves of a tree by brute force.
#include "core/boost/bins.hpp"
#include "core/boost/gradients.hpp"
#include "core/boost/grower.hpp"
#include "core/runtime/pool.hpp"

#include "steps.hpp"

#include <algorithm>

namespace steps {
namespace {

constexpr double kL2 = 0.5;

// A table in bins, as the grower reads it.
struct Binned {
    std::vector<std::int32_t> n_cuts, n_bins;
    Table<double> cuts;
    std::vector<std::uint8_t> codes, missing, has_missing, none;
    std::vector<std::int8_t> monotone;
    Index rows, cols;

    template <typename T>
    Binned(const Table<T>& X, int most)
        : n_cuts(static_cast<std::size_t>(X.cols)), cuts(X.cols, most - 1),
          codes(static_cast<std::size_t>(gramian::boost::groups_of(X.cols) * X.rows *
                                         gramian::boost::kGroup)),
          missing(static_cast<std::size_t>(gramian::boost::groups_of(X.cols))),
          has_missing(n_cuts.size()), none(n_cuts.size()), monotone(n_cuts.size()), rows(X.rows),
          cols(X.cols) {
        gramian::boost::find_cuts<T>(X.in(), nullptr, {nullptr, 0}, most, none.data(), cuts.out(),
                                     n_cuts.data());
        for (std::size_t j = 0; j < n_cuts.size(); ++j) {
            n_bins.push_back(n_cuts[j] + 1);
            std::uint8_t& code = missing[j / gramian::boost::kGroup];
            code = std::max(code, static_cast<std::uint8_t>(n_bins[j]));
        }
        const std::vector<Index> no_categories(n_cuts.size() + 1, 0);
        gramian::boost::apply_bins<T>(
            X.in(), {cuts.in(), n_cuts.data(), nullptr, no_categories.data(), missing.data()},
            codes.data(), has_missing.data());
        for (Index i = 0; i < rows; ++i) {
            for (Index j = 0; j < cols; ++j) {
                int below = 0;
                for (Index c = 0; c < n_cuts[static_cast<std::size_t>(j)]; ++c) {
                    below += cuts(j, c) < static_cast<double>(X(i, j));
                }
                HOLDS(code(i, j) == below);
            }
        }
    }

    int code(Index i, Index j) const {
        const Index group = j / gramian::boost::kGroup;
        return codes[static_cast<std::size_t>((group * rows + i) * gramian::boost::kGroup +
                                              j % gramian::boost::kGroup)];
    }
};

double gain(const Binned& table, const std::vector<float>& g, const std::vector<float>& h,
            Index column, int slot) {
    double G[2] = {}, H[2] = {};
    for (Index i = 0; i < table.rows; ++i) {
        const bool right = table.code(i, column) > slot;
        G[right] += static_cast<double>(g[static_cast<std::size_t>(i)]);
        H[right] += static_cast<double>(h[static_cast<std::size_t>(i)]);
    }
    return G[0] * G[0] / (H[0] + kL2) + G[1] * G[1] / (H[1] + kL2);
}

void one_tree(const Binned& table, const std::vector<float>& g, const std::vector<float>& h) {
    gramian::boost::TreeGrower grower(table.codes.data(), table.rows,
                                      {table.cols,
                                       table.n_bins.data(),
                                       table.missing.data(),
                                       table.has_missing.data(),
                                       table.none.data(),
                                       table.monotone.data(),
                                       {},
                                       {}},
                                      {12, 0, 1, kL2, 1e-3, 1.0});
    grower.grow(g.data(), h.data(), false, 1, 0);
    const auto& nodes = grower.nodes();

    double best = 0;
    for (Index j = 0; j < table.cols; ++j) {
        for (int slot = 0; slot + 1 < table.n_bins[static_cast<std::size_t>(j)]; ++slot) {
            best = std::max(best, gain(table, g, h, j, slot));
        }
    }
    HOLDS(nodes[0].first_child > 0);
    // gradients are rounded to fixed point for the search
    HOLDS(gain(table, g, h, nodes[0].feature, nodes[0].slot) >= best * (1 - 1e-4));

    std::vector<std::int32_t> leaves(static_cast<std::size_t>(table.rows));
    grower.leaves(leaves.data());
    std::vector<double> G(nodes.size()), H(nodes.size()), values;
    for (Index i = 0; i < table.rows; ++i) {
        std::size_t node = 0;
        while (nodes[node].first_child > 0) {
            const bool right = table.code(i, nodes[node].feature) > nodes[node].slot;
            node = static_cast<std::size_t>(nodes[node].first_child + right);
        }
        const std::size_t row = static_cast<std::size_t>(i);
        HOLDS(leaves[row] == static_cast<std::int32_t>(node));
        G[node] += static_cast<double>(g[row]);
        H[node] += static_cast<double>(h[row]);
    }
    for (std::size_t node = 0; node < nodes.size(); ++node) {
        values.push_back(nodes[node].value);
        if (nodes[node].first_child > 0) continue;
        HOLDS(close(nodes[node].value, -G[node] / (H[node] + kL2), 1e-6));
    }
    std::vector<double> score(leaves.size());
    grower.add(values.data(), score.data());
    for (std::size_t row = 0; row < score.size(); ++row) {
        HOLDS(score[row] == values[static_cast<std::size_t>(leaves[row])]);
    }
}

template <typename T>
void all(Index n, Index d, int bins) {
    const auto X = groups<T>(n, d, 7);
    const Binned table(X, bins);
    std::vector<double> y, z;
    for (Index i = 0; i < n; ++i) {
        y.push_back(X(i, 0) + X(i, 1) > 7 ? 1.0 : 0.0);
        z.push_back(0.25 * std::sin(static_cast<double>(i)));
    }
    std::vector<float> g(y.size()), h(y.size());
    gramian::boost::loss_gradients(gramian::losses::Loss::logistic, 0, in(y), nullptr,
                                   {z.data(), 1, n}, g.data(), h.data());
    for (std::size_t i = 0; i < y.size(); ++i) {
        const double p = 1 / (1 + std::exp(-z[i]));
        HOLDS(close(static_cast<double>(g[i]), p - y[i], 1e-6));
        HOLDS(close(static_cast<double>(h[i]), p * (1 - p), 1e-6));
    }
    one_tree(table, g, h);
}

} // namespace

void boosting() {
    all<double>(500, 5, 16);
    all<float>(9000, 10, 64); // several blocks of rows, two groups of columns
}

} // namespace steps
