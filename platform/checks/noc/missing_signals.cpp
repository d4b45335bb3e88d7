#include "platform/checks/noc/missing_signals.h"

#include <algorithm>
#include <string>

#include "foundation/hex.h"

namespace tvp::checks {

namespace {

std::string range_text(std::uint32_t bytes, std::uint32_t address) {
  return std::to_string(bytes) + " bytes of L1 from " + foundation::hex(address) + " on";
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
  if (std::find(told_.begin(), told_.end(), place) != told_.end()) return;
  told_.push_back(place);
  warn(use.core,
       does(use) + ", where tile (" + std::to_string(arrival.x) + "," + std::to_string(arrival.y) +
           ") of NoC 0 happens to have written " + range_text(arrival.bytes, arrival.address) +
           ": nobody here has looked at what announces it since" +
           (signal == 0 ? std::string()
                        : ", as the word at " + foundation::hex(signal) + " may that came next") +
           "; a noc_semaphore_wait is missing" + at(use.core, use.pc));
}

}  // namespace tvp::checks
