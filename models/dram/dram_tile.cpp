#include "models/dram/dram_tile.h"

#include <algorithm>
#include <bit>

#include "models/dram/controller/controller_registry.h"
#include "models/dram/controller/foreign_controller.h"

namespace tvp::dram {

namespace {

// ISA DRAMTile/README.md, "APB Peripherals": the NIUs of all endpoints of a group, NoC 0 before NoC
// 1. Each endpoint reaches all of them.
constexpr std::uint64_t kApbNius = 0x1'0008'0000;
constexpr std::uint64_t kApbEnd = 0x1'0010'0000;
constexpr std::uint64_t kApbNiuBytes = 0x8000;

std::vector<unsigned> niu_order_of(const foundation::DramChannel& spec) {
  const auto& order = spec.niu_order.empty() ? spec.endpoints : spec.niu_order;
  std::vector<unsigned> result;
  for (const foundation::ChipNode node : order) {
    const auto found = std::find(spec.endpoints.begin(), spec.endpoints.end(), node);
    result.push_back(static_cast<unsigned>(found - spec.endpoints.begin()));
  }
  return result;
}

}  // namespace

DramTile::DramTile(const sc_core::sc_module_name& name, const DramConfig& config,
                   const noc::Grid& grid, const noc::NocConfig& noc_config, unsigned group,
                   support::Calendar& calendar, foundation::FaultPolicy& faults,
                   const std::string& where, Period aiclk, const ForeignChannels& foreign)
    : sc_module(name),
      group_(group),
      niu_order_(niu_order_of(grid.spec().dram[group])),
      channel_bytes_(grid.spec().dram[group].banks[0].bytes),
      channel_shift_(static_cast<unsigned>(std::countr_zero(channel_bytes_))),
      calendar_(calendar) {
  const foundation::DramChannel& spec = grid.spec().dram[group];
  const unsigned tile = calendar.add_tile(scheduler_);
  for (unsigned i = 0; i < spec.banks.size(); ++i) {
    const std::string index = std::to_string(i);
    const std::string channel = "channel" + index;
    if (std::count(foreign.channels.begin(), foreign.channels.end(), i) != 0) {
      channels_.push_back(std::make_unique<ForeignController>(channel.c_str(), channel_bytes_,
                                                              *foreign.block, tile, foreign.timing,
                                                              foreign.burst_bytes));
    } else {
      channels_.push_back(
          make_controller(channel.c_str(), config, channel_bytes_, calendar, aiclk));
    }
    to_controller_.push_back(std::make_unique<ToController>(("to_channel" + index).c_str()));
    to_controller_[i]->register_nb_transport_bw(this, &DramTile::controller_bw);
    to_controller_[i]->bind(channels_[i]->port);
  }
  for (unsigned port = 0; port < spec.endpoints.size() * 2; ++port) {
    const unsigned endpoint = port / 2;
    const unsigned noc = port % 2;
    const noc::Place place{
        .grid = grid,
        .noc = noc,
        .x = spec.endpoints[endpoint].x,
        .y = spec.endpoints[endpoint].y,
        .type = noc::EndpointType::kDram,
        .index = endpoint,
        .group = group,
        .tile = tile,
        .where = where + ".endpoint" + std::to_string(endpoint) + ".niu" + std::to_string(noc)};
    const std::string suffix = std::to_string(endpoint) + "_" + std::to_string(noc);
    nius_.push_back(std::make_unique<noc::Niu>(("niu" + suffix).c_str(), noc_config, place,
                                               calendar, watches_, faults));
    from_niu_.push_back(std::make_unique<FromNiu>(("from_niu" + suffix).c_str()));
    from_niu_[port]->register_nb_transport_fw(this, &DramTile::from_niu_fw, static_cast<int>(port));
    nius_[port]->memory.bind(*from_niu_[port]);
    registers_.push_back(
        std::make_unique<noc::NiuRegisterPort>(("to_registers" + suffix).c_str(), *nius_[port]));
    scheduler_.add(*nius_[port]);
  }
  // Channels come after the NIUs, so that they see all requests of a cycle.
  for (const auto& channel : channels_) {
    if (support::Agent* agent = channel->agent()) scheduler_.add(*agent);
  }
}

support::ForeignMemory* DramTile::foreign_memory(unsigned index) {
  auto* const channel =
      index < channels_.size() ? dynamic_cast<ForeignController*>(channels_[index].get()) : nullptr;
  return channel == nullptr ? nullptr : &channel->memory;
}

void DramTile::observe(support::Probe::Listener* observer) {
  for (const auto& channel : channels_) channel->observe(observer);
}

void DramTile::attach(noc::Torus& torus) {
  for (unsigned endpoint = 0; endpoint < endpoints(); ++endpoint) {
    torus.attach(niu(endpoint, torus.noc()));
  }
}

tlm::tlm_sync_enum DramTile::from_niu_fw(int port, tlm::tlm_generic_payload& payload,
                                         tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const auto index = static_cast<unsigned>(port);
  const std::uint64_t address = payload.get_address();
  if (address >> 32 != 0) {
    if (const auto window = registers_at(index, address)) {
      return registers_[window->port]->serve(payload, window->offset, *nius_[index],
                                             calendar_.now(), delay);
    }
  }
  const std::uint64_t channel = address >> channel_shift_;
  if (channel >= channels_.size()) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  noc::packet_of(payload).header().memory_port = static_cast<std::uint8_t>(index);
  payload.set_address(address & (channel_bytes_ - 1));
  return (*to_controller_[channel])->nb_transport_fw(payload, phase, delay);
}

tlm::tlm_sync_enum DramTile::controller_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                           sc_core::sc_time& delay) {
  const unsigned port = noc::packet_of(payload).header().memory_port;
  return (*from_niu_[port])->nb_transport_bw(payload, phase, delay);
}

