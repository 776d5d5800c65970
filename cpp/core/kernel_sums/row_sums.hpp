// Sums of weights over the rows of a leaf, or over other rows stored feature by feature.
#pragma once

#include "core/kernel_sums/weights.hpp"

namespace gramian::kernel_sums::GRAMIAN_ISA {
namespace {

static_assert(kQueriesAtOnce == 4 && kMostGroup % kQueriesAtOnce == 0);
static_assert(kdtree::kLeafPad % (2 * kStep) == 0);

template <int D, bool Squared, typename Norm>
struct RowSums {
    const Call& call;
    const Boxes tree;
    const Norm& norm;
    double* u; // of kQueriesAtOnce queries
    double* weights;
    double* k;
    double* gaps;     // (dims, capacity)
    double* weighted; // (dims, capacity)

    RowSums(const Call& of, const Norm& with)
        : call(of), tree(of.rows.tree), norm(with), u(of.scratch),
          weights(measures(kQueriesAtOnce)), k(weights + stride()), gaps(k + stride()),
          weighted(gaps + tree.dims * tree.capacity) {}

    Index stride() const { return larger(tree.capacity, kBlockRows); }
    double* measures(int place) const { return u + place * stride(); }
    Index dims() const { return D ? D : tree.dims; }
    double* query(int i) const { return call.query + i * 4 * dims(); }
    // The interleaved features of queries first .. first + kQueriesAtOnce - 1.
    double* interleaved(int first) const { return call.interleaved + first * dims(); }

    double* reaches_of(int i) const { return call.reaches + i * call.kernel.count(); }
    double* sums_of(Index row) const {
        return call.sums + row * call.kernel.count() * left_size(call.rows, call.task) *
                               right_size(call.rows, call.task);
    }

    // Rows of a leaf, rounded up to whole steps.
    Index size_of(Index leaf) const {
        return round_up_to_steps(tree.leaf_begin(leaf + 1) - tree.leaf_begin(leaf));
    }
    static Index round_up_to_steps(Index size) {
        return (size + 2 * kStep - 1) / (2 * kStep) * (2 * kStep);
    }

    const double* points_of(Index leaf) const {
        return call.rows.points + leaf * dims() * tree.capacity;
    }

    // some<U>(at) of U registers at a time: of Most, then of two; size is a multiple of two.
    template <int Most, typename Some>
    static void in_steps(Index size, Some&& some) {
        Index at = 0;
        for (; at + Most * kStep <= size; at += Most * kStep) some.template operator()<Most>(at);
        for (; at < size; at += 2 * kStep) some.template operator()<2>(at);
    }

    // u of two registers of rows for each of Q queries, which share the readings of the rows;
    // feature j of query i is q[4 j + i].
    template <int Q>
    void measure(const double* points, Index step, const double* q, Index at) const {
        Double of[Q][2] = {};
        for (Index j = 0; j < dims(); ++j) {
            const double* x = points + j * step + at;
            const Double first = load(x), second = load(x + kStep);
            for (int i = 0; i < Q; ++i) {
                of[i][0] = add(norm, of[i][0], first - q[4 * j + i]);
                of[i][1] = add(norm, of[i][1], second - q[4 * j + i]);
            }
        }
        for (int i = 0; i < Q; ++i) {
            store(measures(i) + at, u_of<Squared>(norm, of[i][0]));
            store(measures(i) + at + kStep, u_of<Squared>(norm, of[i][1]));
        }
    }

    // u of some rows, `step` numbers from feature to feature.
    template <int Q>
    void measure_rows(const double* points, Index step, Index size, const double* q) const {
        for (Index at = 0; at < size; at += 2 * kStep) measure<Q>(points, step, q, at);
    }

    Index measure_leaf(Index leaf, const double* q) const {
        const Index size = size_of(leaf);
        measure_rows<1>(points_of(leaf), tree.capacity, size, q);
        return size;
    }

