#include "core/kernel_sums/expanded_values.hpp"
#include "core/kernel_sums/row_sums.hpp"

namespace gramian::kernel_sums::GRAMIAN_ISA {
namespace {

// The terms of polynomials may be at most this many times as large as the sum. They usually are if
// e^z is at most e^kSafeExponent, or small compared with the sum.
constexpr double kMaxTermRatio = 16;
constexpr double kLogMaxTermRatio = 2.77;
constexpr double kSafeExponent = 3;
// The time of a row relative to that of a term, for one register of queries.
constexpr double kPairTime = 4;
constexpr double kSignificant = 53 * 0.69314718055994531;

template <int D, bool Squared, typename Norm>
struct Visitor : RowSums<D, Squared, Norm> {
    using Base = RowSums<D, Squared, Norm>;
    using Base::add_products;
    using Base::Base;
    using Base::call;
    using Base::dims;
    using Base::find_differences;
    using Base::for_each_measured;
    using Base::k;
    using Base::measure_leaf;
    using Base::norm;
    using Base::points_of;
    using Base::query;
    using Base::reaches_of;
    using Base::reference;
    using Base::round_up_to_steps;
    using Base::size_of;
    using Base::sums_of;
    using Base::total_of;
    using Base::tree;
    using Base::u;
    using Base::weights_of;

    // The state of the queries that share a walk through the tree.
    struct Group {
        Index first; // in query_rows
        int count;
        double reference[kMostGroup];
        double limit[kMostGroup]; // beyond which a box is left out
        // For the cells of the grid:
        double lanes[kMostExpanded][kGridGroup] = {}; // the features
        double edge[kGridGroup] = {};                 // scale (reference + reach)
        double term_sizes[kGridGroup] = {};           // of the terms of their polynomials
    };

    // A lower bound of the sum, from the moments of the boxes.
    template <Shape S>
    double lower_bound_from_boxes(const double* q, const Weight<S>& weight) const {
        const BoxMoments& box_moments = call.box_moments;
        double least = 0;
        for (Index at = 0; at < box_moments.size; at += 2 * kStep) {
            Double of[2];
            for (int i = 0; i < 2; ++i) {
                of[i] = load(box_moments.spreads + at + i * kStep);
                for (Index j = 0; j < dims(); ++j) {
                    const Double gap =
                        load(box_moments.means + j * box_moments.size + at + i * kStep) - q[4 * j];
                    of[i] += gap * gap;
                }
            }
            weight(of);
            for (int i = 0; i < 2; ++i) {
                least += sum<double>(of[i] * load(box_moments.weights + at + i * kStep));
            }
        }
        return least;
    }

    // The reaches of a query: the terms left out must be small compared with the sum.
    template <Shape S>
    void find_reaches(Index place, const double* q, double reference, double* reaches) const {
        const Kernel& kernel = call.kernel;
        const Index row = call.query_rows[place];
        for (Index h = 0; h < kernel.count(); ++h) {
            reaches[h] = kernel.reaches[kernel.place(h, row)];
        }
        if constexpr (S == Shape::exponential) {
            const Index leaf = call.leaves[place], size = measure_leaf(leaf, q);
            const double* w = weights_of(leaf, place);
            for (Index h = 0; h < kernel.count(); ++h) {
                const double scale = kernel.scales[kernel.place(h, row)];
                const Weight<S> weight{reference, scale, 0};
                const double least = larger(Base::template sum_weights<S>(u, w, size, weight),
                                            lower_bound_from_boxes<S>(q, weight));
                if (least > call.least_weight) {
                    reaches[h] -= ::log(least / call.least_weight) / scale;
                }
            }
        }
    }

    template <Shape S>
    Group start_group(Index first, int count) const {
        Group group{first, count, {}, {}};
        for (int i = 0; i < count; ++i) {
            const Index row = call.query_rows[first + i];
            read_query(call.queries + row * dims(), dims(), query(i));
            double* interleaved_query =
                Base::interleaved(i / kQueriesAtOnce * kQueriesAtOnce) + i % kQueriesAtOnce;
            for (Index j = 0; j < dims(); ++j) interleaved_query[4 * j] = query(i)[4 * j];
            const double from = reference(first + i, query(i));
            group.reference[i] = call.references[row] = from;
            find_reaches<S>(first + i, query(i), from, reaches_of(i));
            double farthest = 0;
            for (Index h = 0; h < call.kernel.count(); ++h) {
                farthest = larger(farthest, from + reaches_of(i)[h]);
            }
            group.limit[i] = measure_of<Squared>(norm, farthest);
            if (call.grid.count == 0) continue;
            group.edge[i] = call.kernel.scales[0] * farthest;
            for (Index j = 0; j < smaller(dims(), kMostExpanded); ++j) {
                group.lanes[j][i] = query(i)[4 * j];
            }
        }
        return group;
    }

