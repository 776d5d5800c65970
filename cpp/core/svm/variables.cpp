#include "core/svm/variables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gramian::svm {
namespace {

// A variable at its bound whose score says that it will stay there.
bool stays(const Variables& all, Index v) {
    const int g = all.group(v);
    const bool up = all.rises(v), down = all.falls(v);
    if (up && down) return false;
    if (up) return all.score(v) < all.bottom[g];
    if (down) return all.score(v) > all.top[g];
    return true; // upper is 0
}

} // namespace

Variables::Variables(const Machine& machine)
    : machine(machine), points(machine.ids.size), groups(machine.by_sign ? 2 : 1),
      active(static_cast<std::size_t>(points)), gradient(static_cast<std::size_t>(points), 0.0) {
    std::iota(active.begin(), active.end(), 0);
    place = active;
}

std::vector<std::int32_t> Variables::ids_of(const std::vector<std::int32_t>& places) const {
    std::vector<std::int32_t> ids;
    ids.reserve(places.size());
    for (const std::int32_t i : places) ids.push_back(machine.ids[i]);
    return ids;
}

void Variables::find_extremes() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (int g = 0; g < 2; ++g) {
        top[g] = -kInfinity;
        bottom[g] = kInfinity;
    }
    for_active([&](Index v) {
        const double s = score(v);
        const int g = group(v);
        if (rises(v) && !(s <= top[g])) top[g] = s;
        if (falls(v) && !(s >= bottom[g])) bottom[g] = s;
    });
}

double Variables::largest_violation() const {
    double most = 0;
    for (int g = 0; g < groups; ++g) {
        if (std::isnan(top[g]) || std::isnan(bottom[g])) return std::nan("");
        most = std::max(most, top[g] - bottom[g]);
    }
    return most;
}

double Variables::level(int g) const {
    double sum = 0;
    Index count = 0;
    for_active([&](Index v) {
        if (group(v) != g || !rises(v) || !falls(v)) return;
        sum += score(v);
        ++count;
    });
    if (count > 0) return sum / static_cast<double>(count);
    const bool high = std::isfinite(bottom[g]), low = std::isfinite(top[g]);
    return high && low ? (top[g] + bottom[g]) / 2 : high ? bottom[g] : low ? top[g] : 0;
}

std::vector<std::int32_t> Variables::unsettled() const {
    std::vector<std::int32_t> columns;
    for (std::size_t k = 0; k < active.size(); ++k) {
        bool all = true;
        for (Index v = active[k]; v < size(); v += points) all = all && stays(*this, v);
        if (!all) columns.push_back(static_cast<std::int32_t>(k));
    }
    return columns;
}

void Variables::keep(const std::vector<std::int32_t>& columns) {
    std::vector<std::int32_t> kept;
    kept.reserve(columns.size());
    for (const std::int32_t i : active) place[i] = -1;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        kept.push_back(active[columns[k]]);
        place[kept[k]] = static_cast<std::int32_t>(k);
        gradient[k] = gradient[columns[k]];
    }
    active = std::move(kept);
}

void Variables::bring_back(const std::vector<double>& others) {
    std::vector<double> whole(static_cast<std::size_t>(points));
    std::size_t next = 0;
    for (Index i = 0; i < points; ++i)
        whole[i] = place[i] < 0 ? others[next++] : gradient[place[i]];
    gradient = std::move(whole);
    active.resize(static_cast<std::size_t>(points));
    std::iota(active.begin(), active.end(), 0);
    place = active;
}

} // namespace gramian::svm
