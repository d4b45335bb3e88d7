#include "models/dram/bank_port.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace tvp::dram::bank_port_test {
namespace {

using foundation::Fault;

// DDR4-2400 17-17-17 in CK, from the standard instead of the preset.
constexpr MemCycle kRcd = 17, kRp = 17, kRas = 39, kCl = 17, kCwl = 12, kBurst = 4, kCcdL = 6,
                   kWr = 18, kWtrL = 9, kRrdL = 6, kFaw = 26, kRfc = 420, kRefi = 9360;
constexpr std::uint64_t kRow = 1024;  // bytes of a row in one x8 chip
constexpr std::uint64_t kBank = 64 << 20;

class BankPortTest : public ::testing::Test {
 protected:
  BankPort make(const std::string& where) {
    BankPort port(*find_preset("ddr4_2400"), chip, where, faults);
    port.set_owner(BankOwner::kProcessor, 0);
    return port;
  }
  MemCycle read(BankPort& port, std::uint64_t address, std::uint64_t bytes, MemCycle at) {
    return port.access(address, bytes, false, BankOwner::kProcessor, at);
  }
  MemCycle write(BankPort& port, std::uint64_t address, std::uint64_t bytes, MemCycle at) {
    return port.access(address, bytes, true, BankOwner::kProcessor, at);
  }
  foundation::StopOnFault faults;
  ActivationWindow chip{find_preset("ddr4_2400")->timing};
  BankPort bank = make("chip0.bank0");
};

TEST_F(BankPortTest, OpensARowThenStreamsItsColumns) {
  EXPECT_EQ(bank.bytes(), kBank);
  EXPECT_EQ(read(bank, 0, 8, 100), 100 + kRcd + kCl + kBurst);
  EXPECT_EQ(read(bank, 8, 8, 1000), 1000 + kCl + kBurst);  // row hit
  // A whole row: 128 columns, one each tCCD_L since one bank is one bank group.
  EXPECT_EQ(read(bank, 0, kRow, 2000), 2000 + 127 * kCcdL + kCl + kBurst);
  EXPECT_EQ(bank.stats().row_misses, 1U);
  EXPECT_EQ(bank.stats().row_hits, 2U);
  EXPECT_EQ(bank.stats().column_commands, 130U);
}

TEST_F(BankPortTest, ClosesAnotherRowFirst) {
  read(bank, 0, 8, 0);
  EXPECT_EQ(read(bank, kRow, 8, 1000), 1000 + kRp + kRcd + kCl + kBurst);
  // At once: the precharge waits for tRAS.
  const MemCycle activated = 1000 + kRp;
  EXPECT_EQ(read(bank, 2 * kRow, 8, activated + kRcd),
            activated + kRas + kRp + kRcd + kCl + kBurst);
  EXPECT_EQ(bank.stats().row_conflicts, 2U);
}

TEST_F(BankPortTest, TurnsBetweenReadsAndWrites) {
  EXPECT_EQ(write(bank, 0, 8, 0), kRcd + kCwl + kBurst);
  // The read may follow the write command at 17 after 12 + 4 + 9.
  EXPECT_EQ(read(bank, 8, 8, 20), kRcd + kCwl + kBurst + kWtrL + kCl + kBurst);
  const MemCycle read_at = kRcd + kCwl + kBurst + kWtrL;
  EXPECT_EQ(write(bank, 16, 8, read_at), read_at + 11 + kCwl + kBurst);  // 17 + 4 + 2 - 12
  const MemCycle write_at = read_at + 11;
  EXPECT_EQ(read(bank, kRow, 8, write_at),
            write_at + kCwl + kBurst + kWr + kRp + kRcd + kCl + kBurst);
}

TEST_F(BankPortTest, CountsPartsOfBurstsAndRows) {
  read(bank, 5, 4, 0);  // bytes 5..8: two bursts
  EXPECT_EQ(bank.stats().column_commands, 2U);
  read(bank, kRow - 8, 16, 1000);  // end of one row, begin of the next
  EXPECT_EQ(bank.stats().column_commands, 4U);
  EXPECT_EQ(bank.stats().row_conflicts, 1U);
}

TEST_F(BankPortTest, FiveBanksShareTheActivationLimits) {
  std::vector<BankPort> banks;
  banks.reserve(5);
  for (int i = 0; i < 5; ++i) banks.push_back(make("chip0.bank" + std::to_string(i)));
  for (MemCycle i = 0; i < 4; ++i) {
    EXPECT_EQ(read(banks[i], 0, 8, 0), i * kRrdL + kRcd + kCl + kBurst);
  }
  EXPECT_EQ(read(banks[4], 0, 8, 0), kFaw + kRcd + kCl + kBurst);
}

TEST_F(BankPortTest, RefreshesWhenDueAndClosesTheRow) {
  read(bank, 0, 8, 0);
  // Idle at the due time: PRE, tRP, tRFC, then a new row.
  EXPECT_EQ(read(bank, 0, 8, kRefi), kRefi + kRp + kRfc + kRcd + kCl + kBurst);
  EXPECT_EQ(bank.stats().refreshes, 1U);
  // Refreshes during idle time cost nothing but are counted.
  EXPECT_EQ(read(bank, 0, 8, 10 * kRefi + 5000), 10 * kRefi + 5000 + kRcd + kCl + kBurst);
  EXPECT_EQ(bank.stats().refreshes, 10U);
}

// A finished access needs no refresh: the next access after the due time starts it.
TEST_F(BankPortTest, AColumnThatWaitsForTheLastOneGoesBeforeTheRefresh) {
  read(bank, 0, 8, 100);
  EXPECT_EQ(read(bank, 8, 8, kRefi - 5), kRefi - 5 + kCl + kBurst);
  EXPECT_EQ(read(bank, 16, 8, kRefi - 4), kRefi - 5 + kCcdL + kCl + kBurst);
  EXPECT_EQ(bank.stats().refreshes, 0U);
  EXPECT_GT(read(bank, 24, 8, kRefi + 20), kRefi + kRfc);
  EXPECT_EQ(bank.stats().refreshes, 1U);
}

TEST_F(BankPortTest, ARefreshFallsIntoALongAccess) {
  // 4 rows of 128 columns take more than 3000 cycles and begin 300 before the refresh.
  const MemCycle start = kRefi - 300;
  const MemCycle done = read(bank, 0, 4 * kRow, start);
  EXPECT_EQ(bank.stats().refreshes, 1U);
  // ACT at start; a column each 6 cycles from +17 to the refresh: 48 columns, the last one at 299.
  // PRE follows after tRTP, REF after tRP.
  const MemCycle first = start + kRcd;
  const MemCycle columns = (kRefi - first + kCcdL - 1) / kCcdL;
  const MemCycle refresh = first + (columns - 1) * kCcdL + 9 + kRp;
  MemCycle at = refresh + kRfc + kRcd + (128 - columns - 1) * kCcdL;
  for (int row = 1; row < 4; ++row) at += 9 + kRp + kRcd + 127 * kCcdL;
  EXPECT_EQ(done, at + kCl + kBurst);
}

TEST_F(BankPortTest, MovesBytes) {
  std::vector<std::uint8_t> out(3000), in(3000);
  std::mt19937 random(7);
  for (auto& byte : out) byte = static_cast<std::uint8_t>(random());
  const MemCycle written = bank.write(kBank - 3000, out.data(), 3000, BankOwner::kProcessor, 0);
  const MemCycle done = bank.read(kBank - 3000, in.data(), 3000, BankOwner::kProcessor, written);
  EXPECT_EQ(out, in);
  EXPECT_GT(done, written);
  EXPECT_EQ(bank.stats().reads, 1U);
  EXPECT_EQ(bank.stats().writes, 1U);
  EXPECT_EQ(bank.stats().busy_cycles, done) << "one behind the other from cycle 0 on";
  EXPECT_EQ(bank.stats().bytes_read, 3000U);
  EXPECT_EQ(bank.stats().bytes_written, 3000U);
}

TEST_F(BankPortTest, RefusesWhoDoesNotOwnTheBankAndWhatIsOutside) {
  try {
    bank.access(0, 8, false, BankOwner::kHost, 0);
    FAIL() << "the host read a bank of its processor";
  } catch (const Fault& fault) {
    EXPECT_EQ(fault.where(), "chip0.bank0");
    EXPECT_EQ(fault.message(), "the host accesses a bank that the bank's processor owns");
  }
  EXPECT_THROW(read(bank, kBank - 4, 8, 0), Fault);
  EXPECT_THROW(read(bank, ~std::uint64_t{0}, 8, 0), Fault);
  EXPECT_EQ(bank.stats().reads, 0U);
  read(bank, 0, 8, 0);
  // Changing the owner closes the row, which waits for tRAS.
  EXPECT_EQ(bank.set_owner(BankOwner::kHost, 20), kRas + kRp);
  EXPECT_THROW(read(bank, 0, 8, 100), Fault);
  EXPECT_EQ(bank.access(0, 8, false, BankOwner::kHost, 100), 100 + kRcd + kCl + kBurst);
}

/// Checks all pairs and windows after random claims that may be out of order.
TEST(ActivationWindow, KeepsTheLimitsWhateverTheOrder) {
  std::mt19937 random(3);
  for (int round = 0; round < 80; ++round) {
    ActivationWindow window(find_preset("ddr4_2400")->timing);
    std::vector<MemCycle> taken;
    MemCycle base = 100;
    // More than the window keeps.
    for (int i = 0; i < 150; ++i) {
      base += random() % 12;
      const MemCycle earliest = base + random() % 60;
      const MemCycle at = window.claim(earliest);
      ASSERT_GE(at, earliest);
      // One cycle earlier would be illegal.
      auto legal = [](std::vector<MemCycle> all) {
        std::sort(all.begin(), all.end());
        for (std::size_t k = 1; k < all.size(); ++k) {
          if (all[k] - all[k - 1] < kRrdL) return false;
          if (k >= 4 && all[k] - all[k - 4] < kFaw) return false;
        }
        return true;
      };
      auto with = [&](MemCycle extra) {
        std::vector<MemCycle> all = taken;
        all.push_back(extra);
        return all;
      };
      ASSERT_TRUE(legal(with(at)));
      for (MemCycle early = earliest; early < at; ++early) ASSERT_FALSE(legal(with(early)));
      taken.push_back(at);
    }
  }
}

}  // namespace
}  // namespace tvp::dram::bank_port_test
