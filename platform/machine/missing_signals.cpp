#include "platform/machine/missing_signals.h"

#include <algorithm>

#include "foundation/fault.h"
#include "foundation/hex.h"

namespace tvp::platform {

using support::BusMaster;
using support::UnseenArrivals;

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

MissingSignals::MissingSignals(tensix::TensixTile& tile, unsigned chip, const SymbolTable& symbols,
                               foundation::WarningSink& warnings)
    : tile_(tile), chip_(chip), symbols_(symbols), warnings_(warnings) {
  tile.l1().in_flight().arrivals().set_listener(this);
}

bool MissingSignals::is_new(const Told& place) {
  if (std::find(told_.begin(), told_.end(), place) != told_.end()) return false;
  told_.push_back(place);
  return true;
}

std::string MissingSignals::at(BusMaster core, std::uint32_t pc) const {
  const std::string line =
      symbols_.describe(chip_, tile_.x(), tile_.y(), static_cast<unsigned>(core), pc);
  return line.empty() ? ", at pc " + foundation::hex(pc) : "\n  in " + line;
}

void MissingSignals::warn(BusMaster core, const std::string& text) const {
  const auto number = static_cast<unsigned>(core);
  const std::string where = number < tensix::kTileCores
                                ? tile_.core(static_cast<tensix::TileCore>(number)).where()
                                : tile_.where();
  warnings_.warn(foundation::Fault(foundation::FaultKind::kFirmware, where, text));
}

void MissingSignals::used_unannounced(const UnseenArrivals::Use& use,
                                      const UnseenArrivals::Arrival& arrival,
                                      std::uint32_t signal) {
  if (!is_new({use.core, use.pc, 0})) return;
  warn(use.core,
       does(use) + ", where tile (" + std::to_string(arrival.x) + "," + std::to_string(arrival.y) +
           ") of NoC 0 happens to have written " + range_text(arrival.bytes, arrival.address) +
           ": nobody here has looked at what announces it since" +
           (signal == 0 ? std::string()
                        : ", as the word at " + foundation::hex(signal) + " may that came next") +
           "; a noc_semaphore_wait is missing" + at(use.core, use.pc));
}

}  // namespace tvp::platform
