#include <array>

#include "tests/unit/tensix/vector/vector_bench.h"

namespace {

using namespace tvp::regs::tensix;
namespace alu = tvp::regs::config::alu;
using tvp::foundation::Fault;

/// Mod0 of SFPLOAD and SFPSTORE.
enum Mod {
  kSrcb,
  kFp16,
  kBf16,
  kFp32,
  kInt32,
  kInt8,
  kUint16,
  kHi16,
  kInt16,
  kLo16,
  kInt32All,
  kZero,
  kInt32Sm,
  kInt8Comp,
  kLo16Only,
  kHi16Only,
};

class VectorMemory : public VectorBench {
 protected:
  void fill_dst() {
    auto& dst = registers->dst;
    for (unsigned row = 0; row < 1024; ++row) {
      dst.define16(row);
      for (unsigned j = 0; j < 16; ++j) {
        std::uint32_t x = random.bits();
        if (random.below(4) == 0)
          x = random.below(2) << 15 | random.below(1024) << 5;  // exponent 0
        dst.write16(row, j, static_cast<std::uint16_t>(x));
      }
    }
  }
  /// Converts sign, mantissa, exponent of Dst to IEEE order.
  static std::uint32_t ordered(std::uint32_t x) {
    return (x >> 31 << 31) | (x >> 16 & 0xFF) << 23 | (x >> 24 & 0x7F) << 16 | (x & 0xFFFF);
  }
  static std::uint32_t twos(std::uint32_t x) {
    const auto magnitude = static_cast<std::int64_t>(x & 0x7FFFFFFF);
    return static_cast<std::uint32_t>(x >= 0x80000000 ? -magnitude : magnitude);
  }
  static std::uint32_t loaded(unsigned mod, std::uint32_t x, std::uint32_t old) {
    const std::uint32_t half = x >> 16;  // 16-bit formats come in the high half
    const std::uint32_t sign = x & 0x80000000;
    switch (mod) {
      case kFp16:
        return sign | ((half & 31) != 0 ? (half % 32 + 112) << 23 : 0) | (half >> 5 & 0x3FF) << 13;
      case kBf16:
        return ordered(x & 0xFFFF0000);
      case kFp32:
      case kInt32:
      case kInt32All:
        return ordered(x);
      case kInt32Sm:
        return twos(ordered(x));
      case kInt8:
        return sign | (half >> 5 & 127);
      case kInt8Comp:
        return twos(sign | (half >> 5 & 1023));
      case kLo16Only:
        return (old & 0xFFFF0000) | half;
      case kHi16Only:
        return (x & 0xFFFF0000) | (old & 0xFFFF);
      case kInt16:
        return sign | (half & 0x7FFF);
      case kUint16:
      case kLo16:
        return half;
      case kHi16:
        return x & 0xFFFF0000;
      default:
        return 0;
    }
  }
  static bool wide(unsigned mod) {
    return mod == kFp32 || mod == kInt32 || mod == kInt32All || mod == kInt32Sm;
  }
  std::uint32_t in_dst(unsigned mod, unsigned address, unsigned lane) {
    const unsigned row = row_of(address, lane);
    const unsigned column = column_of(address, lane);
    return wide(mod) ? registers->dst.read32(row, column)
                     : std::uint32_t{registers->dst.read16(row, column)} << 16;
  }
};

TEST_F(VectorMemory, LoadsEveryFormat) {
  fill_dst();
  constexpr std::uint32_t kEnabled = 0xF0F3FFFF;
  for (unsigned mod = kFp16; mod <= kHi16Only; ++mod) {
    for (const unsigned address : {0u, 2u, 37u, 102u}) {
      enable(kEnabled);
      set(3, [](unsigned lane) { return 0xCAFE0000 + lane; });
      run(encode_sfpload(3, mod, 0, address));
      expect(3, [&](unsigned lane) {
        const std::uint32_t old = 0xCAFE0000 + lane;
        const bool on = (kEnabled >> lane & 1) != 0 || mod == kInt32All;
        return on ? loaded(mod, in_dst(mod, address, lane), old) : old;
      });
    }
  }
}

TEST_F(VectorMemory, ResolvesTheFormatFromSrcB) {
  fill_dst();
  const auto as = [&](unsigned mod) {
    run(encode_sfpload(2, kSrcb, 0, 8));
    expect(2, [&](unsigned lane) { return loaded(mod, in_dst(mod, 8, lane), 0); });
  };
  set_config(alu::kSrcBFormat, 5);  // BF16
  as(kBf16);
  set_config(alu::kSrcBFormatOverride, 1);
  set_config(alu::kSrcBFormatOverrideValue, 1);  // FP16
  as(kFp16);
  set_config(alu::kSfpuFp32Enabled, 1);
  as(kFp32);
}

TEST_F(VectorMemory, TurnsTheLargestFp16IntoInfinityWhenTold) {
  for (unsigned row = 0; row < 4; ++row) {
    registers->dst.define16(row);
    registers->dst.write16(row, 0, 0x7FFF);
    registers->dst.write16(row, 2, 0xFFDF);
  }
  run(encode_sfpload(0, kFp16, 0, 0));
  EXPECT_EQ(unit.lreg(0)[0], (31u + 112) << 23 | 0x3FFu << 13);
  run(encode_sfpconfig(1, 15, 1));
  run(encode_sfpload(0, kFp16, 0, 0));
  EXPECT_EQ(unit.lreg(0)[0], 0x7F800000u);
  EXPECT_EQ(unit.lreg(0)[1], 0x80000000u | (31u + 112) << 23 | 0x3FEu << 13);
}

TEST_F(VectorMemory, StoresEveryFormat) {
  const std::array<std::uint32_t, 16> corners = {0,          0x80000000, 0x3F800000, 0xC1234567,
                                                 0x7F800000, 0xFF812345, 0x00012345, 0x38000000,
                                                 0x387FFFFF, 0x477FFFFF, 0x47800000, 0x80000123,
                                                 0xFFFFFF81, 0x000003FF, 0x12345678, 0x7FFFFFFF};
  constexpr std::uint32_t kEnabled = 0xFF0FFFFE;
  const auto magnitude_of = [](std::uint32_t x) {  // from two's complement
    const auto v = static_cast<std::int64_t>(static_cast<std::int32_t>(x));
    return static_cast<std::uint32_t>(v < 0 ? -v : v) & 0x7FFFFFFF;
  };
  const auto stored = [&](unsigned mod, std::uint32_t x) -> std::uint32_t {
    const std::uint32_t sign16 = x >> 31 << 15;
    const std::uint32_t exponent = x >> 23 & 255;
    const auto shuffled = [](std::uint32_t v) {
      return (v & 0x8000FFFF) | (v >> 16 & 0x7F) << 24 | (v >> 23 & 0xFF) << 16;
    };
    switch (mod) {
      case kFp16:
        if (exponent <= 112) return sign16;
        if (exponent > 143) return sign16 | 0x7FFF;
        return sign16 | (x >> 13 & 0x3FF) << 5 | (exponent - 112);
      case kBf16:
        return exponent == 0 ? sign16 : sign16 | (x >> 16 & 0x7F) << 8 | exponent;
      case kFp32:
        return shuffled(exponent == 0 ? x & 0x80000000 : x);
      case kInt32:
      case kInt32All:
        return shuffled(x);
      case kInt32Sm:
        return shuffled((x & 0x80000000) | magnitude_of(x));
      case kInt8:
        return sign16 | (x & 0x3FF) << 5 | 16;
      case kInt8Comp:
        return sign16 | (magnitude_of(x) & 0x3FF) << 5 | 16;
      case kLo16Only:
      case kUint16:
        return x & 0xFFFF;
      case kHi16Only:
        return x >> 16;
      case kInt16:
        return sign16 | (x & 0x7FFF);
      case kLo16:
        return x << 16 | x >> 16;
      case kHi16:
        return x;
      default:
        return 0;
    }
  };
  for (unsigned mod = kFp16; mod <= kHi16Only; ++mod) {
    const bool dst32 = wide(mod) || mod == kLo16 || mod == kHi16;
    for (const unsigned address : {16u, 22u}) {
      fill_dst();
      enable(kEnabled);
      std::array<std::uint32_t, 32> x;
      for (unsigned lane = 0; lane < 32; ++lane) {
        x[lane] = lane % 2 == 0 ? corners[lane / 2] : random.bits();
      }
      set(3, [&](unsigned lane) { return x[lane]; });
      const auto before = std::make_unique<tvp::tensix::coprocessor::Dst>(registers->dst);
      run(encode_sfpstore(3, mod, 0, address));
      for (unsigned lane = 0; lane < 32; ++lane) {
        const unsigned row = row_of(address, lane);
        const unsigned column = column_of(address, lane);
        const auto read = [&](const auto& dst, unsigned c) {
          return dst32 ? dst.read32(row, c) : dst.read16(row, c);
        };
        const bool on = (kEnabled >> lane & 1) != 0 || mod == kInt32All;
        ASSERT_EQ(read(registers->dst, column), on ? stored(mod, x[lane]) : read(*before, column))
            << "mod " << mod << " lane " << lane << std::hex << " of " << x[lane];
        ASSERT_EQ(read(registers->dst, column ^ 1), read(*before, column ^ 1));
      }
    }
  }
}

TEST_F(VectorMemory, AddressesDstThroughCountersAndModifiers) {
  fill_dst();
  namespace tc = tvp::regs::config::thread;
  set_thread(tc::kMathDestOffset, 512);
  set_thread(tc::addr_mod_dst(1).dest_incr, 6);
  set_thread(tc::addr_mod_dst(1).fidelity_incr, 1);
  set_config(alu::kDestRegwBase, 16);
  registers->rwc[0].dst = 40;
  run(encode_sfpload(1, kBf16, 1, 4));
  const unsigned first = 512 + 16 + 40 + 4;
  expect(1, [&](unsigned lane) { return loaded(kBf16, in_dst(kBf16, first, lane), 0); });
  EXPECT_EQ(registers->rwc[0].dst, 46);
  EXPECT_EQ(registers->rwc[0].fidelity_phase, 0);  // loads do not change it
  run(encode_sfpload(1, kBf16, 0, 4));
  expect(1, [&](unsigned lane) { return loaded(kBf16, in_dst(kBf16, first + 6, lane), 0); });
  registers->rwc[0].dst = 42;  // only the low two bits matter here
  run(encode_sfpload(1, kInt32All, 0, 4));
  expect(1, [&](unsigned lane) { return loaded(kInt32, in_dst(kInt32, 512 + 4 + 2, lane), 0); });
}

TEST_F(VectorMemory, ExchangesColumnsAndBlocksLanes) {
  fill_dst();
  run(encode_sfpconfig(0x40, 15, 1));  // loads take odd columns
  run(encode_sfpload(1, kBf16, 0, 0));
  expect(1, [&](unsigned lane) { return loaded(kBf16, in_dst(kBf16, 2, lane), 0); });
  run(encode_sfpconfig(0x20, 15, 1));  // loads do nothing
  run(encode_sfpload(1, kBf16, 0, 64));
  expect(1, [&](unsigned lane) { return loaded(kBf16, in_dst(kBf16, 2, lane), 0); });
  run(encode_sfpconfig(0x10, 15, 1));  // stores do nothing
  const std::uint32_t before = registers->dst.read16(0, 0);
  run(encode_sfpstore(9, kBf16, 0, 0));
  EXPECT_EQ(registers->dst.read16(0, 0), before);
  run(encode_sfpconfig(0x0C, 15, 1));  // index of Dst beside the datum
  run(encode_sfpload(1, kBf16, 0, 6));
  expect(5, [&](unsigned lane) { return row_of(6, lane) << 4 | column_of(6, lane); });
}

TEST_F(VectorMemory, MarksColumnsThatNothingWrote) {
  auto& dst = registers->dst;
  EXPECT_EQ(dst.undefined_columns16(0), 0xFFFF);
  EXPECT_EQ(dst.marked16(0), 0);  // packers read zero
  run(encode_sfpstore(9, kBf16, 0, 0));
  EXPECT_EQ(dst.undefined_columns16(0), 0xAAAA);
  EXPECT_EQ(dst.marked16(0), 0xAAAA);
  run(encode_sfpstore(9, kBf16, 0, 2));
  EXPECT_EQ(dst.marked16(0), 0);
}

// Rows 4 to 7 of the first 64 are undefined: lanes 8 i to 8 i + 7 of a load from row 4 + i.
class VectorUndefined : public VectorMemory {
 protected:
  void SetUp() override {
    for (unsigned row = 0; row < 64; ++row) registers->dst.define16(row);
    for (unsigned row = 512; row < 516; ++row) registers->dst.define16(row);
  }
  /// Loads LReg `index` with undefined lanes where `lanes` has ones.
  void load_undefined(unsigned index, std::uint32_t lanes) {
    auto& dst = registers->dst;
    for (unsigned i = 0; i < 4; ++i) {
      std::uint32_t columns = 0;
      for (unsigned k = 0; k < 8; ++k) columns |= (lanes >> (8 * i + k) & 1) << 2 * k;
      dst.define_columns16(4 + i, 0x5555, static_cast<std::uint16_t>(columns));
    }
    run(encode_sfpload(index, kBf16, 0, 4));
  }
  /// Undefined lanes of LReg `index`, as packers see them.
  std::uint32_t undefined_of(unsigned index) {
    run(encode_sfpnop());
    run(encode_sfpstore(index, kBf16, 0, 16));
    std::uint32_t lanes = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned marked = registers->dst.marked16(16 + i);
      EXPECT_EQ(marked & 0xAAAA, 0u);
      for (unsigned k = 0; k < 8; ++k) lanes |= (marked >> 2 * k & 1) << (8 * i + k);
    }
    return lanes;
  }
  static constexpr std::uint32_t kSome = 0x8421F00E;
  static constexpr std::uint32_t kOther = 0x00430018;
};

