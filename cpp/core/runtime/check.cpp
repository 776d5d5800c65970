#include "core/runtime/check.hpp"

#include <limits>
#include <stdexcept>
#include <string>

namespace gramian::runtime {
namespace {

constexpr Index kLargest = std::numeric_limits<std::int32_t>::max();

} // namespace

std::int32_t in_32_bits(Index number, const char* what, const char* remedy) {
    if (number < 0 || number > kLargest) {
        throw std::length_error(std::string(what) + " must be at most 2^31 - 1; got " +
                                std::to_string(number) + ". " + remedy);
    }
    return static_cast<std::int32_t>(number);
}

void require_rows_in_32_bits(Index rows, const char* owner) {
    in_32_bits(rows, (std::string(owner) + ": the number of rows").c_str(),
               "Pass fewer rows, or split them over several calls.");
}

} // namespace gramian::runtime
