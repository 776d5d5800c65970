// Passes of a loss over rows: value, gradient and Gram matrix against sums written out.
#include "core/passes/gradient.hpp"

#include "steps.hpp"

namespace steps {
namespace {

using gramian::losses::Loss;

struct AtPoint {
    double value, slope, curvature;
};

AtPoint at(Loss loss, double z, double y) {
    const double p = 1 / (1 + std::exp(-z)), d = p * (1 - p);
    switch (loss) {
    case Loss::squared:
        return {(z - y) * (z - y) / 2, z - y, 1};
    case Loss::logistic:
        return {std::log1p(std::exp(z)) - y * z, p - y, d};
    case Loss::poisson:
        return {std::exp(z) - y * z, std::exp(z) - y, std::exp(z)};
    case Loss::squared_sigmoid:
        return {(p - y) * (p - y) / 2, (p - y) * d, d * (d + (p - y) * (1 - 2 * p))};
    default: {
        const double slack = std::max(0.0, 1 - y * z);
        return {slack * slack, -2 * y * slack, slack > 0 ? 2.0 : 0.0};
    }
    }
}

template <typename View, typename T>
void one_loss(Loss loss, const View& view, const Table<T>& X) {
    const Index n = X.rows, d = X.cols;
    std::vector<double> y(static_cast<std::size_t>(n)), s(y), coef(static_cast<std::size_t>(d + 1));
    for (std::size_t i = 0; i < y.size(); ++i) {
        y[i] = loss == Loss::squared_hinge && i % 2 == 0 ? -1.0 : static_cast<double>(i % 2);
        s[i] = 0.5 + static_cast<double>(i % 5);
    }
    for (std::size_t j = 0; j < coef.size(); ++j) coef[j] = 0.1 - 0.03 * static_cast<double>(j);

    double value = 0;
    std::vector<double> gradient(coef.size()), curvature(y.size());
    Table<double> gram(d + 1, d + 1);
    for (Index i = 0; i < n; ++i) {
        const auto x = [&](Index j) { return j < d ? static_cast<double>(X(i, j)) : 1.0; };
        const std::size_t row = static_cast<std::size_t>(i);
        double z = 0;
        for (Index j = 0; j <= d; ++j) z += x(j) * coef[static_cast<std::size_t>(j)];
        const AtPoint point = at(loss, z, y[row]);
        value += s[row] * point.value;
        curvature[row] = s[row] * point.curvature;
        for (Index j = 0; j <= d; ++j) {
            gradient[static_cast<std::size_t>(j)] += s[row] * point.slope * x(j);
            for (Index k = 0; k <= d; ++k) gram(j, k) += curvature[row] * x(j) * x(k);
        }
    }

    std::vector<double> g(coef.size()), h(y.size());
    const gramian::passes::Targets targets{in(y), in(s)};
    HOLDS(close(gramian::passes::loss_gradient(loss, view, targets, in(coef), out(g), out(h)),
                value, 1e-11));
    for (std::size_t j = 0; j < g.size(); ++j) HOLDS(close(g[j], gradient[j], 1e-10));
    for (std::size_t i = 0; i < h.size(); ++i) HOLDS(close(h[i], curvature[i], 1e-10));
    if (loss == Loss::squared_sigmoid) return; // not convex
    Table<double> G(d + 1, d + 1);
    HOLDS(close(gramian::passes::loss_newton(loss, view, targets, in(coef), out(g), G.out()), value,
                1e-11));
    for (std::size_t j = 0; j < g.size(); ++j) HOLDS(close(g[j], gradient[j], 1e-10));
    for (std::size_t j = 0; j < G.values.size(); ++j) {
        HOLDS(close(G.values[j], gram.values[j], 1e-10));
    }
}

template <typename View, typename T>
void softmax(const View& view, const Table<T>& X) {
    const Index n = X.rows, d = X.cols, classes = 5;
    std::vector<std::int32_t> codes;
    for (Index i = 0; i < n; ++i) codes.push_back(static_cast<std::int32_t>(i * i % classes));
    Table<double> W(d + 1, classes), gradient(d + 1, classes), G(d + 1, classes);
    for (Index j = 0; j <= d; ++j) {
        for (Index k = 0; k < classes; ++k) W(j, k) = 0.05 * static_cast<double>((j * k) % 4) - 0.1;
    }
    double value = 0;
    for (Index i = 0; i < n; ++i) {
        const auto x = [&](Index j) { return j < d ? static_cast<double>(X(i, j)) : 1.0; };
        double p[classes] = {}, total = 0;
        for (Index k = 0; k < classes; ++k) {
            for (Index j = 0; j <= d; ++j) p[k] += x(j) * W(j, k);
            p[k] = std::exp(p[k]);
            total += p[k];
        }
        const Index own = codes[static_cast<std::size_t>(i)];
        value -= std::log(p[own] / total);
        for (Index k = 0; k < classes; ++k) {
            for (Index j = 0; j <= d; ++j) gradient(j, k) += x(j) * (p[k] / total - (own == k));
        }
    }
    const gramian::passes::ClassTargets targets{in(codes), {nullptr, 0, 0}, {nullptr, 0}};
    HOLDS(close(gramian::passes::softmax_gradient(view, targets, W.in(), G.out()), value, 1e-11));
    for (std::size_t j = 0; j < G.values.size(); ++j) {
        HOLDS(close(G.values[j], gradient.values[j], 1e-10));
    }
}

template <typename T>
void all(Index n, Index d) {
    auto X = groups<T>(n, d, 1);
    for (T& x : X.values) x /= 8;
    const auto losses = {Loss::squared, Loss::logistic, Loss::poisson, Loss::squared_sigmoid,
                         Loss::squared_hinge};
    for (const Loss loss : losses) one_loss(loss, X.in(), X);
    softmax(X.in(), X);
    const Sparse<T> sparse(X, T(0.5));
    for (const Loss loss : losses) one_loss(loss, sparse.in(), X);
    softmax(sparse.in(), X);
}

} // namespace

void passes() {
    all<double>(301, 7);
    all<float>(5000, 11); // several blocks
}

} // namespace steps
