// Every blocking target gets all possible generic payloads. It must refuse unsupported ones with
// the response of IEEE 1666-2011 and without a change.
#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <functional>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "foundation/regs/noc.h"
#include "foundation/regs/overlay.h"
#include "foundation/regs/tensix_tile.h"
#include "models/noc/niu/niu.h"
#include "models/noc/overlay.h"
#include "models/pim/unit/unit_bus.h"
#include "models/tensix/tile/tile_bus.h"
#include "tests/support/memory_recorder.h"
#include "tests/support/tlm_checker.h"
#include "tests/unit/noc/wormhole_grid.h"

namespace tvp {
namespace {

using Bytes = std::vector<std::uint8_t>;
using support::BusAccess;
using tlm::tlm_response_status;

constexpr std::uint64_t kNone = ~std::uint64_t{0};
constexpr std::uint64_t kBeyond = std::uint64_t{1} << 32;

/// The address ranges behind a socket.
struct Map {
  std::uint64_t memory = kNone;  ///< 64 bytes or more
  std::uint64_t memory_end = 0;
  std::uint64_t reg = kNone;  ///< a register that keeps the low ten bits of stored values
  std::uint64_t unmapped = 0;
  bool narrow_loads = false;    ///< permits loads of one or two bytes of a register
  unsigned memory_latency = 1;  ///< lower bound; a core adds L1's latency itself
};

struct Request {
  tlm::tlm_command command = tlm::TLM_READ_COMMAND;
  std::uint64_t address = 0;
  Bytes data{};
  Bytes enables{};
  unsigned streaming_width = 0;  ///< 0: that of the data
  bool bus_access = true;
};

/// An initiator with a checker between it and the target.
class Side : public sc_core::sc_module {
 public:
  template <typename Socket>
  Side(const sc_core::sc_module_name& name, Socket& target, const Map& places, double clock_mhz)
      : sc_module(name), map(places), cycle_ps_(1e6 / clock_mhz) {
    socket_.bind(checker_.from_initiator);
    checker_.to_target.bind(target);
    socket_.register_invalidate_direct_mem_ptr(this, &Side::take_back);
  }

  /// Sends `request`; its data become those of the answer.
  tlm_response_status access(Request& request) {
    tlm::tlm_generic_payload payload;
    fill(payload, request);
    BusAccess bus;
    bus.now = 100;
    if (request.bus_access) payload.set_extension(&bus);
    const sc_core::sc_time before(3, sc_core::SC_NS);
    sc_core::sc_time delay = before;
    socket_->b_transport(payload, delay);
    payload.clear_extension(&bus);
    dmi_allowed = payload.is_dmi_allowed();
    // The annotated delay equals the cycles.
    EXPECT_NEAR((delay - before).to_seconds() * 1e12, bus.latency * cycle_ps_, 1) << name();
    latency = bus.latency;
    return payload.get_response_status();
  }
  void take_back(sc_dt::uint64 first, sc_dt::uint64 last) { taken_back.emplace_back(first, last); }
  unsigned debug(Request& request) {
    tlm::tlm_generic_payload payload;
    fill(payload, request);
    return socket_->transport_dbg(payload);
  }
  bool direct(std::uint64_t address, tlm::tlm_dmi& dmi) {
    tlm::tlm_generic_payload payload;
    payload.set_read();
    payload.set_address(address);
    return socket_->get_direct_mem_ptr(payload, dmi);
  }
  Bytes read(std::uint64_t address, unsigned bytes) {
    Request request{.address = address, .data = Bytes(bytes)};
    EXPECT_EQ(access(request), tlm::TLM_OK_RESPONSE) << name() << " at " << address;
    return request.data;
  }
  void write(std::uint64_t address, const Bytes& data) {
    Request request{.command = tlm::TLM_WRITE_COMMAND, .address = address, .data = data};
    EXPECT_EQ(access(request), tlm::TLM_OK_RESPONSE) << name() << " at " << address;
  }

  const Map map;
  bool dmi_allowed = false;
  std::uint32_t latency = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> taken_back;

 private:
  static void fill(tlm::tlm_generic_payload& payload, Request& request) {
    payload.set_command(request.command);
    payload.set_address(request.address);
    payload.set_data_ptr(request.data.data());
    payload.set_data_length(static_cast<unsigned>(request.data.size()));
    payload.set_streaming_width(request.streaming_width != 0 ? request.streaming_width
                                                             : payload.get_data_length());
    if (request.enables.empty()) return;
    payload.set_byte_enable_ptr(request.enables.data());
    payload.set_byte_enable_length(static_cast<unsigned>(request.enables.size()));
  }