std::optional<DramTile::NiuWindow> DramTile::registers_at(unsigned port,
                                                          std::uint64_t address) const {
  if (noc::NiuRegisterPort::holds(address)) {
    return NiuWindow{port, static_cast<std::uint32_t>(address % noc::NiuRegisterPort::kBytes)};
  }
  if (address < kApbNius || address >= kApbEnd) return {};
  const std::uint64_t number = (address - kApbNius) / kApbNiuBytes;
  if (number / 2 >= niu_order_.size()) return {};
  return NiuWindow{static_cast<unsigned>(niu_order_[number / 2] * 2 + number % 2),
                   static_cast<std::uint32_t>(address % kApbNiuBytes)};
}

bool DramTile::debug_registers(unsigned endpoint, unsigned noc, std::uint64_t address,
                               std::uint8_t* data, std::uint32_t bytes, bool write) {
  const auto window = registers_at(endpoint * 2 + noc, address);
  return window && nius_[window->port]->debug_access(window->offset, data, bytes, write);
}

/// Splits a range at the border of the channels.
template <typename Function>
bool DramTile::for_each_part(std::uint64_t address, std::uint64_t bytes, Function function) {
  const std::uint64_t all = channels() * channel_bytes_;
  if (bytes > all || address > all - bytes) return false;
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t at = (address + done) % channel_bytes_;
    const std::uint64_t part = std::min(bytes - done, channel_bytes_ - at);
    function(*channels_[(address + done) / channel_bytes_], at, done, part);
    done += part;
  }
  return true;
}

bool DramTile::debug_read(std::uint64_t address, std::uint8_t* data, std::uint64_t bytes) {
  return for_each_part(address, bytes,
                       [&](Controller& channel, std::uint64_t at, std::uint64_t done,
                           std::uint64_t part) { channel.debug_read(at, data + done, part); });
}

bool DramTile::debug_write(std::uint64_t address, const std::uint8_t* data, std::uint64_t bytes) {
  return for_each_part(address, bytes,
                       [&](Controller& channel, std::uint64_t at, std::uint64_t done,
                           std::uint64_t part) { channel.debug_write(at, data + done, part); });
}

}  // namespace tvp::dram
