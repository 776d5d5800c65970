// SciPy's BLAS, for large products that are not fused with other work.
//
// The functions are those of scipy.linalg.cython_blas. bind/blas.cpp looks them up on first use.
// BLAS has its own threads. Call it outside parallel regions, for products large enough to pay for
// waking those threads; or inside a region if the Python caller limits BLAS to one thread.
#pragma once

#include "core/runtime/views.hpp"

namespace gramian::runtime {

// C = alpha op(A) op(B) + beta C in Fortran order, 32-bit sizes, as BLAS defines it.
using Dgemm = void(const char* transa, const char* transb, const int* m, const int* n, const int* k,
                   const double* alpha, const double* a, const int* lda, const double* b,
                   const int* ldb, const double* beta, double* c, const int* ldc);

// One triangle of C = alpha op(A) op(A)' + beta C.
using Dsyrk = void(const char* uplo, const char* trans, const int* n, const int* k,
                   const double* alpha, const double* a, const int* lda, const double* beta,
                   double* c, const int* ldc);

void set_dgemm(Dgemm* function);
void set_dsyrk(Dsyrk* function);

// out(i, j) = sum_t A(i, t) B(j, t), rows in C order. Throws std::logic_error before set_dgemm.
void product_with_transpose(Matrix<const double> A, Matrix<const double> B, Matrix<double> out);

// out(i, j) = sum_t A(i, t) A(j, t). Computes one triangle and copies it to the other.
void gram_matrix(Matrix<const double> A, Matrix<double> out);

} // namespace gramian::runtime
