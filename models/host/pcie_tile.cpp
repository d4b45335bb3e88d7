#include "models/host/pcie_tile.h"

#include <algorithm>

#include "foundation/hex.h"

namespace tvp::host {

using foundation::Fault;
using foundation::FaultKind;
using support::Cycle;

namespace {

/// If more than this is queued before it, a request waits in its NIU, so that the backlog reaches
/// the NoC.
constexpr Cycle kQueueCycles = 256;  // assumed: the time of an 8 KiB packet of a NIU
constexpr std::uint8_t kEnabled = TLM_BYTE_ENABLED;

}  // namespace

PcieTile::PcieTile(const sc_core::sc_module_name& name, const PcieConfig& config,
                   const noc::Grid& grid, const noc::NocConfig& noc_config, unsigned aiclk_mhz,
                   support::Calendar& calendar, foundation::FaultPolicy& faults,
                   const std::string& where)
    : sc_module(name),
      config_(config),
      spec_(grid.spec().bars),
      aiclk_mhz_(aiclk_mhz),
      where_(where),
      calendar_(calendar),
      iatu_(where) {
  tile_ = calendar.add_tile(scheduler_);
  for (unsigned noc = 0; noc < 2; ++noc) {
    const std::string suffix = std::to_string(noc);
    const noc::Place place{.grid = grid,
                           .noc = noc,
                           .x = grid.spec().pcie.x,
                           .y = grid.spec().pcie.y,
                           .type = noc::EndpointType::kPcieOrEmpty,
                           .tile = tile_,
                           .where = where + ".niu" + suffix};
    nius_[noc] = std::make_unique<noc::Niu>(("niu" + suffix).c_str(), noc_config, place, calendar,
                                            watches_, faults);
    from_niu_[noc] = std::make_unique<FromNiu>(("from_niu" + suffix).c_str());
    from_niu_[noc]->register_nb_transport_fw(this, &PcieTile::from_niu_fw, static_cast<int>(noc));
    nius_[noc]->memory.bind(*from_niu_[noc]);
    registers_[noc] =
        std::make_unique<noc::NiuRegisterPort>(("to_registers" + suffix).c_str(), *nius_[noc]);
    scheduler_.add(*nius_[noc]);
  }
}

void PcieTile::use_foreign_memory(support::CalendarBlock& block,
                                  support::ForeignMemory::Timing timing) {
  foreign_ = std::make_unique<ForeignHostMemory>("host_memory", block, *this, timing);
  memory_ = foreign_.get();
}

void PcieTile::respond(unsigned noc, tlm::tlm_generic_payload& payload, tlm::tlm_phase phase,
                       Cycle at) {
  sc_core::sc_time delay = noc::to_time(at - calendar_.now());
  (*from_niu_[noc])->nb_transport_bw(payload, phase, delay);
}

void PcieTile::read_done(tlm::tlm_generic_payload& payload, Cycle at, Cycle done) {
  noc::NocExtension& header = noc::packet_of(payload).header();
  header.announced_at = std::max(at, calendar_.now());
  respond(header.memory_port, payload, tlm::BEGIN_RESP, done);
  calendar_.tile_woken(tile_);
}

tlm::tlm_sync_enum PcieTile::from_niu_fw(int noc, tlm::tlm_generic_payload& payload,
                                         tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
  const auto number = static_cast<unsigned>(noc);
  if (noc::NiuRegisterPort::holds(payload.get_address())) {
    return registers_[number]->serve(payload, payload.get_address() % noc::NiuRegisterPort::kBytes,
                                     *nius_[number], calendar_.now(), delay);
  }
  if (foreign_ == nullptr) perform(payload);
  const Cycle base = calendar_.now();
  const Cycle now = base + noc::to_cycles(delay);
  const bool write = payload.is_write();
  const double gb_s = write ? config_.write_gb_s : config_.read_gb_s;
  const double cycles = payload.get_data_length() / gb_s * aiclk_mhz_ / 1000;
  Ticks& free = link_free_[write ? 1 : 0];
  const Ticks start = std::max(free, now << kTickBits);
  free = start + static_cast<Ticks>(cycles * (1U << kTickBits));
  const Cycle begins = start >> kTickBits;
  // The acknowledgement of a write comes out of the controller, before the host has anything.
  const Cycle moved = (free + (1U << kTickBits) - 1) >> kTickBits;
  const Cycle in_controller = moved + cycles_of(config_.controller_ns);
  const Cycle done = write ? in_controller : in_controller + cycles_of(config_.host_ns);
  const Cycle taken = begins <= now + kQueueCycles ? now : begins - kQueueCycles;
  if (foreign_ != nullptr) {
    noc::packet_of(payload).header().memory_port = static_cast<std::uint8_t>(number);
    if (!write) {
      respond(number, payload, tlm::END_REQ, taken);
      foreign_->read(payload, parts_of(payload), begins + cycles_of(config_.controller_ns),
                     moved - begins);
      return tlm::TLM_ACCEPTED;
    }
    foreign_->write(payload, parts_of(payload), in_controller);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  if (taken == now) {
    delay = noc::to_time(done - base);
    return tlm::TLM_COMPLETED;
  }
  respond(number, payload, tlm::END_REQ, taken);
  respond(number, payload, tlm::BEGIN_RESP, done);
  return tlm::TLM_ACCEPTED;
}

bool PcieTile::in_window(std::uint64_t address, std::uint32_t bytes) const {
  return address >= spec_.host_window && bytes <= spec_.host_window_bytes &&
         address - spec_.host_window <= spec_.host_window_bytes - bytes;
}

void PcieTile::require_memory(const char* who, std::uint64_t address) const {
  if (memory_ != nullptr && memory_->available()) return;
  throw Fault(FaultKind::kDescription, where_,
              who + (" reaches for host memory at " + foundation::hex(address)) +
                  (memory_ == nullptr ? ", but the chip is wired to no host"
                                      : ", but the host has set no DMA callbacks"));
}

bool PcieTile::debug_access(unsigned noc, std::uint64_t address, std::uint8_t* data,
                            std::uint32_t bytes, bool write) {
  if (noc::NiuRegisterPort::holds(address)) {
    return nius_[noc]->debug_access(address % noc::NiuRegisterPort::kBytes, data, bytes, write);
  }
  if (!in_window(address, bytes)) return false;
  require_memory("the host", address);
  std::uint64_t at = address - spec_.host_window;
  while (bytes > 0) {
    const OutboundIatu::Target target = iatu_.translate(at, bytes);
    if (write) {
      memory_->write(target.address, data, target.bytes);
    } else {
      memory_->read(target.address, data, target.bytes);
    }
    at += target.bytes;
    data += target.bytes;
    bytes -= target.bytes;
  }
  return true;
}

std::vector<OutboundIatu::Target> PcieTile::parts_of(const tlm::tlm_generic_payload& payload) {
  std::uint64_t at = payload.get_address() - spec_.host_window;
  std::uint32_t left = payload.get_data_length();
  if (!in_window(payload.get_address(), left)) {
    throw Fault(FaultKind::kUnmodelled, where_,
                "NoC access at " + foundation::hex(payload.get_address()) +
                    ", outside of the window to the host, is not modelled");
  }
  require_memory("a core", payload.get_address());
  if (payload.is_write()) {
    ++stats_.writes;
    stats_.bytes_written += left;
  } else {
    ++stats_.reads;
    stats_.bytes_read += left;
  }
  std::vector<OutboundIatu::Target> parts;
  while (left > 0) {
    parts.push_back(iatu_.translate(at, left));
    at += parts.back().bytes;
    left -= parts.back().bytes;
  }
  return parts;
}

void PcieTile::perform(tlm::tlm_generic_payload& payload) {
  std::uint8_t* data = payload.get_data_ptr();
  const std::uint8_t* enables = payload.get_byte_enable_ptr();
  for (const OutboundIatu::Target& target : parts_of(payload)) {
    if (payload.is_read()) {
      memory_->read(target.address, data, target.bytes);
    } else if (enables == nullptr) {
      memory_->write(target.address, data, target.bytes);
    } else {
      write_enabled(target.address, data, enables, target.bytes);
      enables += target.bytes;
    }
    data += target.bytes;
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void PcieTile::write_enabled(std::uint64_t address, const std::uint8_t* data,
                             const std::uint8_t* enables, std::uint32_t bytes) {
  for (std::uint32_t i = 0; i < bytes;) {
    std::uint32_t end = i;
    while (end < bytes && enables[end] == kEnabled) ++end;
    if (end > i) memory_->write(address + i, data + i, end - i);
    i = end + 1;
  }
}

}  // namespace tvp::host
