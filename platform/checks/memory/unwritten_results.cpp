#include "platform/checks/memory/unwritten_results.h"

#include <string>
#include <vector>

#include "foundation/fault.h"
#include "foundation/hex.h"
#include "platform/checks/record/dram_buffers.h"

namespace tvp::checks {

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

Probe::Kinds UnwrittenResults::kinds() const {
  if (tile_.kind != TileContext::Kind::kHost) return 0;
  return Probe::bit(ProbeEvent::Kind::kRead) | Probe::bit(ProbeEvent::Kind::kWritten);
}

void UnwrittenResults::on(const ProbeEvent& event) {
  const noc::Node noc0{event.x0, event.y0};
  if (event.kind == ProbeEvent::Kind::kWritten)
    return tile_.dram->written(noc0, event.address, event.bytes);
  const auto found = tile_.dram->unwritten(noc0, event.address, event.bytes);
  if (!found || reported_.count(found->made_at) != 0) return;
  if (found->of_nothing.empty() && found->given.empty()) return;
  reported_.insert(found->made_at);
  if (!found->of_nothing.empty())
    return tile_.warnings.warn(foundation::Fault(
        foundation::FaultKind::kFirmware, tile_.where,
        "the host reads page " + std::to_string(found->page) + " of the buffer at " +
            foundation::hex(found->buffer) + " of DRAM, to which " + found->of_nothing));
  tile_.warnings.warn(
      foundation::Fault(foundation::FaultKind::kFirmware, tile_.where,
                        "the host reads page " + std::to_string(found->page) +
                            " of the buffer at " + foundation::hex(found->buffer) +
                            " of DRAM, which no kernel has written. Expected a result there. Add a "
                            "noc_async_write, or "
                            "check its address, in a kernel that has the address of the buffer: " +
                            list_of(found->given)));
}

}  // namespace tvp::checks
