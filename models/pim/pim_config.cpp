#include "models/pim/pim_config.h"

#include <string>

#include "foundation/fault.h"
#include "models/dram/timing/dram_time.h"
#include "models/dram/timing/timing.h"

namespace tvp::pim {

using foundation::Fault;
using foundation::FaultKind;
using support::Cycle;

// A packet that leaves a unit becomes an event of the calendar send_cycles later. An event's packet
// to a unit takes at least one cycle on the wire, and then passes the stop.
support::Calendar::Lookahead lookahead(const PimConfig& config) {
  const Cycle event_to_tile = 1 + config.receive_cycles;
  return {.tile_to_tile = config.send_cycles + event_to_tile, .event_to_tile = event_to_tile};
}

void check(const PimConfig& config) {
  constexpr unsigned kRtlMessageBytes = 252;  // 127 words with the header
  const auto refuse = [](const std::string& key, const std::string& text) {
    throw Fault(FaultKind::kDescription, "", "pim." + key + ": " + text);
  };
  if (config.packet_bytes % 4 != 0) {
    refuse("packet_bytes", "expected a multiple of 4, not " + config.packet_bytes.text());
  }
  const dram::Preset* const preset = dram::find_preset(config.dram.value());
  if (preset == nullptr) {
    std::string known;
    for (const dram::Preset& p : dram::presets()) {
      known += (known.empty() ? "" : ", ") + std::string(p.name);
    }
    refuse("dram", "expected one of " + known + ", not '" + config.dram.value() + "'");
  }
  const auto least = lookahead(config);
  if (config.barrier_cycles < least.tile_to_tile) {
    refuse("barrier_cycles", "expected at least send_cycles + receive_cycles + 1 = " +
                                 std::to_string(least.tile_to_tile) + ", not " +
                                 config.barrier_cycles.text());
  }
  if (config.ca_bus == "rtl" && config.rank_messages == "command" &&
      config.mailbox_bytes > kRtlMessageBytes) {
    refuse("mailbox_bytes", config.mailbox_bytes.text() +
                                " with pim.ca_bus=rtl: expected at most " +
                                std::to_string(kRtlMessageBytes));
  }
  // The shortest time of the DMA engine from its event to the unit.
  const dram::ClockRatio to_logic(preset->timing.tck, dram::Period::of_mhz(config.clock_mhz));
  const Cycle least_dma =
      to_logic.down(preset->timing.cwl + preset->timing.bl) + config.dma_response_cycles;
  if (least_dma < least.event_to_tile) {
    refuse("receive_cycles", "expected less than the shortest access of a bank, " +
                                 std::to_string(least_dma) +
                                 " cycles with pim.clock_mhz = " + config.clock_mhz.text());
  }
}

}  // namespace tvp::pim
