// Bins: columns as 8-bit codes.
#include "core/boost/bins.hpp"
#include "bind/codes.hpp"

#include <memory>

namespace gramian::bind {
namespace {

template <typename T>
void bind_bins(nb::module_& m) {
    m.def(
        "find_cuts",
        [](const In2<T>& X, const Weights& weights, const In1<Index>& sample, int max_bins,
           const In1<std::uint8_t>& skip, const Out2<double>& cuts,
           const Out1<std::int32_t>& n_cuts) {
            const Index d = static_cast<Index>(X.shape(1));
            require(max_bins >= 2 && max_bins <= boost::kMostBins, "2 to 255 bins");
            require(length(skip) == d && length(cuts) == d && length(n_cuts) == d &&
                        static_cast<Index>(cuts.shape(1)) >= max_bins - 1,
                    "skip, cuts and n_cuts with an entry per column");
            require(!weights || weights->shape(0) == X.shape(0), "a weight per row");
            for (Index i = 0; i < length(sample); ++i) {
                require(sample.data()[i] >= 0 && sample.data()[i] < length(X), "rows of X");
            }
            const GilRelease release;
            boost::find_cuts<T>(view<T>(X), weights ? weights->data() : nullptr,
                                view<Index>(sample), max_bins, skip.data(), view<double>(cuts),
                                n_cuts.data());
        },
        "X"_a.noconvert(), "weights"_a.noconvert().none(), "sample"_a.noconvert(), "max_bins"_a,
        "skip"_a.noconvert(), "cuts"_a.noconvert(), "n_cuts"_a.noconvert(),
        "Write the cut points of each column, those of quantiles where there are many values.");
    m.def(
        "apply_bins",
        [](const In2<T>& X, const In2<double>& cuts, const In1<std::int32_t>& n_cuts,
           const In1<std::uint8_t>& category_bin, const In1<Index>& category_start,
           const In1<std::uint8_t>& missing, const Out3<std::uint8_t>& codes,
           const Out1<std::uint8_t>& has_missing) {
            const Index d = static_cast<Index>(X.shape(1));
            require(length(cuts) == d && length(n_cuts) == d && length(category_start) == d + 1 &&
                        length(missing) == boost::groups_of(d),
                    "cuts, n_cuts and category_start of all columns, a missing code per group");
            for (Index j = 0; j < d; ++j) {
                require(n_cuts.data()[j] >= 0 && n_cuts.data()[j] < boost::kMostBins &&
                            n_cuts.data()[j] <= static_cast<Index>(cuts.shape(1)),
                        "at most 254 cuts");
                require(category_start.data()[j] >= 0 &&
                            category_start.data()[j] <= category_start.data()[j + 1] &&
                            category_start.data()[j + 1] <= length(category_bin),
                        "rising starts of categories");
            }
            require(length(codes) == boost::groups_of(d) && codes.shape(1) == X.shape(0) &&
                        codes.shape(2) == boost::kGroup,
                    "codes of shape (groups, rows, 8)");
            require(length(has_missing) == d, "has_missing with an entry per column");
            const GilRelease release;
            boost::apply_bins<T>(view<T>(X),
                                 {view<double>(cuts), n_cuts.data(), category_bin.data(),
                                  category_start.data(), missing.data()},
                                 codes.data(), has_missing.data());
        },
        "X"_a.noconvert(), "cuts"_a.noconvert(), "n_cuts"_a.noconvert(),
        "category_bin"_a.noconvert(), "category_start"_a.noconvert(), "missing"_a.noconvert(),
        "codes"_a.noconvert(), "has_missing"_a.noconvert(),
        "Write the code of every value, eight columns side by side, and which columns miss "
        "some.");
}

} // namespace

void bind_bins(nb::module_& m) {
    bind_bins<float>(m);
    bind_bins<double>(m);
}

} // namespace gramian::bind
