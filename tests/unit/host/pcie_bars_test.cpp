#include "models/host/pcie_bars.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tests/support/described_chips.h"

namespace tvp::host {
namespace {

struct FakeChip : ChipAccess {
  struct Call {
    unsigned noc, x, y;
    std::uint64_t address;
    std::uint32_t bytes;
    bool write;
    bool operator==(const Call&) const = default;
  };
  std::vector<Call> calls;
  std::vector<std::array<unsigned, 4>> rectangles;
  void access(unsigned noc, unsigned x, unsigned y, std::uint64_t address, std::uint8_t* data,
              std::uint32_t bytes, bool write) override {
    calls.push_back({noc, x, y, address, bytes, write});
    if (!write) std::memset(data, 0x5A, bytes);
  }
  void multicast(unsigned noc, unsigned x_start, unsigned y_start, unsigned x_end, unsigned y_end,
                 std::uint64_t address, const std::uint8_t*, std::uint32_t bytes) override {
    calls.push_back({noc, x_end, y_end, address, bytes, true});
    rectangles.push_back({x_start, y_start, x_end, y_end});
  }
};

class Bars : public ::testing::Test {
 protected:
  void write32(std::uint64_t offset, std::uint32_t value) {
    bars.access_bar0(offset, reinterpret_cast<std::uint8_t*>(&value), 4, true, 0);
  }
  std::uint32_t read32(std::uint64_t offset, std::uint64_t now_ps = 0) {
    std::uint32_t value = 0;
    bars.access_bar0(offset, reinterpret_cast<std::uint8_t*>(&value), 4, false, now_ps);
    return value;
  }
  void configure(unsigned window, std::uint64_t config) {
    bars.access_bar0(spec.window_registers + 8 * window, reinterpret_cast<std::uint8_t*>(&config),
                     8, true, 0);
  }
  const foundation::ChipSpec::Pcie& spec = tests::wormhole().bars;
  foundation::StopOnFault faults;
  FakeChip chip;
  ArcRegisters arc{"chip0.arc", 1000, 27, faults};
  OutboundIatu iatu{"chip0.pcie"};
  PcieBars bars{"chip0.pcie", spec, chip, arc, iatu};
};

// Fields of a window whose local offset has n bits.
std::uint64_t config_of(unsigned n, std::uint64_t local, unsigned x, unsigned y, unsigned noc) {
  return local | std::uint64_t{x} << n | std::uint64_t{y} << (n + 6) |
         std::uint64_t{noc} << (n + 24);
}

TEST_F(Bars, EachWindowSizeHasItsOwnFields) {
  configure(3, config_of(16, 0xABCD, 18, 19, 1));
  write32(0x0030'0010, 1);
  configure(157, config_of(15, 0x7000, 1, 2, 0));
  write32(0x09C0'0000 + 0x20'0000 + 0x1F'FFFC, 1);
  configure(166, config_of(12, 0xFFF, 0, 11, 0));
  write32(0x0B00'0000 + 0x12'3454, 1);
  EXPECT_EQ(chip.calls,
            (std::vector<FakeChip::Call>{{1, 18, 19, (0xABCDULL << 20) | 0x10, 4, true},
                                         {0, 1, 2, (0x7000ULL << 21) | 0x1FFFFC, 4, true},
                                         {0, 0, 11, (0xFFFULL << 24) | 0x123454, 4, true}}));
}

TEST_F(Bars, Bar2HasTheOutboundIatu) {
  const auto access = [&](std::uint64_t offset, std::uint32_t value, bool write,
                          std::uint32_t bytes = 4) {
    bars.access_bar2(offset, reinterpret_cast<std::uint8_t*>(&value), bytes, write);
    return value;
  };
  const std::uint64_t region = spec.iatu + 2 * OutboundIatu::kRegionBytes;
  access(region + OutboundIatu::kBaseLow, 0x10000, true);
  access(region + OutboundIatu::kLimit, 0x1FFFF, true);
  access(region + OutboundIatu::kTargetHigh, 7, true);
  EXPECT_EQ(iatu.translate(0x10004, 4).address, 0x10004u);  // not enabled yet
  access(region + OutboundIatu::kControl2, OutboundIatu::kEnable, true);
  EXPECT_EQ(access(region + OutboundIatu::kLimit, 0, false), 0x1FFFFu);
  EXPECT_EQ(iatu.translate(0x10004, 4).address, 0x7'0000'0004u);
  EXPECT_EQ(iatu.translate(0xFFFC, 8).bytes, 4u);
  EXPECT_EQ(iatu.translate(0x1FFFC, 8).bytes, 4u);
  EXPECT_THROW(access(region + 2, 0, false), foundation::Fault);
  EXPECT_THROW(access(region, 0, false, 8), foundation::Fault);
  EXPECT_THROW(access(0, 0, false), foundation::Fault);       // DMA engines
  EXPECT_THROW(access(0x3200, 0, false), foundation::Fault);  // PHY
}

TEST_F(Bars, AnAccessAcrossWindowsIsSplit) {
  configure(0, config_of(16, 1, 1, 1, 0));
  configure(1, config_of(16, 2, 2, 2, 0));
  std::vector<std::uint8_t> data(64);
  bars.access_bar0(0xF'FFE0, data.data(), 64, false, 0);
  EXPECT_EQ(chip.calls, (std::vector<FakeChip::Call>{{0, 1, 1, (1ULL << 20) | 0xFFFE0, 32, false},
                                                     {0, 2, 2, 2ULL << 20, 32, false}}));
  EXPECT_EQ(data, std::vector<std::uint8_t>(64, 0x5A));
}

TEST_F(Bars, MulticastWindowsWriteARectangle) {
  configure(0,
            config_of(16, 0, 9, 11, 0) | 1ULL << (16 + 25) | 2ULL << (16 + 12) | 3ULL << (16 + 18));
  write32(0x40, 7);
  ASSERT_EQ(chip.rectangles.size(), 1u);
  EXPECT_EQ(chip.rectangles[0], (std::array<unsigned, 4>{2, 3, 9, 11}));
  EXPECT_THROW(read32(0x40), foundation::Fault);
}

TEST_F(Bars, ConfigurationReadsBack) {
  configure(185, 0x123456789ABCDEF0);
  EXPECT_EQ(read32(spec.window_registers + 8 * 185), 0x9ABCDEF0u);
  EXPECT_EQ(read32(spec.window_registers + 8 * 185 + 4), 0x12345678u);
}

TEST_F(Bars, HolesAreRefused) {
  for (const std::uint64_t hole : {0x1F00'0000ULL, 0x1FC0'05D0ULL, 0x1FE0'0000ULL}) {
    EXPECT_THROW(read32(hole), foundation::Fault) << std::hex << hole;
  }
}

TEST_F(Bars, ArcAnswersMessages) {
  const std::uint64_t unit = spec.arc_registers + ArcRegisters::kResetUnit;
  write32(unit + 0x6C, 0);
  write32(unit + 0x74, 0xAA34);
  write32(unit + 0x100, 1U << 16);
  EXPECT_EQ(read32(unit + 0x74), 0x34u);
  EXPECT_EQ(read32(unit + 0x6C), 1000u);
  EXPECT_EQ(read32(unit + 0xE0, 2'000'000), 54u);  // 2 us of a 27 MHz clock
  write32(unit + 0x74, 0xAAFF);
  EXPECT_THROW(write32(unit + 0x100, 1U << 16), foundation::Fault);
}

TEST_F(Bars, CsmIsMemory) {
  write32(spec.arc_memory + 0x7FFFC, 42);
  EXPECT_EQ(read32(spec.arc_memory + 0x7FFFC), 42u);
}

}  // namespace
}  // namespace tvp::host
