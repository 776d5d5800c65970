// Shared by the bindings of gradient boosting: binned columns and the nodes of a grown tree.
#pragma once

#include "bind/codes.hpp"
#include "core/boost/bins.hpp"
#include "core/boost/grower.hpp"

#include <tuple>
#include <vector>

namespace gramian::bind {

using Sets = std::tuple<In1<Index>, In1<std::int32_t>>;

// Binned columns, with the arrays that they refer to.
class BinnedColumns {
public:
    BinnedColumns(const In3<std::uint8_t>& codes, const In1<std::int32_t>& n_bins,
                  const In1<std::uint8_t>& missing_code, const In1<std::uint8_t>& has_missing,
                  const In1<std::uint8_t>& categorical, const In1<std::int8_t>& monotone,
                  const Sets& sets)
        : arrays_(codes, n_bins, missing_code, has_missing, categorical, monotone),
          columns_{length(n_bins),
                   n_bins.data(),
                   missing_code.data(),
                   has_missing.data(),
                   categorical.data(),
                   monotone.data(),
                   {},
                   {}} {
        const Index d = columns_.columns;
        require(codes.shape(2) == boost::kGroup && length(codes) == boost::groups_of(d) &&
                    length(missing_code) == boost::groups_of(d) && length(has_missing) == d &&
                    length(categorical) == d && length(monotone) == d,
                "codes of shape (groups, rows, 8), an entry per column");
        const auto& [starts, members] = sets;
        columns_.set_starts.assign(starts.data(), starts.data() + length(starts));
        columns_.set_members.assign(members.data(), members.data() + length(members));
        Index before = 0;
        for (const Index start : columns_.set_starts) {
            require(before <= start && start <= length(members), "rising starts of sets");
            before = start;
        }
        for (const std::int32_t member : columns_.set_members) {
            require(0 <= member && member < d, "columns");
        }
    }

    const std::uint8_t* codes() const { return std::get<0>(arrays_).data(); }
    Index rows() const { return static_cast<Index>(std::get<0>(arrays_).shape(1)); }
    const boost::GrowColumns& columns() const { return columns_; }

private:
    std::tuple<In3<std::uint8_t>, In1<std::int32_t>, In1<std::uint8_t>, In1<std::uint8_t>,
               In1<std::uint8_t>, In1<std::int8_t>>
        arrays_;
    boost::GrowColumns columns_;
};

inline void write_nodes(const std::vector<boost::GrownNode>& nodes,
                        const Out2<std::int32_t>& structure, const Out2<double>& sums,
                        const Out2<std::uint64_t>& left) {
    const Index n = static_cast<Index>(nodes.size());
    require(length(structure) == n && structure.shape(1) == 5 && length(sums) == n &&
                sums.shape(1) == 5 && length(left) == n && left.shape(1) == 4,
            "structure (nodes, 5), sums (nodes, 5), left (nodes, 4)");
    for (Index k = 0; k < n; ++k) {
        const boost::GrownNode& node = nodes[k];
        std::int32_t* fields = structure.data() + 5 * k;
        fields[0] = node.first_child;
        fields[1] = node.feature;
        fields[2] = node.slot;
        fields[3] = node.missing_left;
        fields[4] = node.by_category;
        double* sum = sums.data() + 5 * k;
        sum[0] = node.value;
        sum[1] = node.gradient;
        sum[2] = node.hessian;
        sum[3] = static_cast<double>(node.count);
        sum[4] = node.squares;
        for (int w = 0; w < 4; ++w) left.data()[4 * k + w] = node.left[w];
    }
}

inline constexpr const char* kNodesDoc =
    "Write per node: first child, feature, slot, whether missing values go left, whether it "
    "splits\nby category; value, sums of gradients, curvatures, rows and squared gradients; the "
    "set of\nslots that go left.";

// Gradient boosting of rows distributed over workers.
void bind_distributed_boosting(nb::module_& m);

} // namespace gramian::bind
