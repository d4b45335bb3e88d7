// Networks with verilated routers: the times and bytes of the models, and routers that break their
// protocol.

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "foundation/regs/pim.h"
#include "tensix_vp/systemc/mesh_noc.h"
#include "tensix_vp/systemc/pim_dimm.h"
#include "tests/support/fuzz_cases.h"
#include "tests/system/components/node_bench.h"
#include "tests/system/components/rv32.h"

namespace {

using namespace tvp::tests;
using tensix_vp::MeshNoc;
using tensix_vp::PimDimm;
using Settings = std::vector<std::pair<std::string, std::string>>;

/// A mesh in which all nodes access all memories at once.
struct Mesh : NodeBench<MeshNoc> {
  Mesh(const std::string& name, const Settings& settings) : NodeBench(name, parameters(settings)) {}

  static MeshNoc::Parameters parameters(const Settings& settings) {
    MeshNoc::Parameters parameters;
    parameters.width = kWidth;
    parameters.height = kHeight;
    parameters.settings = settings;
    return parameters;
  }
  void start() {
    for (unsigned node = 0; node < kNodes; ++node) initiator(node).start([=, this] { work(node); });
  }
  /// Each node has a part of each memory to itself.
  void work(unsigned node) {
    constexpr std::uint64_t kPart = NodeMemory::kBytes / kNodes;
    std::mt19937 random(tvp::test::fuzz_seed() + node);
    for (unsigned i = 0; i < kTransactions; ++i) {
      const unsigned to = random() % kNodes;
      const unsigned bytes = 1 + random() % 300;
      const auto command = random() % 2 == 0 ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND;
      const std::uint64_t offset = node * kPart + random() % (kPart - bytes);
      auto& t = initiator(node).make(command, MeshNoc::address(x_of(to), y_of(to), offset), bytes);
      for (std::uint8_t& byte : t.data) byte = static_cast<std::uint8_t>(random());
      initiator(node).send(t);
    }
  }
  static constexpr unsigned kTransactions = 60;
};

/// A packet over router (1,0), whose east output flips bit 13 of each payload, or whose west input
/// is never ready.
struct BrokenMesh : LoneInitiator<MeshNoc> {
  BrokenMesh(const std::string& name, const std::string& library)
      : LoneInitiator(name, Mesh::parameters({{"flow_control", "hold"},
                                              {"router", "rtl:" + library + ":1:0"}})) {}
  void start() {
    initiator.start([this] {
      auto& t = initiator.make(tlm::TLM_WRITE_COMMAND, MeshNoc::address(3, 1, 0), 40);
      for (unsigned i = 0; i < t.data.size(); ++i) t.data[i] = static_cast<std::uint8_t>(i);
      initiator.send(t);
    });
  }
};

/// All units of a PIM system send a message to another one after a barrier.
struct Dimm {
  static constexpr std::uint32_t kFrom = 0x2000;
  static constexpr std::uint32_t kTo = 0x8000;
  static constexpr std::uint32_t kBytes = 200;
  PimDimm dimm;
  std::vector<std::uint8_t> arrived;
  std::vector<std::uint64_t> ended;  ///< cycles
  std::uint64_t digest = 0;

  Dimm(const std::string& name, const std::string& system, const Settings& settings)
      : dimm(name.c_str(), {.system = system, .settings = settings}) {
    sc_core::sc_spawn([this] { run(); });
  }

