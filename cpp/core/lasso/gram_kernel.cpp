#include "core/lasso/path.hpp"

#include "core/simd/register.hpp"

namespace gramian::lasso::GRAMIAN_ISA {
namespace {

using namespace simd;

using V = Vec<double>;
constexpr int kL = kLanes<double>;

// y += a x
inline void axpy(double a, const double* x, Index n, double* y) {
    const V factor = broadcast(a);
    Index i = 0;
    for (; i + 4 * kL <= n; i += 4 * kL) {
        for (int u = 0; u < 4; ++u) {
            const Index at = i + u * kL;
            store(y + at, load(y + at) + factor * load(x + at));
        }
    }
    for (; i < n; ++i) y[i] += a * x[i];
}

void sweep(const double* G, Index stride, Index m, Shrinkage shrinkage, double* b, double* g) {
    for (Index j = 0; j < m; ++j) {
        const double* row = G + j * stride;
        const double curvature = row[j] + shrinkage.l2;
        if (!(row[j] > 0)) continue;
        const double before = b[j];
        const double z = g[j] + row[j] * before; // with the others as they are
        double after = 0;
        if (z > shrinkage.l1) {
            after = (z - shrinkage.l1) / curvature;
        } else if (z < -shrinkage.l1 && !shrinkage.positive) {
            after = (z + shrinkage.l1) / curvature;
        }
        if (after == before) continue;
        b[j] = after;
        axpy(before - after, row, m, g);
    }
}

// N rows x_0 .. x_{N-1} of the same stride against one vector.
template <int N, typename T>
inline void dots(const T* const (&x)[N], const double* u, Index n, double* out) {
    V sums[N][2] = {};
    Index i = 0;
    for (; i + 2 * kL <= n; i += 2 * kL) {
        for (int half = 0; half < 2; ++half) {
            const V w = load(u + i + half * kL);
            for (int t = 0; t < N; ++t) sums[t][half] += load_wide(x[t] + i + half * kL) * w;
        }
    }
    for (int t = 0; t < N; ++t) {
        out[t] = sum<double>(sums[t][0] + sums[t][1]);
        for (Index k = i; k < n; ++k) out[t] += static_cast<double>(x[t][k]) * u[k];
    }
}

template <typename T>
void column_dots(const T* X, Index n, const Index* which, Index count, const double* u,
                 double* out) {
    Index t = 0;
    for (; t + 4 <= count; t += 4) {
        const T* const x[4] = {X + which[t] * n, X + which[t + 1] * n, X + which[t + 2] * n,
                               X + which[t + 3] * n};
        dots(x, u, n, out + t);
    }
    for (; t < count; ++t) {
        const T* const x[1] = {X + which[t] * n};
        dots(x, u, n, out + t);
    }
}

void subtract_rows(const double* G, Index stride, Index m, const Index* which, Index count,
                   const double* b, double* y) {
    Index t = 0;
    for (; t + 4 <= count; t += 4) {
        const double* row[4];
        V factor[4];
        for (int s = 0; s < 4; ++s) {
            row[s] = G + which[t + s] * stride;
            factor[s] = broadcast(b[which[t + s]]);
        }
        Index i = 0;
        for (; i + kL <= m; i += kL) {
            V total = load(y + i);
            for (int s = 0; s < 4; ++s) total -= factor[s] * load(row[s] + i);
            store(y + i, total);
        }
        for (; i < m; ++i) {
            for (int s = 0; s < 4; ++s) y[i] -= factor[s][0] * row[s][i];
        }
    }
    for (; t < count; ++t) axpy(-b[which[t]], G + which[t] * stride, m, y);
}

void forward(const double* L, Index m, Index stride, double* x) {
    for (Index i = 0; i < m; ++i) {
        const double* const row[1] = {L + i * stride};
        double dot;
        dots(row, x, i, &dot);
        x[i] = (x[i] - dot) / row[0][i];
    }
}

void backward(const double* L, Index m, Index stride, double* x) {
    for (Index i = m - 1; i >= 0; --i) {
        const double* row = L + i * stride;
        x[i] /= row[i];
        axpy(-x[i], row, i, x);
    }
}

// Row i brings the rotation of columns i and i + 1, which the rows below it undergo: each keeps
// its value in column c + 1 for the next rotation.
void retriangularize(double* L, Index stride, Index first, Index m) {
    for (Index c = first; c < m; ++c) {
        double* pivot = L + c * stride;
        const double a = pivot[c], b = pivot[c + 1];
        const double r = __builtin_sqrt(a * a + b * b);
        const double cosine = a / r, sine = b / r;
        pivot[c] = r;
        pivot[c + 1] = 0;
        for (Index i = c + 1; i < m; ++i) {
            double* row = L + i * stride + c;
            const double left = row[0], right = row[1];
            row[0] = cosine * left + sine * right;
            row[1] = cosine * right - sine * left;
        }
    }
}

} // namespace

extern const Kernels lasso_kernel_table;
const Kernels lasso_kernel_table = {
    sweep,
    subtract_rows,
    forward,
    backward,
    retriangularize,
    column_dots<float>,
    column_dots<double>,
};

} // namespace gramian::lasso::GRAMIAN_ISA
