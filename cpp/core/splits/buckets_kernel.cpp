#include "core/splits/buckets.hpp"

#include <bit>

namespace gramian::splits::GRAMIAN_ISA {
namespace {

template <typename Rank>
void gather(RankColumn<Rank> ranks, const std::uint32_t* ids, Index n, Rank* out, Rank* range) {
    const Rank* at = ranks.at;
    const Index step = ranks.step;
    for (Index i = 0; i < n; ++i) out[i] = at[ids[i] * step];
    Rank low = out[0], high = out[0];
    for (Index i = 1; i < n; ++i) {
        low = out[i] < low ? out[i] : low;
        high = out[i] > high ? out[i] : high;
    }
    range[0] = low;
    range[1] = high;
}

constexpr Index kTile = 64; // rows whose cache lines are read for all columns

std::uint32_t bits_in_order(float x) {
    constexpr std::uint32_t sign = std::uint32_t{1} << 31;
    const auto b = std::bit_cast<std::uint32_t>(x + 0.0F);
    return b & sign ? ~b : b | sign;
}

void number_ranges(const float* numbers, Index step, const std::uint32_t* columns, Index k,
                   const std::uint32_t* ids, Index n, std::uint32_t* ranges) {
    for (Index c = 0; c < k; ++c) {
        ranges[2 * c] = ~std::uint32_t{0};
        ranges[2 * c + 1] = 0;
    }
    for (Index begin = 0; begin < n; begin += kTile) {
        const Index end = begin + kTile < n ? begin + kTile : n;
        for (Index c = 0; c < k; ++c) {
            const float* const x = numbers + columns[c];
            std::uint32_t low = ranges[2 * c], high = ranges[2 * c + 1];
            for (Index i = begin; i < end; ++i) {
                const std::uint32_t bits = bits_in_order(x[ids[i] * step]);
                low = bits < low ? bits : low;
                high = bits > high ? bits : high;
            }
            ranges[2 * c] = low;
            ranges[2 * c + 1] = high;
        }
    }
}

void number_buckets(const float* numbers, Index step, const std::uint32_t* columns, Index k,
                    const NumberBuckets* of, const std::uint32_t* ids, Index n, Index apart,
                    std::uint16_t* out) {
    for (Index begin = 0; begin < n; begin += kTile) {
        const Index end = begin + kTile < n ? begin + kTile : n;
        for (Index c = 0; c < k; ++c) {
            const float* const x = numbers + columns[c];
            const NumberBuckets b = of[c];
            std::uint16_t* const bucket = out + c * apart;
            if (b.scale > 0) {
                for (Index i = begin; i < end; ++i) {
                    const float number = x[ids[i] * step];
                    const int at = static_cast<int>((number - b.low) * b.scale);
                    bucket[i] =
                        static_cast<std::uint16_t>((at < b.last ? at : b.last) +
                                                   (number >= b.frequent) + (number > b.frequent));
                }
            } else {
                for (Index i = begin; i < end; ++i) {
                    const float number = x[ids[i] * step];
                    const std::uint32_t at = (bits_in_order(number) - b.low_bits) >> b.shift;
                    bucket[i] = static_cast<std::uint16_t>(at + (number >= b.frequent) +
                                                           (number > b.frequent));
                }
            }
        }
    }
}

template <typename Rank>
void fill(const Rank* ranks, const Moment* moments, Index n, Rank low, int shift, double mean,
          Bucket* buckets) {
    for (Index i = 0; i < n; ++i) {
        const Moment one = moments[i];
        const double t = one.s - mean * one.w;
        Bucket& b = buckets[static_cast<Rank>(ranks[i] - low) >> shift];
        b = {b.w + one.w, b.s + one.s, b.a + (t < 0 ? -t : t), b.n + 1};
    }
}

} // namespace

extern const BucketKernels tree_bucket_kernels;
const BucketKernels tree_bucket_kernels = {gather<std::uint16_t>, gather<std::uint32_t>,
                                           number_ranges,         number_buckets,
                                           fill<std::uint16_t>,   fill<std::uint32_t>};

} // namespace gramian::splits::GRAMIAN_ISA
