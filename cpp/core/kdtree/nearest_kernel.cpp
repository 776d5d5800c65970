#include "core/kdtree/best.hpp"
#include "core/kdtree/descent.hpp"

namespace gramian::kdtree::GRAMIAN_ISA {
namespace {

using namespace simd;

// What one query of a call knows: itself and the best so far.
struct QueryState {
    const double* query; // as read_query leaves it
    Best best;
};

template <int D, typename Norm>
struct Search {
    const Boxes& tree;
    const Norm& norm;
    Visits& visits;
    float* shifted;
    double reach; // (1 + eps)^p
    Index leaves;
    const void* rows; // of float or double, as `offer_rows` knows
    void (*offer_rows)(const Search&, QueryState&, const std::int32_t* order, unsigned bits);

    // A box as far as the k-th best matters only if it holds a row of lower index.
    bool hopeless(const Best& best, double distance, Index node) const {
        const double m = distance * reach;
        return m > best.worst || (m == best.worst && tree.first[node] > best.worst_index);
    }

    // Small groups keep the limit tight while it still falls fast; later, large ones are faster.
    template <int Registers>
    [[gnu::noinline]] void visit_leaf(QueryState& query_state, Index node) const {
        visits.points += tree.capacity;
        search_leaf<D, Registers>(
            tree, node - leaves, query_state.query, shifted, norm,
            [&] { return query_state.best.worst; },
            [&](const std::int32_t* order, unsigned bits) {
                offer_rows(*this, query_state, order, bits);
            });
    }

    Pair child_distances(const QueryState& query_state, Index node) const {
        visits.boxes += 2;
        return nearest_of_boxes<D>(tree.children(node), query_state.query, tree.dims, norm);
    }
};

template <int D, typename T, typename Norm>
void offer_rows(const Search<D, Norm>& search, QueryState& query_state, const std::int32_t* order,
                unsigned bits) {
    const Matrix<const T> X{static_cast<const T*>(search.rows), search.tree.n, search.tree.dims};
    measure_rows<D>(X, order, bits, query_state.query, search.norm,
                    [&](double measure, Index row) { query_state.best.offer(measure, row); });
}

// Queries of one leaf together, so that what one of them fetches from memory serves the others:
// first their leaf, then the sibling of each of its ancestors on the way up. Each query decides
// for itself which boxes it opens.
template <int D, typename Norm>
struct BottomUpSearch : Search<D, Norm> {
    using Search<D, Norm>::leaves;

    QueryState* query_states;
    int size;
    OpenBoxes* open;
    Index n_open;

    [[gnu::noinline]] void run(Index leaf) {
        Index node = leaves + leaf;
        n_open = 0;
        for (int i = 0; i < size; ++i) this->template visit_leaf<1>(query_states[i], node);
        for (; node > 1; node /= 2) {
            const Index sibling = node ^ 1;
            OpenBoxes next{static_cast<std::int32_t>(sibling), 0, {}};
            for (int i = 0; i < size; ++i) {
                offer(next, i, this->child_distances(query_states[i], node / 2)[sibling & 1]);
            }
            if (!next.wanted) continue;
            descend(next);
            while (n_open > 0) reopen(open[--n_open]);
        }
    }

    // Notes that query i wants to see a box, unless that is hopeless.
    void offer(OpenBoxes& box, int i, double distance) const {
        if (this->hopeless(query_states[i].best, distance, box.node)) return;
        box.distance[i] = distance;
        box.wanted |= 1u << i;
    }

    // By now some queries may have found better.
    void reopen(OpenBoxes box) {
        OpenBoxes now{box.node, 0, {}};
        for (unsigned rest = box.wanted; rest; rest &= rest - 1) {
            const int i = __builtin_ctz(rest);
            offer(now, i, box.distance[i]);
        }
        if (now.wanted) descend(now);
    }

    // Down to a leaf; the children that are farther from the first query are left open.
    [[gnu::noinline]] void descend(OpenBoxes now) {
        while (now.node < leaves) {
            OpenBoxes child[2] = {{2 * now.node, 0, {}}, {2 * now.node + 1, 0, {}}};
            int near = -1;
            for (unsigned rest = now.wanted; rest; rest &= rest - 1) {
                const int i = __builtin_ctz(rest);
                const Pair distance = this->child_distances(query_states[i], now.node);
                if (near < 0) near = distance[1] < distance[0];
                offer(child[0], i, distance[0]);
                offer(child[1], i, distance[1]);
            }
            if (child[1 - near].wanted) open[n_open++] = child[1 - near];
            if (!child[near].wanted) return;
            now = child[near];
        }
        for (unsigned rest = now.wanted; rest; rest &= rest - 1) {
            this->template visit_leaf<4>(query_states[__builtin_ctz(rest)], now.node);
        }
    }
};

// Always the nearest box, from a min-heap, until the nearest is hopeless.
template <int D, typename Norm>
struct BestFirst : Search<D, Norm> {
    using Search<D, Norm>::leaves;

