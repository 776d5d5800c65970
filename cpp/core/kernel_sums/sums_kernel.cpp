#include "core/kdtree/descent.hpp"
#include "core/kernel_sums/sums.hpp"
#include "core/simd/functions.hpp"

namespace gramian::kernel_sums::GRAMIAN_ISA {
namespace {

using namespace simd;
using namespace kdtree::GRAMIAN_ISA;
using kdtree::kQueryGroup;

constexpr int kStep = kLanes<double>;
static_assert(kdtree::kLeafPad % (2 * kStep) == 0);

// Weights of exponential shape are at most e^600 and, for some row, above e^-600.
constexpr double kComfort = 600;
// Boxes are measured with roundings of their own.
constexpr double kSlack = 1e-12;

template <typename Norm>
inline Double add(const Norm& norm, Double measure, Double gap) {
    return norm.add(measure, gap);
}
inline Double add(const Minkowski& norm, Double measure, Double gap) {
    for (int i = 0; i < kStep; ++i) measure[i] = norm.add(measure[i], gap[i]);
    return measure;
}

// u of a measure, the distance or its square.
template <bool Squared, typename Norm>
inline double u_of(const Norm& norm, double measure) {
    if constexpr (Squared && std::is_same_v<Norm, Euclid>) return measure;
    const double distance = norm.root(measure);
    return Squared ? distance * distance : distance;
}

// The same of a register.
template <bool Squared, typename Norm>
inline Double u_of(const Norm& norm, Double measure) {
    if constexpr (std::is_same_v<Norm, Euclid>) {
        return Squared ? measure : simd::sqrt(measure);
    } else {
        for (int i = 0; i < kStep; ++i) measure[i] = u_of<Squared>(norm, measure[i]);
        return measure;
    }
}

// A measure that no point within u exceeds.
template <bool Squared, typename Norm>
inline double measure_of(const Norm& norm, double u) {
    return norm.power(Squared ? ::sqrt(u) : u) * (1 + kSlack);
}

// Turns registers of u into weights.
template <Shape S>
struct Weight {
    double reference, scale, reach;

    template <int U>
    void operator()(Double (&u)[U]) const {
        const Double none{};
        if constexpr (S == Shape::exponential) {
            // Rows that weigh nothing may be nearer than the reference.
            for (int i = 0; i < U; ++i) {
                u[i] = min((reference - u[i]) * scale, broadcast(kComfort));
            }
            exp_to_700(u);
        } else {
            for (int i = 0; i < U; ++i) {
                if constexpr (S == Shape::box) {
                    u[i] = u[i] < reach ? none + 1.0 : none;
                } else if constexpr (S == Shape::slope) {
                    u[i] = u[i] < reach ? 1.0 - u[i] * scale : none;
                } else {
                    u[i] = u[i] < reach ? quarter_cosine(u[i] * scale) : none;
                }
            }
        }
    }
};

template <int D, bool Squared, typename Norm>
struct Visitor {
    const Call& call;
    const Boxes tree;
    const Norm& norm;
    double* u;
    double* weights;
    double* k;
    double* gaps;     // (dims, capacity)
    double* weighted; // (dims, capacity)

    Visitor(const Call& of, const Norm& with)
        : call(of), tree(of.rows.tree), norm(with), u(of.room), weights(u + tree.capacity),
          k(weights + tree.capacity), gaps(k + tree.capacity),
          weighted(gaps + tree.dims * tree.capacity) {}

    Index dims() const { return D ? D : tree.dims; }
    double* query(int i) const { return call.query + i * 4 * dims(); }

    // Rows of a leaf, rounded up to whole steps.
    Index size_of(Index leaf) const {
        const Index size = tree.leaf_begin(leaf + 1) - tree.leaf_begin(leaf);
        return (size + 2 * kStep - 1) / (2 * kStep) * (2 * kStep);
    }

