#include "core/kdtree/best.hpp"
#include "core/kdtree/descent.hpp"

namespace gramian::kdtree::GRAMIAN_ISA {
namespace {

using namespace simd;

// The state of one query: its coordinates and its best neighbours so far.
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
    const void* rows; // float or double: only `consider_rows` reads them
    void (*consider_rows)(const Search&, QueryState&, const std::int32_t* order, unsigned bits);

    // A box as far away as the k-th best matters only if it holds a row of lower index.
    bool can_skip(const Best& best, double distance, Index node) const {
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
                consider_rows(*this, query_state, order, bits);
            });
    }

    Pair child_distances(const QueryState& query_state, Index node) const {
        visits.boxes += 2;
        return nearest_of_boxes<D>(tree.children(node), query_state.query, tree.dims, norm);
    }
};

template <int D, typename T, typename Norm>
void consider_rows(const Search<D, Norm>& search, QueryState& query_state,
                   const std::int32_t* order, unsigned bits) {
    const Matrix<const T> X{static_cast<const T*>(search.rows), search.tree.n, search.tree.dims};
    measure_rows<D>(X, order, bits, query_state.query, search.norm,
                    [&](double measure, Index row) { query_state.best.consider(measure, row); });
}

// Searches for all queries of one leaf at once, so that they share the memory that they read. The
// search starts in their leaf and then visits the sibling of each ancestor on the way up. Each
// query decides for itself which boxes it opens.
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
                mark_if_useful(next, i,
                               this->child_distances(query_states[i], node / 2)[sibling & 1]);
            }
            if (!next.wanted) continue;
            descend(next);
            while (n_open > 0) recheck(open[--n_open]);
        }
    }

    // Marks a box as wanted by query i, unless the query can skip it.
    void mark_if_useful(OpenBoxes& box, int i, double distance) const {
        if (this->can_skip(query_states[i].best, distance, box.node)) return;
        box.distance[i] = distance;
        box.wanted |= 1u << i;
    }

    // Drops the queries that have found nearer rows since, then descends for the others.
    void recheck(OpenBoxes box) {
        OpenBoxes now{box.node, 0, {}};
        for (unsigned rest = box.wanted; rest; rest &= rest - 1) {
            const int i = __builtin_ctz(rest);
            mark_if_useful(now, i, box.distance[i]);
        }
        if (now.wanted) descend(now);
    }

    // Descends to a leaf. The children farther from the first query are pushed on the stack.
    [[gnu::noinline]] void descend(OpenBoxes now) {
        while (now.node < leaves) {
            OpenBoxes child[2] = {{2 * now.node, 0, {}}, {2 * now.node + 1, 0, {}}};
            int near = -1;
            for (unsigned rest = now.wanted; rest; rest &= rest - 1) {
                const int i = __builtin_ctz(rest);
                const Pair distance = this->child_distances(query_states[i], now.node);
                if (near < 0) near = distance[1] < distance[0];
                mark_if_useful(child[0], i, distance[0]);
                mark_if_useful(child[1], i, distance[1]);
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

// Visits the nearest box first, from a min-heap, until the nearest can be skipped.
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
            if (this->can_skip(query_state.best, now.distance, now.node)) continue;
            if (now.node >= leaves) {
                this->template visit_leaf<4>(query_state, now.node);
                continue;
            }
            const Pair distance = this->child_distances(query_state, now.node);
            for (int side = 0; side < 2; ++side) {
                const OpenBox child = {distance[side], 2 * now.node + side};
                if (!this->can_skip(query_state.best, child.distance, child.node)) push(child);
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

// Queries are answered in leaf order, so consecutive ones are far apart in the caller's arrays.
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
void run_queries(const Tree<const T>& tree, NearestCall<T>& call, const Norm& norm) {
    const Boxes boxes(tree);
    const Search<D, Norm> search{boxes,
                                 norm,
                                 call.visits,
                                 call.shifted,
                                 norm.power(1 + call.eps) * (1 - Norm::slack),
                                 boxes.leaf_count(),
                                 tree.X,
                                 consider_rows<D, T, Norm>};
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
    with_norm(call.p, tree.dims,
              [&]<int D>(const auto& norm) { run_queries<D>(tree, call, norm); });
}

} // namespace

extern const NearestKernels kdtree_nearest_kernels;
const NearestKernels kdtree_nearest_kernels = {nearest<float>, nearest<double>};

} // namespace gramian::kdtree::GRAMIAN_ISA
