// Fills the pages of both circular buffers with numbers between 1/8 and 8 of both signs.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr uint32_t kPages = get_compile_time_arg_val(0);
  constexpr uint32_t kWords = get_compile_time_arg_val(1) / 4;
  uint32_t state = get_arg_val<uint32_t>(0);
  for (uint32_t cb = 0; cb < 2; ++cb) {
    cb_reserve_back(cb, kPages);
    auto* words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_write_ptr(cb));
    for (uint32_t i = 0; i < kPages * kWords; ++i) {
      state ^= state << 13;
      state ^= state >> 17;
      state ^= state << 5;
      // Two datums: sign and mantissa are random, the exponent is one of 124 to 130.
      const uint32_t exponents = (0x3E003E00 & ~0x00800080u) + (((state >> 9) & 0x00030003) << 7);
      words[i] = (state & 0x807F807F) | exponents;
    }
    cb_push_back(cb, kPages);
  }
}
