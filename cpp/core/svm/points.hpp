// The points that a kernel compares, and kernel rows of some of them.
#pragma once

#include "core/passes/views.hpp"
#include "core/svm/kernel.hpp"

#include <memory>
#include <variant>
#include <vector>

namespace gramian::svm {

using AnyTable = std::variant<passes::F32, passes::F64, passes::CsrF32I32, passes::CsrF32I64,
                              passes::CsrF64I32, passes::CsrF64I64>;

constexpr Index kPanel = 16;            // columns of kernel rows are padded to a multiple of this
constexpr Index kColumnBlock = 16 * 16; // columns that one thread takes at once
constexpr Index kRowBatch = 48;         // rows of them at once

inline Index padded(Index n) {
    return (n + kPanel - 1) / kPanel * kPanel;
}

class Points;

// Some points as the columns of kernel rows.
class Columns {
public:
    explicit Columns(Index n) : n_(n) {}
    virtual ~Columns() = default;
    Index size() const { return n_; }

    // out[r][j] = k(point ids[r] of `rows`, column j) for begin <= j < end, and for padding beyond
    // the last column; begin is a multiple of kPanel. On the calling thread.
    virtual void rows(const Points& rows, const std::int32_t* ids, Index count, Index begin,
                      Index end, float* const* out) const = 0;
    // The same in double precision, for points that are their own `exact`.
    virtual void rows(const Points& rows, const std::int32_t* ids, Index count, Index begin,
                      Index end, double* const* out) const = 0;

private:
    Index n_;
};

class Points {
public:
    virtual ~Points() = default;
    virtual Index size() const = 0;
    virtual double diagonal(Index id) const = 0; // k(x, x)
    // About the standard deviation of a kernel value from the true one, where they are held in
    // single precision, and in double precision.
    virtual double single_error() const = 0;
    virtual double exact_error() const = 0;
    // The same points with kernel values in double precision, created on first use. Like the two
    // errors, not to be called on several threads.
    virtual const Points& exact() const { return *this; }
    // The difference between the requested kernel and k(x, z), apart from a term that depends only
    // on z: linear kernels of balanced machines are computed on shifted rows.
    virtual double shift_term(Index) const { return 0; }
    // Whether computing a kernel value takes about as long as reading it from memory.
    virtual bool cheap_rows() const { return false; }
    // Whether computing the values between a few points is faster than gathering them from their
    // rows of n values.
    virtual bool cheap_block(Index) const { return false; }
    // g[j] += sum_r factors[r] k(ids[r], columns[j]) of the linear kernel in double precision, in
    // time proportional to the size of the table. Returns false, and adds nothing, for other
    // kernels and precisions.
    virtual bool add_linear(Vector<const std::int32_t>, const double*, Vector<const std::int32_t>,
                            double*) const {
        return false;
    }
    virtual std::unique_ptr<Columns> columns(const std::int32_t* ids, Index n) const = 0;
    // Rows begin .. end - 1 of another table, as columns for rows of these points.
    virtual std::unique_ptr<Columns> columns_of(const AnyTable& table, Index begin,
                                                Index end) const = 0;
};

// Rows of a table, which must outlive the points. Products of dense rows are summed in float32 if
// the error of kernel values is then at most about `error`, else in float64. `balanced`: the
// coefficients of every machine sum to zero, so that rows may be shifted for the linear kernel,
// too.
std::unique_ptr<Points> points_of(const AnyTable& table, const Kernel& kernel, double error,
                                  bool balanced);

// A matrix of kernel values, which stays where it is: k(i, j) is its entry. Those of `origin`,
// where it is given, in single precision.
std::unique_ptr<Points> points_of_matrix(Matrix<const float> values, const Points* origin);
std::unique_ptr<Points> points_of_matrix(Matrix<const double> values);

// out(i, j) = k(x_ids[i], x_ids[j]).
void kernel_matrix(const Points& points, Vector<const std::int32_t> ids, Matrix<float> out);

// g[j] += sum_r factors[r] k(ids[r], column j), in the order of the rows, for all columns.
// Of values in the precision V.
template <typename V>
void add_kernel_rows(const Points& points, const Columns& columns, const std::int32_t* ids,
                     const double* factors, Index count, double* g);

} // namespace gramian::svm
