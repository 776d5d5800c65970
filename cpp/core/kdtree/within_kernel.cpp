#include "core/kdtree/descent.hpp"

namespace gramian::kdtree::GRAMIAN_ISA {
namespace {

using namespace simd;

// One ball and its output: the count of its rows only, or also the rows, with or without distances.
template <typename Norm>
struct Ball {
    const Norm& norm;
    const double* query; // as read_query leaves it
    double radius;
    std::int64_t* indices; // null: count only
    bool measured;         // whether distances are written
    // take(row) for those of the rows whose bits are set that lie in the ball.
    void (*take_rows)(Ball&, const std::int32_t* rows, unsigned bits);
    Index size = 0;
};

// The same, with rows of their own type.
template <int D, typename T, typename Norm>
struct RowsBall : Ball<Norm> {
    Matrix<const T> X;
    T* distances; // null: not wanted

    static void take_rows(Ball<Norm>& ball, const std::int32_t* rows, unsigned bits) {
        const RowsBall& self = static_cast<RowsBall&>(ball);
        const auto take = [&](double measure, Index row) {
            if (!(measure <= ball.radius)) return;
            if (ball.indices) ball.indices[ball.size] = row;
            if (self.distances) {
                self.distances[ball.size] = static_cast<T>(ball.norm.root(measure));
            }
            ++ball.size;
        };
        measure_rows<D>(self.X, rows, bits, ball.query, ball.norm, take);
    }
};

// The positions of a node's points, whose leaves lie side by side.
struct Range {
    Index begin, end;
};

inline Range points_of(const Boxes& tree, Index node) {
    const int level = 63 - __builtin_clzll(static_cast<unsigned long long>(node));
    const Index place = node - (Index{1} << level);
    return {(place * tree.n) >> level, ((place + 1) * tree.n) >> level};
}

template <int D, typename Norm>
[[gnu::noinline]] void collect(const Boxes& tree, float* shifted, OpenBox* open, Ball<Norm>& ball) {
    const Norm& norm = ball.norm;
    const Index leaves = tree.leaf_count();
    Index n_open = 0;
    open[n_open++] = {0, 1};
    while (n_open > 0) {
        const Index node = open[--n_open].node;
        if (node < leaves) {
            const float* boxes = tree.children(node);
            const Pair near = nearest_of_boxes<D>(boxes, ball.query, tree.dims, norm);
            const Pair far = farthest_of_boxes<D>(boxes, ball.query, tree.dims, norm);
            for (int side = 1; side >= 0; --side) {
                const std::int32_t child = static_cast<std::int32_t>(2 * node + side);
                if (near[side] * (1 - Norm::slack) > ball.radius) continue;
                if (ball.measured || !(far[side] * (1 + Norm::slack) <= ball.radius)) {
                    open[n_open++] = {near[side], child};
                    continue;
                }
                const Range all = points_of(tree, child);
                if (ball.indices) {
                    for (Index i = all.begin; i < all.end; ++i) {
                        ball.indices[ball.size + i - all.begin] = tree.order[i];
                    }
                }
                ball.size += all.end - all.begin;
            }
            continue;
        }
        search_leaf<D, 4>(
            tree, node - leaves, ball.query, shifted, norm, [&] { return ball.radius; },
            [&](const std::int32_t* rows, unsigned bits) { ball.take_rows(ball, rows, bits); });
    }
}

template <typename T>
void within(const Tree<const T>& tree, const WithinCall<T>& call) {
    const Boxes boxes(tree);
    with_norm(call.p, tree.dims, [&]<int D, typename Norm>(const Norm& norm) {
        for (Index c = 0; c < call.count; ++c) {
            const Index row = call.rows[c];
            read_query(call.queries + row * tree.dims, tree.dims, call.query);
            std::int64_t* indices = call.indices ? call.indices + call.offsets[row] : nullptr;
            T* distances = indices && call.distances ? call.distances + call.offsets[row] : nullptr;
            RowsBall<D, T, Norm> ball{{norm, call.query, call.radii[row], indices,
                                       distances != nullptr, RowsBall<D, T, Norm>::take_rows},
                                      {tree.X, tree.n, tree.dims},
                                      distances};
            collect<D>(boxes, call.shifted, call.open, ball);
            if (!call.indices) call.counts[row] = ball.size;
        }
    });
}

} // namespace

extern const WithinKernels kdtree_within_kernels;
const WithinKernels kdtree_within_kernels = {within<float>, within<double>};

} // namespace gramian::kdtree::GRAMIAN_ISA
