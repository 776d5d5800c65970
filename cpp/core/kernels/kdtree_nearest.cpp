#include "core/kernels/kdtree.hpp"

namespace gramian::GRAMIAN_ISA {
namespace {

// The k best so far by (measure, index): sorted while k is small, else a max-heap.
struct Best {
    static constexpr Index kSorted = 48;
    double* measure;
    std::int32_t* index;
    Index k;
    double worst;
    std::int32_t worst_index;

    void clear() {
        for (Index i = 0; i < k; ++i) {
            measure[i] = HUGE_VAL;
            index[i] = INT32_MAX;
        }
        worst = HUGE_VAL;
        worst_index = INT32_MAX;
    }

    static bool before(double a, std::int32_t i, double b, std::int32_t j) {
        return a < b || (a == b && i < j);
    }

    void set(Index at, double m, std::int32_t i) {
        measure[at] = m;
        index[at] = i;
    }

    void offer(double m, std::int32_t i) {
        if (!before(m, i, worst, worst_index)) return;
        if (k <= kSorted) {
            insert(m, i);
            worst = measure[k - 1];
            worst_index = index[k - 1];
        } else {
            sift(k, m, i);
            worst = measure[0];
            worst_index = index[0];
        }
    }

    void insert(double m, std::int32_t i) {
        Index at = k - 1;
        for (; at > 0 && before(m, i, measure[at - 1], index[at - 1]); --at) {
            set(at, measure[at - 1], index[at - 1]);
        }
        set(at, m, i);
    }

    // Puts an entry at the top of the heap's first `size` places and lets it sink.
    void sift(Index size, double m, std::int32_t i) {
        Index at = 0;
        for (Index child; (child = 2 * at + 1) < size; at = child) {
            if (child + 1 < size &&
                before(measure[child], index[child], measure[child + 1], index[child + 1])) {
                ++child;
            }
            if (!before(m, i, measure[child], index[child])) break;
            set(at, measure[child], index[child]);
        }
        set(at, m, i);
    }

    void sort() {
        if (k <= kSorted) return;
        for (Index size = k - 1; size > 0; --size) {
            const double m = measure[size];
            const std::int32_t i = index[size];
            set(size, measure[0], index[0]);
            sift(size, m, i);
        }
    }
};

// The boxes still to visit: a stack (last in, first out) or a min-heap by distance.
struct Open {
    OpenBox* box;
    Index size;
    bool heap;

    void push(OpenBox entry) {
        Index at = size++;
        if (heap) {
            for (; at > 0 && entry.distance < box[(at - 1) / 2].distance; at = (at - 1) / 2) {
                box[at] = box[(at - 1) / 2];
            }
        }
        box[at] = entry;
    }

    OpenBox pop() {
        const OpenBox last = box[--size];
        if (!heap || size == 0) return last;
        const OpenBox top = box[0];
        Index at = 0;
        for (Index child; (child = 2 * at + 1) < size; at = child) {
            if (child + 1 < size && box[child + 1].distance < box[child].distance) ++child;
            if (last.distance <= box[child].distance) break;
            box[at] = box[child];
        }
        box[at] = last;
        return top;
    }
};

template <int D, typename T, typename Norm>
void search(const KdTree<const T>& tree, const Norm& norm, NearestCall<T>& call, Best& best) {
    const double reach = norm.power(1 + call.eps) * (1 - Norm::slack);
    const double* query = call.query;
    const Index leaves = leaf_count(tree);
    // A box as far as the k-th best matters only if it holds a row of lower index.
    const auto hopeless = [&](double distance, Index node) {
        const double m = distance * reach;
        return m > best.worst || (m == best.worst && tree.first[node - 1] > best.worst_index);
    };
    Open open{call.open, 0, call.best_first};
    OpenBox now = {0, 1};
    while (true) {
        while (now.node < leaves) {
            const Pair distance =
                nearest_of_boxes<D>(child_boxes(tree, now.node), query, tree.dims, norm);
            call.visits.boxes += 2;
            const int near = distance[1] < distance[0];
            const OpenBox nearer = {distance[near], 2 * now.node + near};
            const OpenBox farther = {distance[1 - near], 2 * now.node + 1 - near};
            if (!hopeless(farther.distance, farther.node)) open.push(farther);
            now = nearer;
            if (hopeless(now.distance, now.node)) break;
            if (call.best_first && open.size > 0 && open.box[0].distance < now.distance) {
                open.push(now);
                now = open.pop();
            }
        }
        if (now.node >= leaves && !hopeless(now.distance, now.node)) {
            const Index leaf = now.node - leaves;
            const std::int32_t* rows = tree.order + leaf_begin(tree, leaf);
            call.visits.points += tree.capacity;
            measure_leaf<D>(
                leaf_points(tree, leaf), tree.capacity, query, tree.dims, norm,
                [&] { return best.worst; },
                [&](Index at, Wide measure, unsigned bits) {
                    for (; bits; bits &= bits - 1) {
                        const int lane = __builtin_ctz(bits);
                        best.offer(measure[lane], rows[at + lane]);
                    }
                });
        }
        do {
            if (open.size == 0) return;
            now = open.pop();
        } while (hopeless(now.distance, now.node));
    }
}

template <typename T>
void nearest(const KdTree<const T>& tree, NearestCall<T>& call) {
    with_norm(call.p, tree.dims, [&]<int D>(const auto& norm) {
        Best best{call.best_distance, call.best_index, call.k, 0, 0};
        for (Index c = 0; c < call.count; ++c) {
            const Index row = call.rows[c];
            for (Index j = 0; j < tree.dims; ++j) call.query[j] = call.queries[row * tree.dims + j];
            best.clear();
            search<D>(tree, norm, call, best);
            best.sort();
            for (Index i = 0; i < call.k; ++i) {
                call.distances[row * call.k + i] = static_cast<T>(norm.root(best.measure[i]));
                call.indices[row * call.k + i] = best.index[i];
            }
        }
    });
}

} // namespace

extern const KdTreeNearestKernels kdtree_nearest_kernels;
const KdTreeNearestKernels kdtree_nearest_kernels = {nearest<float>, nearest<double>};

} // namespace gramian::GRAMIAN_ISA
