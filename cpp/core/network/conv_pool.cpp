#include "core/network/conv_pool.hpp"

#include "core/network/conv_stage.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <vector>

namespace gramian::network {
namespace {

constexpr double kSerial = 2e6; // multiply-adds below which threads cost more than they give

// 0: the pool's threads, 1: this one alone
int threads_for(const ConvPool& c, Index n) {
    return static_cast<double>(n) * c.work() < kSerial ? 1 : 0;
}

} // namespace

template <typename T>
void conv_pool(const ConvPool& c, Index n, const T* images, const T* weights, const T* bias, T* out,
               std::uint8_t* places) {
    ConvStage<T> stage(c);
    stage.pack_forward(weights, bias);
    const runtime::Blocks blocks{n, kImages};
    const auto body = [&](Index block) {
        auto scratch = stage.scratch_forward();
        for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
            stage.forward(images + i * c.image(), scratch, out + i * c.pooled(),
                          places + i * c.pooled());
        }
    };
    runtime::parallel_for(blocks.count(), body, threads_for(c, n));
}

template <typename T>
void conv_pool_back(const ConvPool& c, Index n, const T* images, const T* weights, const T* slopes,
                    const std::uint8_t* places, T* by_weights, T* by_bias, T* by_images) {
    ConvStage<T> stage(c);
    if (by_images) stage.pack_back(weights);
    const runtime::Blocks blocks{n, kImages};
    const Index size = stage.sums();
    std::vector<T> sums(static_cast<std::size_t>(std::max<Index>(blocks.count(), 1) * size));
    const auto body = [&](Index block) {
        auto scratch = stage.scratch_back(by_images != nullptr);
        for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
            stage.back(images + i * c.image(), slopes + i * c.pooled(), places + i * c.pooled(),
                       scratch, sums.data() + block * size,
                       by_images ? by_images + i * c.image() : nullptr);
        }
    };
    runtime::parallel_for(blocks.count(), body, threads_for(c, n));
    for (Index block = 1; block < blocks.count(); ++block) {
        const T* const own = sums.data() + block * size;
        for (Index k = 0; k < size; ++k) sums[static_cast<std::size_t>(k)] += own[k];
    }
    stage.unpack(sums.data(), by_weights, by_bias);
}

#define GRAMIAN_OF_TYPE(T)                                                                         \
    template void conv_pool(const ConvPool&, Index, const T*, const T*, const T*, T*,              \
                            std::uint8_t*);                                                        \
    template void conv_pool_back(const ConvPool&, Index, const T*, const T*, const T*,             \
                                 const std::uint8_t*, T*, T*, T*);
GRAMIAN_OF_TYPE(float)
GRAMIAN_OF_TYPE(double)
#undef GRAMIAN_OF_TYPE

} // namespace gramian::network