    // u of U registers of rows.
    template <int U>
    void measure(const double* points, const double* q, Double (&out)[U]) const {
        for (int i = 0; i < U; ++i) out[i] = Double{};
        for (Index j = 0; j < dims(); ++j) {
            const double* x = points + j * tree.capacity;
            for (int i = 0; i < U; ++i) out[i] = add(norm, out[i], load(x + i * kStep) - q[4 * j]);
        }
        for (int i = 0; i < U; ++i) out[i] = u_of<Squared>(norm, out[i]);
    }

    const double* points_of(Index leaf) const {
        return call.rows.points + leaf * dims() * tree.capacity;
    }

    // u of all rows of a leaf.
    Index measure_leaf(Index leaf, const double* q) const {
        const double* points = points_of(leaf);
        const Index size = size_of(leaf);
        const auto some = [&]<int U>(Index at) {
            Double of[U];
            measure(points + at, q, of);
            for (int i = 0; i < U; ++i) store(u + at + i * kStep, of[i]);
        };
        Index at = 0;
        for (; at + 4 * kStep <= size; at += 4 * kStep) some.template operator()<4>(at);
        for (; at < size; at += 2 * kStep) some.template operator()<2>(at);
        return size;
    }

    // The sum of the weights of a leaf.
    template <Shape S>
    double sum_weights(const double* w, Index size, const Weight<S>& weight) const {
        Double total[4] = {};
        Index at = 0;
        for (; at + 4 * kStep <= size; at += 4 * kStep) {
            Double of[4];
            for (int i = 0; i < 4; ++i) of[i] = load(u + at + i * kStep);
            weight(of);
            for (int i = 0; i < 4; ++i) total[i] += load(w + at + i * kStep) * of[i];
        }
        for (; at < size; at += kStep) {
            Double of[1] = {load(u + at)};
            weight(of);
            total[0] += load(w + at) * of[0];
        }
        return sum<double>((total[0] + total[1]) + (total[2] + total[3]));
    }

    // The weights of the rows of a leaf, the query's own left out.
    const double* weights_of(Index leaf, Index place) const {
        const double* of_leaf = call.rows.weights + leaf * tree.capacity;
        if (!call.task.own || call.leaves[place] != leaf) return of_leaf;
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
            largest = larger(largest, call.kernel.scales[call.kernel.place(h, call.queue[place])]);
        }
        if (!(least * largest <= kComfort)) least = nearest(place, q, least);
        return least < HUGE_VAL ? least : 0;
    }

    // One query in one leaf: near is the u of the leaf's box.
    template <Shape S>
    void add_leaf(Index leaf, Index place, const double* q, double near, double reference) const {
        const Kernel& kernel = call.kernel;
        const double* w = weights_of(leaf, place);
        const Index left = left_size(call.rows, call.task),
                    right = right_size(call.rows, call.task);
        const Index row = call.queue[place];
        double* sums = call.sums + row * kernel.count() * left * right;
        const bool alone = left * right == 1;
        const Index size = measure_leaf(leaf, q);
        if (call.task.straight) find_gaps(leaf, size, q);
        for (Index h = 0; h < kernel.count(); ++h, sums += left * right) {
            const Index at = kernel.place(h, row);
            const double reach = reference + kernel.reaches[at];
            if (near * (1 - kSlack) > reach) continue;
            const Weight<S> weight{reference, kernel.scales[at], reach};
            if (alone) {
                *sums += sum_weights<S>(w, size, weight);
                continue;
            }
            for (Index i = 0; i < size; i += 2 * kStep) {
                Double of[2] = {load(u + i), load(u + i + kStep)};
                weight(of);
                for (int v = 0; v < 2; ++v)
                    store(k + i + v * kStep, load(w + i + v * kStep) * of[v]);
            }
            add_values(leaf, size, sums);
        }
    }