  const double cycle_ps_;
  tlm_utils::simple_initiator_socket<Side> socket_{"socket"};
  tests::TlmChecker<> checker_{"checker", [] { return sc_core::SC_ZERO_TIME; }};
};

struct Word : support::MmioDevice {
  void access(support::MmioAccess& access) override {
    access.unmapped = access.offset != 0;
    if (access.unmapped) return;
    if (access.write) {
      value = access.data;
    } else {
      access.data = value;
    }
  }
  std::uint32_t value = 0;
};

struct Benches : sc_core::sc_module {
  explicit Benches(const sc_core::sc_module_name& name) : sc_module(name) {
    tile_bus.map(tensix::TileBus::Window::kControl, tile_word);
    unit_bus.map(pim::UnitBus::Window::kControl, unit_word);
    niu.memory.bind(l1_side.from_initiator);
    l1_side.to_target.bind(tile_bus.master(support::BusMaster::kNoc0));
    const auto control = std::uint64_t{regs::tensix_tile::kControl};
    sides.push_back(std::make_unique<Side>(
        "tile", tile_bus.master(support::BusMaster::kB),
        Map{0x1000, tests::wormhole().memories.tensix_l1_bytes, control, 0x20000000, true, 0},
        1000));
    sides.push_back(std::make_unique<Side>(
        "unit", unit_bus.core, Map{0x1000, regs::pim::kWramBytes, regs::pim::kControl, 0x20000000},
        350));
    sides.push_back(std::make_unique<Side>(
        "niu_registers", niu.regs, Map{.reg = regs::noc::kTargAddrLo, .unmapped = 0x10000}, 1000));
    sides.push_back(std::make_unique<Side>(
        "overlay_registers", overlay.regs,
        Map{.reg = 4 * regs::overlay::kBufStart,
            .unmapped = regs::overlay::kTensixStreams * regs::overlay::kStreamStride},
        1000));
    to_network.bind(niu.from_network);
    niu.to_network.bind(from_network);
  }

