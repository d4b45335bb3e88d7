#include "platform/machine/unwritten_results.h"

#include <vector>

#include "foundation/fault.h"
#include "foundation/hex.h"

namespace tvp::platform {

namespace {

/// "a, b and 3 others".
std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t kNamed = 3;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kNamed; ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kNamed) text += " and " + std::to_string(names.size() - kNamed) + " others";
  return text;
}

}  // namespace

void UnwrittenResults::accessed(noc::Node noc0, std::uint64_t address, std::uint32_t bytes,
                                bool write) {
  if (write) return buffers_.written(noc0, address, bytes);
  const auto found = buffers_.unwritten(noc0, address, bytes);
  if (!found || told_.count(found->made_at) != 0) return;
  if (found->of_nothing.empty() && found->given.empty()) return;
  told_.insert(found->made_at);
  if (!found->of_nothing.empty())
    return warnings_.warn(foundation::Fault(
        foundation::FaultKind::kFirmware, where_,
        "the host reads page " + std::to_string(found->page) + " of the buffer at " +
            foundation::hex(found->buffer) + " of DRAM, to which " + found->of_nothing));
  warnings_.warn(foundation::Fault(
      foundation::FaultKind::kFirmware, where_,
      "the host reads page " + std::to_string(found->page) + " of the buffer at " +
          foundation::hex(found->buffer) +
          " of DRAM, which nobody has written: a noc_async_write is missing, or goes to another "
          "place, in a kernel that has its address, as that of " +
          list_of(found->given)));
}

}  // namespace tvp::platform
