// Every scalar unit instruction through the whole coprocessor; results and times by hand from ISA
// TensixCoprocessor.

#include "tests/unit/tensix/frontend/coprocessor_bench.h"

namespace tvp::tensix::coprocessor::test {
namespace {

using Times = std::vector<Cycle>;

/// Executes on thread 1, then records the time with an MVMUL.
struct Result {
  Cycle next;  ///< issue time of the thread's next instruction; the first one is at 3
};
Result execute(Bench& bench, std::uint32_t instruction, Cycle end = 200) {
  bench.push(1, 0, {instruction, mvmul()});
  bench.run(end);
  return {bench.matrix.seen.empty() ? kNever : bench.matrix.seen[0].when};
}

TEST(ScalarUnit, Setdmareg) {
  Bench bench;
  bench.coprocessor.state().gprs[1][4] = 0xAAAABBBB;
  EXPECT_EQ(execute(bench, op::encode_setdmareg(0x1234, 9)).next, 4U);
  EXPECT_EQ(bench.coprocessor.state().gprs[1][4], 0x1234BBBBU);
  EXPECT_EQ(bench.coprocessor.state().gprs[0][4], 0U);
}

TEST(ScalarUnit, Dmanop) {
  Bench bench;
  EXPECT_EQ(execute(bench, op::encode_dmanop()).next, 4U);
}

TEST(ScalarUnit, Arithmetic) {
  constexpr std::uint32_t kLeft = 0x80010007, kRight = 0x00030021;
  using Encode = std::uint32_t (*)(std::uint32_t, std::uint32_t);
  struct Row {
    const char* name;
    Encode encode;
    std::uint32_t by_register, by_immediate;  // immediate 0x21
  };
  const Row rows[] = {
      {"ADD", [](auto i, auto r) { return op::encode_adddmareg(i, 20, r, 1); }, 0x80040028,
       0x80010028},
      {"SUB", [](auto i, auto r) { return op::encode_subdmareg(i, 20, r, 1); }, 0x7FFDFFE6,
       0x8000FFE6},
      {"MUL", [](auto i, auto r) { return op::encode_muldmareg(i, 20, r, 1); }, 7 * 0x21, 7 * 0x21},
      {"AND", [](auto i, auto r) { return op::encode_bitwopdmareg(i, 0, 20, r, 1); }, 0x00010001,
       0x00000001},
      {"OR", [](auto i, auto r) { return op::encode_bitwopdmareg(i, 1, 20, r, 1); }, 0x80030027,
       0x80010027},
      {"XOR", [](auto i, auto r) { return op::encode_bitwopdmareg(i, 2, 20, r, 1); }, 0x80020026,
       0x80010026},
      {"SHL", [](auto i, auto r) { return op::encode_shiftdmareg(i, 0, 20, r, 1); }, 0x0002000E,
       0x0002000E},
      {"SHR", [](auto i, auto r) { return op::encode_shiftdmareg(i, 1, 20, r, 1); }, 0x40008003,
       0x40008003},
      {"GT", [](auto i, auto r) { return op::encode_cmpdmareg(i, 0, 20, r, 1); }, 1, 1},
      {"LT", [](auto i, auto r) { return op::encode_cmpdmareg(i, 1, 20, r, 1); }, 0, 0},
      {"EQ", [](auto i, auto r) { return op::encode_cmpdmareg(i, 2, 20, r, 1); }, 0, 0},
  };
  for (const Row& row : rows) {
    Bench by_register;
    by_register.coprocessor.state().gprs[1][1] = kLeft;
    by_register.coprocessor.state().gprs[1][8] = kRight;
    EXPECT_EQ(execute(by_register, row.encode(0, 8)).next, 7U) << row.name << ": other group";
    EXPECT_EQ(by_register.coprocessor.state().gprs[1][20], row.by_register) << row.name;
    Bench same_group("same_group");
    same_group.coprocessor.state().gprs[1][1] = kLeft;
    same_group.coprocessor.state().gprs[1][2] = kRight;
    EXPECT_EQ(execute(same_group, row.encode(0, 2)).next, 6U) << row.name << ": same group";
    EXPECT_EQ(same_group.coprocessor.state().gprs[1][20], row.by_register) << row.name;
    Bench immediate("immediate");
    immediate.coprocessor.state().gprs[1][1] = kLeft;
    EXPECT_EQ(execute(immediate, row.encode(1, 0x21)).next, 6U) << row.name << ": immediate";
    EXPECT_EQ(immediate.coprocessor.state().gprs[1][20], row.by_immediate) << row.name;
  }
}

TEST(ScalarUnit, UndefinedModesAreFaults) {
  for (const std::uint32_t bad :
       {op::encode_bitwopdmareg(0, 3, 0, 0, 0), op::encode_shiftdmareg(1, 2, 0, 0, 0),
        op::encode_cmpdmareg(0, 7, 0, 0, 0)}) {
    Bench bench;
    EXPECT_THROW(execute(bench, bad), foundation::Fault) << std::hex << bad;
  }
}

TEST(ScalarUnit, LoadindSizesAndOffsetIncrement) {
  struct Row {
    unsigned size, increment;
    std::uint32_t expected;
    std::uint16_t offset_after;
  };
  // Address 0x40 * 16 + 6 = 0x406, in L1 bytes 00 01 02 ... from 0x400 on.
  const Row rows[] = {{1, 1, 0x07060504, 8}, {2, 2, 0xEEEE0706, 10}, {3, 3, 0xEEEEEE06, 22}};
  for (const Row& row : rows) {
    Bench bench;
    for (std::uint8_t i = 0; i < 16; ++i) bench.l1.bytes()[0x400 + i] = i;
    bench.coprocessor.state().gprs[1][2] = 0x40;
    bench.coprocessor.state().gprs[1][3] = 0x00060000;  // half 7
    bench.coprocessor.state().gprs[1][9] = 0xEEEEEEEE;
    EXPECT_EQ(execute(bench, op::encode_loadind(row.size, 7, row.increment, 9, 2)).next, 6U);
    EXPECT_EQ(bench.coprocessor.state().gprs[1][9], row.expected);
    EXPECT_EQ(bench.coprocessor.state().gprs[1][3] >> 16, row.offset_after);
  }
  Bench wide;
  for (std::uint8_t i = 0; i < 16; ++i) wide.l1.bytes()[0x400 + i] = i;
  wide.coprocessor.state().gprs[1][2] = 0x40;
  wide.coprocessor.state().gprs[1][3] = 0x00060000;
  execute(wide, op::encode_loadind(0, 7, 0, 11, 2));
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(wide.coprocessor.state().gprs[1][8 + i], 0x03020100 + 0x04040404 * i);
  }
}

TEST(ScalarUnit, LoadedValueArrivesLaterAndStallwaitC0WaitsForIt) {
  Bench bench;
  bench.l1.set_word(0x400, 77);
  bench.coprocessor.state().gprs[1][2] = 0x40;
  bench.push(1, 0,
             {op::encode_loadind(1, 0, 0, 9, 2), op::encode_stallwait(kBlockMatrix, 1), mvmul()});
  bench.run(13);
  EXPECT_EQ(bench.coprocessor.state().gprs[1][9], 0U);
  EXPECT_FALSE(bench.coprocessor.thread_idle(1));
  bench.run(100);
  EXPECT_EQ(bench.coprocessor.state().gprs[1][9], 77U);
  // The word is issued at 3 and in the register at 13; STALLWAIT releases one cycle later.
  EXPECT_EQ(bench.matrix.times(), (Times{14}));
}

TEST(ScalarUnit, StoreindToL1) {
  struct Row {
    unsigned size;
    std::uint32_t words[4];
  };
  const Row rows[] = {{1, {0, 0xA1B2C3D4, 0, 0}},
                      {2, {0, 0xC3D40000, 0, 0}},
                      {3, {0, 0x00D40000, 0, 0}},
                      {0, {0x11111110, 0xA1B2C3D4, 0x11111112, 0x11111113}}};
  for (const Row& row : rows) {
    Bench bench;
    for (unsigned i = 0; i < 4; ++i) bench.coprocessor.state().gprs[1][8 + i] = 0x11111110 + i;
    bench.coprocessor.state().gprs[1][9] = 0xA1B2C3D4;
    bench.coprocessor.state().gprs[1][2] = 0x40;
    bench.coprocessor.state().gprs[1][3] = 6;  // half 6
    EXPECT_EQ(execute(bench, op::encode_storeind_l1(row.size, 6, 3, 9, 2)).next, 6U);
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(bench.l1.word(0x400 + 4 * i), row.words[i]);
    EXPECT_EQ(bench.coprocessor.state().gprs[1][3], 22U);
    ASSERT_EQ(bench.l1.writes.size(), 1U);
    EXPECT_EQ(bench.l1.writes[0].when, 3U);
  }
}

TEST(ScalarUnit, BeyondL1IsAFault) {
  for (const std::uint32_t bad :
       {op::encode_loadind(1, 0, 0, 9, 2), op::encode_storeind_l1(1, 0, 0, 9, 2),
        op::encode_atincget(31, 0, 9, 2), op::encode_atswap(0, 0xFF, 8, 2),
        op::encode_atcas(1, 0, 0, 2), op::encode_atincgetptr(0, 0, 4, 0, 9, 2)}) {
    Bench bench;
    bench.coprocessor.state().gprs[1][2] = 1464 * 1024 / 16;
    EXPECT_THROW(execute(bench, bad), foundation::Fault) << std::hex << bad;
  }
}

TEST(ScalarUnit, StoreindToSrc) {
  Bench bench;
  auto& gprs = bench.coprocessor.state().gprs[1];
  // Low half: sign 15, mantissa 14:8, exponent 7:0. High half: top of an FP32.
  gprs[8] = 0x3F80C17F;  // high 1.0; low: sign 1, mantissa 0x41, exponent 0x7F
  gprs[9] = 0xC0400080;  // high -3.0; low: exponent 0x80
  gprs[2] = (5 << 2) + 1;
  bench.coprocessor.state().registers.srcb.unpacker_row[1] = 16;
  EXPECT_EQ(execute(bench, op::encode_storeind_src(1, 6, 0, 9, 2)).next, 6U);
  const auto& row = bench.coprocessor.state().registers.srcb.bank[0].rows[5 + 16];
  EXPECT_EQ(row[4], 1U << 18 | 0x41U << 11 | 0x7FU);
  EXPECT_EQ(row[5], 0x7FU);
  EXPECT_EQ(row[6], 0x80U);
  EXPECT_EQ(row[7], 1U << 18 | 0x40U << 11 | 0x80U);

  Bench srca("srca");
  srca.coprocessor.state().gprs[1][8] = 0x3F800000;
  srca.coprocessor.state().gprs[1][2] = (5 << 2) + 3;
  execute(srca, op::encode_storeind_src(0, 6, 0, 8, 2));
  // Rows of SrcA begin with the fifth.
  EXPECT_EQ(srca.coprocessor.state().registers.srca.bank[0].rows[1][13], 0x7FU);
}

TEST(ScalarUnit, StoreindToSrcWaitsForTheBank) {
  Bench bench;
  bench.coprocessor.state().registers.srca.at_unpacker().give(SrcClient::kMatrixUnit, 0);
  bench.coprocessor.state().gprs[1][2] = 16;
  bench.push(1, 0, {op::encode_storeind_src(0, 6, 0, 8, 2), mvmul()});
  bench.at(0, 40, [&](Cycle now) {
    bench.coprocessor.state().registers.srca.at_unpacker().give(SrcClient::kUnpackers, now + 1);
    support::MmioAccess post{.write = true, .now = now, .order = 2};
    bench.coprocessor.windows().access_semaphore(0, post);  // any change of state
  });
  bench.run(100);
  EXPECT_EQ(bench.matrix.times(), (Times{44}));
}

TEST(ScalarUnit, Atincget) {
  Bench bench;
  bench.l1.set_word(0x408, 0xABCDFFFE);
  bench.coprocessor.state().gprs[1][2] = 0x40;
  bench.coprocessor.state().gprs[1][9] = 5;
  // 16 bits wide, so it wraps within them.
  EXPECT_EQ(execute(bench, op::encode_atincget(15, 2, 9, 2)).next, 6U);
  EXPECT_EQ(bench.l1.word(0x408), 0xABCD0003U);
  EXPECT_EQ(bench.coprocessor.state().gprs[1][9], 0xABCDFFFEU);
}

TEST(ScalarUnit, OneAtomicEvery12Cycles) {
  Bench bench;
  bench.coprocessor.state().gprs[1][2] = 0x40;
  bench.coprocessor.state().gprs[1][9] = 1;
  bench.push(1, 0, {op::encode_atincget(31, 0, 9, 2), op::encode_atswap(0, 1, 9, 2), mvmul()});
  bench.run(100);
  // The first try is at 3, the second at 15, plus three cycles of the unit.
  EXPECT_EQ(bench.matrix.times(), (Times{18}));
}

TEST(ScalarUnit, Atswap) {
  Bench bench;
  for (unsigned i = 0; i < 4; ++i) bench.coprocessor.state().gprs[1][8 + i] = 0x10001 * (i + 1);
  bench.coprocessor.state().gprs[1][2] = 0x40;
  for (unsigned i = 0; i < 4; ++i) bench.l1.set_word(0x400 + 4 * i, 0xFFFFFFFF);
  execute(bench, op::encode_atswap(0, 0x91, 10, 2));
  EXPECT_EQ(bench.l1.word(0x400), 0xFFFF0001U);
  EXPECT_EQ(bench.l1.word(0x404), 0xFFFFFFFFU);
  EXPECT_EQ(bench.l1.word(0x408), 0xFFFF0003U);
  EXPECT_EQ(bench.l1.word(0x40C), 0x0004FFFFU);
  Bench single("single");
  single.coprocessor.state().gprs[1][10] = 0x12345678;
  single.coprocessor.state().gprs[1][2] = 0x40;
  single.l1.set_word(0x400, 0xFFFFFFFF);
  execute(single, op::encode_atswap(1, 0xFF, 10, 2));
  EXPECT_EQ(single.l1.word(0x400), 0U);
  EXPECT_EQ(single.l1.word(0x408), 0x12345678U);
}

TEST(ScalarUnit, AtcasWaitsForItsValueAndTriesEvery15Cycles) {
  Bench bench;
  bench.coprocessor.state().gprs[1][2] = 0x40;
  bench.l1.set_word(0x404, 9);
  bench.push(1, 0, {op::encode_atcas(3, 5, 1, 2), mvmul()});
  bench.push(0, 0, {op::encode_dmanop(), nop(), op::encode_dmanop(), mvmul(1)});
  bench.at(2, 30, [&](Cycle) { bench.l1.set_word(0x404, 5); });
  bench.run(200);
  EXPECT_EQ(bench.l1.word(0x404), 3U);
  // T0's DMANOP takes the unit at 3, then T1 at 4, 19, 34 (succeeds), done at 49. T0's second
  // DMANOP gets the unit then.
  EXPECT_EQ(bench.matrix.seen, (std::vector<FakeUnit::Seen>{{mvmul(), 1, 49}, {mvmul(1), 0, 50}}));
}

TEST(ScalarUnit, Atincgetptr) {
  // Capacity 4 (width 3): read 1, write 4: not full. Push of 2^0.
  Bench push;
  push.coprocessor.state().gprs[1][2] = 0x40;
  push.l1.set_word(0x400, 1);
  push.l1.set_word(0x404, 4);
  EXPECT_EQ(execute(push, op::encode_atincgetptr(0, 0, 3, 1, 9, 2)).next, 18U);
  EXPECT_EQ(push.l1.word(0x404), 5U);
  EXPECT_EQ(push.coprocessor.state().gprs[1][9], 4U);
  // The FIFO is full, so a push waits for a pop.
  Bench full("full");
  full.coprocessor.state().gprs[1][2] = 0x40;
  full.l1.set_word(0x400, 1);
  full.l1.set_word(0x404, 5);
  full.at(0, 20, [&](Cycle) { full.l1.set_word(0x400, 2); });
  EXPECT_EQ(execute(full, op::encode_atincgetptr(0, 0, 3, 1, 9, 2)).next, 48U);  // 3, 18, 33 + 15
  // A pop of an empty FIFO waits. Without increment nothing is written. The pointer wraps.
  Bench pop("pop");
  pop.coprocessor.state().gprs[1][2] = 0x40;
  pop.l1.set_word(0x400, 7);
  pop.l1.set_word(0x404, 8 + 1);
  execute(pop, op::encode_atincgetptr(0, 0, 3, 0, 9, 2));
  EXPECT_EQ(pop.l1.word(0x400), 0U);
  EXPECT_EQ(pop.coprocessor.state().gprs[1][9], 7U);
  Bench peek("peek");
  peek.coprocessor.state().gprs[1][2] = 0x40;
  peek.l1.set_word(0x404, 1);
  execute(peek, op::encode_atincgetptr(1, 3, 3, 0, 9, 2));
  EXPECT_EQ(peek.l1.word(0x400), 0U);
}

TEST(ScalarUnit, Reg2flopToConfiguration) {
  Bench bench;
  for (unsigned i = 0; i < 4; ++i) bench.coprocessor.state().gprs[1][8 + i] = 0xC0 + i;
  bench.push(1, 0, {op::encode_reg2flop(1, 5, 9), op::encode_reg2flop(0, 9, 9), mvmul()});
  bench.run(50);
  const auto& bank = bench.coprocessor.state().config.bank[0];
  EXPECT_EQ(bank[52 + 5], 0xC1U);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(bank[52 + 8 + i], 0xC0 + i);
  EXPECT_EQ(bench.matrix.times(), (Times{7}));
  Bench beyond("beyond");
  EXPECT_THROW(execute(beyond, op::encode_reg2flop(1, 100, 9)), foundation::Fault);
}

TEST(ScalarUnit, Reg2flopToAddressCounters) {
  Bench bench;
  bench.coprocessor.state().gprs[1][9] = 0x00123456;
  bench.push(1, 0,
             {op::encode_reg2flop_adc(1, 0, 0, 0, 0, 0, 0, 0, 9),    // X of unpacker 0
              op::encode_reg2flop_adc(3, 1, 1, 2, 1, 2, 0, 2, 9),    // Z of T2's packers
              op::encode_reg2flop_adc(2, 0, 2, 0, 1, 1, 1, 1, 9)});  // Y_Cr of unpacker 1
  bench.run(50);
  AddressCounters& adcs = bench.coprocessor.state().adcs;
  EXPECT_EQ(adcs.of(1).unpacker[0].channel[0].x, 0x23456U);  // 18 bits
  EXPECT_EQ(adcs.of(2).packers.channel[1].z, 0x34U);
  EXPECT_EQ(adcs.of(1).unpacker[1].channel[1].y_cr, 0x12U);
  EXPECT_EQ(adcs.of(1).unpacker[1].channel[1].y, 0U);
}

TEST(ScalarUnit, FlushdmaWaitsForPipelines) {
  Bench bench;
  EXPECT_EQ(execute(bench, op::encode_flushdma(0)).next, 5U);
  Bench busy("busy");
  busy.unpacker1.latency = 30;
  busy.push(1, 0, {unpacr(1), op::encode_flushdma(2), op::encode_flushdma(4), mvmul()});
  busy.run(100);
  // UNPACR 3..32; FLUSHDMA for unpacker 0 at 4..5, for unpacker 1 at 6 until the cycle after 33.
  EXPECT_EQ(busy.matrix.times(), (Times{34}));
}

struct Metadata : PackerMetadata {
  std::uint16_t tile_size(unsigned packer, unsigned thread) const override {
    return static_cast<std::uint16_t>(thread == 1 ? 0x10 + packer : 0);
  }
  std::uint16_t accumulated_tile_size(unsigned packer, unsigned) const override {
    return static_cast<std::uint16_t>(0x20 + packer);
  }
  void reset_accumulated_tile_size(unsigned packer) override { reset |= 1U << packer; }
  std::uint32_t all_zero_flags(unsigned packer) const override { return 0x30 + packer; }
  std::uint8_t exponent_histogram(unsigned packer, unsigned bin) const override {
    return static_cast<std::uint8_t>(packer * 64 + bin);
  }
  std::uint8_t exponent_histogram_max() const override { return 0x77; }
  void set_l1_dest_addr_offset(unsigned, std::uint16_t) override {}
  unsigned reset = 0;
};

TEST(ScalarUnit, SetdmaregReadsPackers) {
  Bench bench;
  Metadata metadata;
  bench.coprocessor.backend().attach(metadata);
  auto& gprs = bench.coprocessor.state().gprs[1];
  gprs[24] = gprs[25] = gprs[26] = gprs[27] = 0xFFFFFFFF;
  bench.coprocessor.state().config.bank[0][regs::config::kPacker[2].out_data_format.addr32] =
      regs::config::kPacker[2].out_data_format.place(5);
  bench.push(1, 0,
             {op::encode_setdmareg_special(2, 0, 0, 0, 16),     // sizes to GPRs 8..11
              op::encode_setdmareg_special(1, 2, 7, 4, 24),     // histogram 16 + 8.. of 2
              op::encode_setdmareg_special(0, 5, 8, 0, 27),     // flags to a half; resets
              op::encode_setdmareg_special(3, 0, 4, 0, 48),     // header of packer 2
              op::encode_setdmareg_special(2, 0, 15, 0, 64)});  // zeros
  gprs[32] = 1;
  bench.run(50);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(gprs[8 + i], (0x20U + i) << 16 | (0x10 + i));
  EXPECT_EQ(gprs[12], 0x9B9A9998U);  // 2 * 64 + 16 + 8 ...
  EXPECT_EQ(gprs[13], 0x000A0000U);  // bit 0 of 0x30..0x33: 0, 1, 0, 1
  EXPECT_EQ(metadata.reset, 5U);
  EXPECT_EQ(gprs[24], 0xFFFF0013U);  // tile size 0x12 + 1, reserved half kept
  EXPECT_EQ(gprs[25], 0xFF05FFFFU);
  EXPECT_EQ(gprs[26], 0x32U);
  EXPECT_EQ(gprs[27], 0xFFFFFFFFU);
  EXPECT_EQ(gprs[32], 0U);
}

}  // namespace
}  // namespace tvp::tensix::coprocessor::test