  support::Calendar calendar{support::Calendar::Lookahead{}};
  support::WatchHub hub;
  foundation::StopOnFault faults;
  tensix::L1 l1{tests::wormhole().memories.tensix_l1_bytes, hub};
  tensix::TileBus tile_bus{"tile_bus", "tile", l1, sc_core::sc_time(1, sc_core::SC_NS), faults};
  pim::Wram wram{hub};
  pim::UnitBus unit_bus{"unit_bus", wram, 350};
  Word tile_word, unit_word;
  noc::NocConfig config;
  noc::Niu niu{"niu", config, noc::Place{.grid = noc::wormhole_grid()}, calendar, hub, faults};
  noc::Overlay overlay{"overlay", config, false, hub, faults, "overlay"};
  tests::TlmChecker<> l1_side{"l1_side", [] { return sc_core::SC_ZERO_TIME; }};
  tlm_utils::simple_initiator_socket<Benches, 32, noc::NocProtocol> to_network{"to_network"};
  tlm_utils::simple_target_socket<Benches, 32, noc::NocProtocol> from_network{"from_network"};
  std::vector<std::unique_ptr<Side>> sides;
};

Benches& benches() {
  static Benches* const all = [] {
    auto* const made = new Benches("benches");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    return made;
  }();
  return *all;
}

Bytes pattern(unsigned bytes, unsigned first) {
  Bytes data(bytes);
  std::iota(data.begin(), data.end(), static_cast<std::uint8_t>(first));
  return data;
}
const Bytes kWord = {0x55, 0x02, 0, 0};

void for_memories(const std::function<void(Side&)>& test) {
  for (const auto& side : benches().sides) {
    SCOPED_TRACE(side->name());
    if (side->map.memory != kNone) test(*side);
  }
}
void for_registers(const std::function<void(Side&)>& test) {
  for (const auto& side : benches().sides) {
    SCOPED_TRACE(side->name());
    if (side->map.reg != kNone) test(*side);
  }
}

/// `request` must get `status` without a change of itself or of the target.
void expect_refused(Side& side, Request request, tlm_response_status status) {
  const Bytes before = request.data;
  EXPECT_EQ(side.access(request), status);
  EXPECT_EQ(request.data, before);
  EXPECT_FALSE(side.dmi_allowed);
}

constexpr tlm::tlm_command kCommands[] = {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND};

TEST(TargetRules, MemoriesMoveBytesOfEveryLength) {
  for_memories([](Side& side) {
    for (unsigned bytes : {1U, 2U, 3U, 4U, 7U, 16U, 33U, 64U}) {
      side.write(side.map.memory + 1, pattern(bytes, bytes));
      EXPECT_TRUE(side.dmi_allowed);
      EXPECT_GE(side.latency, side.map.memory_latency);
      EXPECT_EQ(side.read(side.map.memory + 1, bytes), pattern(bytes, bytes));
    }
    const std::uint64_t last = side.map.memory_end - 4;
    side.write(last, kWord);
    EXPECT_EQ(side.read(last, 4), kWord);
  });
}

TEST(TargetRules, ByteEnablesOfMemoriesRepeatAndHoldForReadsToo) {
  for_memories([](Side& side) {
    const std::uint64_t at = side.map.memory + 0x40;
    side.write(at, Bytes(9, 0xAA));
    // Three enables for nine bytes.
    Request request{.command = tlm::TLM_WRITE_COMMAND,
                    .address = at,
                    .data = pattern(9, 1),
                    .enables = {0xFF, 0, 0xFF}};
    EXPECT_EQ(side.access(request), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(side.read(at, 9), (Bytes{1, 0xAA, 3, 4, 0xAA, 6, 7, 0xAA, 9}));
    request.command = tlm::TLM_READ_COMMAND;
    request.data.assign(9, 0xEE);
    EXPECT_EQ(side.access(request), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(request.data, (Bytes{1, 0xEE, 3, 4, 0xEE, 6, 7, 0xEE, 9}));
  });
}

TEST(TargetRules, ByteEnablesOfRegistersAreRefused) {
  for_registers([](Side& side) {
    side.write(side.map.reg, kWord);
    for (const auto command : kCommands) {
      expect_refused(side,
                     {.command = command,
                      .address = side.map.reg,
                      .data = {1, 1, 1, 1},
                      .enables = {0xFF, 0, 0, 0}},
                     tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    }
    EXPECT_EQ(side.read(side.map.reg, 4), kWord);
  });
}

TEST(TargetRules, StreamsAreRefused) {
  const auto refused = [](Side& side, std::uint64_t at) {
    side.write(at, kWord);
    for (const auto command : kCommands) {
      expect_refused(
          side, {.command = command, .address = at, .data = {1, 1, 1, 1}, .streaming_width = 2},
          tlm::TLM_BURST_ERROR_RESPONSE);
    }
    EXPECT_EQ(side.read(at, 4), kWord);
    // A width beyond the data means no streaming.
    Request wide{.address = at, .data = Bytes(4), .streaming_width = 64};
    EXPECT_EQ(side.access(wide), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(wide.data, kWord);
  };
  for_memories([&](Side& side) { refused(side, side.map.memory); });
  for_registers([&](Side& side) { refused(side, side.map.reg); });
}

TEST(TargetRules, RegistersTakeWords) {
  for_registers([](Side& side) {
    side.write(side.map.reg, kWord);
    for (unsigned bytes : {1U, 2U, 3U, 8U}) {
      expect_refused(
          side,
          {.command = tlm::TLM_WRITE_COMMAND, .address = side.map.reg, .data = pattern(bytes, 1)},
          tlm::TLM_BURST_ERROR_RESPONSE);
      if (side.map.narrow_loads && bytes < 4) {
        EXPECT_EQ(side.read(side.map.reg, bytes), Bytes(kWord.begin(), kWord.begin() + bytes));
      } else {
        expect_refused(side, {.address = side.map.reg, .data = pattern(bytes, 1)},
                       tlm::TLM_BURST_ERROR_RESPONSE);
      }
    }
    for (const auto command : kCommands) {
      expect_refused(side, {.command = command, .address = side.map.reg + 2, .data = pattern(4, 1)},
                     tlm::TLM_BURST_ERROR_RESPONSE);
    }
    EXPECT_EQ(side.read(side.map.reg, 4), kWord);
  });
}

TEST(TargetRules, AddressesOutsideAreErrors) {
  for (const auto& side : benches().sides) {
    SCOPED_TRACE(side->name());
    for (const auto command : kCommands) {
      for (const std::uint64_t at : {side->map.unmapped, side->map.unmapped + kBeyond}) {
        expect_refused(*side, {.command = command, .address = at, .data = pattern(4, 1)},
                       tlm::TLM_ADDRESS_ERROR_RESPONSE);
      }
    }
  }
  for_memories([](Side& side) {
    const std::uint64_t last = side.map.memory_end - 2;
    side.write(last, {7, 8});
    for (const auto command : kCommands) {
      expect_refused(side, {.command = command, .address = last, .data = pattern(4, 1)},
                     tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    EXPECT_EQ(side.read(last, 2), (Bytes{7, 8}));
  });
}

TEST(TargetRules, IgnoreMovesNothing) {
  const auto ignored = [](Side& side, std::uint64_t at) {
    side.write(at, kWord);
    expect_refused(side, {.command = tlm::TLM_IGNORE_COMMAND, .address = at, .data = {9, 9, 9, 9}},
                   tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(side.read(at, 4), kWord);
    Request debug{.command = tlm::TLM_IGNORE_COMMAND, .address = at, .data = {9, 9, 9, 9}};
    EXPECT_EQ(side.debug(debug), 0u);
    EXPECT_EQ(debug.data, Bytes(4, 9));
    EXPECT_EQ(side.read(at, 4), kWord);
  };
  for_memories([&](Side& side) { ignored(side, side.map.memory); });
  for_registers([&](Side& side) { ignored(side, side.map.reg); });
}

TEST(TargetRules, APayloadThatSaysNotWhenIsAnError) {
  for_registers([](Side& side) {
    expect_refused(side, {.address = side.map.reg, .data = pattern(4, 1), .bus_access = false},
                   tlm::TLM_GENERIC_ERROR_RESPONSE);
  });
}

TEST(TargetRules, DebugAccessesFindTheSameBytes) {
  for_memories([](Side& side) {
    Request write{
        .command = tlm::TLM_WRITE_COMMAND, .address = side.map.memory + 3, .data = pattern(21, 9)};
    EXPECT_EQ(side.debug(write), 21u);
    EXPECT_EQ(side.read(side.map.memory + 3, 21), pattern(21, 9));
    Request read{.address = side.map.memory + 3, .data = Bytes(21)};
    EXPECT_EQ(side.debug(read), 21u);
    EXPECT_EQ(read.data, pattern(21, 9));
  });
  for (const auto& side : benches().sides) {
    SCOPED_TRACE(side->name());
    Request read{.address = side->map.unmapped, .data = Bytes(4)};
    EXPECT_EQ(side->debug(read), 0u);
    read.address += kBeyond;
    EXPECT_EQ(side->debug(read), 0u);
  }
}

TEST(TargetRules, DirectAccessIsGrantedWhereItSaysSo) {
  for_memories([](Side& side) {
    tlm::tlm_dmi dmi;
    ASSERT_TRUE(side.direct(side.map.memory, dmi));
    EXPECT_TRUE(dmi.is_read_write_allowed());
    EXPECT_EQ(dmi.get_start_address(), 0u);
    EXPECT_EQ(dmi.get_end_address(), side.map.memory_end - 1);
    side.write(side.map.memory, pattern(8, 40));
    EXPECT_EQ(Bytes(dmi.get_dmi_ptr() + side.map.memory, dmi.get_dmi_ptr() + side.map.memory + 8),
              pattern(8, 40));
    // A refused range does not overlap a granted one.
    ASSERT_FALSE(side.direct(side.map.reg, dmi));
    EXPECT_TRUE(dmi.is_none_allowed());
    EXPECT_EQ(dmi.get_start_address(), side.map.memory_end);
    EXPECT_GE(dmi.get_end_address(), side.map.reg);
  });
}

/// Observers of the memories behind the first two sides.
void observe(support::Probe::Listener* observer) {
  benches().tile_bus.set_memory_observer(observer);
  benches().unit_bus.set_memory_observer(observer);
}

TEST(TargetRules, DirectAccessIsTakenBackWhileSomebodyObserves) {
  support::MemoryRecorder seen;
  for_memories([](Side& side) { side.taken_back.clear(); });
  observe(&seen);
  for_memories([&](Side& side) {
    using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
    EXPECT_EQ(side.taken_back, (Ranges{{0, side.map.memory_end - 1}}));
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(side.direct(side.map.memory, dmi));
    EXPECT_TRUE(dmi.is_none_allowed());
    EXPECT_EQ(dmi.get_dmi_ptr(), nullptr);
    // DMI gives cores the end of their memory.
    EXPECT_EQ(dmi.get_start_address(), 0u);
    EXPECT_EQ(dmi.get_end_address(), side.map.memory_end - 1);
    // A range that is refused for another reason is no memory.
    EXPECT_FALSE(side.direct(side.map.reg, dmi));
    EXPECT_EQ(dmi.get_start_address(), side.map.memory_end);

    seen.seen.clear();
    side.write(side.map.memory, pattern(8, 40));
    EXPECT_FALSE(side.dmi_allowed);
    EXPECT_EQ(side.read(side.map.memory, 8), pattern(8, 40));
    ASSERT_EQ(seen.seen.size(), 2U);
    EXPECT_EQ(seen.seen[0].kind, support::ProbeEvent::Kind::kWritten);
    EXPECT_EQ(seen.seen[1].address, side.map.memory);
  });
  observe(nullptr);
  for_memories([](Side& side) {
    tlm::tlm_dmi dmi;
    EXPECT_TRUE(side.direct(side.map.memory, dmi));
  });
}

}  // namespace
}  // namespace tvp