  void access(tlm::tlm_command command, std::uint64_t address, void* data, unsigned bytes) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<unsigned char*>(data));
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    sc_core::sc_time delay;
    tlm::tlm_base_target_socket_b<>& memory = dimm.memory;
    memory.get_base_interface().b_transport(payload, delay);
    EXPECT_TRUE(payload.is_response_ok()) << address;
  }
  void store(std::uint64_t address, std::uint32_t word) {
    access(tlm::TLM_WRITE_COMMAND, address, &word, 4);
  }
  template <typename Word>
  Word load(std::uint64_t address) {
    Word word{};
    access(tlm::TLM_READ_COMMAND, address, &word, sizeof word);
    return word;
  }
  std::uint64_t reg(unsigned unit, PimDimm::UnitRegister which) {
    return dimm.address(unit, which);
  }
  /// Opens a window, waits for all units, sends, and waits for the message of another unit.
  std::vector<std::uint32_t> program(unsigned unit) const {
    using namespace rv32;
    namespace pim = tvp::regs::pim;
    std::vector<std::uint32_t> code = {lui(5, 0xFFB12), lui(6, 0xFFB13), lui(7, 0xFFB10)};
    const auto store = [&](unsigned base, std::uint32_t offset, std::uint32_t value) {
      load_constant(code, 31, value);
      code.push_back(sw(31, base, offset));
    };
    store(5, pim::stop::kWindows + pim::stop::kWindowBase, kTo);
    store(5, pim::stop::kWindows + pim::stop::kWindowBytes, kBytes);
    store(6, pim::barrier::kArrive, 1);
    code.insert(code.end(), {lw(8, 6, pim::barrier::kGeneration), back_if_zero(8, 4)});
    store(5, pim::stop::kDestination, (unit * 5 + 7) % dimm.units());
    store(5, pim::stop::kChannel, 0);
    store(5, pim::stop::kWramAddress, kFrom);
    store(5, pim::stop::kBytes, kBytes);
    store(5, pim::stop::kOffset, 0);
    store(5, pim::stop::kGo, 1);
    code.insert(code.end(), {lw(8, 5, pim::stop::kWindows + pim::stop::kArrivals),
                             back_if_zero(8, 4), sw(8, 7, pim::control::kExit), kStay});
    return code;
  }
  void run() {
    for (unsigned unit = 0; unit < dimm.units(); ++unit) {
      std::vector<std::uint32_t> code = program(unit);
      access(tlm::TLM_WRITE_COMMAND, dimm.iram(unit), code.data(), unsigned(4 * code.size()));
      std::vector<std::uint8_t> data(kBytes);
      for (unsigned i = 0; i < kBytes; ++i) data[i] = static_cast<std::uint8_t>(unit * 3 + i);
      access(tlm::TLM_WRITE_COMMAND, dimm.wram(unit) + kFrom, data.data(), kBytes);
      store(reg(unit, PimDimm::UnitRegister::kEntry), tvp::regs::pim::kIram);
      store(reg(unit, PimDimm::UnitRegister::kOwner), 1);
      store(reg(unit, PimDimm::UnitRegister::kSelected), 1);
    }
    store(dimm.address(PimDimm::CommonRegister::kStart), 1);
    while (load<std::uint32_t>(dimm.address(PimDimm::CommonRegister::kRunning)) != 0)
      sc_core::wait(1, sc_core::SC_US);
    for (unsigned unit = 0; unit < dimm.units(); ++unit) {
      ended.push_back(load<std::uint64_t>(reg(unit, PimDimm::UnitRegister::kEnded)));
      std::uint8_t data[kBytes];
      access(tlm::TLM_READ_COMMAND, dimm.wram(unit) + kTo, data, kBytes);
      arrived.insert(arrived.end(), data, data + kBytes);
    }
    digest = dimm.digest();
  }
};

