// Kernel sums over the leaves of a k-d tree against sums over all rows.
#include "core/kernel_sums/sums.hpp"

#include "steps.hpp"

#include <algorithm>

namespace steps {
namespace {

using gramian::kernel_sums::Shape;

std::size_t at(Index i) {
    return static_cast<std::size_t>(i);
}

// A tree and its rows, packed by leaves.
struct Packed {
    const Table<double>& X;
    gramian::kdtree::Shape shape;
    std::size_t leaves = std::size_t{1} << shape.levels;
    std::size_t dims = at(X.cols), capacity = at(shape.capacity);
    std::vector<std::int32_t> order = std::vector<std::int32_t>(at(X.rows));
    std::vector<float> floats = std::vector<float>(leaves * dims * capacity);
    std::vector<float> spread = std::vector<float>(leaves);
    std::vector<float> boxes = std::vector<float>(leaves * dims * 4);
    std::vector<std::int32_t> feature = std::vector<std::int32_t>(leaves);
    std::vector<double> value = std::vector<double>(leaves);
    std::vector<std::int32_t> first = std::vector<std::int32_t>(2 * leaves);
    std::vector<double> points = std::vector<double>(leaves * dims * capacity);
    std::vector<double> weights = std::vector<double>(leaves * capacity);
    std::vector<double> values = std::vector<double>(leaves * capacity);

    Packed(const Table<double>& rows, const std::vector<double>& w, const std::vector<double>& y)
        : X(rows), shape(gramian::kdtree::shape_of(rows.rows, 16)) {
        gramian::kdtree::build<double>({X.values.data(), order.data(), floats.data(), spread.data(),
                                        boxes.data(), feature.data(), value.data(), first.data(),
                                        X.rows, X.cols, shape.levels, shape.capacity});
        for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
            const Index begin = (static_cast<Index>(leaf) * X.rows) >> shape.levels;
            const Index end = (static_cast<Index>(leaf + 1) * X.rows) >> shape.levels;
            for (std::size_t c = 0; c < capacity; ++c) {
                const Index place = std::min(begin + static_cast<Index>(c), end - 1);
                const std::size_t row = at(order[at(place)]);
                for (std::size_t j = 0; j < dims; ++j) {
                    points[(leaf * dims + j) * capacity + c] =
                        X(static_cast<Index>(row), static_cast<Index>(j));
                }
                const bool real = begin + static_cast<Index>(c) < end;
                weights[leaf * capacity + c] = real ? w[row] : 0.0;
                values[leaf * capacity + c] = y[row];
            }
        }
    }
    gramian::kernel_sums::Rows rows() const {
        return {{X.values.data(), order.data(), floats.data(), spread.data(), boxes.data(),
                 feature.data(), value.data(), first.data(), X.rows, X.cols, shape.levels,
                 shape.capacity},
                points.data(),
                weights.data(),
                values.data(),
                1};
    }
};

double weight_of(Shape shape, double u, double scale, double reach) {
    if (shape == Shape::exponential) return std::exp(-scale * u);
    if (u >= reach) return 0;
    if (shape == Shape::box) return 1;
    return shape == Shape::slope ? 1 - scale * u : std::cos(std::acos(-1.0) / 2 * scale * u);
}

void all(const Packed& packed, const Table<double>& Q, const std::vector<double>& w,
         const std::vector<double>& y, Shape shape, bool own) {
    const std::vector<double> scales{0.5, 0.125};
    std::vector<double> reaches{2, 8};
    if (shape == Shape::exponential) reaches = {90, 360}; // e^-45
    const Table<double>& queries = own ? packed.X : Q;
    Table<double> sums(queries.rows, 4);
    std::vector<double> references(at(queries.rows));
    gramian::kernel_sums::kernel_sums(packed.rows(), queries.in(),
                                      {shape, false, 2, false, in(scales), in(reaches)},
                                      {own, false}, sums.out(), out(references));
    for (Index q = 0; q < queries.rows; ++q) {
        for (Index h = 0; h < 2; ++h) {
            double total = 0, weighted = 0;
            for (Index i = 0; i < packed.X.rows; ++i) {
                double square = 0;
                for (Index j = 0; j < packed.X.cols; ++j) {
                    const double gap = packed.X(i, j) - queries(q, j);
                    square += gap * gap;
                }
                if (own && i == q) continue;
                const double k =
                    w[at(i)] * weight_of(shape, std::sqrt(square), scales[at(h)], reaches[at(h)]);
                total += k;
                weighted += k * y[at(i)];
            }
            const double shift = std::exp(-scales[at(h)] * references[at(q)]);
            HOLDS(close(sums(q, 2 * h) * shift, total, 1e-11));
            HOLDS(close(sums(q, 2 * h + 1) * shift, weighted, 1e-11));
        }
    }
}

// Many queries of a Gaussian kernel, which share polynomials.
void by_polynomials() {
    const auto X = groups<double>(4200, 2, 5), Q = groups<double>(520, 2, 6);
    std::vector<double> w(4200), y(4200);
    for (Index i = 0; i < 4200; ++i) {
        w[at(i)] = static_cast<double>(i % 4) / 2;
        y[at(i)] = static_cast<double>(i % 7) + 1;
    }
    const Packed packed(X, w, y);
    const std::vector<double> scales{0.05}, reaches{1000};
    Table<double> sums(Q.rows, 2);
    std::vector<double> references(at(Q.rows));
    gramian::kernel_sums::kernel_sums(packed.rows(), Q.in(),
                                      {Shape::exponential, true, 2, false, in(scales), in(reaches)},
                                      {false, false}, sums.out(), out(references));
    for (Index q = 0; q < Q.rows; ++q) {
        double total = 0, weighted = 0;
        for (Index i = 0; i < X.rows; ++i) {
            double square = 0;
            for (Index j = 0; j < 2; ++j) square += (X(i, j) - Q(q, j)) * (X(i, j) - Q(q, j));
            const double k = w[at(i)] * std::exp(-scales[0] * square);
            total += k;
            weighted += k * y[at(i)];
        }
        const double shift = std::exp(-scales[0] * references[at(q)]);
        HOLDS(close(sums(q, 0) * shift, total, 1e-12));
        HOLDS(close(sums(q, 1) * shift, weighted, 1e-12));
    }
}

} // namespace

void kernel_sums() {
    const auto X = groups<double>(500, 3, 3), Q = groups<double>(61, 3, 4);
    std::vector<double> w(500), y(500);
    for (Index i = 0; i < 500; ++i) {
        w[at(i)] = static_cast<double>(i % 4) / 2;
        y[at(i)] = static_cast<double>(i % 7) - 3;
    }
    const Packed packed(X, w, y);
    for (const Shape shape : {Shape::exponential, Shape::box, Shape::slope, Shape::cosine}) {
        all(packed, Q, w, y, shape, false);
        all(packed, Q, w, y, shape, true);
    }
    by_polynomials();
}

} // namespace steps
