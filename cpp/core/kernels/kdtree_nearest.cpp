#include "core/kernels/kdtree.hpp"

namespace gramian::GRAMIAN_ISA {
namespace {

using Wide = Vec<double>;
using Long = Vec<std::int64_t>;
constexpr int kWide = kLanes<double>;

// Each lane moves up by one; the last lane of `below` comes in.
template <typename V>
inline V shift_in(V below, V v) {
    if constexpr (kWide == 4) {
        return __builtin_shufflevector(below, v, 3, 4, 5, 6);
    } else {
        return __builtin_shufflevector(below, v, 1, 2);
    }
}

// The k best so far by (measure, index): sorted while k is small, else a max-heap. The arrays
// have a register of room before them and are filled up to whole registers.
struct Best {
    static constexpr Index kSorted = 64;
    double* measure;
    std::int64_t* index;
    Index k;
    Index size; // k, rounded up while sorted
    double worst;
    std::int64_t worst_index;

    Best(double* measures, std::int64_t* indices, Index wanted)
        : measure(measures + kWide), index(indices + kWide), k(wanted),
          size(wanted <= kSorted ? (wanted + kWide - 1) / kWide * kWide : wanted) {
        for (int i = 1; i <= kWide; ++i) set(-i, -HUGE_VAL, -1);
    }

    void clear() {
        for (Index i = 0; i < size; ++i) set(i, HUGE_VAL, INT64_MAX);
        worst = HUGE_VAL;
        worst_index = INT64_MAX;
    }

    void set(Index at, double m, std::int64_t i) {
        measure[at] = m;
        index[at] = i;
    }

    void offer(double m, std::int64_t i) {
        if (k <= kSorted) {
            insert(m, i);
            worst = measure[k - 1];
            worst_index = index[k - 1];
        } else if (before(m, i, worst, worst_index)) {
            sift(k, m, i);
            worst = measure[0];
            worst_index = index[0];
        }
    }

    // Entries after the new one move up by one place, the last drops out. Without branches,
    // because where an entry goes cannot be predicted.
    void insert(double m, std::int64_t i) {
        const auto after = [&](Wide measures, Long indices) {
            return (measures > m) | ((measures == m) & (indices > i));
        };
        Wide measures = load(measure + size - kWide);
        Long indices = load(index + size - kWide);
        for (Index at = size - kWide; at >= 0; at -= kWide) {
            const Wide measures_below = load(measure + at - kWide);
            const Long indices_below = load(index + at - kWide);
            const Wide measures_shifted = shift_in(measures_below, measures);
            const Long indices_shifted = shift_in(indices_below, indices);
            const Long shift = after(measures_shifted, indices_shifted);
            const Long here = after(measures, indices);
            store(measure + at, shift ? measures_shifted : here ? broadcast(m) : measures);
            store(index + at, shift ? indices_shifted : here ? broadcast(i) : indices);
            measures = measures_below;
            indices = indices_below;
        }
    }

    static bool before(double a, std::int64_t i, double b, std::int64_t j) {
        return a < b || (a == b && i < j);
    }

    // Puts an entry at the top of the heap's first places and lets it sink.
    void sift(Index places, double m, std::int64_t i) {
        Index at = 0;
        for (Index child; (child = 2 * at + 1) < places; at = child) {
            if (child + 1 < places &&
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
        for (Index places = k - 1; places > 0; --places) {
            const double m = measure[places];
            const std::int64_t i = index[places];
            set(places, measure[0], index[0]);
            sift(places, m, i);
        }
    }
};

constexpr Index kAhead = 4; // queries

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
struct Search {
    const KdTree<const T>& tree;
    const Norm& norm;
    NearestCall<T>& call;
    Best& best;
    Open open;
    double reach; // (1 + eps)^p
    Index leaves;

    // A box as far as the k-th best matters only if it holds a row of lower index.
    bool hopeless(double distance, Index node) const {
        const double m = distance * reach;
        return m > best.worst || (m == best.worst && tree.first[node] > best.worst_index);
    }

    // Small groups keep the limit tight while it still falls fast; later, large ones are faster.
    template <int Group>
    void visit_leaf(Index node) {
        call.visits.points += tree.capacity;
        measure_leaf<D, Group>(
            tree, node - leaves, call.query, call.shifted, norm, [&] { return best.worst; },
            [&](double measure, Index row) { best.offer(measure, row); });
    }

    Pair child_distances(Index node) {
        call.visits.boxes += 2;
        return nearest_of_boxes<D>(child_boxes(tree, node), call.query, tree.dims, norm);
    }

    // Visits what is open, and what that opens, until nothing is left that could help.
    void empty_open() {
        while (open.size > 0) {
            OpenBox now = open.pop();
            while (!hopeless(now.distance, now.node)) {
                if (now.node >= leaves) {
                    visit_leaf<4>(now.node);
                    break;
                }
                const Pair distance = child_distances(now.node);
                const int near = distance[1] < distance[0];
                const OpenBox farther = {distance[1 - near], 2 * now.node + 1 - near};
                if (!hopeless(farther.distance, farther.node)) open.push(farther);
                now = {distance[near], 2 * now.node + near};
                if (open.heap) {
                    open.push(now);
                    now = open.pop();
                }
            }
        }
    }

    void best_first() {
        open.push({0, 1});
        empty_open();
    }

    // The leaf of the query first, then the sibling of each of its ancestors on the way up.
    void from_leaf(Index leaf) {
        Index node = leaves + leaf;
        visit_leaf<1>(node);
        for (; node > 1; node /= 2) {
            const Index sibling = node ^ 1;
            const double distance = child_distances(node / 2)[sibling & 1];
            if (hopeless(distance, sibling)) continue;
            open.push({distance, static_cast<std::int32_t>(sibling)});
            empty_open();
        }
    }
};

// The rows of a query lie where the caller put them, far from those of the query before.
template <typename T>
inline void prefetch(const NearestCall<T>& call, Index dims, Index row) {
    __builtin_prefetch(call.queries + row * dims);
    __builtin_prefetch(call.distances + row * call.k, 1);
    __builtin_prefetch(call.indices + row * call.k, 1);
}

template <typename T>
void nearest(const KdTree<const T>& tree, NearestCall<T>& call) {
    with_norm(call.p, tree.dims, [&]<int D, typename Norm>(const Norm& norm) {
        Best best(call.best_distance, call.best_index, call.k);
        Search<D, T, Norm> search{tree,
                                  norm,
                                  call,
                                  best,
                                  Open{call.open, 0, call.best_first},
                                  norm.power(1 + call.eps) * (1 - Norm::slack),
                                  leaf_count(tree)};
        for (Index c = 0; c < call.count; ++c) {
            const Index row = call.rows[c];
            if (c + kAhead < call.count) prefetch(call, tree.dims, call.rows[c + kAhead]);
            read_query(call.queries + row * tree.dims, tree.dims, call.query);
            best.clear();
            if (call.best_first) {
                search.best_first();
            } else {
                search.from_leaf(call.leaves[c]);
            }
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
