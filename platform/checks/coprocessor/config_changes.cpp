#include "platform/checks/coprocessor/config_changes.h"

#include <string>

#include "platform/checks/coprocessor/instructions.h"

namespace tvp::checks {

namespace {

const char* reader_name(BusMaster agent) {
  if (agent == BusMaster::kUnpacker0) return "unpacker 0";
  return agent == BusMaster::kUnpacker1 ? "unpacker 1" : "the packers";
}

}  // namespace

Probe::Kinds ConfigChanges::kinds() const {
  return tile_.looks_at_config() ? Probe::bit(ProbeEvent::Kind::kReconfigured) : 0;
}

void ConfigChanges::on(const ProbeEvent& event) {
  const std::string unit = reader_name(event.agent);
  const bool of_thread = event.offered.thread != support::Offered::kNone;
  const std::string where = tile_.where + ".coprocessor";
  report(
      tile_.config_waits, of_thread ? where + ".T" + std::to_string(event.offered.thread) : where,
      (of_thread ? instruction_text(event.offered.instruction, event.offered.thread)
                 : std::string("a store of a core")) +
          " changes configuration word " + std::to_string(event.index) + " at cycle " +
          std::to_string(event.cycle) + ", while " + unit + " (" +
          instruction_text(event.instruction, event.thread) + ") " +
          (event.done == kNever ? "still waits for a bank to work with it"
                                : "still works with it until cycle " + std::to_string(event.done)) +
          ": a wait is missing. These bits may change only while the unit is idle. Put a "
          "STALLWAIT for " +
          unit + " before the change" + origin_text(event.offered));
}

}  // namespace tvp::checks