TEST_F(VectorUndefined, FollowsValuesThroughLanes) {
  load_undefined(0, kSome);
  EXPECT_EQ(undefined_of(0), kSome);
  load_undefined(1, kOther);
  load_undefined(2, 0);
  run(encode_sfpmad(0, 2, 2, 3, 0));
  EXPECT_EQ(undefined_of(3), kSome);
  run(encode_sfpmad(2, 1, 0, 3, 0));
  EXPECT_EQ(undefined_of(3), kSome | kOther);
  run(encode_sfpadd(10, 2, 2, 3, 0));
  EXPECT_EQ(undefined_of(3), 0u);
  run(encode_sfpmov(1, 3, 0));
  EXPECT_EQ(undefined_of(3), kOther);
  run(encode_sfploadi(3, 0, 0x3F80));
  EXPECT_EQ(undefined_of(3), 0u);
  run(encode_sfpmov(1, 3, 0));
  run(encode_sfploadi(3, 8, 0x3F80));  // a half
  EXPECT_EQ(undefined_of(3), kOther);
  run(encode_sfploadi(3, 10, 0));  // and the other
  EXPECT_EQ(undefined_of(3), 0u);
  run(encode_sfpswap(1, 0, 0));
  EXPECT_EQ(undefined_of(0), kOther);
  EXPECT_EQ(undefined_of(1), kSome);
  run(encode_sfpswap(1, 2, 1));
  EXPECT_EQ(undefined_of(1), kSome);
  EXPECT_EQ(undefined_of(2), kSome);
}