    // add(query, place of its u) for the wanted queries of a group.
    template <typename Add>
    void for_each_measured(const double* points, Index step, Index size, unsigned wanted,
                           const Add& add) const {
        for (int first = 0; wanted; first += kQueriesAtOnce, wanted >>= kQueriesAtOnce) {
            const unsigned some = wanted & ((1u << kQueriesAtOnce) - 1);
            const int n = __builtin_popcount(some);
            if (n == 1) {
                const int i = __builtin_ctz(some);
                measure_rows<1>(points, step, size, interleaved(first) + i);
                add(first + i, u);
            } else if (n > 1) {
                measure_rows<kQueriesAtOnce>(points, step, size, interleaved(first));
                for (unsigned bits = some; bits; bits &= bits - 1) {
                    const int i = __builtin_ctz(bits);
                    add(first + i, measures(i));
                }
            }
        }
    }

    // U registers of kernel weights, times those of the rows.
    template <Shape S, int U>
    static void weigh(const double* from, const double* w, Index at, const Weight<S>& weight,
                      Double (&of)[U]) {
        for (int i = 0; i < U; ++i) of[i] = load(from + at + i * kStep);
        weight(of);
        for (int i = 0; i < U; ++i) of[i] *= load(w + at + i * kStep);
    }

    // The sum of the weights of a leaf. (The compiler would call the exponential, through memory.)
    template <Shape S, int Most = 4>
    [[gnu::flatten]] static double sum_weights(const double* from, const double* w, Index size,
                                               const Weight<S>& weight) {
        Double total[4] = {};
        in_steps<Most>(size, [&]<int U>(Index at) {
            Double of[U];
            weigh(from, w, at, weight, of);
            for (int i = 0; i < U; ++i) total[i] += of[i];
        });
        return sum<double>((total[0] + total[1]) + (total[2] + total[3]));
    }

    // k, the weights of some rows.
    template <Shape S>
    [[gnu::flatten]] void find_weights(const double* from, const double* w, Index size,
                                       const Weight<S>& weight) const {
        in_steps<4>(size, [&]<int U>(Index at) {
            Double of[U];
            weigh(from, w, at, weight, of);
            for (int i = 0; i < U; ++i) store(k + at + i * kStep, of[i]);
        });
    }

    // The weights of the rows of a leaf, the query's own left out.
    const double* weights_of(Index leaf, Index place) const {
        const double* of_leaf = call.rows.weights + leaf * tree.capacity;
        if (!call.task.leave_one_out || call.leaves[place] != leaf) return of_leaf;
        for (Index i = 0; i < tree.capacity; ++i) weights[i] = of_leaf[i];
        weights[place - tree.leaf_begin(leaf)] = 0;
        return weights;
    }

    double least_of(Index leaf, Index place, const double* q, double least) const {
        const Index size = measure_leaf(leaf, q);
        const double* w = weights_of(leaf, place);
        for (Index i = 0; i < size; ++i) {
            if (w[i] > 0 && u[i] < least) least = u[i];
        }
        return least;
    }

    // The least u of all rows.
    double nearest(Index place, const double* q, double least) const {
        const Index leaves = tree.leaf_count();
        Index n_open = 0;
        call.nearer[n_open++] = {0, 1};
        while (n_open > 0) {
            const kdtree::OpenBox box = call.nearer[--n_open];
            if (u_of<Squared>(norm, box.distance) * (1 - kSlack) > least) continue;
            if (box.node >= leaves) {
                least = least_of(box.node - leaves, place, q, least);
                continue;
            }
            const Pair near = nearest_of_boxes<D>(tree.children(box.node), q, dims(), norm);
            const int far_side = near[0] <= near[1];
            call.nearer[n_open++] = {near[far_side], 2 * box.node + far_side};
            call.nearer[n_open++] = {near[!far_side], 2 * box.node + !far_side};
        }
        return least;
    }

    double reference(Index place, const double* q) const {
        if (call.kernel.shape != Shape::exponential) return 0;
        double least = least_of(call.leaves[place], place, q, HUGE_VAL);
        double largest = 0;
        for (Index h = 0; h < call.kernel.count(); ++h) {
            largest =
                larger(largest, call.kernel.scales[call.kernel.place(h, call.query_rows[place])]);
        }
        if (!(least * largest <= kMaxExponent)) least = nearest(place, q, least);
        return least < HUGE_VAL ? least : 0;
    }

