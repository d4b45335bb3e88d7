#include "models/noc/niu/atomic.h"

#include <cstring>

#include "foundation/regs/noc.h"

namespace tvp::noc {

namespace {

std::uint32_t load_word(const AtomicLine& line, unsigned word) {
  std::uint32_t value;
  std::memcpy(&value, line.data() + 4 * word, 4);
  return value;
}

void store_word(AtomicLine& line, unsigned word, std::uint32_t value) {
  std::memcpy(line.data() + 4 * word, &value, 4);
}

void increment(AtomicLine& line, std::uint32_t at_len_be, std::uint32_t amount) {
  const unsigned word = at_len_be & 3;
  const unsigned int_width = at_len_be >> 2 & 31;
  const auto mask = static_cast<std::uint32_t>((std::uint64_t{2} << int_width) - 1);
  const std::uint32_t old = load_word(line, word);
  store_word(line, word, ((old + amount) & mask) | (old & ~mask));
}

void compare_and_swap(AtomicLine& line, std::uint32_t at_len_be) {
  const unsigned word = at_len_be & 3;
  if (load_word(line, word) == (at_len_be >> 2 & 15)) {
    store_word(line, word, at_len_be >> 6 & 15);
  }
}

void swap_halfwords(AtomicLine& line, std::uint32_t at_len_be, std::uint32_t at_data) {
  for (unsigned i = 0; i < 8; ++i) {
    if (at_len_be >> (2 + i) & 1) {
      const auto half = static_cast<std::uint16_t>(i & 1 ? at_data >> 16 : at_data);
      std::memcpy(line.data() + 2 * i, &half, 2);
    }
  }
}

}  // namespace

bool apply_atomic(AtomicLine& line, std::uint32_t at_len_be, std::uint32_t at_data) {
  using namespace regs::noc;
  switch (at_len_be >> kAtOpcodeShift & kAtOpcodeMask) {
    case kAtIncrement:
      increment(line, at_len_be, at_data);
      return true;
    case kAtCompareAndSwap:
      compare_and_swap(line, at_len_be);
      return true;
    case kAtSwapMask:
      swap_halfwords(line, at_len_be, at_data);
      return true;
    case kAtSwapIndex6:
      if ((at_len_be >> 2 & 1) == 0) return false;
      store_word(line, at_len_be & 3, at_data);
      return true;
    case kAtSwapIndex7:
      store_word(line, at_len_be >> 2 & 3, at_data);
      return true;
    default:
      return false;
  }
}

}  // namespace tvp::noc
