#include "core/kdtree/descent.hpp"

namespace gramian::kdtree::GRAMIAN_ISA {
namespace {

using namespace simd;

// Searches from the leaf of the row up to the root, and descends into the siblings of its ancestors
// that may contain a nearer row of another component.
template <int D, typename T>
struct OtherComponentSearch {
    const Boxes tree;
    const OtherComponentCall<T>& call;
    const T* X;
    Index leaves;
    std::int32_t own;
    double own_core;
    double limit;
    Index nearest = -1;

    bool can_skip(double distance, Index node) const {
        return distance >= limit || call.component_of_node[node] == own;
    }

    Pair child_distances(Index node) const {
        return nearest_of_boxes<D>(tree.children(node), call.query, tree.dims, Euclid{});
    }

    void visit_leaf(Index node) {
        const auto take = [&](const std::int32_t* rows, unsigned bits) {
            const Index from = rows - tree.order;
            for (; bits; bits &= bits - 1) {
                const Index position = from + __builtin_ctz(bits);
                if (call.component[position] == own) continue;
                if (call.cores && call.cores[position] >= limit) continue;
                const T* const x = X + tree.order[position] * tree.dims;
                double measure = measure_row<D>(x, call.query, tree.dims, Euclid{});
                if (call.cores) measure = larger(larger(measure, call.cores[position]), own_core);
                if (!(measure < limit)) continue;
                limit = measure;
                nearest = position;
            }
        };
        search_leaf<D, 2>(
            tree, node - leaves, call.query, call.shifted, Euclid{}, [&] { return limit; }, take);
    }

    void descend(OpenBox box) {
        Index n_open = 0;
        call.open[n_open++] = box;
        while (n_open > 0) {
            const OpenBox now = call.open[--n_open];
            if (now.distance >= limit) continue;
            if (now.node >= leaves) {
                visit_leaf(now.node);
                continue;
            }
            const Pair distance = child_distances(now.node);
            const int near = distance[1] < distance[0];
            for (int last = 0; last < 2; ++last) { // the nearer one is on top
                const int side = last ? near : 1 - near;
                const std::int32_t child = 2 * now.node + side;
                if (!can_skip(distance[side], child)) call.open[n_open++] = {distance[side], child};
            }
        }
    }

    void run(Index leaf) {
        Index node = leaves + leaf;
        if (!can_skip(0, node)) visit_leaf(node);
        for (; node > 1; node /= 2) {
            const Index sibling = node ^ 1;
            if (call.component_of_node[sibling] == own) continue;
            const double distance = child_distances(node / 2)[sibling & 1];
            if (distance < limit) descend({distance, static_cast<std::int32_t>(sibling)});
        }
    }
};

template <int D, typename T>
Index search(const Tree<const T>& tree, const OtherComponentCall<T>& call, Index position,
             Index leaf, double* limit) {
    const Boxes boxes(tree);
    read_query(tree.X + tree.order[position] * tree.dims, tree.dims, call.query);
    OtherComponentSearch<D, T> walk{boxes,
                                    call,
                                    tree.X,
                                    boxes.leaf_count(),
                                    call.component[position],
                                    call.cores ? call.cores[position] : 0,
                                    *limit};
    walk.run(leaf);
    *limit = walk.limit;
    return walk.nearest;
}

template <typename T>
Index nearest_of_other_component(const Tree<const T>& tree, const OtherComponentCall<T>& call,
                                 Index position, Index leaf, double* limit) {
    switch (tree.dims) {
    case 2:
        return search<2>(tree, call, position, leaf, limit);
    case 3:
        return search<3>(tree, call, position, leaf, limit);
    default:
        return search<0>(tree, call, position, leaf, limit);
    }
}

} // namespace

extern const OtherComponentKernels kdtree_other_component_kernels;
const OtherComponentKernels kdtree_other_component_kernels = {nearest_of_other_component<float>,
                                                              nearest_of_other_component<double>};

} // namespace gramian::kdtree::GRAMIAN_ISA
