#include "core/network/step.hpp"

#include "core/simd/register.hpp"

namespace gramian::network::GRAMIAN_ISA {
namespace {

using namespace simd;

template <typename T, typename Move>
Squares run(T decay, const Stretch<T>& s, const Move& move) {
    constexpr Index lanes = kLanes<T>;
    Vec<T> of_w{}, of_g{};
    for (Index i = 0; i < s.size; i += lanes) {
        const Vec<T> w = load(s.w + i);
        Vec<T> g = load(s.g + i) + decay * w;
        if (s.mask != nullptr) g *= load(s.mask + i);
        of_w += w * w;
        of_g += g * g;
        move(i, w, g);
    }
    return {static_cast<double>(sum<T>(of_w)), static_cast<double>(sum<T>(of_g))};
}

template <typename T>
Squares step(const Rule<T>& r, T decay, const Stretch<T>& s) {
    using V = Vec<T>;
    switch (r.optimizer) {
    case Optimizer::sgd:
        return run(decay, s, [&](Index i, V w, V g) {
            const V u = r.momentum * load(s.first + i) - r.rate * g;
            store(s.first + i, u);
            store(s.w + i, w + (r.nesterov ? r.momentum * u - r.rate * g : u));
        });
    case Optimizer::adagrad:
        return run(decay, s, [&](Index i, V w, V g) {
            const V v = load(s.second + i) + g * g;
            store(s.second + i, v);
            store(s.w + i, w - r.rate * g / (sqrt(v) + r.epsilon));
        });
    case Optimizer::rmsprop:
        return run(decay, s, [&](Index i, V w, V g) {
            const V v = r.beta_2 * load(s.second + i) + (T(1) - r.beta_2) * g * g;
            store(s.second + i, v);
            store(s.w + i, w - r.rate * g / (sqrt(v) + r.epsilon));
        });
    case Optimizer::adam:
    case Optimizer::amsgrad: {
        const bool keeps = r.optimizer == Optimizer::amsgrad;
        return run(decay, s, [&](Index i, V w, V g) {
            const V m = r.beta_1 * load(s.first + i) + (T(1) - r.beta_1) * g;
            V v = r.beta_2 * load(s.second + i) + (T(1) - r.beta_2) * g * g;
            store(s.first + i, m);
            store(s.second + i, v);
            if (keeps) {
                v = max(v, load(s.largest + i));
                store(s.largest + i, v);
            }
            store(s.w + i, w - r.rate * m / (sqrt(v) + r.epsilon));
        });
    }
    default:
        return run(decay, s, [&](Index i, V, V g) { store(s.g + i, g); });
    }
}

} // namespace

extern const AllStepKernels step_kernels;
const AllStepKernels step_kernels = {{step<float>}, {step<double>}};

} // namespace gramian::network::GRAMIAN_ISA
