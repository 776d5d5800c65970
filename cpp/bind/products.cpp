// Products of a table with a few columns.
#include "bind/table.hpp"
#include "core/products/table_times.hpp"

#include <nanobind/stl/optional.h>

#include <optional>
#include <stdexcept>

namespace gramian::bind {
namespace {

void check_out(const In2<double>& factor, Index rows, const Out2<double>& out, Index out_rows) {
    require(static_cast<Index>(factor.shape(0)) == rows, "a factor that fits the table");
    require(static_cast<Index>(out.shape(0)) == out_rows && out.shape(1) == factor.shape(1),
            "a result of the shape of the product");
}

// body(rows) of a dense table.
template <typename Body>
void visit_dense(const Table& X, const Body& body) {
    X.visit([&]<typename View>(const View& rows) {
        if constexpr (requires { rows.data; }) {
            body(rows);
        } else {
            throw std::invalid_argument("dense rows");
        }
    });
}

void table_times(const Table& X, const In2<double>& V, const Out2<double>& out) {
    check_out(V, X.cols(), out, X.rows());
    X.visit([&](const auto& rows) { products::times(rows, view<double>(V), view<double>(out)); });
}

void transposed_table_times(const Table& X, const In2<double>& U, const Out2<double>& out) {
    check_out(U, X.rows(), out, X.cols());
    visit_dense(X, [&](const auto& rows) {
        products::transposed_times(rows, view<double>(U), view<double>(out));
    });
}

void gram_times(const Table& X, const std::optional<In1<double>>& mean, const In2<double>& V,
                const Out2<double>& out) {
    check_out(V, X.cols(), out, X.cols());
    require(!mean || static_cast<Index>(mean->shape(0)) == X.cols(), "a mean of each column");
    visit_dense(X, [&](const auto& rows) {
        products::gram_times(rows, mean ? mean->data() : nullptr, view<double>(V),
                             view<double>(out));
    });
}

} // namespace

void bind_products(nb::module_& m) {
    m.def("table_times", table_times, "X"_a, "V"_a.noconvert(), "out"_a.noconvert());
    m.def("transposed_table_times", transposed_table_times, "X"_a, "U"_a.noconvert(),
          "out"_a.noconvert());
    m.def("gram_times", gram_times, "X"_a, "mean"_a.noconvert().none(), "V"_a.noconvert(),
          "out"_a.noconvert());
}

} // namespace gramian::bind
