#include "core/linkage/linkage.hpp"
#include "core/simd/register.hpp"

#include <math.h>

namespace gramian::linkage::GRAMIAN_ISA {
namespace {

using namespace simd;

using Double = Vec<double>;
using Float = Vec<float>;
constexpr int kStep = kLanes<double>;
constexpr int kFloats = kLanes<float>;

// The least of the values from `begin` on, by four chains.
template <typename Value>
inline double least_of(Index begin, Index end, const Value& value_at) {
    Index j = begin;
    double least = HUGE_VAL;
    if (end - begin >= 4 * kStep) {
        Double chain[4];
        for (int u = 0; u < 4; ++u) chain[u] = broadcast<double>(HUGE_VAL);
        for (; j + 4 * kStep <= end; j += 4 * kStep) {
            for (int u = 0; u < 4; ++u) {
                chain[u] = min(value_at(j + u * kStep, Double{}), chain[u]);
            }
        }
        const Double all = min(min(chain[0], chain[1]), min(chain[2], chain[3]));
        for (int i = 0; i < kStep; ++i) least = all[i] < least ? all[i] : least;
    }
    for (; j < end; ++j) {
        const double value = value_at(j, 0.0);
        least = value < least ? value : least;
    }
    return least;
}

inline Double add(const double* x, const double* y, Index j, Double) {
    return load(x + j) + load(y + j);
}
inline double add(const double* x, const double* y, Index j, double) {
    return x[j] + y[j];
}

void least(const double* row, const double* dead, Index n, double* value, Index* place) {
    constexpr Index kBlock = 512;
    double best = HUGE_VAL;
    Index block = 0;
    for (Index begin = 0; begin < n; begin += kBlock) {
        const Index end = begin + kBlock < n ? begin + kBlock : n;
        const double here =
            least_of(begin, end, [&](Index j, auto kind) { return add(row, dead, j, kind); });
        if (here < best) {
            best = here;
            block = begin;
        }
    }
    Index at = block;
    while (at < n - 1 && row[at] + dead[at] != best) ++at;
    *value = best;
    *place = at;
}

template <typename Of>
inline void each(double* x, const double* y, Index n, const Of& of) {
    Index j = 0;
    for (; j + kStep <= n; j += kStep) store(x + j, of(load(x + j), load(y + j), j));
    for (; j < n; ++j) x[j] = of(x[j], y[j], j);
}

inline double load_like(const double* p, double) {
    return *p;
}
inline Double load_like(const double* p, Double) {
    return load(p);
}

void join(const Rule& rule, double* x, const double* y, Index n) {
    switch (rule.kind) {
    case Rule::Kind::greatest:
        return each(x, y, n, [](auto a, auto b, Index) { return a > b ? a : b; });
    case Rule::Kind::least:
        return each(x, y, n, [](auto a, auto b, Index) { return a < b ? a : b; });
    case Rule::Kind::linear:
        return each(x, y, n, [&](auto a, auto b, Index) {
            const auto joined = rule.a * a + rule.b * b + rule.constant;
            return joined > 0 ? joined : joined * 0;
        });
    case Rule::Kind::ward:
        return each(x, y, n, [&](auto a, auto b, Index j) {
            const auto size = load_like(rule.sizes + j, a);
            const auto joined =
                ((rule.size_a + size) * a + (rule.size_b + size) * b - size * rule.constant) /
                (rule.size_a + rule.size_b + size);
            return joined > 0 ? joined : joined * 0;
        });
    }
}

template <int U>
inline void squares_of(const double* points, Index stride, Index d, const double* query,
                       Double (&total)[U]) {
    for (int u = 0; u < U; ++u) total[u] = Double{};
    for (Index t = 0; t < d; ++t) {
        const double* x = points + t * stride;
        for (int u = 0; u < U; ++u) {
            const Double gap = load(x + u * kStep) - query[t];
            total[u] = gap * gap + total[u];
        }
    }
}

void squares(const double* points, Index stride, Index n, Index d, const double* query,
             double* out) {
    for (Index j = 0; j < n; j += 4 * kStep) {
        Double total[4];
        squares_of(points + j, stride, d, query, total);
        for (int u = 0; u < 4; ++u) store(out + j + u * kStep, total[u]);
    }
}

float ward(const float* points, Index stride, Index n, Index d, const float* query,
           const float* sizes, float size, Index own, float* out) {
    constexpr int kChains = 4;
    for (Index j = 0; j < n; j += kChains * kFloats) {
        Float total[kChains] = {};
        for (Index t = 0; t < d; ++t) {
            const float* x = points + t * stride + j;
            for (int u = 0; u < kChains; ++u) {
                const Float gap = load(x + u * kFloats) - query[t];
                total[u] = gap * gap + total[u];
            }
        }
        for (int u = 0; u < kChains; ++u) {
            const Float other = load(sizes + j + u * kFloats);
            store(out + j + u * kFloats, total[u] * (size * other / (size + other)));
        }
    }
    out[own] = HUGE_VALF;
    Float chain[kChains];
    for (int u = 0; u < kChains; ++u) chain[u] = broadcast<float>(HUGE_VALF);
    Index j = 0;
    for (; j + kChains * kFloats <= n; j += kChains * kFloats) {
        for (int u = 0; u < kChains; ++u) chain[u] = min(load(out + j + u * kFloats), chain[u]);
    }
    const Float all = min(min(chain[0], chain[1]), min(chain[2], chain[3]));
    float least = HUGE_VALF;
    for (int i = 0; i < kFloats; ++i) least = all[i] < least ? all[i] : least;
    for (; j < n; ++j) least = out[j] < least ? out[j] : least;
    return least;
}

// Written so that NaN, from a difference of infinities, is not above.
Index not_above(const float* values, Index n, float limit, std::int32_t* places) {
    Index count = 0;
    Index j = 0;
    for (; j + kFloats <= n; j += kFloats) {
        unsigned bits = ~mask_bits(load(values + j) > limit) & (~0u >> (32 - kFloats));
        for (; bits; bits &= bits - 1) {
            places[count++] = static_cast<std::int32_t>(j + __builtin_ctz(bits));
        }
    }
    for (; j < n; ++j) {
        if (!(values[j] > limit)) places[count++] = static_cast<std::int32_t>(j);
    }
    return count;
}

Index prim(const double* points, Index stride, Index n, Index d, const double* query,
           const double* core, double own_core, std::int32_t id, double* best, std::int32_t* from) {
    constexpr int kChains = 2;
    for (Index j = 0; j < n; j += kChains * kStep) {
        Double total[kChains];
        squares_of(points + j, stride, d, query, total);
        for (int u = 0; u < kChains; ++u) {
            const Index at = j + u * kStep;
            if (core) total[u] = max(max(total[u], load(core + at)), broadcast(own_core));
            if (mask_bits(total[u] < load(best + at)) == 0) continue;
            for (int i = 0; i < kStep; ++i) {
                if (total[u][i] < best[at + i]) {
                    best[at + i] = total[u][i];
                    from[at + i] = id;
                }
            }
        }
    }
    const double least =
        least_of(0, n, [&](Index at, auto kind) { return load_like(best + at, kind); });
    Index place = 0;
    while (place < n - 1 && best[place] != least) ++place;
    return place;
}

void roots(double* values, Index n) {
    Index j = 0;
    for (; j + kStep <= n; j += kStep) store(values + j, simd::sqrt(load(values + j)));
    for (; j < n; ++j) values[j] = __builtin_sqrt(values[j]);
}

} // namespace

extern const LinkageKernels linkage_kernel_table;
const LinkageKernels linkage_kernel_table = {least, join, squares, ward, not_above, prim, roots};

} // namespace gramian::linkage::GRAMIAN_ISA
