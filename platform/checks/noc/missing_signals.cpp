#include "platform/checks/noc/missing_signals.h"

#include <algorithm>
#include <string>

#include "foundation/hex.h"

namespace tvp::checks {

namespace {

std::string range_text(std::uint32_t bytes, std::uint32_t address) {
  return std::to_string(bytes) + " bytes of L1 from " + foundation::hex(address);
}

std::string does(const UnseenArrivals::Use& use) {
  if (use.kind == UnseenArrivals::Use::Kind::kPushes)
    return "pushes pages of circular buffer " + std::to_string(use.buffer);
  return (use.kind == UnseenArrivals::Use::Kind::kSends ? "sends " : "loads ") +
         range_text(use.bytes, use.address);
}

}  // namespace

void MissingSignals::report(const TileRecord::Unannounced& found) {
  const auto& [use, arrival, signal] = found;
  const std::pair place{use.core, use.pc};
  if (std::find(reported_.begin(), reported_.end(), place) != reported_.end()) return;
  reported_.push_back(place);
  warn(use.core,
       does(use) + " without a wait for their data, " + range_text(arrival.bytes, arrival.address) +
           ", which tile (" + std::to_string(arrival.x) + "," + std::to_string(arrival.y) +
           ") of NoC 0 has written in time only by luck. Expected a read of the signal behind the "
           "data" +
           (signal == 0 ? std::string() : ", perhaps of the word at " + foundation::hex(signal)) +
           ". Add a noc_semaphore_wait." + at(use.core, use.pc));
}

}  // namespace tvp::checks
