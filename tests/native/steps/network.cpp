// Networks: the outputs of plain loops; the gradient by differences of the loss; epochs of dense
// rows and of the same rows as CSR, which end at the same bits.
#include "core/network/network.hpp"

#include "steps.hpp"

namespace steps {
namespace {

using namespace gramian::network;

std::size_t at(Index i) {
    return static_cast<std::size_t>(i);
}

Settings settings_of(bool batch_norm, Optimizer optimizer, Index batch) {
    Settings s{};
    s.shape = {
        {11, 21, 7, 3}, {Activation::tanh, Activation::logistic}, Output::softmax, batch_norm};
    s.rule = {optimizer, 0.01, 0.9, 0.9, 0.999, 1e-8, true};
    s.layer_rates = {1, 1, 1};
    s.alpha = 0.1;
    s.divides_penalty = true;
    s.penalize_intercepts = true;
    s.dropout = {0.1, 0.5, 0.0};
    s.noise = optimizer == Optimizer::none ? 0.0 : 0.01;
    s.noise_decay = 0.5;
    s.norm_keep = 0.9;
    s.norm_epsilon = 1e-5;
    s.seed = 7;
    s.batch = batch;
    return s;
}

template <typename T>
std::vector<T> drawn(Index n, std::uint64_t seed) {
    const gramian::runtime::Philox random{seed, 3};
    std::vector<T> values;
    for (Index i = 0; i < n; ++i) {
        values.push_back(static_cast<T>(random.uniform(static_cast<std::uint64_t>(i)) - 0.5));
    }
    return values;
}

std::vector<std::int32_t> classes(Index n) {
    std::vector<std::int32_t> codes;
    for (Index i = 0; i < n; ++i) codes.push_back(static_cast<std::int32_t>(i % 3));
    return codes;
}

template <typename T>
void outputs(Index n) {
    const Shape shape = settings_of(false, Optimizer::none, n).shape;
    const Table<T> X = groups<T>(n, 11, 1);
    const std::vector<T> p = drawn<T>(shape.parameters(), 2);
    Layers<T> layers;
    const T* from = p.data();
    for (Index l = 0; l < 3; ++l) {
        layers.weights.push_back(from);
        from += shape.in(l) * shape.out(l);
    }
    for (Index l = 0; l < 3; ++l) {
        layers.intercepts.push_back(from);
        from += shape.out(l);
    }
    Table<T> found(n, 3);
    const Matrix<const T> rows = X.in();
    predict<T>(shape, layers, source_of<T>(rows), found.out());
    for (Index i = 0; i < n; ++i) {
        std::vector<double> h(rows.row(i), rows.row(i) + 11);
        for (Index l = 0; l < 3; ++l) {
            std::vector<double> z;
            for (Index j = 0; j < shape.out(l); ++j) {
                double sum = static_cast<double>(layers.intercepts[at(l)][j]);
                for (Index k = 0; k < shape.in(l); ++k) {
                    sum +=
                        h[at(k)] * static_cast<double>(layers.weights[at(l)][k * shape.out(l) + j]);
                }
                z.push_back(l == 0   ? std::tanh(sum)
                            : l == 1 ? 1 / (1 + std::exp(-sum))
                                     : std::exp(sum));
            }
            h = z;
        }
        const double total = h[0] + h[1] + h[2];
        for (Index j = 0; j < 3; ++j) {
            HOLDS(close(static_cast<double>(found(i, j)), h[at(j)] / total,
                        sizeof(T) == 4 ? 1e-5 : 1e-13));
        }
    }
}

void differences(bool batch_norm) {
    const Index n = 70;
    const Settings s = settings_of(batch_norm, Optimizer::none, n);
    const Table<double> X = groups<double>(n, 11, 3);
    const std::vector<std::int32_t> codes = classes(n);
    std::vector<double> p = drawn<double>(s.shape.parameters(), 4), g(p.size()), unused(p.size());
    const Matrix<const double> rows = X.in();
    const Targets<double> targets{codes.data(), nullptr, 0.95, 0.025};
    const auto loss = [&](std::vector<double>& out) {
        State<double> state{p.data(), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 0};
        return gradient<double>(s, source_of<double>(rows), targets, nullptr, state, out.data())
            .loss;
    };
    loss(g);
    for (std::size_t i = 0; i < p.size(); i += 13) {
        const double h = 1e-5, kept = p[i];
        p[i] = kept + h;
        const double up = loss(unused);
        p[i] = kept - h;
        const double down = loss(unused);
        p[i] = kept;
        HOLDS(close(g[i], (up - down) / (2 * h), 1e-7));
    }
}

template <typename T>
void epochs(bool batch_norm) {
    const Index n = 650;
    const Settings s = settings_of(batch_norm, Optimizer::amsgrad, 100);
    Table<T> X = groups<T>(n, 11, 5);
    const Sparse<T> sparse(X, T(4));
    const std::vector<std::int32_t> codes = classes(n);
    std::vector<std::int32_t> order;
    for (Index i = 0; i < n; ++i) order.push_back(static_cast<std::int32_t>(i * 37 % n));
    const Targets<T> targets{codes.data(), nullptr, T(1), T(0)};
    const auto trained = [&](const auto& rows) {
        std::vector<T> p = drawn<T>(s.shape.parameters(), 6);
        std::vector<T> first(p.size()), second(p.size()), largest(p.size());
        std::vector<T> mean(at(s.shape.hidden_units())), variance(mean.size(), T(1));
        State<T> state{p.data(),
                       first.data(),
                       second.data(),
                       largest.data(),
                       batch_norm ? mean.data() : nullptr,
                       batch_norm ? variance.data() : nullptr,
                       nullptr,
                       0};
        for (int e = 0; e < 2; ++e) {
            const Pass pass =
                epoch<T>(s, source_of<T>(rows), targets, nullptr, in(order), state, nullptr);
            HOLDS(pass.finite);
        }
        HOLDS(state.t == 14);
        p.insert(p.end(), mean.begin(), mean.end());
        return p;
    };
    HOLDS(trained(X.in()) == trained(sparse.in()));
}

} // namespace

void network() {
    for (const Index n : {1, 8, 9, 200}) {
        outputs<float>(n);
        outputs<double>(n);
    }
    for (const bool batch_norm : {false, true}) {
        differences(batch_norm);
        epochs<float>(batch_norm);
        epochs<double>(batch_norm);
    }
}

} // namespace steps
