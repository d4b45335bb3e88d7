#include "models/dram/controller/service_controller.h"

#include <algorithm>

#include "models/noc/noc_protocol.h"

namespace tvp::dram {

using support::Cycle;

ServiceController::ServiceController(const sc_core::sc_module_name& name, const DramConfig& config,
                                     std::uint64_t bytes, support::Calendar& calendar)
    : Controller(name, bytes, calendar), config_(config) {}

ServiceController::Ticks ServiceController::bus_time(std::uint64_t address, std::uint32_t bytes,
                                                     bool write) const {
  const std::uint64_t burst = config_.burst_bytes;
  const std::uint64_t bursts = (address % burst + bytes + burst - 1) / burst;
  const double efficiency = write ? config_.write_efficiency : config_.read_efficiency;
  const double cycles =
      static_cast<double>(bursts * burst) / (config_.bytes_per_cycle * efficiency);
  return static_cast<Ticks>(cycles * static_cast<double>(Ticks{1} << kTickBits));
}

ServiceController::Ticks ServiceController::moved_by(Ticks& start, Ticks time) const {
  const Ticks interval = to_ticks(config_.refresh_interval_cycles);
  const Ticks refresh = to_ticks(config_.refresh_cycles);
  if (interval <= refresh) return start + time;
  Ticks into = start % interval;  // a refresh is at the beginning of the interval
  if (into < refresh) {
    start += refresh - into;
    into = refresh;
  }
  const Ticks open = interval - refresh;
  const Ticks used = into - refresh + time;
  const Ticks refreshes = used == 0 ? 0 : (used - 1) / open;
  return start + time + refreshes * refresh;
}

tlm::tlm_sync_enum ServiceController::begin(tlm::tlm_generic_payload& payload,
                                            sc_core::sc_time& delay) {
  const Cycle base = calendar_.now();
  const Cycle now = base + noc::to_cycles(delay);
  const bool write = payload.is_write();
  const std::uint32_t bytes = payload.get_data_length();
  const Ticks time = bus_time(payload.get_address(), bytes, write);
  // The bytes of a write arrived before its last one did, so an idle bus has already begun.
  Cycle earliest = now;
  if (write) {
    const auto* header = payload.get_extension<noc::NocExtension>();
    const Cycle streamed = header != nullptr && header->flits > 2 ? header->data_cycles() : 0;
    earliest = now > streamed ? now - streamed : 0;
  }
  Ticks start = std::max(bus_free_, to_ticks(earliest));
  bus_free_ = moved_by(start, time);
  busy_signal_.occupy(start >> kTickBits, to_cycles_up(bus_free_));
  const Cycle moved = std::max(to_cycles_up(bus_free_), now);
  const Cycle done = moved + (write ? config_.write_latency_cycles : config_.read_latency_cycles);
  move(payload, 0, bytes, {.now = now, .done = done});
  payload.set_response_status(tlm::TLM_OK_RESPONSE);

  const auto ahead = static_cast<Cycle>(config_.queue_bytes / config_.bytes_per_cycle);
  const Cycle begins = to_cycles_up(start);
  if (begins <= now + ahead) {
    delay = noc::to_time(done - base);
    return tlm::TLM_COMPLETED;
  }
  // The request is accepted only when enough of the earlier ones is moved.
  tlm::tlm_phase taken = tlm::END_REQ;
  sc_core::sc_time taken_delay = noc::to_time(begins - ahead - base);
  port->nb_transport_bw(payload, taken, taken_delay);
  tlm::tlm_phase response = tlm::BEGIN_RESP;
  sc_core::sc_time response_delay = noc::to_time(done - base);
  port->nb_transport_bw(payload, response, response_delay);
  return tlm::TLM_ACCEPTED;
}

}  // namespace tvp::dram
