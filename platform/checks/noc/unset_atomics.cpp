#include "platform/checks/noc/unset_atomics.h"

#include <string>

#include "foundation/hex.h"

namespace tvp::checks {

Probe::Kinds UnsetAtomics::kinds() const {
  return tile_.is_tensix() ? Probe::bit(ProbeEvent::Kind::kRequest) : 0;
}

void UnsetAtomics::on(const ProbeEvent& event) {
  static constexpr const char* kNames[] = {"BRISC",  "NCRISC", "TRISC0",
                                           "TRISC1", "TRISC2", "ERISC"};
  if (event.request != ProbeEvent::Request::kAtomic || !event.is_local) return;
  const auto word = static_cast<std::uint32_t>(event.address) & ~3U;
  if (!tile_.record->l1.is_unwritten(word, 4)) return;
  const std::string noc = event.agent == BusMaster::kNoc1 ? "1" : "0";
  std::string text = "an atomic changes the word at " + foundation::hex(word) +
                     " of L1, which nothing has initialized (an atomic that (" +
                     std::to_string(event.x1) + ", " + std::to_string(event.y1) + ") of NoC " +
                     noc + " sent";
  if (event.core <= BusMaster::kE && event.pc != 0)
    text += std::string(", by ") + kNames[static_cast<unsigned>(event.core)] + " at pc " +
            foundation::hex(event.pc);
  text += "). Expected a semaphore. Initialize the word, or check the address and the coordinates.";
  tile_.warnings.warn(
      foundation::Fault(foundation::FaultKind::kFirmware, tile_.where + ".niu" + noc, text));
}

}  // namespace tvp::checks
