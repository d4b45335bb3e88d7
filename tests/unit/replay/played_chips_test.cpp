#include "sw/replay/played_chips.h"

#include <gtest/gtest.h>

#include <string>

#include "foundation/contract/memory_map.h"
#include "foundation/fault.h"
#include "foundation/regs/noc.h"
#include "tests/support/fault_of.h"
#include "tests/unit/runtime/devices/fake_library.h"

namespace tvp::replay {
namespace {

using Message = foundation::HostMessage;
using runtime::DeviceLibrary;
using runtime::test::FakeLibrary;

/// Two chips of a library without descriptions, and a description of three chips.
class PlayedChipsTest : public ::testing::Test {
 protected:
  static DeviceLibrary::Functions public_abi() {
    DeviceLibrary::Functions functions = FakeLibrary::functions();
    functions.status = nullptr;
    functions.system = nullptr;
    return functions;
  }
  static std::string described(std::uint32_t harvested) {
    std::string chips;
    for (const char* id : {"0", "1", "2"}) {
      chips += std::string(chips.empty() ? "" : ",") + R"({"id":)" + id + R"(,"pci_device":)" + id +
               R"(,"harvested_rows":)" + std::to_string(harvested) + "}";
    }
    return R"({"name":"described","devices":[0,1,2],"links":[],"chips":[)" + chips + "]}";
  }
  /// Chips translate rows like a chip without harvesting.
  void translate_rows() {
    const foundation::ChipSpec spec = *runtime::ChipLayout::usual_spec();
    const foundation::Coordinates coordinates(spec, {});
    for (unsigned device = 0; device < 2; ++device) {
      for (unsigned entry = spec.first_translated; coordinates.names_row(entry); ++entry) {
        const std::uint64_t at =
            regs::noc::kNiu0Base + regs::noc::kYIdTranslateTable0 + entry / 8 * 4;
        const std::uint32_t word = fake_.word(device, 1, 1, at);
        fake_.set_word(device, 1, 1, at, word | coordinates.rows(0)[entry] << entry % 8 * 4);
      }
    }
  }
  static Message parsed(const std::string& line) { return Message::parse(line, "f:1"); }

  FakeLibrary fake_;
  DeviceLibrary library_{public_abi(), "fake.so"};
};

TEST_F(PlayedChipsTest, AreThoseThatAreThere) {
  translate_rows();
  library_.describe_system(described(0));
  PlayedChips chips(library_);
  chips.write(parsed("WRITE core=1,1 addr=0x20 size=1 data=5a chip=1"), "f:1");
  EXPECT_EQ(fake_.byte(1, 1, 1, 0x20), 0x5A);
  EXPECT_EQ(tvp::test::fault_of(
                [&] { chips.read(parsed("READ core=1,1 addr=0x20 size=1 data=- chip=2"), "f:2"); }),
            "f:2: chip: expected a PCI device of fake.so (0, 1), not 2");
}

// A kernel uses translated rows; writes of the host must reach the same tile.
TEST_F(PlayedChipsTest, RowsAreThoseThatKernelsMean) {
  translate_rows();
  library_.describe_system(described(0x6));  // the first two rows of workers
  PlayedChips chips(library_);
  const runtime::ChipLayout recorded(runtime::ChipLayout::usual_spec(), 0x6, true);
  const runtime::ChipLayout here(runtime::ChipLayout::usual_spec(), 0, true);
  ASSERT_NE(recorded.worker_noc0({2, 0}), here.worker_noc0({2, 0}));
  for (std::uint32_t row = 0; row < recorded.grid_size().y; ++row) {
    const runtime::CoreCoord from = recorded.worker_noc0({2, row});
    const runtime::CoreCoord to = here.worker_noc0({2, row});
    Message message = parsed("WRITE core=0,0 addr=0x40 size=1 data=00");
    message.x = from.x;
    message.y = from.y;
    message.data = {static_cast<std::uint8_t>(row + 1)};
    chips.write(message, "f:1");
    EXPECT_EQ(fake_.byte(0, to.x, to.y, 0x40), row + 1) << row;
    message.kind = Message::Kind::kRead;
    EXPECT_EQ(chips.read(message, "f:1"), message.data) << row;
  }
  // Rows of DRAM and ethernet tiles are not translated.
  chips.write(parsed("WRITE core=0,1 addr=0x40 size=1 data=77"), "f:1");
  EXPECT_EQ(fake_.byte(0, 0, 1, 0x40), 0x77);
  chips.write(parsed("WRITE core=9,6 addr=0x40 size=1 data=78"), "f:1");
  EXPECT_EQ(fake_.byte(0, 9, 6, 0x40), 0x78);
}

// Out of reset, base firmware would run instead of the program that our runtime has loaded.
TEST_F(PlayedChipsTest, CoresOfEthernetTilesStartAsThereTheyDo) {
  translate_rows();
  library_.describe_system(described(0));
  PlayedChips chips(library_);
  const Message hold = parsed("WRITE core=9,6 addr=0xffb121b0 size=4 data=00780400");
  const Message let_go = parsed("WRITE core=9,6 addr=0xffb121b0 size=4 data=00700400");
  const auto flag = [this] { return fake_.word(0, 9, 6, contract::kEthLaunchFlag); };
  chips.write(let_go, "f:1");  // recordings of other programs are played unchanged
  EXPECT_EQ(flag(), 0U);
  EXPECT_EQ(fake_.word(0, 9, 6, 0xFFB121B0), 0x47000U);
  chips.expect_our_runtime();
  chips.write(hold, "f:1");
  EXPECT_EQ(flag(), 0U);
  chips.write(let_go, "f:1");
  EXPECT_EQ(flag(), 1U);
  EXPECT_EQ(fake_.word(0, 9, 6, 0xFFB121B0), 0x47000U);
  // Other cores keep their reset.
  chips.write(parsed("WRITE core=1,1 addr=0xffb121b0 size=4 data=00700400"), "f:1");
  EXPECT_EQ(fake_.word(0, 1, 1, 0xFFB121B0), 0x47000U);
}

}  // namespace
}  // namespace tvp::replay
