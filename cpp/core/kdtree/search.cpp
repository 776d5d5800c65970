#include "core/kdtree/search.hpp"

#include "core/distance/minkowski.hpp"
#include "core/kdtree/query_order.hpp"
#include "core/runtime/isa.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

GRAMIAN_DISPATCH(kdtree, NearestKernels, kdtree_nearest_kernels, nearest_table)
GRAMIAN_DISPATCH(kdtree, WithinKernels, kdtree_within_kernels, within_table)
GRAMIAN_DISPATCH(kdtree, OtherComponentKernels, kdtree_other_component_kernels,
                 other_component_table)

namespace gramian::kdtree {
namespace {

void nearest(const Tree<const float>& tree, NearestCall<float>& call) {
    nearest_table().f32(tree, call);
}
void nearest(const Tree<const double>& tree, NearestCall<double>& call) {
    nearest_table().f64(tree, call);
}
void within(const Tree<const float>& tree, const WithinCall<float>& call) {
    within_table().f32(tree, call);
}
void within(const Tree<const double>& tree, const WithinCall<double>& call) {
    within_table().f64(tree, call);
}

// The greatest measure whose distance is at most `radius`, so that membership agrees with the
// distances returned. Numbers that are not negative are ordered as their bits are; the steps from
// the first guess double, because a power gives many measures the same distance.
double radius_as_measure(double radius, double p) {
    if (p == 1 || p > distance::kLargestPower || std::isinf(radius)) return radius;
    using Bits = std::uint64_t;
    const auto is_within = [radius, p](Bits bits) {
        const double measure = std::bit_cast<double>(bits);
        return (p == 2 ? std::sqrt(measure) : std::pow(measure, 1 / p)) <= radius;
    };
    constexpr Bits greatest = std::bit_cast<Bits>(std::numeric_limits<double>::max());
    const double guess = p == 2 ? radius * radius : std::pow(radius, p);
    Bits low = std::min(std::bit_cast<Bits>(guess), greatest), high = low;
    for (Bits step = 1; low > 0 && !is_within(low); step *= 2) {
        high = low;
        low -= std::min(low, step);
    }
    for (Bits step = 1; high == low || is_within(high); step *= 2) {
        low = high;
        if (low == greatest) return std::bit_cast<double>(greatest);
        high += std::min(greatest - high, step);
    }
    while (high - low > 1) {
        const Bits middle = low + (high - low) / 2;
        (is_within(middle) ? low : high) = middle;
    }
    return std::bit_cast<double>(low);
}

template <typename T>
void search_balls(const Tree<const T>& tree, Matrix<const T> queries, Vector<const double> radii,
                  WithinCall<T> call) {
    std::vector<double> measures(static_cast<std::size_t>(queries.rows));
    for (Index i = 0; i < queries.rows; ++i) measures[i] = radius_as_measure(radii[i], call.p);
    const QueryOrder order = sort_by_leaf(tree, queries);
    const runtime::Blocks blocks = query_blocks(tree, queries.rows, tree.dims);
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            std::vector<double> query(static_cast<std::size_t>(4 * tree.dims));
            std::vector<float> shifted(static_cast<std::size_t>(tree.dims));
            std::vector<OpenBox> open(static_cast<std::size_t>(tree.levels + 1));
            WithinCall<T> part = call;
            part.queries = queries.data;
            part.rows = order.rows.data() + blocks.begin(b);
            part.count = blocks.end(b) - blocks.begin(b);
            part.radii = measures.data();
            part.query = query.data();
            part.shifted = shifted.data();
            part.open = open.data();
            within(tree, part);
        },
        threads_for(tree, queries.rows));
}

// Orders the rows of one ball by (distance, index).
template <typename T>
void sort_ball(T* distances, std::int64_t* indices, Index size) {
    std::vector<std::pair<T, std::int64_t>> ball(static_cast<std::size_t>(size));
    for (Index i = 0; i < size; ++i) ball[i] = {distances[i], indices[i]};
    std::sort(ball.begin(), ball.end());
    for (Index i = 0; i < size; ++i) {
        distances[i] = ball[i].first;
        indices[i] = ball[i].second;
    }
}

} // namespace

