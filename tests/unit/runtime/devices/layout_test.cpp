#include <gtest/gtest.h>

#include "foundation/chip/chip_reader.h"
#include "sw/runtime/buffers/bank_manager.h"
#include "sw/runtime/devices/chip_layout.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/programs/program.h"

namespace tvp::runtime {
namespace {

const ChipLayout::Spec wormhole = ChipLayout::usual_spec();

// Masks of the T3000 chips; rows written out from the fuse order {11,1,10,2,9,3,8,4,7,5}.
TEST(ChipLayout, LeavesOutHarvestedRows) {
  const ChipLayout chip0(wormhole, 544, true);  // bits 5 and 9: rows 3 and 5
  EXPECT_EQ(chip0.grid_size(), (CoreCoord{8, 8}));
  const std::uint32_t rows[] = {1, 2, 4, 7, 8, 9, 10, 11};
  for (std::uint32_t y = 0; y < 8; ++y) EXPECT_EQ(chip0.worker_noc0({0, y}).y, rows[y]);
  EXPECT_EQ(chip0.worker_noc0({4, 0}), (CoreCoord{6, 1}));  // column 5 has no workers
  EXPECT_EQ(chip0.worker_virtual({4, 3}), (CoreCoord{22, 21}));
  EXPECT_THROW(chip0.worker_noc0({0, 8}), foundation::Fault);

  const ChipLayout chip1(wormhole, 513, true);  // bits 0 and 9: rows 11 and 5
  EXPECT_EQ(chip1.worker_noc0({7, 7}), (CoreCoord{9, 10}));
  EXPECT_EQ(chip1.worker_virtual({7, 7}), (CoreCoord{25, 25}));
}

TEST(ChipLayout, WithoutARowSaysSo) {
  const ChipLayout chip(wormhole, 1023, true);
  EXPECT_EQ(chip.grid_size().y, 0U);
  try {
    chip.worker_noc0({0, 0});
    FAIL() << "there are none";
  } catch (const foundation::Fault& fault) {
    EXPECT_EQ(fault.message(), "this chip has no workers, all of its 10 rows are harvested");
  }
}

TEST(ChipLayout, PlacesEthernetAndDram) {
  const ChipLayout chip(wormhole, 0, true);
  EXPECT_EQ(chip.ethernet_noc0(0), (CoreCoord{9, 0}));
  EXPECT_EQ(chip.ethernet_noc0(14), (CoreCoord{6, 6}));
  EXPECT_EQ(chip.ethernet_virtual(14), (CoreCoord{22, 17}));
  try {
    chip.ethernet_noc0(16);
    FAIL() << "there are 16 channels";
  } catch (const foundation::Fault& fault) {
    EXPECT_EQ(fault.message(), "a chip has channels 0 to 15");
  }
  EXPECT_EQ(chip.dram_noc0(7), (CoreCoord{5, 9}));
  EXPECT_EQ(chip.dram_offset(7), 0x40000000U);
}

TEST(ChipLayout, BankTablesMirrorRawCoordinatesForNoc1) {
  const ChipLayout chip(wormhole, 0, true);
  const contract::BankTableLayout at = chip.bank_table_layout();
  EXPECT_EQ(at.bytes(), 440U) << "the layout of firmware for Wormhole";
  const auto entry = [](const std::vector<std::uint8_t>& tables, std::uint32_t table,
                        std::uint32_t i) {
    return static_cast<std::uint32_t>(tables[table + 2 * i] | tables[table + 2 * i + 1] << 8);
  };
  const auto tables = chip.bank_tables();
  EXPECT_EQ(entry(tables, at.dram_xy(0), 1), 1U << 6 | 0U);
  EXPECT_EQ(entry(tables, at.dram_xy(1), 1), 10U << 6 | 9U);
  EXPECT_EQ(entry(tables, at.l1_xy(0), 9), 19U << 6 | 19U);
  EXPECT_EQ(entry(tables, at.l1_xy(1), 9), 19U << 6 | 19U);  // translated: the same on both
  EXPECT_EQ(tables[at.dram_offsets() + 7], 0x40) << "bank 1 begins at 1 GiB";
  // Translated coordinates of workers begin at (18, 18), without gaps.
  for (std::uint32_t x = 0; x < 8; ++x) EXPECT_EQ(tables[at.columns() + x], 18 + x);
  for (std::uint32_t y = 0; y < 10; ++y) EXPECT_EQ(tables[at.rows() + y], 18 + y);
  const auto raw = ChipLayout(wormhole, 0, false).bank_tables();
  EXPECT_EQ(entry(raw, at.l1_xy(1), 0), 10U << 6 | 8U);
}

TEST(ChipLayout, OfASmallChip) {
  const auto small = std::make_shared<const foundation::ChipSpec>(
      foundation::load_chip("small", foundation::chip_folder()));
  const ChipLayout chip(small, 1, true);  // bit 0: row 1
  EXPECT_EQ(chip.grid_size(), (CoreCoord{4, 3}));
  EXPECT_EQ(chip.worker_noc0({2, 0}), (CoreCoord{4, 2}));
  EXPECT_EQ(chip.worker_virtual({2, 0}), (CoreCoord{20, 18}));
  EXPECT_EQ(chip.ethernet_noc0(2), (CoreCoord{5, 3}));
  EXPECT_EQ(chip.ethernet_virtual(2), (CoreCoord{21, 17}));
  EXPECT_THROW(chip.ethernet_noc0(4), foundation::Fault);
  EXPECT_EQ(chip.dram_noc0(2), (CoreCoord{3, 0}));
  EXPECT_THROW(chip.dram_noc0(4), foundation::Fault);
}

TEST(BankManager, TopDownFillsGaps) {
  BankManager l1("L1", 0x1000, 0x2000, 32, true);
  const auto a = l1.allocate(0x100);
  const auto b = l1.allocate(0x101);
  const auto c = l1.allocate(0x40);
  EXPECT_EQ(a, 0x1F00U);
  EXPECT_EQ(b, 0x1DE0U);
  EXPECT_EQ(c, 0x1DA0U);
  EXPECT_EQ(l1.lowest(), c);
  EXPECT_TRUE(l1.release(b));
  EXPECT_EQ(l1.allocate(0x120), b);
  EXPECT_THROW(l1.allocate(0x1000), foundation::Fault);
  EXPECT_FALSE(l1.release(0x1234)) << "nothing is allocated there";
}

TEST(BankManager, BottomUpUsesAllOfTheRange) {
  BankManager dram("DRAM", 0, 0x100, 32, false);
  EXPECT_EQ(dram.allocate(0x20), 0U);
  EXPECT_EQ(dram.allocate(0xE0), 0x20U);
  EXPECT_THROW(dram.allocate(1), foundation::Fault);
  EXPECT_TRUE(dram.release(0));
  EXPECT_EQ(dram.allocate(1), 0U);
}

TEST(Tile, BytesOfFormats) {
  EXPECT_EQ((Tile{32, 32}.bytes(DataFormat::Bfp8_b)), 1088U);
  EXPECT_EQ((Tile{32, 32}.bytes(DataFormat::Bfp4_b)), 576U);
  EXPECT_EQ((Tile{8, 32}.bytes(DataFormat::Float16_b)), 512U);
  EXPECT_EQ((Tile{8, 32}.faces()), 2U);
  EXPECT_EQ((Tile{8, 32}.face_height()), 8U);
}

TEST(CircularBufferConfig, RefusesWhatCannotBe) {
  CircularBufferConfig config(4096, {{3, DataFormat::Float16_b}});
  EXPECT_EQ(config.page_bytes(3), 2048U);
  EXPECT_EQ(config.set_page_size(3, 512).page_bytes(3), 512U);
  EXPECT_THROW(config.set_page_size(3, 600), foundation::Fault);
  EXPECT_THROW(config.set_page_size(4, 512), foundation::Fault);
  EXPECT_THROW(config.set_address(24), foundation::Fault);
  EXPECT_THROW(CircularBufferConfig(64, {{32, DataFormat::Float16_b}}), foundation::Fault);
}

TEST(Program, NumbersSemaphoresForEachCore) {
  Program program;
  EXPECT_EQ(program.add_semaphore(CoreRange{{0, 0}, {3, 0}}, 0), 0U);
  EXPECT_EQ(program.add_semaphore(CoreCoord{3, 0}, 0), 1U);
  EXPECT_EQ(program.add_semaphore(CoreCoord{4, 0}, 0), 0U);
  EXPECT_THROW(program.set_runtime_args(0, CoreCoord{0, 0}, {}), foundation::Fault);
  CircularBufferConfig cb(2048, {{0, DataFormat::Float16_b}});
  program.add_circular_buffer(CoreCoord{0, 0}, cb);
  EXPECT_THROW(program.add_circular_buffer(CoreCoord{0, 0}, cb), foundation::Fault);
}

TEST(Program, RefusesCircularBuffersWithoutASize) {
  Program program;
  CircularBufferConfig later(0);
  later.index(3).set_data_format(DataFormat::Float16_b);
  EXPECT_THROW(program.add_circular_buffer(CoreCoord{0, 0}, later), foundation::Fault);
  later.set_total_size(2048);
  EXPECT_EQ(program.add_circular_buffer(CoreCoord{0, 0}, later), 0U);
}

}  // namespace
}  // namespace tvp::runtime
