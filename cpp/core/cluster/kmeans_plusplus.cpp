#include "core/cluster/kmeans.hpp"
#include "core/distance/tile.hpp"
#include "core/runtime/pool.hpp"
#include "core/runtime/random.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gramian::cluster {
namespace {

constexpr Index kBlock = 1024;        // rows under one partial sum
constexpr Index kTask = 4;            // blocks handed to a thread together
constexpr float kFarthest = 0x1p100f; // represents infinity, with finite sums

// Draws an index with probability proportional to w_i v_i from a uniform number and the sums of the
// blocks: first the block, then the row within it.
Index draw(double uniform, const float* values, const double* weights, Index n,
           const double* block_sums) {
    const runtime::Blocks blocks{n, kBlock};
    const double total = std::accumulate(block_sums, block_sums + blocks.count(), 0.0);
    double target = uniform * total;
    Index block = 0;
    while (block + 1 < blocks.count() && target >= block_sums[block]) target -= block_sums[block++];
    while (block > 0 && block_sums[block] == 0) --block; // rounding took us past the last mass
    Index last = blocks.begin(block);
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
        const double mass = static_cast<double>(values[i]) * (weights ? weights[i] : 1.0);
        if (mass > 0) {
            last = i;
            if (target < mass) break;
            target -= mass;
        }
    }
    return last;
}

} // namespace

void kmeans_plusplus(const Points& points, const double* weights, int trials, std::uint64_t seed,
                     Vector<Index> chosen) {
    const Index n = points.rows();
    const runtime::Blocks blocks{n, kBlock}, tasks{blocks.count(), kTask};
    const Index padded = blocks.count() * kBlock;
    const auto weights_at = [&](Index i) { return weights ? weights + i : nullptr; };
    const auto& tile = distance::tile_kernels();

    std::vector<float> closest(static_cast<std::size_t>(padded), kFarthest);
    std::vector<float> nearer(static_cast<std::size_t>(padded * trials));
    std::vector<double> closest_sums(static_cast<std::size_t>(blocks.count()));
    std::vector<double> nearer_sums(static_cast<std::size_t>(blocks.count() * trials));
    for (Index b = 0; b < blocks.count(); ++b) {
        const Index begin = blocks.begin(b);
        closest_sums[b] =
            tile.weighted_sum(closest.data() + begin, weights_at(begin), blocks.end(b) - begin);
    }
    const std::vector<double> weight_sums = closest_sums;

    const auto distances = points.candidate_distances();
    std::vector<Index> candidates(static_cast<std::size_t>(trials));
    const runtime::Philox random{seed, 0};
    std::uint64_t draws = 0;
    for (Index j = 0; j < chosen.size; ++j) {
        runtime::poll_interrupt();
        const double potential = std::accumulate(closest_sums.begin(), closest_sums.end(), 0.0);
        if (!(potential > 0)) { // every row is a centre already: draw by weight
            std::fill(closest.begin(), closest.end(), kFarthest);
            closest_sums = weight_sums;
        }
        const int n_candidates = j == 0 ? 1 : trials;
        for (int c = 0; c < n_candidates; ++c) {
            candidates[c] =
                draw(random.uniform(draws++), closest.data(), weights, n, closest_sums.data());
        }
        distances->set_candidates(candidates.data(), n_candidates);
        runtime::parallel_for(
            tasks.count(),
            [&](Index task) {
                for (Index b = tasks.begin(task); b < tasks.end(task); ++b) {
                    const Index begin = blocks.begin(b), end = blocks.end(b);
                    distances->nearer(begin, end, closest.data() + begin, nearer.data() + begin,
                                      padded);
                    for (int c = 0; c < n_candidates; ++c) {
                        nearer_sums[c * blocks.count() + b] = tile.weighted_sum(
                            nearer.data() + c * padded + begin, weights_at(begin), end - begin);
                    }
                }
            },
            n * points.cols() * n_candidates < (1 << 17) ? 1 : 0);
        int best = 0;
        double least = HUGE_VAL;
        for (int c = 0; c < n_candidates; ++c) {
            const double* sums = nearer_sums.data() + c * blocks.count();
            const double left = std::accumulate(sums, sums + blocks.count(), 0.0);
            if (left < least) {
                least = left;
                best = c;
            }
        }
        chosen[j] = candidates[best];
        std::copy_n(nearer.data() + best * padded, n, closest.data());
        std::copy_n(nearer_sums.data() + best * blocks.count(), blocks.count(),
                    closest_sums.data());
    }
}

} // namespace gramian::cluster
