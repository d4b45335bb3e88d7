#include "sw/runtime/devices/tile_access.h"

#include <gtest/gtest.h>

#include "sw/runtime/devices/chip_layout.h"
#include "sw/runtime/errors.h"
#include "tests/support/fault_of.h"
#include "tests/unit/runtime/devices/fake_library.h"

namespace tvp::runtime::tile_access_test {
namespace {

const foundation::ChipSpec wormhole = *ChipLayout::usual_spec();

TEST(TileAccess, ProgramsAWindowAsDocumented) {
  test::FakeLibrary fake;
  DeviceLibrary library(test::FakeLibrary::functions(), "fake");
  TileAccess tiles(library, 1, wormhole);
  tiles.write32({3, 7}, 0x2'4512'3458, 0xCAFEF00D);
  // local_offset 12 bits, x_end 6, y_end 6, x_start 6, y_start 6, noc_sel, mcast, ordering 2,
  // linked, static_vc (ISA PCIExpressTile/TLBs.md).
  const std::uint64_t expected = 0x245ULL | 3ULL << 12 | 7ULL << 18 | 1ULL << 41;
  EXPECT_EQ(fake.windows.at({1, 166}), expected);
  EXPECT_EQ(fake.word(1, 3, 7, 0x2'4512'3458), 0xCAFEF00DU);
  EXPECT_EQ(tiles.read32({3, 7}, 0x2'4512'3458), 0xCAFEF00DU);
}

TEST(TileAccess, RegistersHaveAWindowOfTheirOwn) {
  test::FakeLibrary fake;
  DeviceLibrary library(test::FakeLibrary::functions(), "fake");
  TileAccess tiles(library, 0, wormhole);
  tiles.write32({1, 1}, 0x100, 1);
  const auto memory_window = fake.windows.at({0, 166});
  tiles.write32({1, 1}, 0xFFB121B0, 0x47800);
  EXPECT_EQ(fake.windows.at({0, 166}), memory_window);
  EXPECT_EQ(fake.windows.at({0, 167}) & 0xFFF, 0xFFU);
  EXPECT_EQ(fake.word(0, 1, 1, 0xFFB121B0), 0x47800U);
}

TEST(TileAccess, SplitsAtTheEndOfAWindow) {
  test::FakeLibrary fake;
  DeviceLibrary library(test::FakeLibrary::functions(), "fake");
  TileAccess tiles(library, 0, wormhole);
  std::vector<std::uint8_t> bytes(64);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i + 1);
  tiles.write({0, 0}, 0x2FFFFE0, bytes.data(), bytes.size());
  EXPECT_EQ(fake.byte(0, 0, 0, 0x2FFFFFF), 32);
  EXPECT_EQ(fake.byte(0, 0, 0, 0x3000000), 33);
  std::vector<std::uint8_t> back(64);
  tiles.read({0, 0}, 0x2FFFFE0, back.data(), back.size());
  EXPECT_EQ(back, bytes);
}

TEST(TileAccess, RefusesADeviceThatIsNotThere) {
  test::FakeLibrary fake;
  DeviceLibrary library(test::FakeLibrary::functions(), "fake");
  EXPECT_THROW(TileAccess(library, 2, wormhole), foundation::Fault);
}

TEST(DeviceLibrary, OpensOnlyWhatIsOne) {
  EXPECT_THROW(DeviceLibrary::open("/nonexistent/lib.so"), foundation::Fault);
  EXPECT_THROW(DeviceLibrary::open("libm.so.6"), foundation::Fault);
}

// Calls that a library with the public ABI lacks, and settings that a full library gets.
TEST(DeviceLibrary, TakesSettingsIfItCan) {
  DeviceLibrary::Functions functions = test::FakeLibrary::functions();
  DeviceLibrary plain(functions, "plain");
  EXPECT_FALSE(plain.takes_settings());
  EXPECT_THROW(plain.configure("system=single_chip"), foundation::Fault);
  static std::string told;
  functions.configure = [](const char* text) {
    told = text;
    return 0;
  };
  DeviceLibrary ours(functions, "ours");
  EXPECT_TRUE(ours.takes_settings());
  ours.configure("system=single_chip");
  EXPECT_EQ(told, "system=single_chip");
}

TEST(DeviceLibrary, ThrowsTheFaultThatStoppedTheSimulation) {
  test::FakeLibrary fake;
  DeviceLibrary library(test::FakeLibrary::functions(), "fake");
  library.init();
  fake.state = TENSIX_VP_FAULT;
  fake.error_kind = TENSIX_VP_ERROR_FIRMWARE;
  fake.error = "chip0.tensix(1,2).BRISC: misaligned load";
  EXPECT_EQ(tvp::test::fault_of([&] { library.clock(10); }, foundation::FaultKind::kFirmware),
            "chip0.tensix(1,2).BRISC: misaligned load");
}

}  // namespace
}  // namespace tvp::runtime::tile_access_test
