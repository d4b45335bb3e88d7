#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "foundation/regs/noc.h"
#include "foundation/warning_sink.h"
#include "models/noc/niu/niu.h"
#include "models/noc/torus/make_torus.h"
#include "models/noc/torus/torus.h"
#include "models/support/tile_scheduler.h"
#include "tests/support/tlm_checker.h"
#include "tests/unit/noc/wormhole_grid.h"

namespace tvp::noc {

/// Both directions between a NIU and its router, with a checker in each. It is attached to a torus
/// instead of the NIU.
class CheckedNiu {
 public:
  using Checker = tests::TlmChecker<tests::NocPhaseRules, NocProtocol>;

  CheckedNiu(const std::string& name, Niu& niu, const std::function<sc_core::sc_time()>& now)
      : out((name + "_out").c_str(), now, tests::NocPhaseRules::Towards::kRouter),
        in((name + "_in").c_str(), now, tests::NocPhaseRules::Towards::kNiu),
        to_network(out.to_target),
        from_network(in.from_initiator),
        niu_(niu) {
    niu.to_network.bind(out.from_initiator);
    in.to_target.bind(niu.from_network);
  }
  const Place& place() const { return niu_.place(); }
  support::L1Intake* l1_intake() const { return niu_.l1_intake(); }

  Checker out;
  Checker in;
  decltype(Checker::to_target)& to_network;
  decltype(Checker::from_initiator)& from_network;

 private:
  Niu& niu_;
};

/// A tile with a plain memory, a few MMIO words and a NIU on each NoC. The memory has the timing of
/// L1 with two ports of 16 B.
class TestTile : public sc_core::sc_module {
 public:
  static constexpr std::uint32_t kMemoryBytes = 0x10000;
  static constexpr std::uint32_t kMmioCycles = 7;
  static constexpr std::uint32_t kMmioBase = 0xFFB40000;
  static constexpr std::uint32_t kMmioWords = 64;

  TestTile(const sc_core::sc_module_name& name, const NocConfig& config, unsigned x, unsigned y,
           support::Calendar& calendar, foundation::FaultPolicy& faults,
           const Grid& grid = wormhole_grid())
      : sc_module(name), memory_bytes(kMemoryBytes), calendar_(calendar) {
    index = calendar.add_tile(scheduler);
    for (unsigned noc = 0; noc < 2; ++noc) {
      Place place{.grid = grid, .noc = noc, .x = x, .y = y, .tile = index};
      place.type = place.grid.type(place.noc0());
      place.where = std::string(name) + ".niu" + std::to_string(noc);
      niu[noc] = std::make_unique<Niu>(noc == 0 ? "niu0" : "niu1", config, place, calendar, watches,
                                       faults);
      socket[noc] = std::make_unique<Socket>(noc == 0 ? "socket0" : "socket1");
      socket[noc]->register_b_transport(this, &TestTile::b_transport);
      socket[noc]->register_nb_transport_fw(this, &TestTile::nb_transport);
      regs[noc] = std::make_unique<tlm_utils::simple_initiator_socket<TestTile>>(
          noc == 0 ? "regs0" : "regs1");
      check(noc);
      scheduler.add(*niu[noc]);
    }
    payload_.set_extension(&access_);
  }
  ~TestTile() override { payload_.clear_extension(&access_); }

  /// A register access of a core at cycle `now`.
  std::uint32_t load(unsigned noc, std::uint32_t offset, support::Cycle now) {
    return transport(noc, tlm::TLM_READ_COMMAND, offset, 0, now);
  }
  void store(unsigned noc, std::uint32_t offset, std::uint32_t value, support::Cycle now) {
    transport(noc, tlm::TLM_WRITE_COMMAND, offset, value, now);
  }
  /// Binds the NIU of `torus` with checkers between.
  void attach(Torus& torus) { torus.attach(*checked_niu[torus.noc()]); }
  /// Number of unfinished transactions of the memory sockets, and of packets between NIUs and
  /// routers.
  std::size_t open_transactions() const {
    std::size_t open = 0;
    for (unsigned noc = 0; noc < 2; ++noc) {
      open +=
          memory_checker[noc]->open() + checked_niu[noc]->out.open() + checked_niu[noc]->in.open();
    }
    return open;
  }
  std::uint32_t last_latency() const { return access_.latency; }
  tlm::tlm_response_status last_status() const { return payload_.get_response_status(); }

