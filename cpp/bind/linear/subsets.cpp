// Best subsets of columns.
#include "core/linalg/subsets.hpp"

#include "bind/arrays.hpp"

namespace gramian::bind {

void bind_subsets(nb::module_& m) {
    m.def(
        "best_subsets",
        [](const In2<double>& inverse, const In1<double>& coef, double rss, Index largest,
           const Out1<double>& best, const Out1<std::uint64_t>& sets) {
            const auto p = coef.shape(0);
            const bool fits = inverse.shape(0) == p && inverse.shape(1) == p &&
                              best.shape(0) == p + 1 && sets.shape(0) == p + 1;
            require(fits && p >= 1 && p <= static_cast<std::size_t>(linalg::kMostColumns) &&
                        largest >= 0,
                    "1 to 64 columns, and a place for each size");
            const GilRelease release;
            return linalg::best_subsets(view<double>(inverse), view<double>(coef), rss, largest,
                                        view<double>(best), view<std::uint64_t>(sets));
        },
        "inverse"_a.noconvert(), "coef"_a.noconvert(), "rss"_a, "largest"_a, "best"_a.noconvert(),
        "sets"_a.noconvert(),
        "Improve best[k] and sets[k], the least sum of squares of k columns and their bits.");
}

} // namespace gramian::bind
