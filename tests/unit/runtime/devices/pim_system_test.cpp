// Units of a PIM system behind a table of functions: the host's view of their programs.
#include "sw/runtime/pim_system.h"

#include <gtest/gtest.h>

#include <array>

#include "sw/runtime/errors.h"
#include "tests/unit/runtime/devices/fake_library.h"

namespace tvp::runtime::pim_system_test {
namespace {

/// Two units whose programs end when the test says so.
struct FakeUnits {
  test::FakeLibrary library;
  std::array<tensix_vp_pim_unit, 2> units{};
  std::array<std::uint32_t, 2> owners{};
  std::vector<unsigned> started;
  std::vector<std::uint8_t> bank = std::vector<std::uint8_t>(64);

  FakeUnits() {
    self = this;
    library.system = R"({"name":"fake","units":2,"levels":[{"name":"bank","count":2}],)"
                     R"("mesh":{"width":2,"height":1},"clock_mhz":350,"bank_bytes":64,)"
                     R"("switch":{"chips":4,"halves":true,"packet_bytes":48}})";
  }
  static DeviceLibrary::Functions functions() {
    DeviceLibrary::Functions f = test::FakeLibrary::functions();
    f.pim_own = [](std::uint32_t unit, std::uint32_t owner) {
      self->owners.at(unit) = owner;
      return 0;
    };
    f.pim_bank = [](std::uint32_t, std::uint64_t address, void* data, std::uint64_t bytes,
                    std::uint32_t write) {
      std::uint8_t* const at = self->bank.data() + address;
      write != 0 ? std::memcpy(at, data, bytes) : std::memcpy(data, at, bytes);
      return 0;
    };
    f.pim_wram = [](std::uint32_t, std::uint32_t, void*, std::uint32_t, std::uint32_t) {
      return 0;
    };
    f.pim_load = [](std::uint32_t, const char*) { return 0; };
    f.pim_start = [](const std::uint32_t* units, std::uint32_t count) {
      self->started.assign(units, units + count);
      return 0;
    };
    f.pim_state = [](std::uint32_t unit, tensix_vp_pim_unit* state) {
      *state = self->units.at(unit);
      return 0;
    };
    f.pim_output = [](std::uint32_t, char* buffer, std::uint32_t size) {
      constexpr std::string_view kText = "hello";
      if (buffer != nullptr) std::strncpy(buffer, kText.data(), size);
      return static_cast<std::uint32_t>(kText.size());
    };
    return f;
  }
  /// The next time step ends both programs.
  void end_with(std::uint32_t status) {
    library.on_clock = [this, status] {
      for (unsigned i = 0; i < 2; ++i)
        units[i] = {.state = TENSIX_VP_PIM_EXITED,
                    .exit_status = status,
                    .started_cycle = 10 + i,
                    .ended_cycle = 700 + i,
                    .instructions = 500 + i,
                    .slept_instructions = 0};
    };
  }
  static inline FakeUnits* self = nullptr;
};

TEST(PimSystem, IsMadeOfWhatTheLibraryTells) {
  FakeUnits fake;
  DeviceLibrary library(FakeUnits::functions(), "fake");
  PimSystem system(library);
  EXPECT_EQ(system.units(), 2U);
  ASSERT_EQ(system.levels().size(), 1U);
  EXPECT_EQ(system.levels()[0].count, 2U);
  EXPECT_EQ(system.line_units(), 2U);
  EXPECT_EQ(system.lines(), 1U);
  EXPECT_EQ(system.switch_chips(), 4U);
  EXPECT_TRUE(system.switch_has_halves());
  EXPECT_EQ(system.packet_bytes(), 48U);
  EXPECT_EQ(system.bank_bytes(), 64U);
  EXPECT_DOUBLE_EQ(system.ns(7), 20);
  EXPECT_FALSE(system.is_scheduled());
}

TEST(PimSystem, RunsUnitsToTheirEnds) {
  FakeUnits fake;
  DeviceLibrary library(FakeUnits::functions(), "fake");
  PimSystem system(library);
  const unsigned both[] = {0, 1};
  fake.end_with(0);
  system.run(both);
  EXPECT_EQ(fake.started, (std::vector<unsigned>{0, 1}));
  const PimSystem::UnitState state = system.state(1);
  EXPECT_TRUE(state.exited);
  EXPECT_EQ(state.exit_status, 0U);
  EXPECT_EQ(state.started_cycle, 11U);
  EXPECT_EQ(state.ended_cycle, 701U);
  EXPECT_EQ(state.instructions, 501U);
  EXPECT_EQ(library.ended_ps(), 701'000'000U / 350);
  fake.end_with(3);
  fake.units = {};
  try {
    system.run(both);
    FAIL() << "a program returned 3";
  } catch (const foundation::Fault& fault) {
    EXPECT_EQ(fault.where(), "unit 0");
    EXPECT_EQ(fault.message(), "its program returned 3 instead of 0; it printed 'hello'");
  }
}

TEST(PimSystem, TellsWhoNeverEnds) {
  FakeUnits fake;
  DeviceLibrary library(FakeUnits::functions(), "fake");
  PimSystem system(library);
  const unsigned both[] = {0, 1};
  fake.library.state = TENSIX_VP_IDLE;
  try {
    system.run(both);
    FAIL() << "nothing moves";
  } catch (const HangError& hang) {
    const std::string text = hang.what();
    EXPECT_EQ(text.find("nothing moves any more: core (18"), 0U) << text;
    EXPECT_TRUE(text.ends_with("\n  the programs of 2 units have not finished")) << text;
  }
  fake.library.state = TENSIX_VP_TIME_LIMIT;
  EXPECT_THROW(system.run(both), TimeLimitError);
}

TEST(PimSystem, MovesBytesOfBanksThatTheHostOwns) {
  FakeUnits fake;
  DeviceLibrary library(FakeUnits::functions(), "fake");
  PimSystem system(library);
  system.own_by_processor(1);
  EXPECT_EQ(fake.owners, (std::array<std::uint32_t, 2>{0, 1}));
  system.own_by_host(1);
  EXPECT_EQ(fake.owners, (std::array<std::uint32_t, 2>{0, 0}));
  const std::vector<std::uint8_t> bytes{1, 2, 3, 4, 5};
  system.write_bank(0, 8, bytes);
  EXPECT_EQ(fake.bank[12], 5);
  EXPECT_EQ(system.read_bank(0, 8, 5), bytes);
  EXPECT_THROW(system.get<std::uint32_t>(0, "nothing"), foundation::Fault) << "it has no program";
}

TEST(PimSystem, RefusesALibraryWithoutUnits) {
  {
    const test::FakeLibrary fake;
    DeviceLibrary plain(test::FakeLibrary::functions(), "plain");
    EXPECT_THROW(PimSystem{plain}, foundation::Fault);
  }
  FakeUnits units;
  units.library.system = R"({"name":"single_chip","chips":[]})";
  DeviceLibrary tensix(FakeUnits::functions(), "tensix");
  EXPECT_THROW(PimSystem{tensix}, foundation::Fault);
}

}  // namespace
}  // namespace tvp::runtime::pim_system_test