  std::uint32_t word(std::uint32_t address) const {
    std::uint32_t value;
    std::memcpy(&value, memory_bytes.data() + address, 4);
    return value;
  }
  void set_word(std::uint32_t address, std::uint32_t value) {
    std::memcpy(memory_bytes.data() + address, &value, 4);
  }
  void fill(std::uint32_t address, std::uint32_t bytes, std::uint32_t seed) {
    std::mt19937 random(seed);
    for (std::uint32_t i = 0; i < bytes; ++i) {
      memory_bytes[address + i] = static_cast<std::uint8_t>(random());
    }
  }

  using Socket = tlm_utils::simple_target_socket<TestTile>;
  support::TileScheduler scheduler;
  support::WatchHub watches;
  unsigned index = 0;
  std::unique_ptr<Niu> niu[2];
  std::unique_ptr<Socket> socket[2];
  std::unique_ptr<tlm_utils::simple_initiator_socket<TestTile>> regs[2];
  std::unique_ptr<tests::TlmChecker<>> memory_checker[2];
  std::unique_ptr<tests::TlmChecker<>> register_checker[2];
  std::unique_ptr<CheckedNiu> checked_niu[2];
  std::vector<std::uint8_t> memory_bytes;
  std::uint32_t mmio[kMmioWords] = {};
  struct Access {
    support::Cycle now;
    bool write;
    std::uint64_t address;
    std::uint32_t bytes;
  };
  std::vector<Access> log;  ///< accesses of the NIUs, if `logging`
  bool logging = false;
  std::uint64_t hash = 0;  ///< over all accesses

 private:
  /// Connects the NIU's sockets to the tile's through checkers.
  void check(unsigned noc) {
    const std::string suffix = std::to_string(noc);
    const auto now = [this] { return to_time(calendar_.now()); };
    memory_checker[noc] =
        std::make_unique<tests::TlmChecker<>>(("memory_checker" + suffix).c_str(), now);
    niu[noc]->memory.bind(memory_checker[noc]->from_initiator);
    memory_checker[noc]->to_target.bind(*socket[noc]);
    register_checker[noc] =
        std::make_unique<tests::TlmChecker<>>(("register_checker" + suffix).c_str(), now);
    regs[noc]->bind(register_checker[noc]->from_initiator);
    register_checker[noc]->to_target.bind(niu[noc]->regs);
    checked_niu[noc] = std::make_unique<CheckedNiu>("network_checker" + suffix, *niu[noc], now);
  }

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    auto* bus = payload.get_extension<support::BusAccess>();
    bus->latency = perform(payload, bus->now);
    delay += to_time(bus->latency);
  }

  /// A transfer in phases, complete at once with the same time.
  tlm::tlm_sync_enum nb_transport(tlm::tlm_generic_payload& payload, tlm::tlm_phase&,
                                  sc_core::sc_time& delay) {
    delay += to_time(perform(payload, calendar_.now() + to_cycles(delay)));
    return tlm::TLM_COMPLETED;
  }

  std::uint32_t perform(tlm::tlm_generic_payload& payload, support::Cycle now) {
    const std::uint64_t address = payload.get_address();
    const std::uint32_t bytes = payload.get_data_length();
    if (logging) log.push_back({now, payload.is_write(), address, bytes});
    hash = (hash ^ address ^ bytes << 20 ^ now << 8) * 0x9E3779B97F4A7C15ULL;
    std::uint32_t latency = kMmioCycles;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    std::uint8_t* place = nullptr;
    if (address >= kMmioBase && address + bytes <= kMmioBase + 4 * kMmioWords) {
      place = reinterpret_cast<std::uint8_t*>(mmio) + (address - kMmioBase);
    } else if (address + bytes <= kMemoryBytes) {
      place = memory_bytes.data() + address;
      latency = (bytes + 31) / 32;
    } else {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return 0;
    }
    const std::uint8_t* enables = payload.get_byte_enable_ptr();
    for (std::uint32_t i = 0; i < bytes; ++i) {
      if (enables != nullptr && enables[i] == TLM_BYTE_DISABLED) continue;
      if (payload.is_read()) {
        payload.get_data_ptr()[i] = place[i];
      } else {
        place[i] = payload.get_data_ptr()[i];
      }
    }
    return latency;
  }

  std::uint32_t transport(unsigned noc, tlm::tlm_command command, std::uint32_t offset,
                          std::uint32_t value, support::Cycle now) {
    payload_.set_command(command);
    payload_.set_address(offset);
    payload_.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload_.set_data_length(4);
    payload_.set_streaming_width(4);
    payload_.set_byte_enable_ptr(nullptr);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    access_.now = now;
    access_.master = support::BusMaster::kB;
    access_.order = 2;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    (*regs[noc])->b_transport(payload_, delay);
    return value;
  }

