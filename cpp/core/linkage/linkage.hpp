// Trees of clusters: agglomerative clustering in quadratic time.
//
// A tree is written in SciPy's format: row i of Z joins clusters Z(i, 0) < Z(i, 1), at the height
// Z(i, 2), to cluster n + i of Z(i, 3) rows. Clusters below n are the rows themselves.
//
// - Single linkage is a minimum spanning tree whose edges are sorted (Gower and Ross 1969).
// - Complete, average, weighted and Ward linkage are reducible: joining two clusters brings them
//   nearer to no other one than the nearer of the two was. Chains of nearest neighbours then find
//   the tree (Murtagh 1983), and a nearest neighbour stays so until it is joined itself.
// - Centroid, median and medoid linkage are not: each cluster keeps a lower bound of its distance
//   to the clusters after it, which is made exact when it is the least of all (Muellner 2011).
//
// Everything is decided in float64, by one thread's order: the same tree for any number of threads.
#pragma once

#include "core/kdtree/search.hpp"
#include "core/runtime/views.hpp"

#include <cstdint>
#include <vector>

namespace gramian::linkage {

enum class Method { single, complete, average, weighted, ward, centroid, median };

// Two rows of the clusters that are joined.
struct Merge {
    std::int32_t a, b;
    double height;
};

// Writes the tree of n - 1 merges: in their order, or sorted by height, those of equal height in
// their order.
void write_tree(const std::vector<Merge>& merges, bool sorted, Matrix<double> Z);

// The tree of n rows under given dissimilarities, of which the values above the diagonal are read;
// D is overwritten.
void matrix_linkage(Matrix<double> D, Method method, Matrix<double> Z);

// The tree of rows under the Euclidean distance, for complete, average and weighted linkage; the
// memory is that of the dissimilarities of clusters of two rows and more. nearest[i] is the nearest
// other row of row i.
template <typename T>
void rows_linkage(Matrix<const T> X, Vector<const Index> nearest, Method method, Matrix<double> Z);

// Ward's tree in O(n d) memory. nearest[i] is the nearest other row of row i.
template <typename T>
void ward_linkage(Matrix<const T> X, Vector<const Index> nearest, Matrix<double> Z);

// The tree of centroids, or of medians, under the Euclidean distance, in O(n d) memory.
template <typename T>
void center_linkage(Matrix<const T> X, Method method, Matrix<double> Z);

// The tree of medoids; medoids[i] is the medoid of cluster n + i.
void medoid_linkage(Matrix<const double> D, Matrix<double> Z, Vector<std::int32_t> medoids);

// The edges (a, b, weight) of a minimum spanning tree under given dissimilarities.
void matrix_spanning_tree(Matrix<const double> D, Matrix<double> edges);

// The same under the Euclidean distance, or under max(core_i, core_j, distance) where core is not
// empty; by Prim's algorithm in O(n d) memory.
template <typename T>
void rows_spanning_tree(Matrix<const T> X, Vector<const double> core, Matrix<double> edges);

// The same by Boruvka's algorithm on a k-d tree, for few features.
template <typename T>
void kdtree_spanning_tree(const kdtree::Tree<const T>& tree, Vector<const double> core,
                          Matrix<double> edges);

// The tree of the edges of a spanning tree.
void tree_of_edges(Matrix<const double> edges, Matrix<double> Z);

// D(i, j) = |x_i - x_j|, by differences in float64.
template <typename T>
void all_distances(Matrix<const T> X, Matrix<double> D);

// Rows side by side: value t of row j is values[t * stride + j].
struct Columns {
    std::vector<double> values;
    Index stride;

    double* at(Index t) { return values.data() + t * stride; }
    const double* at(Index t) const { return values.data() + t * stride; }
};
template <typename T>
Columns columns_of(Matrix<const T> X);

// The same in float32, (x - shift) * scale, to rule out rows that are not near.
//
// A row in its frame is off by `slip`, 2^-24 of its norm. So the float32 square of rows q and j
// whose distance is at most r is, with b = scale r, at most
//
//     (b + slip_j + slip_q)^2 e <= (b + slip_j)^2 (1 + c) e + slip_q^2 (1 + 1 / c) e,
//
// where e is what d rounded terms add: a limit of row j plus a doubt of the query.
struct CoarseColumns {
    std::vector<float> values;
    Index stride;
    std::vector<double> slip;
    double scale;
    double growth; // (1 + c) e
    double doubt;  // (1 + 1 / c) e
    double least_doubt;

    float* at(Index t) { return values.data() + t * stride; }
    const float* at(Index t) const { return values.data() + t * stride; }
    float doubt_of(Index j) const {
        return static_cast<float>(slip[j] * slip[j] * doubt + least_doubt);
    }
};
template <typename T>
CoarseColumns coarse_columns_of(Matrix<const T> X);

// Whether a linkage is one of squared dissimilarities.
bool of_squares(Method method);

// How a cluster's dissimilarities follow from those of its two parts.
struct Rule {
    enum class Kind { greatest, least, linear, ward } kind;
    double a = 0, b = 0, constant = 0; // linear: a x + b y + constant, at least 0
    double size_a = 0, size_b = 0;     // ward
    const double* sizes = nullptr;     // ward: of the others

    static Rule of(Method method, double size_a, double size_b, double between,
                   const double* sizes);
};

// Values at a time of the kernels that read columns: arrays have room for whole steps.
constexpr Index kWholeStep = 32;
inline Index whole_steps(Index n) {
    return (n + kWholeStep - 1) / kWholeStep * kWholeStep;
}

// The rows outside the tree of Prim's algorithm, side by side, each with the least square of its
// distance from the tree, and the row of the tree that has it. Where max(square, core[j], own_core)
// is below best[j], it becomes best[j]. limit[j] is that of CoarseColumns for sqrt(best[j]).
struct PrimCall {
    const double* points;
    const float* coarse;
    Index stride, n, d;
    const double* query;
    const float* coarse_query;
    float doubt;
    const double* core; // may be null
    double own_core;
    std::int32_t id;
    const double* slip;
    double scale, growth;
    double* best;
    std::int32_t* from;
    float* limit;
    float* key; // scale sqrt(best), rounded
};

struct LinkageKernels {
    // The least of row[j] + dead[j], and the first j that has it.
    void (*least)(const double* row, const double* dead, Index n, double* value, Index* place);
    // out[j] = rule(x[j], y[j]), where out may be x; and what `least` finds in it.
    void (*join)(const Rule& rule, const double* x, const double* y, const double* dead, Index n,
                 double* out, double* value, Index* place);
    // out[j] = sum_t (points[t * stride + j] - query[t])^2; in whole steps, as ward and prim.
    void (*squares)(const double* points, Index stride, Index n, Index d, const double* query,
                    double* out);
    // The same in float32, times size * sizes[j] / (size + sizes[j]); out[own] = inf. Returns the
    // least.
    float (*ward)(const float* points, Index stride, Index n, Index d, const float* query,
                  const float* sizes, float size, Index own, float* out);
    // The places of the values that are not above the limit; returns their number.
    Index (*indices_at_most)(const float* values, Index n, float limit, std::int32_t* places);
    // A step of Prim's algorithm: row `id` joins the tree. Returns the place of the least best.
    Index (*prim)(const PrimCall& call);
    void (*roots)(double* values, Index n);
};
const LinkageKernels& linkage_kernels();

} // namespace gramian::linkage
