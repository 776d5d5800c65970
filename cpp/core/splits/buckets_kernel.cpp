#include "core/splits/buckets.hpp"

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
                                           fill<std::uint16_t>, fill<std::uint32_t>};

} // namespace gramian::splits::GRAMIAN_ISA