  support::Calendar& calendar_;
  tlm::tlm_generic_payload payload_;
  support::BusAccess access_;
};

/// The register values that software writes to a request initiator.
struct Command {
  std::uint32_t ctrl = 0;
  std::uint32_t targ_lo = 0, targ_mid = 0;
  std::uint32_t ret_lo = 0, ret_mid = 0;
  std::uint32_t at_len_be = 0, at_data = 0;
  std::uint32_t tag = 0;
};

/// A chip's NoCs with some tiles.
class NocBench {
 public:
  NocBench(const std::string& name, const char* torus, bool lockstep,
           const std::vector<std::pair<unsigned, unsigned>>& places, unsigned nocs = 2,
           const Grid& grid = wormhole_grid())
      : calendar(set_torus(config, torus)) {
    calendar.set_lockstep(lockstep);
    for (unsigned noc = 0; noc < nocs; ++noc) {
      network.push_back(
          make_torus((name + "_noc" + std::to_string(noc)).c_str(), config, grid, noc, calendar));
    }
    for (const auto& [x, y] : places) {
      const std::string tile_name = name + "_" + std::to_string(x) + "_" + std::to_string(y);
      tiles.push_back(
          std::make_unique<TestTile>(tile_name.c_str(), config, x, y, calendar, faults, grid));
      for (auto& torus_of_noc : network) tiles.back()->attach(*torus_of_noc);
    }
  }

  TestTile& at(unsigned x, unsigned y) {
    for (auto& tile : tiles) {
      if (tile->niu[0]->place().x == x && tile->niu[0]->place().y == y) return *tile;
    }
    throw std::out_of_range("no tile there");
  }

  /// Writes a command like a core, between two runs of the calendar.
  void issue(TestTile& tile, unsigned noc, unsigned initiator, const Command& c) {
    using namespace regs::noc;
    const std::uint32_t base = initiator * kCmdBufOffset;
    const support::Cycle now = calendar.now();
    tile.store(noc, base + kCtrl, c.ctrl, now);
    tile.store(noc, base + kTargAddrLo, c.targ_lo, now);
    tile.store(noc, base + kTargAddrMid, c.targ_mid, now);
    tile.store(noc, base + kRetAddrLo, c.ret_lo, now);
    tile.store(noc, base + kRetAddrMid, c.ret_mid, now);
    tile.store(noc, base + kAtLenBe, c.at_len_be, now);
    tile.store(noc, base + kAtData, c.at_data, now);
    tile.store(noc, base + kPacketTag, c.tag, now);
    tile.store(noc, base + kCmdCtrl, 1, now);
    calendar.tile_woken(tile.index);
  }

  /// Runs until the first cycle after which `done` holds; fails after `limit` cycles.
  template <typename Predicate>
  support::Cycle run_until(Predicate done, support::Cycle limit = 20000) {
    const support::Cycle start = calendar.now();
    while (!done()) {
      if (calendar.now() - start > limit) throw std::runtime_error("does not happen");
      calendar.run_until(calendar.now() + 1);
    }
    return calendar.now() - 1;
  }
  void settle(support::Cycle cycles = 5000) { calendar.run_until(calendar.now() + cycles); }

  std::uint32_t mid(unsigned noc, unsigned x, unsigned y) const {
    const Node n =
        wormhole_grid().to_noc(noc, {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)});
    return regs::noc::mid_unicast(n.x, n.y);
  }
  std::uint32_t mid(unsigned noc, const TestTile& tile) const {
    return mid(noc, tile.niu[0]->place().x, tile.niu[0]->place().y);
  }

  NocConfig config;
  /// Stops at faults and keeps warnings.
  struct Faults : foundation::StopOnFault, foundation::WarningSink {
    std::vector<std::string> warnings;
    void warn(const foundation::Fault& fault) override { warnings.push_back(fault.what()); }
  } faults;
  support::Calendar calendar;
  std::vector<std::unique_ptr<Torus>> network;
  std::vector<std::unique_ptr<TestTile>> tiles;

 private:
  static support::Calendar::Lookahead set_torus(NocConfig& config, const char* torus) {
    config.torus.set(torus);
    return lookahead(config);
  }
};

}  // namespace tvp::noc
