// Locality-sensitive hashing: tables built into arrays of the caller, asked for neighbours.
#include "core/hashing/lsh.hpp"

#include "bind/arrays.hpp"
#include "core/gate/finite.hpp"

#include <nanobind/stl/tuple.h>

#include <bit>
#include <cmath>

namespace gramian::bind {
namespace {

// directions, offsets, width, multipliers, as core/hashing/lsh.hpp describes them.
template <typename T>
using Functions = std::tuple<In2<T>, In1<double>, double, In2<std::uint64_t>>;

// starts, members, low, step, codes, errors: the buckets and the rows rounded to bytes.
using InTables = std::tuple<In2<std::int32_t>, In2<std::int32_t>, In1<double>, double,
                            In2<std::uint8_t>, In1<float>>;
using OutTables = std::tuple<Out2<std::int32_t>, Out2<std::int32_t>, In1<double>, double,
                             Out2<std::uint8_t>, Out1<float>>;

template <typename T, typename Tables>
hashing::Functions<T> checked(const Functions<T>& arrays, const In2<T>& X, const Tables& tables) {
    const auto& [directions, offsets, width, multipliers] = arrays;
    const auto& [starts, members, low, step, codes, errors] = tables;
    const std::size_t n_tables = multipliers.shape(0), per_table = multipliers.shape(1);
    require(X.shape(0) > 0 && X.shape(0) < (std::size_t{1} << 31) && X.shape(1) > 0,
            "lsh: 1 to 2^31 - 1 rows, and a column");
    require(n_tables >= 1 && per_table >= 1 && per_table <= hashing::kMostFunctions &&
                n_tables <= directions.shape(1) && directions.shape(0) == X.shape(1) &&
                directions.shape(1) % hashing::kDirectionPadding == 0 &&
                directions.shape(1) >= n_tables * per_table &&
                offsets.shape(0) == n_tables * per_table && width >= 0,
            "lsh: the functions do not fit together or to X");
    require(starts.shape(0) == n_tables && members.shape(0) == n_tables &&
                members.shape(1) == X.shape(0) && starts.shape(1) >= 2 &&
                std::has_single_bit(starts.shape(1) - 1) && starts.shape(1) - 1 <= 1u << 30,
            "lsh: the buckets do not fit to the functions or to X");
    require(low.shape(0) == X.shape(1) && step > 0 && std::isfinite(step) &&
                codes.shape(0) == X.shape(0) && codes.shape(1) == X.shape(1) &&
                errors.shape(0) == X.shape(0),
            "lsh: the codes do not fit to X");
    return {view<T>(directions), view<double>(offsets), width, view<std::uint64_t>(multipliers),
            std::countr_zero(starts.shape(1) - 1)};
}

template <typename T>
void bind_lsh_of(nb::module_& m) {
    m.def(
        "lsh_project",
        [](const In2<T>& X, const In2<T>& directions, const Out2<T>& out) {
            require(directions.shape(0) == X.shape(1) &&
                        directions.shape(1) % hashing::kDirectionPadding == 0 &&
                        out.shape(0) == X.shape(0) && out.shape(1) == directions.shape(1),
                    "lsh_project: the shapes do not fit");
            const GilRelease release;
            hashing::project<T>(view<T>(X), view<T>(directions), view<T>(out));
        },
        "X"_a.noconvert(), "directions"_a.noconvert(), "out"_a.noconvert());
    m.def(
        "lsh_build",
        [](const In2<T>& X, const Functions<T>& functions, const OutTables& tables) {
            const hashing::Functions<T> f = checked<T>(functions, X, tables);
            const auto& [starts, members, low, step, codes, errors] = tables;
            const GilRelease release;
            require(gate::all_finite<T>({X.data(), static_cast<Index>(X.size())}) &&
                        gate::all_finite<double>(view<double>(low)),
                    "lsh: rows of finite numbers");
            hashing::build<T>(
                view<T>(X), f, {view<std::int32_t>(starts), view<std::int32_t>(members)},
                {view<double>(low), step, view<std::uint8_t>(codes), view<float>(errors)});
        },
        "X"_a.noconvert(), "functions"_a.noconvert(), "tables"_a.noconvert());
    m.def(
        "lsh_nearest",
        [](const In2<T>& X, const Functions<T>& functions, const InTables& tables,
           const In2<T>& queries, std::int64_t probes, bool exclude_self, const Out2<T>& distances,
           const Out2<std::int64_t>& indices) {
            const hashing::Functions<T> f = checked<T>(functions, X, tables);
            const auto& [starts, members, low, step, codes, errors] = tables;
            require(queries.shape(1) == X.shape(1) && distances.shape(0) == queries.shape(0) &&
                        indices.shape(0) == queries.shape(0) &&
                        indices.shape(1) == distances.shape(1) && distances.shape(1) >= 1 &&
                        distances.shape(1) + exclude_self <= X.shape(0) &&
                        (!exclude_self || queries.shape(0) == X.shape(0)),
                    "lsh_nearest: the shapes do not fit");
            const GilRelease release;
            return hashing::nearest<T>(
                view<T>(X), f, {view<std::int32_t>(starts), view<std::int32_t>(members)},
                {view<double>(low), step, view<std::uint8_t>(codes), view<float>(errors)},
                view<T>(queries), probes, exclude_self,
                {view<T>(distances), view<std::int64_t>(indices)});
        },
        "X"_a.noconvert(), "functions"_a.noconvert(), "tables"_a.noconvert(),
        "queries"_a.noconvert(), "probes"_a, "exclude_self"_a, "distances"_a.noconvert(),
        "indices"_a.noconvert(), "Returns the number of rows found in the buckets.");
}

} // namespace

void bind_lsh(nb::module_& m) {
    bind_lsh_of<float>(m);
    bind_lsh_of<double>(m);
}

} // namespace gramian::bind
