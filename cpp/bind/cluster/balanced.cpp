// Rows to clusters of limited size.
#include "core/balanced/balanced.hpp"
#include "bind/arrays.hpp"

namespace gramian::bind {

void bind_balanced(nb::module_& m) {
    m.def(
        "balanced_assign",
        [](const In2<double>& costs, Index capacity, const Out1<std::int32_t>& labels) {
            require(labels.shape(0) == costs.shape(0) && costs.shape(0) < (std::size_t{1} << 31),
                    "balanced: a label for each row");
            require(capacity > 0 && static_cast<Index>(costs.shape(1)) * capacity >=
                                        static_cast<Index>(costs.shape(0)),
                    "balanced: room for all rows");
            return balanced::assign(view<double>(costs), capacity, view<std::int32_t>(labels));
        },
        "costs"_a.noconvert(), "capacity"_a, "labels"_a.noconvert(), Release(),
        "Write the cheapest assignment with at most `capacity` rows a cluster; return its cost.");
}

} // namespace gramian::bind
