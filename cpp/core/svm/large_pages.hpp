// Memory in large pages, if the system has enough of them.
//
// A page is cleared when it is first written. Pages of 2 MB make that several times cheaper than
// pages of 4 KB. But if free memory is fragmented, the system compacts it to make each large page,
// which takes longer than many small ones. Large pages are therefore used only if free blocks of
// their size exist.
#pragma once

#include <cstddef>

namespace gramian::svm {

// Allocates memory without writing to it; throws std::bad_alloc. Free it with std::free.
void* allocate_untouched(std::size_t bytes);

// The bytes that are free in blocks of 2 MB or more, from the text of /proc/buddyinfo: one line per
// memory zone with the zone's name and the number of free blocks of 1, 2, 4, ... pages. 0 for a
// text of another form.
std::size_t free_in_large_blocks(const char* text, std::size_t page_bytes);

} // namespace gramian::svm
