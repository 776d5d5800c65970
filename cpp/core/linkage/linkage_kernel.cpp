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

// Blocks of values one after the other: find(begin, end) returns the least value of a block.
template <typename Find>
inline void first_least(const double* row, const double* dead, Index n, const Find& find,
                        double* value, Index* place) {
    constexpr Index kBlock = 512;
    double best = HUGE_VAL;
    Index block = 0;
    for (Index begin = 0; begin < n; begin += kBlock) {
        const double here = find(begin, begin + kBlock < n ? begin + kBlock : n);
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

inline double least_between(const double* row, const double* dead, Index begin, Index end) {
    return least_of(begin, end, [&](Index j, auto kind) { return add(row, dead, j, kind); });
}

void least(const double* row, const double* dead, Index n, double* value, Index* place) {
    first_least(
        row, dead, n, [&](Index begin, Index end) { return least_between(row, dead, begin, end); },
        value, place);
}

inline double load_like(const double* p, double) {
    return *p;
}
inline Double load_like(const double* p, Double) {
    return load(p);
}

void join(const Rule& rule, const double* x, const double* y, const double* dead, Index n,
          double* out, double* value, Index* place) {
    const auto each = [&](const auto& of) {
        const auto find = [&](Index begin, Index end) {
            Index j = begin;
            for (; j + kStep <= end; j += kStep) store(out + j, of(load(x + j), load(y + j), j));
            for (; j < end; ++j) out[j] = of(x[j], y[j], j);
            return least_between(out, dead, begin, end);
        };
        first_least(out, dead, n, find, value, place);
    };
    switch (rule.kind) {
    case Rule::Kind::greatest:
        return each([](auto a, auto b, Index) { return a > b ? a : b; });
    case Rule::Kind::least:
        return each([](auto a, auto b, Index) { return a < b ? a : b; });
    case Rule::Kind::linear:
        return each([&](auto a, auto b, Index) {
            const auto joined = rule.a * a + rule.b * b + rule.constant;
            return joined > 0 ? joined : joined * 0;
        });
    case Rule::Kind::ward:
        return each([&](auto a, auto b, Index j) {
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

// NaN, from a difference of infinities, counts as not above the limit.
Index indices_at_most(const float* values, Index n, float limit, std::int32_t* places) {
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

// Measures the rows j + i for which bit i is set in float64.
void measure(const PrimCall& call, Index j, unsigned bits) {
    constexpr unsigned kGroup = ~0u >> (32 - kStep);
    for (Index at = j; bits; at += kStep, bits >>= kStep) {
        if ((bits & kGroup) == 0) continue;
        Double total[1];
        squares_of(call.points + at, call.stride, call.d, call.query, total);
        if (call.core) {
            total[0] = max(max(total[0], load(call.core + at)), broadcast(call.own_core));
        }
        unsigned nearer = mask_bits(total[0] < load(call.best + at)) & bits & kGroup;
        for (; nearer; nearer &= nearer - 1) {
            const int i = __builtin_ctz(nearer);
            const Index place = at + i;
            call.best[place] = total[0][i];
            call.from[place] = call.id;
            const double root = __builtin_sqrt(total[0][i]) * call.scale;
            const double reach = root + call.row_error[place];
            call.key[place] = static_cast<float>(root);
            call.limit[place] = static_cast<float>(reach * reach * call.growth);
        }
    }
}

Index prim(const PrimCall& call) {
    constexpr Index kChunk = 256;
    constexpr int kChains = 4;
    constexpr Index kWide = kChains * kFloats;
    float least = HUGE_VALF;
    Index place = 0;
    for (Index begin = 0; begin < call.n; begin += kChunk) {
        const Index end = begin + kChunk < call.n ? begin + kChunk : call.n;
        Float low = broadcast<float>(HUGE_VALF);
        for (Index j = begin; j < end; j += kWide) {
            Float total[kChains] = {};
            for (Index t = 0; t < call.d; ++t) {
                const float* x = call.coarse + t * call.stride + j;
                for (int u = 0; u < kChains; ++u) {
                    const Float gap = call.coarse_query[t] - load(x + u * kFloats);
                    total[u] = gap * gap + total[u];
                }
            }
            // NaN, from a difference of infinities, must not rule a row out.
            unsigned far = 0;
            for (int u = 0; u < kChains; ++u) {
                const Index at = j + u * kFloats;
                far |= mask_bits(total[u] - call.slack > load(call.limit + at)) << (u * kFloats);
            }
            const Index here = end - j < kWide ? end - j : kWide;
            const unsigned bits = ~far & (~0u >> (32 - here));
            if (bits) measure(call, j, bits);
            for (int u = 0; u < kChains; ++u) low = min(load(call.key + j + u * kFloats), low);
        }
        float lowest = HUGE_VALF;
        for (int i = 0; i < kFloats; ++i) lowest = low[i] < lowest ? low[i] : lowest;
        if (lowest > least) continue;
        for (Index j = begin; j < end; ++j) {
            if (call.key[j] > lowest) continue;
            if (call.key[j] < least || call.best[j] < call.best[place]) place = j;
            least = lowest;
        }
    }
    return place;
}

void roots(double* values, Index n) {
    Index j = 0;
    for (; j + kStep <= n; j += kStep) store(values + j, simd::sqrt(load(values + j)));
    for (; j < n; ++j) values[j] = __builtin_sqrt(values[j]);
}

} // namespace

extern const LinkageKernels linkage_kernel_table;
const LinkageKernels linkage_kernel_table = {least,           join, squares, ward,
                                             indices_at_most, prim, roots};

} // namespace gramian::linkage::GRAMIAN_ISA
