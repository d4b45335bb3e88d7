#include "sw/runtime/devices/base_firmware.h"

#include <gtest/gtest.h>

#include "foundation/contract/memory_map.h"
#include "sw/runtime/devices/chip_layout.h"
#include "tests/unit/runtime/devices/fake_library.h"

namespace tvp::runtime::base_firmware_test {
namespace {

class BaseFirmwareTest : public ::testing::Test {
 protected:
  static DeviceLibrary::Functions public_abi() {
    DeviceLibrary::Functions functions = test::FakeLibrary::functions();
    functions.status = nullptr;
    return functions;
  }
  std::uint32_t flag(unsigned device, CoreCoord core) {
    return fake_.word(device, core.x, core.y, contract::kEthLaunchFlag);
  }

  test::FakeLibrary fake_;
  DeviceLibrary library_{public_abi(), "fake"};
  TileAccess tiles_{library_, 1, *ChipLayout::usual_spec()};
  BaseFirmware firmware_{library_};
};

TEST_F(BaseFirmwareTest, IsWhereALibraryTellsNothingOfItself) {
  EXPECT_TRUE(firmware_.is_there());
  DeviceLibrary ours(test::FakeLibrary::functions(), "fake");
  EXPECT_FALSE(BaseFirmware(ours).is_there());
}

TEST_F(BaseFirmwareTest, IsToldByItsFlagAndComesBackOutOfReset) {
  const CoreCoord core{9, 6};
  firmware_.hold(1, tiles_, core);  // it runs already
  EXPECT_EQ(fake_.time_ps, 0U);
  firmware_.let_go(1, tiles_, core);
  EXPECT_EQ(flag(1, core), 1U);
  firmware_.hold(1, tiles_, {9, 0});  // another core
  EXPECT_EQ(fake_.time_ps, 0U);

  std::uint32_t held = 0;
  fake_.on_clock = [&] { held = fake_.word(1, 9, 6, 0xFFB121B0); };
  fake_.set_word(1, 9, 6, 0xFFB121B0, ~0U);
  firmware_.hold(1, tiles_, core);
  EXPECT_GT(fake_.time_ps, 0U);
  EXPECT_EQ(held, 0U) << "out of reset while time passes";
  const std::uint64_t until = fake_.time_ps;
  firmware_.hold(1, tiles_, core);
  EXPECT_EQ(fake_.time_ps, until);
}

}  // namespace
}  // namespace tvp::runtime::base_firmware_test
