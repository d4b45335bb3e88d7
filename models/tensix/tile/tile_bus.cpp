#include "models/tensix/tile/tile_bus.h"

#include <algorithm>
#include <cstring>

#include "foundation/regs/tensix_tile.h"
#include "models/support/payload_rules.h"

namespace tvp::tensix {

namespace regs = tvp::regs::tensix_tile;
using support::BusAccess;
using support::BusMaster;
using support::MmioAccess;

namespace {

// Latencies of loads by region, ISA BabyRISCV/README.md "Load/Store Unit".
constexpr std::uint32_t kSyncLatency = 3;    // mailboxes, PCBufs, TTSync, semaphores
constexpr std::uint32_t kConfigLatency = 4;  // GPRs, backend configuration
constexpr std::uint32_t kFabricLatency = 7;  // TDMA-RISC, tile control, NIUs, overlay

bool is_t_core(BusMaster m) {
  return m == BusMaster::kT0 || m == BusMaster::kT1 || m == BusMaster::kT2;
}
bool has_coprocessor_access(BusMaster m) { return m == BusMaster::kB || is_t_core(m); }

bool is_core(BusMaster m) { return m <= BusMaster::kE; }

/// A packet is committed when its tail has arrived. Its earlier flits came one in a cycle, and
/// hardware wrote them as they came. Other work of the ports may delay the last ones. It then also
/// delays the atomic or write that announces them, since a NIU's writes pass its ports in the order
/// of arrival.
support::Cycle written_by(const support::BusAccess& bus) {
  const bool of_packet = bus.master == BusMaster::kNoc0 || bus.master == BusMaster::kNoc1;
  return of_packet ? bus.now : bus.now + bus.latency;
}

L1Client client_of(BusMaster master, bool write) {
  switch (master) {
    case BusMaster::kB:
      return L1Client::kRiscB;
    case BusMaster::kNc:
      return L1Client::kRiscNc;
    case BusMaster::kT0:
      return L1Client::kRiscT0;
    case BusMaster::kT1:
      return L1Client::kRiscT1;
    case BusMaster::kT2:
      return L1Client::kRiscT2;
    case BusMaster::kNoc0:
      return write ? L1Client::kNoc0Write : L1Client::kNoc0Read;
    case BusMaster::kNoc1:
      return write ? L1Client::kNoc1Write : L1Client::kNoc1Read;
    case BusMaster::kMover:
      return write ? L1Client::kMoverWrite : L1Client::kMoverRead;
    case BusMaster::kUnpacker0:
      return L1Client::kUnpacker0;
    case BusMaster::kUnpacker1:
      return L1Client::kUnpacker1;
    case BusMaster::kPacker0:
      return L1Client::kPacker0;
    case BusMaster::kPacker1:
      return L1Client::kPacker1;
    case BusMaster::kPacker2:
      return L1Client::kPacker2;
    case BusMaster::kPacker3:
      return L1Client::kPacker3;
    // An ethernet tile has other ports (ISA EthernetTile/L1.md). Its core and queues get separate
    // pairs here, so that they never share one with a NIU.
    case BusMaster::kE:
      return L1Client::kRiscB;
    case BusMaster::kEthernetRx:
      return L1Client::kPacker0;
    case BusMaster::kEthernetTx:
      return L1Client::kUnpacker0;
    default:
      break;
  }
  return L1Client::kThcon;
}

}  // namespace

TileBus::TileBus(const sc_core::sc_module_name& name, std::string where, L1& l1,
                 const sc_core::sc_time& cycle, foundation::FaultPolicy& faults)
    : sc_module(name),
      masters("master", kMasters),
      where_(std::move(where)),
      l1_(l1),
      l1_window_bytes_(std::max(regs::kL1WindowBytes, l1.size_bytes())),
      cycle_(cycle),
      faults_(faults) {
  for (unsigned id = 0; id < kMasters; ++id) {
    const int tag = static_cast<int>(id);
    masters[id].register_b_transport(this, &TileBus::b_transport, tag);
    masters[id].register_get_direct_mem_ptr(this, &TileBus::get_direct_mem_ptr, tag);
    masters[id].register_transport_dbg(this, &TileBus::transport_dbg, tag);
  }
}

TileBus::Decoded TileBus::decode(std::uint32_t address, BusMaster master) const {
  switch (address >> 16) {
    case regs::kTdma >> 16:
      if (address < regs::kTdma) break;  // local RAM never uses the bus
      if (address < regs::kControl) return {Window::kTdma, address & 0xFFFU, kFabricLatency};
      if (address < regs::kPic) return {Window::kControl, address & 0xFFFU, kFabricLatency};
      break;
    case regs::kNiu0 >> 16:
      return {Window::kNiu0, address & 0xFFFFU, kFabricLatency};
    case regs::kNiu1 >> 16:
      return {Window::kNiu1, address & 0xFFFFU, kFabricLatency};
    case (regs::kOverlay >> 16) + 0:
    case (regs::kOverlay >> 16) + 1:
    case (regs::kOverlay >> 16) + 2:
    case (regs::kOverlay >> 16) + 3:
      return {Window::kOverlay, address - regs::kOverlay, kFabricLatency};
    case regs::kMopConfig >> 16:
      if (is_t_core(master) && address - regs::kMopConfig < regs::kMopConfigBytes) {
        return {Window::kMopConfig, address - regs::kMopConfig, kConfigLatency};
      }
      break;
    case 0xFFB9:
      return {Window::kEthernetQueues, address & 0xFFFFU, kFabricLatency};
    case 0xFFBA:
    case 0xFFBB:
      return {Window::kEthernetControl, address & 0x1FFFFU, kFabricLatency};
    case regs::kGprs >> 16:
      if (has_coprocessor_access(master) && address - regs::kGprs < 0x1000) {
        return {Window::kGprs, address & 0xFFFU, kConfigLatency};
      }
      break;
    case regs::kPushT0 >> 16:
      if (has_coprocessor_access(master)) return {Window::kPush, address & 0xFFFFFFU, 1};
      break;
    case regs::kPushT1 >> 16:
    case regs::kPushT2 >> 16:
      if (master == BusMaster::kB) return {Window::kPush, address & 0xFFFFFFU, 1};
      break;
    case regs::kPcBuf0 >> 16:
      if (has_coprocessor_access(master)) {
        return {Window::kPcBuf, address & 0xFFFFFFU, kSyncLatency};
      }
      break;
    case regs::kPcBuf1 >> 16:
    case regs::kPcBuf2 >> 16:
      if (master == BusMaster::kB) return {Window::kPcBuf, address & 0xFFFFFFU, kSyncLatency};
      break;
    case regs::kMailboxes >> 16:
      if (has_coprocessor_access(master) && address - regs::kMailboxes < 0x4000) {
        return {Window::kMailbox, address & 0xFFFFU, kSyncLatency};
      }
      break;
    case regs::kConfig >> 16:
      if (has_coprocessor_access(master)) {
        return {Window::kConfig, address & 0xFFFFU, kConfigLatency};
      }
      break;
    default:
      break;
  }
  return {};
}

TileBus::Decoded TileBus::decode_device(std::uint32_t address) const {
  if (address - first_device_ >= device_bytes_) return {};
  return {Window::kDevices, address - first_device_, kFabricLatency};
}

void TileBus::b_transport(int id, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  BusAccess* bus = payload.get_extension<BusAccess>();
  if (bus == nullptr) {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  bus->master = static_cast<BusMaster>(id);
  bus->blocked = false;
  if (payload.get_address() < l1_window_bytes_) {
    access_l1(payload, *bus);
  } else {
    access_register(payload, *bus);
  }
  delay += cycle_ * static_cast<double>(bus->latency);
}

void TileBus::access_l1(tlm::tlm_generic_payload& payload, BusAccess& bus) {
  const std::uint64_t address = payload.get_address();
  const std::uint32_t bytes = payload.get_data_length();
  if (!l1_.contains(address, bytes)) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND)
    bus.latency = static_cast<std::uint32_t>(
        l1_.overdue(client_of(bus.master, true), static_cast<std::uint32_t>(address), bus.now));
  if (!support::wants_transfer(payload)) return;
  const auto first = static_cast<std::uint32_t>(address);
  const bool write = payload.is_write();
  // A core's access takes the time that the core computes, with or without direct access. Its loads
  // do not compete for ports, and its stores keep their own distance.
  if (!is_core(bus.master)) {
    const support::Cycle done =
        l1_.reserve(client_of(bus.master, write), first, bytes, write, 4, bus.now);
    bus.latency = static_cast<std::uint32_t>(done - bus.now);
    bus.provisional = write && l1_.is_held_up(client_of(bus.master, true));
  }
  bus.watch = support::Watch::kL1;
  support::transfer(payload, l1_.bytes() + first);
  const L1Access access{.agent = bus.master,
                        .address = first,
                        .bytes = bytes,
                        .now = bus.now,
                        .done = write ? written_by(bus) : bus.now + bus.latency};
  if (write) {
    l1_.was_written(access, bus.order);
  } else {
    l1_.was_read(access);
  }
  payload.set_dmi_allowed(!l1_.observed());
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void TileBus::access_register(tlm::tlm_generic_payload& payload, BusAccess& bus) {
  if (payload.get_address() > 0xFFFFFFFFULL) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  const auto address = static_cast<std::uint32_t>(payload.get_address());
  const Decoded decoded = decode_all(address, bus.master);
  support::MmioDevice* const device = devices_[static_cast<unsigned>(decoded.window)];
  if (device == nullptr) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  if (!support::wants_register_transfer(payload)) return;
  const std::uint32_t bytes = payload.get_data_length();
  const std::uint32_t lane = address & 3U;
  if (bytes > 4 || lane + bytes > 4 || (payload.is_write() && bytes != 4)) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  MmioAccess access{.write = payload.is_write(),
                    .offset = decoded.offset & ~3U,
                    .master = bus.master,
                    .now = bus.now,
                    .order = bus.order};
  if (access.write) std::memcpy(&access.data, payload.get_data_ptr(), 4);
  device->access(access);
  bus.blocked = access.blocked;
  bus.watch = access.watch;
  bus.latency = access.latency != 0 ? access.latency : (access.write ? 1 : decoded.latency);
  if (access.unmapped) {
    payload.set_response_status(access.refusal);
  } else if (access.blocked) {
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  } else {
    if (!access.write) {
      std::memcpy(payload.get_data_ptr(), reinterpret_cast<const char*>(&access.data) + lane,
                  bytes);
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
}

bool TileBus::get_direct_mem_ptr(int, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  return support::grant_direct_access(payload, dmi, l1_.bytes(), l1_.size_bytes(), l1_.observed());
}

void TileBus::set_memory_observer(support::Probe::Listener* observer) {
  l1_.set_observer(observer);
  for (auto& master : masters) {
    if (master.size() != 0) master->invalidate_direct_mem_ptr(0, l1_.size_bytes() - 1);
  }
}

/// The value that the core `master` would load from a register without side effects.
bool TileBus::peek(std::uint32_t address, std::uint8_t* data, std::uint32_t bytes,
                   BusMaster master) {
  for (std::uint32_t done = 0; done < bytes;) {
    const std::uint32_t at = address + done;
    const Decoded decoded = decode(at & ~3U, master);
    if (decoded.window == Window::kCount) return false;
    support::MmioDevice* const device = devices_[static_cast<unsigned>(decoded.window)];
    MmioAccess access{.offset = decoded.offset, .master = master};
    if (device == nullptr || !device->peek(access)) return false;
    const std::uint32_t lane = at & 3U;
    const std::uint32_t part = std::min(4 - lane, bytes - done);
    std::memcpy(data + done, reinterpret_cast<const char*>(&access.data) + lane, part);
    done += part;
  }
  return true;
}

unsigned TileBus::transport_dbg(int id, tlm::tlm_generic_payload& payload) {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return 0;
  const std::uint64_t address = payload.get_address();
  const std::uint32_t bytes = payload.get_data_length();
  if (l1_.contains(address, bytes)) {
    std::uint8_t* const memory = l1_.bytes() + address;
    if (payload.is_write()) {
      std::memcpy(memory, payload.get_data_ptr(), bytes);
    } else {
      std::memcpy(payload.get_data_ptr(), memory, bytes);
    }
    return bytes;
  }
  const bool registers =
      payload.is_read() && address >= l1_window_bytes_ && address <= 0xFFFFFFFFULL;
  const bool seen = registers && peek(static_cast<std::uint32_t>(address), payload.get_data_ptr(),
                                      bytes, static_cast<BusMaster>(id));
  return seen ? bytes : 0;
}

bool TileBus::debug_access(std::uint64_t address, std::uint8_t* data, std::uint32_t bytes,
                           bool write, support::Cycle now, BusMaster of) {
  if (address < l1_window_bytes_) {
    if (!l1_.contains(address, bytes)) return false;
    const L1Access access{.agent = BusMaster::kDebug,
                          .address = static_cast<std::uint32_t>(address),
                          .bytes = bytes,
                          .now = now,
                          .done = now};
    if (write) {
      l1_.write(access, data, 0);
    } else {
      l1_.read(access, data);
    }
    return true;
  }
  if (address > 0xFFFFFFFFULL || (address & 3U) != 0 || (bytes & 3U) != 0) return false;
  for (std::uint32_t done = 0; done < bytes; done += 4) {
    const auto at = static_cast<std::uint32_t>(address) + done;
    const Decoded decoded = decode_all(at, of);
    support::MmioDevice* const device = devices_[static_cast<unsigned>(decoded.window)];
    if (device == nullptr) return false;
    MmioAccess access{.write = write, .offset = decoded.offset, .master = of, .now = now};
    if (write) std::memcpy(&access.data, data + done, 4);
    device->access(access);
    if (access.unmapped || access.blocked) return false;
    if (!write) std::memcpy(data + done, &access.data, 4);
  }
  return true;
}

}  // namespace tvp::tensix