    QueryState& query_state;
    OpenBox* heap;
    Index size;

    [[gnu::noinline]] void run() {
        size = 0;
        push({0, 1});
        while (size > 0) {
            const OpenBox now = pop();
            if (this->hopeless(query_state.best, now.distance, now.node)) continue;
            if (now.node >= leaves) {
                this->template visit_leaf<4>(query_state, now.node);
                continue;
            }
            const Pair distance = this->child_distances(query_state, now.node);
            for (int side = 0; side < 2; ++side) {
                const OpenBox child = {distance[side], 2 * now.node + side};
                if (!this->hopeless(query_state.best, child.distance, child.node)) push(child);
            }
        }
    }

    void push(OpenBox entry) {
        Index at = size++;
        for (; at > 0 && entry.distance < heap[(at - 1) / 2].distance; at = (at - 1) / 2) {
            heap[at] = heap[(at - 1) / 2];
        }
        heap[at] = entry;
    }

    OpenBox pop() {
        const OpenBox last = heap[--size];
        const OpenBox top = size > 0 ? heap[0] : last;
        Index at = 0;
        for (Index child; (child = 2 * at + 1) < size; at = child) {
            if (child + 1 < size && heap[child + 1].distance < heap[child].distance) ++child;
            if (last.distance <= heap[child].distance) break;
            heap[at] = heap[child];
        }
        heap[at] = last;
        return top;
    }
};

// The rows of a query lie where the caller put them, far from those of the query before.
template <typename T>
inline void prefetch(const NearestCall<T>& call, Index dims, Index row) {
    __builtin_prefetch(call.queries + row * dims);
    __builtin_prefetch(call.distances + row * call.k, 1);
    __builtin_prefetch(call.indices + row * call.k, 1);
}

template <typename T, typename Norm>
void write(const NearestCall<T>& call, const Norm& norm, Index row, Best& best) {
    best.sort();
    for (Index i = 0; i < call.k; ++i) {
        call.distances[row * call.k + i] = static_cast<T>(norm.root(best.measure[i]));
        call.indices[row * call.k + i] = best.index[i];
    }
}

template <int D, typename T, typename Norm>
void answer(const Tree<const T>& tree, NearestCall<T>& call, const Norm& norm) {
    const Boxes boxes(tree);
    const Search<D, Norm> search{boxes,
                                 norm,
                                 call.visits,
                                 call.shifted,
                                 norm.power(1 + call.eps) * (1 - Norm::slack),
                                 boxes.leaf_count(),
                                 tree.X,
                                 offer_rows<D, T, Norm>};
    QueryState query_states[kQueryGroup];
    for (int i = 0; i < kQueryGroup; ++i) {
        const Index room = call.k + kBestRoom;
        query_states[i] = {call.query + i * 4 * tree.dims,
                           Best(call.best_distance + i * room, call.best_index + i * room, call.k)};
    }
    Index next = 0;
    for (Index c = 0; c < call.count; c = next) {
        int size = 0;
        for (; size < kQueryGroup && next < call.count && call.leaves[next] == call.leaves[c];
             ++size, ++next) {
            read_query(call.queries + call.rows[next] * tree.dims, tree.dims,
                       call.query + size * 4 * tree.dims);
            query_states[size].best.clear();
        }
        for (Index ahead = next; ahead < call.count && ahead < next + kQueryGroup; ++ahead) {
            prefetch(call, tree.dims, call.rows[ahead]);
        }
        if (call.best_first) {
            for (int i = 0; i < size; ++i) {
                BestFirst<D, Norm>{search, query_states[i], call.heap, 0}.run();
            }
        } else {
            BottomUpSearch<D, Norm>{search, query_states, size, call.open, 0}.run(call.leaves[c]);
        }
        for (int i = 0; i < size; ++i) write(call, norm, call.rows[c + i], query_states[i].best);
    }
}

template <typename T>
void nearest(const Tree<const T>& tree, NearestCall<T>& call) {
    with_norm(call.p, tree.dims, [&]<int D>(const auto& norm) { answer<D>(tree, call, norm); });
}

} // namespace

extern const NearestKernels kdtree_nearest_kernels;
const NearestKernels kdtree_nearest_kernels = {nearest<float>, nearest<double>};

} // namespace gramian::kdtree::GRAMIAN_ISA
