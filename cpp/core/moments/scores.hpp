// Scores of rows under each class and the results derived from them, without an n x K table: the
// class of the highest score, the logarithm of the sum of exp(score), posteriors.
//
//     linear     s_k(x) = a_k + c_k . x
//     diagonal   s_k(x) = a_k - sum_j p_kj (x_j - m_kj)^2 / 2
//     quadratic  s_k(x) = a_k - |W_k (x - m_k)|^2 / 2
//
// A tile is kTileRows rows, transposed, so that registers run along the rows. A row's result
// depends on that row alone.
#pragma once

#include "core/runtime/views.hpp"

namespace gramian::moments {

constexpr Index kTileRows = 16;

enum class ScoreKind { linear, diagonal, quadratic };

struct ScoreModel {
    ScoreKind kind;
    Index classes;
    const double* offsets;      // (K), the a_k
    Matrix<const double> means; // (K, d); unused for linear
    const double* factors;      // (K, d): c or p; or (K, height, d): the W_k
    Index height;               // rows of W_k
    bool shared;                // one W for all classes
    bool lower;                 // W_k is lower triangular
};

// What is wanted; the others are null.
struct ScoreOutputs {
    double* scores;      // (n, K)
    std::int32_t* codes; // (n), the first of the classes of the highest score
    double* log_norm;    // (n), log sum_k exp(s_k)
    double* posterior;   // (n, K)
};

template <typename T>
void class_scores(Matrix<const T> X, const ScoreModel& model, const ScoreOutputs& out);
// Linear scores of sparse rows; here the factors are (d, K).
template <typename T, typename I>
void class_scores(Csr<const T, I> X, const ScoreModel& model, const ScoreOutputs& out);

struct ScoreKernels {
    // tile[j * kTileRows + r] = x(r, j); rows beyond the last repeat it.
    void (*load_f)(const float* x, Index rows, Index cols, double* tile);
    void (*load_d)(const double* x, Index rows, Index cols, double* tile);
    // scores[k * kTileRows + r]; `centred` has room for a tile.
    void (*scores)(const ScoreModel& model, const double* tile, Index cols, double* centred,
                   double* scores);
    // scores become posteriors; equal ones where no class has a finite score.
    void (*posterior)(double* scores, Index classes, double* log_norm);
    void (*highest)(const double* scores, Index classes, std::int32_t* codes);
    // scores[k] += sum of v c_k over the entries of a sparse row; the factors are (d, K). `ahead`
    // entries of other rows follow, whose factors are asked for before they are needed.
    void (*add_row_fi)(const float* values, const std::int32_t* columns, Index size, Index ahead,
                       const double* factors, Index classes, double* scores);
    void (*add_row_fl)(const float* values, const std::int64_t* columns, Index size, Index ahead,
                       const double* factors, Index classes, double* scores);
    void (*add_row_di)(const double* values, const std::int32_t* columns, Index size, Index ahead,
                       const double* factors, Index classes, double* scores);
    void (*add_row_dl)(const double* values, const std::int64_t* columns, Index size, Index ahead,
                       const double* factors, Index classes, double* scores);
    // Adds the weighted columns of a tile about the mean, by lanes: (d, 2, kSumLanes).
    void (*add_columns)(const double* tile, Index cols, const double* mean, const double* weights,
                        double* sums);
};
constexpr Index kSumLanes = 4;
const ScoreKernels& score_table();

inline void load_tile(const float* x, Index rows, Index cols, double* tile) {
    score_table().load_f(x, rows, cols, tile);
}
inline void load_tile(const double* x, Index rows, Index cols, double* tile) {
    score_table().load_d(x, rows, cols, tile);
}

} // namespace gramian::moments