    // One query in one leaf, whose rows are measured: near is the u of the leaf's box.
    template <Shape S>
    void add_leaf(Index leaf, Index place, const double* from, double near, double reference,
                  const double* reaches) const {
        const Kernel& kernel = call.kernel;
        const double* w = weights_of(leaf, place);
        const Index values = left_size(call.rows, call.task) * right_size(call.rows, call.task);
        const Index row = call.query_rows[place], size = size_of(leaf);
        double* sums = sums_of(row);
        for (Index h = 0; h < kernel.count(); ++h, sums += values) {
            const double scale = kernel.scales[kernel.place(h, row)];
            const double reach = reference + reaches[h];
            if (near * (1 - kSlack) > reach) continue;
            const Weight<S> weight{reference, scale, reach};
            if (values == 1) {
                *sums += sum_weights<S>(from, w, size, weight);
                continue;
            }
            find_weights<S>(from, w, size, weight);
            add_values(leaf, size, sums);
        }
    }

    void find_differences(Index leaf, Index size, const double* q) const {
        const double* points = points_of(leaf);
        for (Index j = 0; j < dims(); ++j) {
            for (Index i = j * tree.capacity; i < j * tree.capacity + size; i += kStep) {
                store(gaps + i, load(points + i) - q[4 * j]);
            }
        }
    }

    static double dot(const double* a, const double* b, Index size) {
        Double total[2] = {};
        for (Index i = 0; i < size; i += 2 * kStep) {
            for (int v = 0; v < 2; ++v) {
                total[v] += load(a + i + v * kStep) * load(b + i + v * kStep);
            }
        }
        return sum<double>(total[0] + total[1]);
    }

    static double total_of(const double* a, Index size) {
        Double total{};
        for (Index i = 0; i < size; i += kStep) total += load(a + i);
        return sum<double>(total);
    }

    // Dot products of N columns of values, which share the readings of k.
    template <int N>
    static void add_some(const double* ka, const double* values, Index stride, Index size,
                         double* sums) {
        Double total[N][2] = {};
        for (Index i = 0; i < size; i += 2 * kStep) {
            const Double first = load(ka + i), second = load(ka + i + kStep);
            for (int o = 0; o < N; ++o) {
                const double* value = values + o * stride + i;
                total[o][0] += first * load(value);
                total[o][1] += second * load(value + kStep);
            }
        }
        for (int o = 0; o < N; ++o) sums[o] += sum<double>(total[o][0] + total[o][1]);
    }

    void add_products(const double* ka, const double* values, Index stride, Index size,
                      double* sums) const {
        Index o = 0;
        const Index count = call.rows.outputs;
        for (; o + 5 <= count; o += 5) add_some<5>(ka, values + o * stride, stride, size, sums + o);
        for (; o + 2 <= count; o += 2) add_some<2>(ka, values + o * stride, stride, size, sums + o);
        if (o < count) add_some<1>(ka, values + o * stride, stride, size, sums + o);
    }

    // sums += sum_i k_i a_i b_i^T
    void add_values(Index leaf, Index size, double* sums) const {
        const Index lefts = left_size(call.rows, call.task);
        const double* values = call.rows.values + leaf * call.rows.outputs * tree.capacity;
        for (Index a = 0; a < lefts; ++a) {
            const double* ka = k;
            if (a > 0) {
                double* to = weighted + (a - 1) * tree.capacity;
                const double* gap = gaps + (a - 1) * tree.capacity;
                for (Index i = 0; i < size; i += kStep) store(to + i, load(k + i) * load(gap + i));
                ka = to;
            }
            *sums++ += total_of(ka, size);
            for (Index b = 1; b < lefts; ++b) {
                *sums++ += dot(ka, gaps + (b - 1) * tree.capacity, size);
            }
            add_products(ka, values, tree.capacity, size, sums);
            sums += call.rows.outputs;
        }
    }
};

} // namespace
} // namespace gramian::kernel_sums::GRAMIAN_ISA
