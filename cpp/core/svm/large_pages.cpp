#include "core/svm/large_pages.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace gramian::svm {
namespace {

constexpr std::size_t kLargePage = std::size_t{1} << 21;

#ifdef __linux__

constexpr std::size_t kWorthLargePages = 4 * kLargePage;
constexpr std::size_t kSpare = 2; // times the memory needed: other processes may allocate, too

bool large_pages_available(std::size_t bytes) {
    std::FILE* const file = std::fopen("/proc/buddyinfo", "r");
    if (!file) return false;
    char text[8192];
    const std::size_t length = std::fread(text, 1, sizeof text - 1, file);
    std::fclose(file);
    text[length] = '\0';
    const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return free_in_large_blocks(text, page) / kSpare >= bytes;
}

#endif

} // namespace

std::size_t free_in_large_blocks(const char* text, std::size_t page_bytes) {
    std::size_t sum = 0;
    for (const char* zone = std::strstr(text, "zone"); zone; zone = std::strstr(zone, "zone")) {
        zone += std::strlen("zone");
        zone += std::strspn(zone, " ");
        zone += std::strcspn(zone, " \n"); // its name
        for (std::size_t piece = page_bytes;; piece *= 2) {
            zone += std::strspn(zone, " ");
            if (*zone < '0' || *zone > '9') break;
            char* end = nullptr;
            const std::size_t count = std::strtoul(zone, &end, 10);
            zone = end;
            if (piece >= kLargePage) sum += count * piece;
        }
    }
    return sum;
}

void* allocate_untouched(std::size_t bytes) {
#ifdef __linux__
    const std::size_t whole = (bytes + kLargePage - 1) / kLargePage * kLargePage;
    if (bytes >= kWorthLargePages && large_pages_available(whole)) {
        void* const memory = std::aligned_alloc(kLargePage, whole);
        if (!memory) throw std::bad_alloc();
        madvise(memory, whole, MADV_HUGEPAGE); // only advice: without it, small pages are used
        return memory;
    }
#endif
    void* const memory = std::malloc(bytes);
    if (!memory) throw std::bad_alloc();
    return memory;
}

} // namespace gramian::svm
