#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/riscv/core.h"
#include "models/support/tile_scheduler.h"

namespace tvp::riscv::bench {

using support::BusAccess;
using support::Cycle;
using support::kNever;
using support::Watch;

/// The tile of a core: L1, by DMI if it is `direct`, and some registers with special behavior.
///   0xFFB12000 + 4 i  memory of 64 words, latency 7, watched as kTileControl
///   0xFFB121F0        clock: the cycle of the access, latency 7, not watchable
///   0xFFB121F4        copies: a store puts the word of L1 at that address into the third register
///   0xFFB121F8        tickets: a load adds one to the first register, latency 7, not watchable
///   0xFFEC0000        FIFO of 4 words: a load pops, a store pushes, both block; latency 3
///   0xFFE40000        store: recorded in `pushed`
struct Tile : sc_core::sc_module {
  static constexpr std::uint32_t kRegisters = 0xFFB12000;
  static constexpr std::uint32_t kClock = 0xFFB121F0;
  static constexpr std::uint32_t kCopies = 0xFFB121F4;
  static constexpr std::uint32_t kTickets = 0xFFB121F8;
  static constexpr std::uint32_t kFifo = 0xFFEC0000;

  explicit Tile(const sc_core::sc_module_name& name, std::uint32_t l1_bytes = 1464 * 1024)
      : sc_core::sc_module(name), l1(l1_bytes) {}

  /// With TVP_BLOCK_TIMING=always, all tests use blocks and machine code if possible.
  Core& add_core(Identity identity, CoreConfig& config, foundation::FaultPolicy& faults) {
    const char* const blocks = std::getenv("TVP_BLOCK_TIMING");
    if (blocks != nullptr) config.block_timing.set(blocks);
    const std::string name = std::string(basename()) + "_core" + std::to_string(cores.size());
    if (identity.where.empty()) identity.where = name;
    slots.push_back(std::make_unique<Slot>(name.c_str(), *this, identity, config, faults));
    cores.push_back(&slots.back()->core);
    scheduler.add(*cores.back());
    return *cores.back();
  }

  void load(std::uint32_t address, const std::vector<std::uint32_t>& words) {
    if (!words.empty()) std::memcpy(l1.data() + address, words.data(), words.size() * 4);
  }
  std::uint32_t word(std::uint32_t address) const {
    std::uint32_t value = 0;
    std::memcpy(&value, l1.data() + address, 4);
    return value;
  }
  /// Runs everything before `end`.
  void run(Cycle end = kNever) { scheduler.run(end); }

  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    auto* access = p.get_extension<BusAccess>();
    const auto address = static_cast<std::uint32_t>(p.get_address());
    std::uint32_t value = 0;
    const bool read = p.is_read();
    if (!read) std::memcpy(&value, p.get_data_ptr(), p.get_data_length());
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    ++accesses;
    if (address == kClock) {
      value = static_cast<std::uint32_t>(access->now);
      access->latency = 7;
    } else if (address == kCopies && !read) {
      registers[2] = word(value);
      access->latency = 1;
      watches.changed(Watch::kTileControl, access->now, access->order);
    } else if (address == kTickets && read) {
      value = registers[0]++;
      access->latency = 7;
      watches.changed(Watch::kTileControl, access->now, access->order);
    } else if (address >= kRegisters && address < kRegisters + 256) {
      access->latency = read ? 7 : 1;
      access->watch = Watch::kTileControl;
      std::uint32_t& r = registers[(address - kRegisters) / 4];
      if (read) {
        value = r >> (8 * (address & 3));
      } else {
        r = value;
        watches.changed(Watch::kTileControl, access->now, access->order);
      }
    } else if (address == kFifo) {
      access->latency = read ? 3 : 1;
      access->watch = Watch::kNone;
      if (read ? fifo.empty() : fifo.size() == 4) {
        access->blocked = true;
        access->watch = Watch::kMailbox;
        p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        return;
      }
      if (read) {
        value = fifo.front();
        fifo.erase(fifo.begin());
      } else {
        fifo.push_back(value);
      }
      watches.changed(Watch::kMailbox, access->now, access->order);
    } else if (address == Core::kPushAddress && !read) {
      pushed.push_back(value);
      access->latency = 1;
    } else if (address < l1.size()) {
      access_l1(p, *access);
      return;
    } else {
      p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    if (read) std::memcpy(p.get_data_ptr(), &value, p.get_data_length());
  }

  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
    dmi.set_dmi_ptr(l1.data());
    dmi.set_start_address(0);
    dmi.set_end_address(l1.size() - 1);
    dmi.allow_read_write();
    return direct;
  }
  /// Makes L1 accessible through the bus only, until it is `direct` again.
  void take_direct_memory_back() {
    direct = false;
    for (const auto& slot : slots) slot->socket->invalidate_direct_mem_ptr(0, l1.size() - 1);
  }

  unsigned transport_dbg(tlm::tlm_generic_payload& p) {
    const auto address = static_cast<std::uint32_t>(p.get_address());
    if (address >= l1.size() || p.get_data_length() > l1.size() - address) return 0;
    std::uint8_t* at = l1.data() + address;
    if (p.is_read()) {
      std::memcpy(p.get_data_ptr(), at, p.get_data_length());
    } else {
      std::memcpy(at, p.get_data_ptr(), p.get_data_length());
    }
    return p.get_data_length();
  }

  void access_l1(tlm::tlm_generic_payload& p, BusAccess& access) {
    std::uint8_t* const at = l1.data() + p.get_address();
    access.watch = Watch::kL1;
    p.set_dmi_allowed(direct);
    if (p.is_read()) {
      std::memcpy(p.get_data_ptr(), at, p.get_data_length());
    } else {
      std::memcpy(at, p.get_data_ptr(), p.get_data_length());
      watches.l1_written(static_cast<std::uint32_t>(p.get_address()), p.get_data_length(),
                         access.now, access.order);
    }
  }

  support::TileScheduler scheduler;
  support::WatchHub watches;
  bool direct = true;  ///< L1 permits DMI
  std::vector<std::uint8_t> l1;
  std::uint32_t registers[64] = {};
  std::vector<std::uint32_t> fifo;
  std::vector<std::uint32_t> pushed;
  std::uint64_t accesses = 0;
  /// A core and the tile's socket that it is bound to.
  struct Slot : sc_core::sc_module {
    Slot(const sc_core::sc_module_name& name, Tile& owner, const Identity& identity,
         const CoreConfig& config, foundation::FaultPolicy& faults)
        : sc_core::sc_module(name),
          tile(owner),
          core("core", identity, config, owner.watches, faults) {
      socket.register_b_transport(this, &Slot::b_transport);
      socket.register_get_direct_mem_ptr(this, &Slot::get_direct_mem_ptr);
      socket.register_transport_dbg(this, &Slot::transport_dbg);
      core.bus.bind(socket);
    }
    void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& t) { tile.b_transport(p, t); }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi) {
      return tile.get_direct_mem_ptr(p, dmi);
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& p) { return tile.transport_dbg(p); }

    Tile& tile;
    Core core;
    tlm_utils::simple_target_socket<Slot> socket{"socket"};
  };
  std::vector<std::unique_ptr<Slot>> slots;
  std::vector<Core*> cores;
};

/// Records faults and continues as silicon does.
class RecordFaults : public foundation::FaultPolicy {
 public:
  void raise(const foundation::Fault& fault) override { texts.push_back(fault.what()); }
  std::vector<std::string> texts;
};

}  // namespace tvp::riscv::bench
