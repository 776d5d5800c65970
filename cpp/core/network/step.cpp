#include "core/network/step.hpp"

#include "core/network/flush.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gramian::network {
namespace {

bool is_adam(Optimizer optimizer) {
    return optimizer == Optimizer::adam || optimizer == Optimizer::amsgrad;
}

double root_of(const Rule<double>& rule, std::int64_t t) {
    return std::sqrt(1 - std::pow(rule.beta_2, static_cast<double>(t) + 1));
}

} // namespace

double rate_correction(const Rule<double>& rule, std::int64_t t) {
    if (!is_adam(rule.optimizer)) return 1;
    return root_of(rule, t) / (1 - std::pow(rule.beta_1, static_cast<double>(t) + 1));
}

template <typename T>
Rule<T> corrected(const Rule<double>& rule, std::int64_t t) {
    const double epsilon = rule.epsilon * (is_adam(rule.optimizer) ? root_of(rule, t) : 1);
    return {rule.optimizer,
            static_cast<T>(rule.rate * rate_correction(rule, t)),
            static_cast<T>(rule.momentum),
            static_cast<T>(rule.beta_1),
            static_cast<T>(rule.beta_2),
            static_cast<T>(epsilon),
            rule.nesterov};
}

template <typename T>
void step_vector(const Rule<double>& rule, std::int64_t t, double decay, const Stretch<T>& vector) {
    constexpr Index line = 64 / static_cast<Index>(sizeof(T)); // at least the lanes of a register
    const FlushTiny flush;
    const Rule<T> own = corrected<T>(rule, t);
    const Index whole = vector.size / line * line, rest = vector.size - whole;
    Stretch<T> part = vector;
    part.size = whole;
    if (whole > 0) steps<T>().step(own, static_cast<T>(decay), part);
    if (rest == 0) return;
    std::array<std::array<T, static_cast<std::size_t>(line)>, 5> copies{};
    const std::array<T*, 5> from = {vector.w, vector.g, vector.first, vector.second,
                                    vector.largest};
    std::array<T*, 5> to{};
    for (std::size_t k = 0; k < from.size(); ++k) {
        if (from[k] == nullptr) continue;
        std::copy_n(from[k] + whole, rest, copies[k].begin());
        to[k] = copies[k].data();
    }
    steps<T>().step(own, static_cast<T>(decay), {to[0], to[1], to[2], to[3], to[4], nullptr, line});
    for (std::size_t k = 0; k < from.size(); ++k) {
        if (from[k] != nullptr) std::copy_n(copies[k].begin(), rest, from[k] + whole);
    }
}

#define GRAMIAN_OF_TYPE(T)                                                                         \
    template Rule<T> corrected(const Rule<double>&, std::int64_t);                                 \
    template void step_vector(const Rule<double>&, std::int64_t, double, const Stretch<T>&);
GRAMIAN_OF_TYPE(float)
GRAMIAN_OF_TYPE(double)
#undef GRAMIAN_OF_TYPE

} // namespace gramian::network