TEST_F(VectorUndefined, FollowsValuesAcrossLanes) {
  load_undefined(1, kSome);
  load_undefined(2, 0);
  run(encode_sfpshft2(0, 1, 3, 3));  // a lane to the right, within eight
  EXPECT_EQ(undefined_of(3), 0x0942E11Cu);
  for (unsigned index = 0; index < 4; ++index) load_undefined(index, 0);
  load_undefined(2, 0x0000FF01);
  run(encode_sfptransp(0));
  EXPECT_EQ(undefined_of(0), 0x00010000u);
  EXPECT_EQ(undefined_of(1), 0x00FF0000u);
  EXPECT_EQ(undefined_of(2), 0u);
}

TEST_F(VectorUndefined, FollowsValuesIntoPredication) {
  load_undefined(0, kSome);
  load_undefined(1, 0);
  run(encode_sfpencc(3, 0, 10));
  run(encode_sfppushc(0));
  run(encode_sfpsetcc(0, 0, 0, 2));  // lanes other than zero; unknown if undefined
  run(encode_sfploadi(1, 0, 0x3F80));
  run(encode_sfppopc(0, 0));
  EXPECT_EQ(undefined_of(1), kSome);
  run(encode_sfploadi(1, 0, 0x3F80));
  EXPECT_EQ(undefined_of(1), 0u);
}

TEST_F(VectorMemory, FaultsOnLoadsTooSoonAfterTheMatrixUnit) {
  fill_dst();
  registers->dst.written16(8, now);
  const Cycle written = now;
  for (now = written + 1; now < written + 4;) {
    EXPECT_THROW(run(encode_sfpload(0, kBf16, 0, 8)), Fault);
    ++now;
  }
  run(encode_sfpload(0, kBf16, 0, 8));
  EXPECT_EQ(now, written + 5);
}

}  // namespace
