#pragma once
// Arithmetic of a socket's FIFO, the same on both sides. Pages end at the last place where a whole
// one fits, and the bytes behind it count as transferred.

#include <stdint.h>

#include "alignment.h"
#include "debug/assert.h"

namespace tvp::sockets {

struct Fifo {
  uint32_t begin;
  uint32_t bytes;         ///< total size
  uint32_t bytes_in_use;  ///< a multiple of the page

  uint32_t end_in_use() const { return begin + bytes_in_use; }
  uint32_t left_out() const { return bytes - bytes_in_use; }
};

/// Sets `pointer` to the next boundary of pages of `page_bytes`. If the pointer wraps to the
/// beginning, returns the bytes skipped at the end of the FIFO.
inline uint32_t set_page(const Fifo& fifo, uint32_t page_bytes, uint32_t& pointer) {
  ASSERT(page_bytes <= fifo.bytes);
  uint32_t skipped = 0;
  pointer = fifo.begin + align(pointer - fifo.begin, page_bytes);
  if (pointer >= fifo.begin + fifo.bytes / page_bytes * page_bytes) {
    skipped = fifo.begin + fifo.bytes - pointer;
    pointer = fifo.begin;
  }
  return skipped;
}

/// Returns the count for `bytes` from `pointer` on, including the skipped rest of the FIFO if they
/// reach its end.
inline uint32_t counted(const Fifo& fifo, uint32_t pointer, uint32_t bytes) {
  return pointer + bytes >= fifo.end_in_use() ? bytes + fifo.left_out() : bytes;
}
inline uint32_t advanced(const Fifo& fifo, uint32_t pointer, uint32_t bytes) {
  pointer += bytes;
  return pointer >= fifo.end_in_use() ? pointer - fifo.bytes_in_use : pointer;
}

}  // namespace tvp::sockets