/// SystemC elaborates once: all modules are there from the start.
struct Simulation {
  ReportRecorder reports;
  Mesh hold{"hold", {{"flow_control", "hold"}}};
  Mesh hold_rtl{"hold_rtl", {{"flow_control", "hold"}, {"router", "rtl"}}};
  Mesh hold_one{"hold_one", {{"flow_control", "hold"}, {"router", "rtl:2:1"}}};
  Mesh hold_user{"hold_user", {{"flow_control", "hold"}, {"router", "rtl:" TVP_XY_ROUTER}}};
  Mesh buffered{"buffered", {}};
  Mesh buffered_rtl{"buffered_rtl", {{"router", "rtl"}}};
  BrokenMesh flipping{"flipping", TVP_FLIP_ROUTER};
  BrokenMesh stuck{"stuck", TVP_STUCK_ROUTER};
  Dimm rank{"rank", "pim_rank", {}};
  Dimm rank_rtl{"rank_rtl", "pim_rank", {{"mesh.router", "rtl"}}};
  Dimm rank_user{"rank_user",
                 "pim_rank",
                 {{"mesh.flow_control", "hold"}, {"mesh.router", "rtl:" TVP_XY_ROUTER ":1:2"}}};
  Dimm rank_hold{"rank_hold", "pim_rank", {{"mesh.flow_control", "hold"}}};
  Dimm tiers{"tiers", "pim_dimm", {}};
  Dimm tiers_rtl{"tiers_rtl",
                 "pim_dimm",
                 {{"mesh.router", "chip3.rtl"}, {"pim.ca_bus", "rtl"}, {"pim.crossbar", "rtl"}}};
  Simulation() {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);  // the threads wait for their jobs
    for (Mesh* mesh : {&hold, &hold_rtl, &hold_one, &hold_user, &buffered, &buffered_rtl})
      mesh->start();
    flipping.start();
    stuck.start();
    sc_core::sc_start();
  }
};

Simulation& simulation() {
  static auto& simulation = *new Simulation();
  return simulation;
}

void expect_equal(Mesh& rtl, Mesh& model) {
  for (unsigned node = 0; node < kNodes; ++node) {
    EXPECT_EQ(rtl.initiator(node).answered, Mesh::kTransactions);
    EXPECT_TRUE(rtl.initiator(node).ends == model.initiator(node).ends) << node;
    EXPECT_TRUE(rtl.memories[node]->arrivals == model.memories[node]->arrivals) << node;
    EXPECT_TRUE(rtl.memories[node]->bytes == model.memories[node]->bytes) << node;
  }
  EXPECT_TRUE(rtl.noc.waiting().empty());
}

void expect_equal(const Dimm& rtl, const Dimm& model) {
  EXPECT_EQ(model.ended.size(), model.dimm.units());
  EXPECT_EQ(rtl.ended, model.ended);
  EXPECT_TRUE(rtl.arrived == model.arrived);
  EXPECT_EQ(rtl.digest, model.digest);
  for (unsigned unit = 0; unit < rtl.dimm.units(); ++unit) {
    const unsigned to = (unit * 5 + 7) % rtl.dimm.units();
    EXPECT_EQ(rtl.arrived[to * Dimm::kBytes + 9], static_cast<std::uint8_t>(unit * 3 + 9));
  }
}

TEST(RtlRouters, TakeTheTimesOfAMeshOfModels) {
  expect_equal(simulation().hold_rtl, simulation().hold);
  expect_equal(simulation().hold_one, simulation().hold);
  expect_equal(simulation().hold_user, simulation().hold);
  expect_equal(simulation().buffered_rtl, simulation().buffered);
}

TEST(RtlRouters, TakeTheTimesOfAPimSystemOfModels) {
  expect_equal(simulation().rank_rtl, simulation().rank);
  expect_equal(simulation().rank_user, simulation().rank_hold);
  expect_equal(simulation().tiers_rtl, simulation().tiers);
}

/// The memory has the altered bytes: bit 13 is in byte 1 of each flit of 16 bytes.
TEST(RtlRouters, ARouterThatAltersAPayloadIsNamed) {
  ASSERT_EQ(simulation().flipping.initiator.answered, 1u);
  for (unsigned i = 0; i < 40; ++i) {
    EXPECT_EQ(simulation().flipping.memory.bytes[i], i % 16 == 1 ? i ^ 0x20 : i) << i;
  }
  EXPECT_GE(ReportRecorder::count(
                sc_core::SC_WARNING,
                {"mesh.router (1,0)", "alters bit 13 of the payload at its east output"}),
            3u);
}

TEST(RtlRouters, ARouterThatTakesNothingIsNamed) {
  EXPECT_EQ(simulation().stuck.initiator.answered, 0u);
  expect_line(simulation().stuck.noc.waiting(), "stuck: ", "(1,0)");
}

TEST(RtlRouters, NothingElseIsReported) {
  simulation();
  EXPECT_EQ(ReportRecorder::count(sc_core::SC_ERROR, {}), 0u);
}

}  // namespace