template <typename T>
Visits nearest(const Tree<const T>& tree, Matrix<const T> queries, double p, double eps,
               bool best_first, Matrix<T> distances, Matrix<std::int64_t> indices) {
    const Index k = distances.cols;
    const QueryOrder order = sort_by_leaf(tree, queries);
    const runtime::Blocks blocks = query_blocks(tree, queries.rows, tree.dims);
    const Index heap_size = best_first ? Index{1} << tree.levels : 0;
    const std::size_t room = static_cast<std::size_t>(kQueryGroup * (k + kBestRoom));
    std::atomic<Index> boxes{0}, points{0};
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            std::vector<double> query(static_cast<std::size_t>(kQueryGroup * 4 * tree.dims));
            std::vector<float> shifted(static_cast<std::size_t>(tree.dims));
            std::vector<double> best_distance(room);
            std::vector<std::int64_t> best_index(room);
            std::vector<OpenBoxes> open(static_cast<std::size_t>(tree.levels + 1));
            std::vector<OpenBox> heap(static_cast<std::size_t>(heap_size));
            NearestCall<T> call{};
            call.queries = queries.data;
            call.rows = order.rows.data() + blocks.begin(b);
            call.leaves = order.leaves.data() + blocks.begin(b);
            call.count = blocks.end(b) - blocks.begin(b);
            call.k = k;
            call.p = p;
            call.eps = eps;
            call.best_first = best_first;
            call.distances = distances.data;
            call.indices = indices.data;
            call.query = query.data();
            call.shifted = shifted.data();
            call.best_distance = best_distance.data();
            call.best_index = best_index.data();
            call.open = open.data();
            call.heap = heap.data();
            nearest(tree, call);
            boxes.fetch_add(call.visits.boxes, std::memory_order_relaxed);
            points.fetch_add(call.visits.points, std::memory_order_relaxed);
        },
        threads_for(tree, queries.rows));
    return {boxes.load(), points.load()};
}

template <typename T>
void count_within(const Tree<const T>& tree, Matrix<const T> queries, double p,
                  Vector<const double> radii, Vector<std::int64_t> counts) {
    WithinCall<T> call{};
    call.p = p;
    call.counts = counts.data;
    search_balls(tree, queries, radii, call);
}

template <typename T>
void within(const Tree<const T>& tree, Matrix<const T> queries, double p,
            Vector<const double> radii, Vector<const std::int64_t> offsets, bool sorted,
            Vector<T> distances, Vector<std::int64_t> indices) {
    WithinCall<T> call{};
    call.p = p;
    call.offsets = offsets.data;
    call.indices = indices.data;
    call.distances = distances.size > 0 ? distances.data : nullptr;
    if (indices.size == 0) return;
    search_balls(tree, queries, radii, call);
    if (!sorted || !call.distances) return;
    const runtime::Blocks blocks{queries.rows, 64};
    runtime::parallel_for(blocks.count(), [&](Index b) {
        for (Index i = blocks.begin(b); i < blocks.end(b); ++i) {
            const Index from = offsets[i];
            sort_ball(distances.data + from, indices.data + from, offsets[i + 1] - from);
        }
    });
}

template <>
Index nearest_of_other_component(const Tree<const float>& tree,
                                 const OtherComponentCall<float>& call, Index position, Index leaf,
                                 double* limit) {
    return other_component_table().f32(tree, call, position, leaf, limit);
}
template <>
Index nearest_of_other_component(const Tree<const double>& tree,
                                 const OtherComponentCall<double>& call, Index position, Index leaf,
                                 double* limit) {
    return other_component_table().f64(tree, call, position, leaf, limit);
}

#define GRAMIAN_KDTREE(T)                                                                          \
    template Visits nearest(const Tree<const T>&, Matrix<const T>, double, double, bool,           \
                            Matrix<T>, Matrix<std::int64_t>);                                      \
    template void count_within(const Tree<const T>&, Matrix<const T>, double,                      \
                               Vector<const double>, Vector<std::int64_t>);                        \
    template void within(const Tree<const T>&, Matrix<const T>, double, Vector<const double>,      \
                         Vector<const std::int64_t>, bool, Vector<T>, Vector<std::int64_t>);
GRAMIAN_KDTREE(float)
GRAMIAN_KDTREE(double)
#undef GRAMIAN_KDTREE

} // namespace gramian::kdtree