    void find_gaps(Index leaf, Index size, const double* q) const {
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
    void add_some(const double* ka, const double* values, Index size, double* sums) const {
        Double total[N][2] = {};
        for (Index i = 0; i < size; i += 2 * kStep) {
            const Double first = load(ka + i), second = load(ka + i + kStep);
            for (int o = 0; o < N; ++o) {
                const double* value = values + o * tree.capacity + i;
                total[o][0] += first * load(value);
                total[o][1] += second * load(value + kStep);
            }
        }
        for (int o = 0; o < N; ++o) sums[o] += sum<double>(total[o][0] + total[o][1]);
    }

    void add_products(const double* ka, const double* values, Index size, double* sums) const {
        Index o = 0;
        const Index count = call.rows.outputs;
        for (; o + 5 <= count; o += 5) add_some<5>(ka, values + o * tree.capacity, size, sums + o);
        for (; o + 2 <= count; o += 2) add_some<2>(ka, values + o * tree.capacity, size, sums + o);
        if (o < count) add_some<1>(ka, values + o * tree.capacity, size, sums + o);
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
            add_products(ka, values, size, sums);
            sums += call.rows.outputs;
        }
    }

    // The queries first .. first + count - 1 of the queue, which share the walk through the tree.
    template <Shape S>
    void visit(Index first, int count) const {
        double references[kQueryGroup], limits[kQueryGroup];
        for (int i = 0; i < count; ++i) {
            const Index row = call.queue[first + i];
            read_query(call.queries + row * dims(), dims(), query(i));
            references[i] = reference(first + i, query(i));
            call.references[row] = references[i];
            double farthest = 0;
            for (Index h = 0; h < call.kernel.count(); ++h) {
                farthest = larger(farthest, call.kernel.reaches[call.kernel.place(h, row)]);
            }
            limits[i] = measure_of<Squared>(norm, references[i] + farthest);
        }
        const Index leaves = tree.leaf_count();
        Index n_open = 0;
        call.open[n_open++] = {1, (1u << count) - 1, {}};
        while (n_open > 0) {
            const kdtree::OpenBoxes box = call.open[--n_open];
            if (box.node >= leaves) {
                for (unsigned bits = box.wanted; bits; bits &= bits - 1) {
                    const int i = __builtin_ctz(bits);
                    add_leaf<S>(box.node - leaves, first + i, query(i),
                                u_of<Squared>(norm, box.distance[i]), references[i]);
                }
                continue;
            }
            kdtree::OpenBoxes& right = call.open[n_open];
            kdtree::OpenBoxes& left = call.open[n_open + 1];
            right.node = 2 * box.node + 1;
            left.node = 2 * box.node;
            right.wanted = left.wanted = 0;
            for (unsigned bits = box.wanted; bits; bits &= bits - 1) {
                const int i = __builtin_ctz(bits);
                const Pair near =
                    nearest_of_boxes<D>(tree.children(box.node), query(i), dims(), norm);
                left.distance[i] = near[0];
                right.distance[i] = near[1];
                left.wanted |= static_cast<unsigned>(near[0] <= limits[i]) << i;
                right.wanted |= static_cast<unsigned>(near[1] <= limits[i]) << i;
            }
            if (right.wanted) ++n_open;
            if (left.wanted) {
                if (!right.wanted) right = left;
                ++n_open;
            }
        }
    }

    template <Shape S>
    void visit_all() const {
        const Index end = call.first + call.count;
        for (Index at = call.first; at < end; at += kQueryGroup) {
            visit<S>(at, static_cast<int>(end - at < kQueryGroup ? end - at : kQueryGroup));
        }
    }
};

template <Shape S, bool Squared>
void sums_of(const Call& call) {
    with_norm(call.kernel.p, call.rows.tree.dims, [&]<int D, typename Norm>(const Norm& norm) {
        Visitor<D, Squared, Norm>(call, norm).template visit_all<S>();
    });
}

void sums(const Call& call) {
    const bool squared = call.kernel.squared;
    switch (call.kernel.shape) {
    case Shape::exponential:
        return squared ? sums_of<Shape::exponential, true>(call)
                       : sums_of<Shape::exponential, false>(call);
    case Shape::slope:
        return squared ? sums_of<Shape::slope, true>(call) : sums_of<Shape::slope, false>(call);
    case Shape::box:
        return sums_of<Shape::box, false>(call);
    case Shape::cosine:
        return sums_of<Shape::cosine, false>(call);
    }
}

} // namespace

extern const SumKernels sum_kernels;
const SumKernels sum_kernels = {sums};

} // namespace gramian::kernel_sums::GRAMIAN_ISA