    // Adds the rows of a cell by its polynomials, if they are exact and pay.
    template <int P>
    bool add_polynomials(const Cell& cell, unsigned wanted, const Lanes (&b)[P],
                         const Lanes& squares, Group& group) const {
        const double scale = call.kernel.scales[0], r = cell.radius;
        double margin = HUGE_VAL, farthest = 0;
        for (unsigned bits = wanted; bits; bits &= bits - 1) {
            const int i = __builtin_ctz(bits);
            const double square = squares[i / kStep][i % kStep];
            margin = smaller(margin, square / 2 - group.edge[i]);
            farthest = larger(farthest, square);
        }
        const double away = ::sqrt(farthest), z = away * r;
        if (z > kSafeExponent && z > margin + kSignificant + kLogMaxTermRatio) return false;
        const int n = degree_for<P>(cell, margin, away, z);
        const Index outputs = 1 + call.rows.outputs;
        if (n < 0 || static_cast<double>(terms_of(P, n) * outputs * kRegisters) >
                         (kPairTime + static_cast<double>(outputs)) *
                             static_cast<double>(cell.rows * __builtin_popcount(wanted))) {
            return false;
        }
        Lanes factors, sizes;
        for (int v = 0; v < kRegisters; ++v) {
            const Double exponent = scale * load(group.reference + v * kStep) - 0.5 * squares[v];
            factors[v] = exponent * kOctaves;
            sizes[v] = (exponent + simd::sqrt(squares[v]) * r) * kOctaves;
        }
        exp2_to_1000(factors);
        exp2_to_1000(sizes);
        const double* coefficients =
            call.grid.polynomials + cell.polynomials * outputs * kTerms<P>.size;
        const double whole = coefficients[0];
        const auto add = [&]<int M>(Index o) {
            Lanes value[M];
            values_of<P, M>(coefficients + o * kTerms<P>.size, n, b, value);
            for (unsigned bits = wanted; bits; bits &= bits - 1) {
                const int i = __builtin_ctz(bits), v = i / kStep, lane = i % kStep;
                double* sums = sums_of(call.query_rows[group.first + i]) + o;
                for (int m = 0; m < M; ++m) sums[m] += value[m][v][lane] * factors[v][lane];
            }
        };
        Index o = 0;
        for (; o + 2 <= outputs; o += 2) add.template operator()<2>(o);
        if (o < outputs) add.template operator()<1>(o);
        for (int i = 0; i < kGridGroup; ++i) {
            group.term_sizes[i] += whole * sizes[i / kStep][i % kStep];
        }
        return true;
    }

    // Adds the rows of a cell, one by one.
    template <Shape S>
    void add_blocks(const Cell& cell, unsigned wanted, const Group& group) const {
        const Index outputs = call.rows.outputs, block = size_of_block(dims(), outputs);
        for (Index first = 0; first < cell.rows; first += kBlockRows) {
            const double* points =
                call.grid.blocks + (cell.first_block + first / kBlockRows) * block;
            const double* w = points + dims() * kBlockRows;
            const Index size = round_up_to_steps(smaller(cell.rows - first, kBlockRows));
            for_each_measured(points, kBlockRows, size, wanted, [&](int i, const double* from) {
                const Weight<S> weight{group.reference[i], call.kernel.scales[0], 0};
                double* sums = sums_of(call.query_rows[group.first + i]);
                if (outputs == 0) {
                    // a block is short: the next one begins sooner with few registers at a time
                    *sums += Base::template sum_weights<S, 2>(from, w, size, weight);
                    return;
                }
                Base::template find_weights<S>(from, w, size, weight);
                *sums += total_of(k, size);
                add_products(k, w + kBlockRows, kBlockRows, size, sums + 1);
            });
        }
    }

