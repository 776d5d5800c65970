#include "core/kdtree/descent.hpp"

namespace gramian::kdtree::GRAMIAN_ISA {
namespace {

using namespace simd;

// Where the rows of one ball go: counted only, or written with or without distances.
template <typename T, typename Norm>
struct Ball {
    const Norm& norm;
    std::int64_t* indices; // null: count only
    T* distances;          // null: not wanted
    Index size = 0;

    void take(double measure, Index row) {
        if (indices) indices[size] = row;
        if (distances) distances[size] = static_cast<T>(norm.root(measure));
        ++size;
    }
};

// The positions of a node's points, whose leaves lie side by side.
struct Range {
    Index begin, end;
};

template <typename T>
inline Range points_of(const Tree<const T>& tree, Index node) {
    const int level = 63 - __builtin_clzll(static_cast<unsigned long long>(node));
    const Index place = node - (Index{1} << level);
    return {(place * tree.n) >> level, ((place + 1) * tree.n) >> level};
}

template <int D, typename T, typename Norm>
void collect(const Tree<const T>& tree, const double* query, float* shifted, double radius,
             OpenBox* open, Ball<T, Norm>& ball) {
    const Norm& norm = ball.norm;
    const Index leaves = leaf_count(tree);
    Index n_open = 0;
    open[n_open++] = {0, 1};
    while (n_open > 0) {
        const Index node = open[--n_open].node;
        if (node < leaves) {
            const float* boxes = child_boxes(tree, node);
            const Pair near = nearest_of_boxes<D>(boxes, query, tree.dims, norm);
            const Pair far = farthest_of_boxes<D>(boxes, query, tree.dims, norm);
            for (int side = 1; side >= 0; --side) {
                const std::int32_t child = static_cast<std::int32_t>(2 * node + side);
                if (near[side] * (1 - Norm::slack) > radius) continue;
                if (ball.distances || !(far[side] * (1 + Norm::slack) <= radius)) {
                    open[n_open++] = {near[side], child};
                    continue;
                }
                const Range all = points_of(tree, child);
                if (ball.indices) {
                    for (Index i = all.begin; i < all.end; ++i) ball.take(0, tree.order[i]);
                } else {
                    ball.size += all.end - all.begin;
                }
            }
            continue;
        }
        measure_leaf<D, 4>(
            tree, node - leaves, query, shifted, norm, [&] { return radius; },
            [&](double measure, Index row) {
                if (measure <= radius) ball.take(measure, row);
            });
    }
}

template <typename T>
void within(const Tree<const T>& tree, const WithinCall<T>& call) {
    with_norm(call.p, tree.dims, [&]<int D, typename Norm>(const Norm& norm) {
        for (Index c = 0; c < call.count; ++c) {
            const Index row = call.rows[c];
            read_query(call.queries + row * tree.dims, tree.dims, call.query);
            Ball<T, Norm> ball{norm, nullptr, nullptr};
            if (call.indices) {
                ball.indices = call.indices + call.offsets[row];
                if (call.distances) ball.distances = call.distances + call.offsets[row];
            }
            collect<D>(tree, call.query, call.shifted, call.radii[row], call.open, ball);
            if (!call.indices) call.counts[row] = ball.size;
        }
    });
}

} // namespace

extern const WithinKernels kdtree_within_kernels;
const WithinKernels kdtree_within_kernels = {within<float>, within<double>};

} // namespace gramian::kdtree::GRAMIAN_ISA
