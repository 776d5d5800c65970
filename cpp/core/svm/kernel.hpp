// The kernels k(x, z) that are computed here, and the tiles that compute them.
//
// Each lane holds a column: a panel stores a few points coordinate by coordinate. Rows are read in
// their own order. A register tile accumulates x . z over all coordinates, in the same order for
// every pair. The kernel value is stored as float32, like in LIBSVM, or as float64 if that is not
// enough for the tolerance. k(x, z) and k(z, x) have the same bits. A Gaussian kernel is exactly 1
// between equal points, because norms are summed in the same order as products.
#pragma once

#include "core/runtime/views.hpp"

#include <cstdint>

namespace gramian::svm {

enum class Form {
    linear,     // x . z
    polynomial, // (gamma x . z + coef0)^degree
    rbf,        // exp(-gamma |x - z|^2)
    sigmoid,    // tanh(gamma x . z + coef0)
};

struct Kernel {
    Form form;
    double gamma;
    double coef0;
    int degree;
};

// A kernel value of a product and the two squared norms, in double precision.
double kernel_value(const Kernel& kernel, double product, double norm, double other_norm);

// Rows against the panels first .. last - 1: out[r][panel * width + lane] = k(row r, column).
template <typename T, typename V>
struct TileCall {
    Kernel kernel;
    const T* panels;
    const T* column_norms;
    Index d;
    Index first;
    Index last;
    const T* const* rows;
    const T* row_norms;
    Index count;
    V* const* out;
};

template <typename T>
struct TileKernels {
    int width; // columns of a panel
    void (*rows)(const TileCall<T, float>& call);
    void (*exact_rows)(const TileCall<T, double>& call); // of float64 only
    // The squared norms of the columns of some panels.
    void (*norms)(const T* panels, Index n_panels, Index d, T* norms);
};

// Sparse columns against kSparseLanes rows, which lie dense, coordinate by coordinate, in `lanes`.
constexpr int kSparseLanes = 8;

template <typename T, typename I, typename V>
struct SparseCall {
    Kernel kernel;
    Csr<const T, I> columns;
    const std::int32_t* ids; // rows of `columns`
    const double* column_norms;
    Index begin;
    Index end;
    const double* lanes; // (d, kSparseLanes)
    const double* lane_norms;
    int count; // lanes in use
    V* const* out;
};

// One step of the decomposition: the subproblem of a few variables, whose kernel fits in the cache.
//
// score_v = -(gradient of the objective by the signed value of v). A pair (i, j) of one group,
// where i may rise and j may fall, moves by t = (score_i - score_j) / curvature, or until one of
// them reaches a bound. i has the largest score, j the largest predicted gain (Fan, Chen and Lin
// 2005).
template <typename V>
struct Block {
    Index size;      // a multiple of 16; variables beyond the real ones may not move
    const V* kernel; // (size, size)
    const V* diagonal;
    double* score;
    double* up;   // (groups, size): 0 where the signed value may rise, -infinity elsewhere
    double* down; // (groups, size): 0 where it may fall, infinity elsewhere
    int groups;
    const double* sign;
    const double* upper;
    const std::int32_t* group;
    double* alpha; // in [0, upper]; the signed value is sign alpha
    double tol;    // stop when no pair of a group violates optimality by more
    Index max_steps;
};

struct BlockResult {
    Index steps;
    double decrease; // of the objective
};

// Scores of many variables, side by side: score_k = -gradient[k] - offset[k].
constexpr Index kScoreBlock = 16;

struct ScoresCall {
    Index blocks; // of kScoreBlock variables
    const double* gradient;
    const double* offset;
    const double* up;   // 0 where the signed value may rise, -infinity elsewhere
    const double* down; // 0 where it may fall, infinity elsewhere
    double* top;        // of a block: the largest score that may rise; NaN if a score is not finite
    double* bottom;     // of a block: the smallest score that may fall
};

constexpr Index kKeptColumns = 8;

// On kernel values of type V.
template <typename V>
struct SolverKernels {
    BlockResult (*solve)(const Block<V>& block);
    // g[j] += sum_r factors[r] rows[r][j] for begin <= j < end, in the order of the rows.
    void (*add_rows)(const V* const* rows, const double* factors, Index count, Index begin,
                     Index end, double* g);
    // The columns of a row whose bit of `kept` (a byte for each kKeptColumns of them) is set, side
    // by side; `to`, with room for that many values, may lie before `row`.
    void (*keep_columns)(const V* row, const std::uint8_t* kept, Index bytes, V* to, Index room);
    void (*sparse_f32_i32)(const SparseCall<float, std::int32_t, V>& call);
    void (*sparse_f32_i64)(const SparseCall<float, std::int64_t, V>& call);
    void (*sparse_f64_i32)(const SparseCall<double, std::int32_t, V>& call);
    void (*sparse_f64_i64)(const SparseCall<double, std::int64_t, V>& call);
};

struct SolverTable {
    SolverKernels<float> single;
    SolverKernels<double> exact;
    void (*extremes)(const ScoresCall& call);
};

struct TileTable {
    TileKernels<float> f32;
    TileKernels<double> f64;
};

const TileTable& tiles();
const SolverTable& solver_tables();

template <typename V>
const SolverKernels<V>& solver_kernels() {
    if constexpr (sizeof(V) == sizeof(float)) {
        return solver_tables().single;
    } else {
        return solver_tables().exact;
    }
}

} // namespace gramian::svm