    // Adds all rows of the grid within the limits.
    template <Shape S, int P>
    void walk_cells(Group& group) const {
        for (Index c = 0; c < call.grid.count; ++c) {
            const Cell& cell = call.grid.cells[c];
            Lanes b[P], squares = {};
            for (int j = 0; j < P; ++j) {
                for (int v = 0; v < kRegisters; ++v) {
                    b[j][v] = (load(group.lanes[j] + v * kStep) - cell.centre[j]) * call.grid.root;
                    squares[v] += b[j][v] * b[j][v];
                }
            }
            unsigned wanted = 0;
            for (int v = 0; v < kRegisters; ++v) {
                const Double gap = max(simd::sqrt(squares[v]) - cell.radius, Double{});
                const auto within = gap * gap * (0.5 - kSlack) <= load(group.edge + v * kStep);
                wanted |= mask_bits(within) << (v * kStep);
            }
            wanted &= (1u << group.count) - 1;
            if (!wanted) continue;
            if (cell.polynomials < 0 || !add_polynomials<P>(cell, wanted, b, squares, group)) {
                add_blocks<S>(cell, wanted, group);
            }
        }
    }

    // Adds all rows within the limits to the sums of the wanted queries.
    template <Shape S>
    void walk(const Group& group, unsigned wanted) const {
        const Index leaves = tree.leaf_count();
        Index n_open = 0;
        call.open[n_open++] = {1, wanted, {}};
        while (n_open > 0) {
            const SharedBox box = call.open[--n_open];
            if (box.node >= leaves) {
                const Index leaf = box.node - leaves, size = size_of(leaf);
                const auto add = [&](int i, const double* from) {
                    if (call.task.local_linear) find_differences(leaf, size, query(i));
                    const double near = u_of<Squared>(norm, box.distance[i]);
                    Base::template add_leaf<S>(leaf, group.first + i, from, near,
                                               group.reference[i], reaches_of(i));
                };
                for_each_measured(points_of(leaf), tree.capacity, size, box.wanted, add);
                continue;
            }
            SharedBox& right = call.open[n_open];
            SharedBox& left = call.open[n_open + 1];
            right.node = 2 * box.node + 1;
            left.node = 2 * box.node;
            right.wanted = left.wanted = 0;
            for (unsigned bits = box.wanted; bits; bits &= bits - 1) {
                const int i = __builtin_ctz(bits);
                const Pair near =
                    nearest_of_boxes<D>(tree.children(box.node), query(i), dims(), norm);
                left.distance[i] = near[0];
                right.distance[i] = near[1];
                left.wanted |= static_cast<unsigned>(near[0] <= group.limit[i]) << i;
                right.wanted |= static_cast<unsigned>(near[1] <= group.limit[i]) << i;
            }
            if (right.wanted) ++n_open;
            if (left.wanted) {
                if (!right.wanted) right = left;
                ++n_open;
            }
        }
    }

    // The queries first .. first + count - 1 of query_rows.
    template <Shape S>
    void visit(Index first, int count) const {
        Group group = start_group<S>(first, count);
        unsigned wanted = ~0u >> (kMostGroup - count);
        if constexpr (S == Shape::exponential && Squared && std::is_same_v<Norm, Euclid> && D < 4) {
            if (call.grid.count > 0) {
                walk_cells<S, D == 0 ? 1 : D>(group);
                wanted = clear_inaccurate(group);
            }
        }
        if (wanted) walk<S>(group, wanted);
    }

    // Resets the sums that are inaccurate; returns a mask of their queries.
    unsigned clear_inaccurate(const Group& group) const {
        unsigned again = 0;
        for (int i = 0; i < group.count; ++i) {
            double* sums = sums_of(call.query_rows[group.first + i]);
            if (group.term_sizes[i] <= kMaxTermRatio * *sums) continue;
            again |= 1u << i;
            for (Index o = 0; o <= call.rows.outputs; ++o) sums[o] = 0;
        }
        return again;
    }

    template <Shape S>
    void visit_all() const {
        const Index end = call.first + call.count;
        for (Index at = call.first; at < end; at += call.group) {
            visit<S>(at, static_cast<int>(smaller(end - at, call.group)));
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
