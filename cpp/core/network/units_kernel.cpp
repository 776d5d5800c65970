#include "core/network/units.hpp"

#include "core/simd/functions.hpp"
#include "core/simd/functions_single.hpp"

namespace gramian::network::GRAMIAN_ISA {
namespace {

using namespace simd;

inline Vec<float> exp_to_one(Vec<float> x) { // of x <= 0
    return exp_of_negative(x);
}
inline Vec<double> exp_to_one(Vec<double> x) {
    return exp(x);
}

template <typename T>
inline Vec<T> logistic(Vec<T> z) {
    const Vec<T> e = exp_to_one(-abs(z));
    const Vec<T> p = T(1) / (T(1) + e);
    return z >= T(0) ? p : e * p;
}

// (1 - e^-2|z|) / (1 + e^-2|z|), and near 0, where that loses digits, the series.
template <typename T>
inline Vec<T> tanh(Vec<T> z) {
    const Vec<T> size = abs(z), e = exp_to_one(T(-2) * size), square = z * z;
    const Vec<T> far = (T(1) - e) / (T(1) + e);
    const Vec<T> near =
        z + z * square * (T(-1.0 / 3) + square * (T(2.0 / 15) - square * T(17.0 / 315)));
    return size < T(0.02) ? near : z < T(0) ? -far : far;
}

// f(row, column) for every register.
template <typename T, typename Body>
inline void each(const Rows<T>& table, Body&& body) {
    constexpr Index lanes = kLanes<std::remove_const_t<T>>;
    for (Index i = 0; i < table.rows; ++i) {
        for (Index j = 0; j < table.cols; j += lanes) body(i, j);
    }
}

template <typename T>
void activate(Activation f, Rows<T> z) {
    const auto apply = [&](auto function) {
        each(z, [&](Index i, Index j) {
            T* at = z.row(i) + j;
            store(at, function(load(at)));
        });
    };
    switch (f) {
    case Activation::logistic:
        return apply([](Vec<T> x) { return logistic<T>(x); });
    case Activation::tanh:
        return apply([](Vec<T> x) { return tanh<T>(x); });
    case Activation::relu:
        return apply([](Vec<T> x) { return x < T(0) ? Vec<T>{} : x; }); // NaN stays NaN
    default:
        return;
    }
}

// use(function) with function(e, a) = e f'(z), where a = f(z).
template <typename T, typename Use>
inline void with_derivative(Activation f, const Use& use) {
    switch (f) {
    case Activation::logistic:
        return use([](Vec<T> e, Vec<T> h) { return e * h * (T(1) - h); });
    case Activation::tanh:
        return use([](Vec<T> e, Vec<T> h) { return e * (T(1) - h * h); });
    case Activation::relu:
        return use([](Vec<T> e, Vec<T> h) { return h > T(0) ? e : Vec<T>{}; });
    default:
        return use([](Vec<T> e, Vec<T>) { return e; });
    }
}

template <typename T>
void times_derivative(Activation f, Rows<const T> a, Rows<T> d) {
    if (f == Activation::identity) return;
    with_derivative<T>(f, [&](auto function) {
        each(d, [&](Index i, Index j) {
            T* at = d.row(i) + j;
            store(at, function(load(at), load(a.row(i) + j)));
        });
    });
}

template <typename T>
void spread(Activation f, const T* d, Index d_row, const T* w, Rows<const T> a, Rows<T> out) {
    const auto apply = [&](auto function) {
        for (Index i = 0; i < out.rows; ++i) {
            const Vec<T> left = broadcast(d[i * d_row]);
            const T* from = a.row(i);
            T* to = out.row(i);
            for (Index j = 0; j < out.cols; j += kLanes<T>) {
                store(to + j, function(left * load(w + j), load(from + j)));
            }
        }
    };
    with_derivative<T>(f, apply);
}

template <typename T>
void times(Rows<const T> a, Rows<const T> mask, Rows<T> out) {
    each(out, [&](Index i, Index j) {
        store(out.row(i) + j, load(a.row(i) + j) * load(mask.row(i) + j));
    });
}

template <typename T>
void normalise(const Normal<T>& n, Rows<T> z, Rows<T> y) {
    constexpr Index lanes = kLanes<T>;
    for (Index j = 0; j < z.cols; j += lanes) {
        Vec<T> mean{}, variance{};
        for (Index i = 0; i < z.rows; ++i) mean += n.share[i] * load(z.row(i) + j);
        for (Index i = 0; i < z.rows; ++i) {
            const Vec<T> e = load(z.row(i) + j) - mean;
            variance += n.share[i] * e * e;
        }
        const Vec<T> inverse = T(1) / sqrt(variance + n.epsilon);
        const Vec<T> gamma = load(n.gamma + j), beta = load(n.beta + j);
        for (Index i = 0; i < z.rows; ++i) {
            T* at = z.row(i) + j;
            const Vec<T> x = (load(at) - mean) * inverse;
            store(at, x);
            store(y.row(i) + j, gamma * x + beta);
        }
        store(n.mean + j, mean);
        store(n.inverse_deviation + j, inverse);
        if (n.running_mean == nullptr) continue;
        const Vec<T> unbiased = variance * (n.count > T(1) ? n.count / (n.count - T(1)) : T(1));
        store(n.running_mean + j, n.keep * load(n.running_mean + j) + (T(1) - n.keep) * mean);
        store(n.running_variance + j,
              n.keep * load(n.running_variance + j) + (T(1) - n.keep) * unbiased);
    }
}

// With x the standardised values, e the derivatives by y and s the shares of the rows:
//     by z_i: gamma / deviation * (e_i - s_i (sum_k e_k + x_i sum_k e_k x_k))
template <typename T>
void normalise_back(const Normal<T>& n, Rows<const T> x, Rows<T> d, T* by_gamma, T* by_beta) {
    constexpr Index lanes = kLanes<T>;
    for (Index j = 0; j < d.cols; j += lanes) {
        Vec<T> sum{}, with{};
        for (Index i = 0; i < d.rows; ++i) {
            const Vec<T> e = load(d.row(i) + j);
            sum += e;
            with += e * load(x.row(i) + j);
        }
        store(by_gamma + j, with);
        store(by_beta + j, sum);
        const Vec<T> scale = load(n.gamma + j) * load(n.inverse_deviation + j);
        for (Index i = 0; i < d.rows; ++i) {
            T* at = d.row(i) + j;
            store(at, scale * (load(at) - n.share[i] * (sum + load(x.row(i) + j) * with)));
        }
    }
}

// z <- exp(z - max), returns the maximum and the sum. What lies beyond the outputs becomes 0.
template <typename T>
struct Exponentials {
    T largest, sum;
};
template <typename T>
inline Exponentials<T> exponentials(T* z, Index outputs, Index cols) {
    constexpr Index lanes = kLanes<T>;
    T largest = z[0];
    for (Index k = 1; k < outputs; ++k) largest = z[k] > largest ? z[k] : largest;
    for (Index k = outputs; k < cols; ++k) z[k] = -__builtin_inff();
    Vec<T> sums{};
    for (Index k = 0; k < cols; k += lanes) {
        const Vec<T> e = exp_to_one(load(z + k) - largest);
        store(z + k, e);
        sums += e;
    }
    return {largest, sum<T>(sums)};
}

// sum_k max(z_k, 0) - y_k z_k + log(1 + e_k), e_k = exp(-|z_k|): the logarithms are those of
// products, each of so many factors, which are 2 at most, that it stays finite.
template <typename T>
double logistic_loss_step(const T* z, const T* y, Index outputs, Index cols, T scale, T* d) {
    constexpr Index lanes = kLanes<T>, double_lanes = kLanes<double>, most = 256 * lanes;
    Double linear{};
    double loss = 0;
    for (Index first = 0; first < cols; first += most) {
        Double product = broadcast(1.0);
        for (Index k = first; k < cols && k < first + most; k += lanes) {
            const Vec<T> x = load(z + k), e = exp_to_one(-abs(x)), p = T(1) / (T(1) + e);
            store(d + k, scale * ((x >= T(0) ? p : e * p) - load(y + k)));
            T each[lanes];
            store(each, e);
            for (Index j = outputs - k < 0 ? 0 : outputs - k; j < lanes; ++j) each[j] = 0;
            for (Index j = 0; j < lanes; j += double_lanes) {
                const Double v = load_wide(z + k + j);
                linear += max(v, Double{}) - load_wide(y + k + j) * v;
                product *= 1.0 + load_wide(each + j);
            }
        }
        for (Index j = 0; j < double_lanes; ++j) loss += __builtin_log(product[j]);
    }
    for (Index k = outputs; k < cols; ++k) d[k] = 0;
    return loss + sum<double>(linear);
}

template <typename T>
double row_loss_step(Output output, T* z, const T* y, Index outputs, Index cols, T scale, T* d) {
    constexpr Index lanes = kLanes<T>;
    double loss = 0;
    switch (output) {
    case Output::softmax: {
        for (Index k = 0; k < outputs; ++k) {
            loss -= static_cast<double>(y[k]) * static_cast<double>(z[k]);
        }
        const auto [largest, sum] = exponentials(z, outputs, cols);
        loss += static_cast<double>(largest) + __builtin_log(static_cast<double>(sum));
        const T inverse = T(1) / sum;
        for (Index k = 0; k < cols; k += lanes) {
            store(d + k, scale * (load(z + k) * inverse - load(y + k)));
        }
        break;
    }
    case Output::logistic:
        return logistic_loss_step(z, y, outputs, cols, scale, d);
    case Output::poisson:
        for (Index k = 0; k < outputs; ++k) {
            const double x = static_cast<double>(z[k]), target = static_cast<double>(y[k]);
            const double mean = __builtin_exp(x);
            loss += mean - target + (target > 0 ? target * (__builtin_log(target) - x) : 0);
            d[k] = scale * static_cast<T>(mean - target);
        }
        break;
    case Output::squared_logistic:
        for (Index k = 0; k < cols; k += lanes) {
            const Vec<T> p = logistic<T>(load(z + k));
            store(z + k, p);
            store(d + k, scale * (p - load(y + k)) * p * (T(1) - p));
        }
        for (Index k = 0; k < outputs; ++k) {
            const double e = static_cast<double>(z[k]) - static_cast<double>(y[k]);
            loss += 0.5 * e * e;
        }
        break;
    default:
        for (Index k = 0; k < outputs; ++k) {
            const double e = static_cast<double>(z[k]) - static_cast<double>(y[k]);
            loss += 0.5 * e * e;
        }
        for (Index k = 0; k < cols; k += lanes) {
            store(d + k, scale * (load(z + k) - load(y + k)));
        }
    }
    for (Index k = outputs; k < cols; ++k) d[k] = 0;
    return loss;
}

// The logistic loss of one output: a register holds the outputs of several rows, and four registers
// are computed side by side, because each step of exp and log waits for the one before it.
template <typename T>
void single_output_loss_step(Rows<T> z, Rows<const T> targets, const T* scale, Rows<T> d,
                             double* losses) {
    constexpr Index lanes = kLanes<double>, registers = 4, many = registers * lanes;
    for (Index first = 0; first < z.rows; first += many) {
        const Index rows = z.rows - first < many ? z.rows - first : many;
        double x[many] = {}, y[many] = {}, loss[many], error[many];
        for (Index i = 0; i < rows; ++i) {
            x[i] = static_cast<double>(z.row(first + i)[0]);
            y[i] = static_cast<double>(targets.row(first + i)[0]);
        }
        Double e[registers];
        for (int r = 0; r < registers; ++r) e[r] = -abs(load(x + r * lanes));
        exp_to_700(e);
#pragma GCC unroll 4
        for (int r = 0; r < registers; ++r) {
            const Double v = load(x + r * lanes), target = load(y + r * lanes);
            const Double p = 1.0 / (1.0 + e[r]);
            store(loss + r * lanes, max(v, Double{}) + log1p(e[r]) - target * v);
            store(error + r * lanes, (v >= 0.0 ? p : e[r] * p) - target);
        }
        for (Index i = 0; i < rows; ++i) {
            store(d.row(first + i), Vec<T>{scale[first + i] * static_cast<T>(error[i])});
            losses[first + i] = loss[i];
        }
    }
}

template <typename T>
void loss_step(Output output, Rows<T> z, Rows<const T> targets, Index outputs, const T* scale,
               Rows<T> d, double* losses) {
    if (output == Output::logistic && outputs == 1) {
        return single_output_loss_step(z, targets, scale, d, losses);
    }
    for (Index i = 0; i < z.rows; ++i) {
        losses[i] =
            row_loss_step(output, z.row(i), targets.row(i), outputs, z.cols, scale[i], d.row(i));
    }
}

template <typename T>
void finish(Output output, Rows<T> z, Index outputs) {
    constexpr Index lanes = kLanes<T>;
    for (Index i = 0; i < z.rows; ++i) {
        T* row = z.row(i);
        if (output == Output::softmax) {
            const T inverse = T(1) / exponentials(row, outputs, z.cols).sum;
            for (Index k = 0; k < z.cols; k += lanes) store(row + k, load(row + k) * inverse);
        } else if (output == Output::logistic || output == Output::squared_logistic) {
            for (Index k = 0; k < z.cols; k += lanes) store(row + k, logistic<T>(load(row + k)));
        } else if (output == Output::poisson) {
            for (Index k = 0; k < outputs; ++k) row[k] = static_cast<T>(__builtin_exp(row[k]));
        }
    }
}

template <typename T>
void add_up(Rows<const T> d, bool add, T* sums) {
    constexpr Index lanes = kLanes<T>;
    const auto columns = [&]<int Registers>(Index j) {
        Vec<T> sum[Registers];
        for (int r = 0; r < Registers; ++r) sum[r] = add ? load(sums + j + r * lanes) : Vec<T>{};
        for (Index i = 0; i < d.rows; ++i) {
            for (int r = 0; r < Registers; ++r) sum[r] += load(d.row(i) + j + r * lanes);
        }
        for (int r = 0; r < Registers; ++r) store(sums + j + r * lanes, sum[r]);
    };
    Index j = 0;
    for (; j + 4 * lanes <= d.cols; j += 4 * lanes) columns.template operator()<4>(j);
    for (; j < d.cols; j += lanes) columns.template operator()<1>(j);
}

template <typename T>
constexpr UnitKernels<T> of() {
    return {activate<T>,       times_derivative<T>, spread<T>, times<T>, normalise<T>,
            normalise_back<T>, loss_step<T>,        finish<T>, add_up<T>};
}

} // namespace

extern const AllUnitKernels unit_kernels;
const AllUnitKernels unit_kernels = {of<float>(), of<double>()};

} // namespace gramian::network::GRAMIAN_ISA
