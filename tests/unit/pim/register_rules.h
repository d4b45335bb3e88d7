#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "models/support/mmio.h"

namespace tvp::pim {

/// A row of foundation/regs/pim.def.
struct RegisterRow {
  enum class Access : std::uint8_t { Read, Write, ReadWrite };
  const char* name;
  std::uint32_t offset;
  Access access;
};

/// Checks a block of registers against its table after reset. Readable registers are zero. Writable
/// ones keep every bit and change no other register. Other accesses are refused.
inline void expect_registers(support::MmioDevice& device, const std::vector<RegisterRow>& rows,
                             std::uint32_t end) {
  using Access = RegisterRow::Access;
  const auto access = [&](bool write, std::uint32_t offset, std::uint32_t data) {
    support::MmioAccess a{.write = write, .offset = offset, .data = data, .now = 0};
    device.access(a);
    return a;
  };
  std::map<std::uint32_t, std::uint32_t> expected;
  std::set<std::uint32_t> mapped;
  const auto expect_all = [&](const char* behind) {
    for (const auto& [offset, value] : expected) {
      const auto seen = access(false, offset, 0xA5A5A5A5);
      EXPECT_FALSE(seen.unmapped) << std::hex << offset;
      EXPECT_EQ(seen.data, value) << std::hex << offset << " behind " << behind;
    }
  };
  for (const RegisterRow& row : rows) {
    mapped.insert(row.offset);
    if (row.access != Access::Write) expected[row.offset] = 0;
  }
  expect_all("reset");
  for (const RegisterRow& row : rows) {
    if (row.access == Access::Read) {
      EXPECT_TRUE(access(true, row.offset, 1).unmapped) << row.name;
    } else if (row.access == Access::Write) {
      EXPECT_TRUE(access(false, row.offset, 0).unmapped) << row.name;
    } else {
      for (const std::uint32_t value : {~0U, 0x12345678U + row.offset}) {
        EXPECT_FALSE(access(true, row.offset, value).unmapped) << row.name;
        expected[row.offset] = value;
        expect_all(row.name);
      }
    }
  }
  for (std::uint32_t offset = 0; offset < end; offset += 4) {
    if (mapped.contains(offset)) continue;
    for (const bool write : {false, true})
      EXPECT_TRUE(access(write, offset, 0).unmapped) << std::hex << offset;
  }
}

}  // namespace tvp::pim
