#include "models/riscv/debug/commit_log.h"

#include <cstdio>

namespace tvp::riscv {

// Format: "core 0: 3 0x80000000 (0x00000297) x5 0x80000000 mem 0x..". The privilege level is 3,
// values have 32 bits, and stored values are as wide as the store.
void CommitLog::committed(const Core&, const Commit& c) {
  char text[128];
  auto room = static_cast<int>(sizeof text);
  int n = std::snprintf(text, sizeof text, "core%4u: 3 0x%08x (0x%08x)", hart_, c.pc, c.word);
  const auto rest = [&] { return static_cast<std::size_t>(room - n); };
  if (c.rd != 0) n += std::snprintf(text + n, rest(), " x%-2u 0x%08x", unsigned{c.rd}, c.value);
  if (c.load_bytes != 0) n += std::snprintf(text + n, rest(), " mem 0x%08x", c.address);
  if (c.store_bytes != 0) {
    const unsigned digits = 2U * c.store_bytes;
    const std::uint32_t mask = c.store_bytes == 4 ? ~0U : (1U << (8U * c.store_bytes)) - 1U;
    n += std::snprintf(text + n, rest(), " mem 0x%08x 0x%0*x", c.address, static_cast<int>(digits),
                       c.stored & mask);
  }
  out_.write({text, static_cast<std::size_t>(n)});
  out_.write("\n");
}

}  // namespace tvp::riscv
