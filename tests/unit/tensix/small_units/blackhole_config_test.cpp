// Backend configuration of Blackhole (ISA BlackholeA0 BackendConfiguration.md). Numbers of words
// and bits are those of the public cfg_defines.h (tt-metal, tt_metal/hw/inc, blackhole).

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "foundation/regs/tensix_config.h"
#include "tests/unit/tensix/frontend/coprocessor_bench.h"

namespace tvp::tensix::coprocessor::test {
namespace {

namespace cfg = regs::config;

struct Faults : foundation::FaultPolicy {
  void raise(const foundation::Fault& fault) override { text += fault.what(); }
  std::string text;
};
struct Listener : ConfigListener {
  void invalidate_instruction_caches(std::uint32_t mask, Cycle) override { invalidated = mask; }
  void seed_prng(std::uint32_t value) override { seed = value; }
  void reset_context_counters(unsigned thread) override { reset = thread; }
  void changes(unsigned, unsigned index, std::uint32_t, Cycle) override { announced.insert(index); }
  std::uint32_t invalidated = 0, seed = 0;
  unsigned reset = 99;
  std::set<unsigned> announced;
};

struct Unit {
  BackendConfig config;
  Gprs gprs;
  WriteBack write_back;
  Listener listener;
  Faults faults;
  ConfigurationUnit unit{
      "config", config, gprs, write_back, listener, faults, Generation::kBlackhole};

  std::uint32_t field(const cfg::Field& f) const { return f.get(config.bank[0]); }
  std::uint32_t read(unsigned word) const {
    std::uint32_t value = 0;
    EXPECT_TRUE(unit.read_window(word, value));
    return value;
  }
  void write(unsigned word, std::uint32_t value) { unit.write(0, word, value, 0); }
  std::string fault() { return std::exchange(faults.text, ""); }
};

TEST(BlackholeConfig, WordsAreAtTheirPublicNumbers) {
  const std::pair<unsigned, unsigned> kWords[] = {
      {0, 0},   {6, 6},    {7, 8},     {8, 12},    {14, 18},   {24, 28},   {36, 44},  {40, 48},
      {41, 50}, {43, 52},  {44, 56},   {48, 60},   {49, 62},   {52, 64},   {57, 69},  {60, 72},
      {64, 76}, {92, 112}, {131, 151}, {152, 180}, {157, 185}, {164, 186}, {186, 208}};
  for (const auto& [wormhole, blackhole] : kWords)
    EXPECT_EQ(cfg::blackhole_word(wormhole), blackhole);
  for (unsigned word = 158; word < 164; ++word) EXPECT_EQ(cfg::blackhole_word(word), cfg::kGone);
  const std::pair<unsigned, unsigned> kThreadWords[] = {
      {0, 0},   {1, 1},   {3, 5},   {5, 7},   {6, 11},  {7, 12},  {21, 19}, {23, 28}, {30, 35},
      {31, 37}, {34, 40}, {39, 41}, {41, 43}, {45, 44}, {47, 46}, {48, 47}, {55, 54}, {56, 55}};
  for (const auto& [wormhole, blackhole] : kThreadWords)
    EXPECT_EQ(cfg::blackhole_thread_word(wormhole), blackhole);
  for (const unsigned word : {2U, 8U, 22U, 35U, 38U, 42U, 44U})
    EXPECT_EQ(cfg::blackhole_thread_word(word), cfg::kGone);
  // No two words of Wormhole's share one.
  std::set<unsigned> words, thread_words;
  for (unsigned word = 0; word < cfg::kBankWords; ++word) {
    if (const unsigned there = cfg::blackhole_word(word); there != cfg::kGone) {
      EXPECT_TRUE(words.insert(there).second) << word;
    }
  }
  for (unsigned word = 0; word < cfg::kThreadWords; ++word) {
    if (const unsigned there = cfg::blackhole_thread_word(word); there != cfg::kGone) {
      EXPECT_TRUE(thread_words.insert(there).second) << word;
    }
  }
}

TEST(BlackholeConfig, MovedFieldsReachTheModel) {
  Unit u;
  u.write(12, 0x0123'0456);  // PCK0_ADDR_CTRL_XY_REG_0
  EXPECT_EQ(u.field(cfg::pack::kSource.x_stride), 0x456U);
  EXPECT_EQ(u.field(cfg::pack::kSource.y_stride), 0x123U);
  EXPECT_EQ(u.listener.announced, (std::set<unsigned>{8}));
  u.write(13, 0xABCD'0789);
  EXPECT_EQ(u.field(cfg::pack::kSource.z_stride), 0x789U);
  EXPECT_EQ(u.field(cfg::pack::kSource.w_stride), 0xABCDU);
  u.write(60, 0x1111);  // UNP1_ADDR_BASE_REG_0 and _1
  u.write(61, 0x2222);
  EXPECT_EQ(u.field(cfg::kUnpacker[1].channel0.base), 0x1111U);
  EXPECT_EQ(u.field(cfg::kUnpacker[1].channel1.base), 0x2222U);
  u.write(62, 0x1A5);
  EXPECT_EQ(u.field(cfg::kUnpacker[1].forced_shared_exp), 0xA5U);
  EXPECT_EQ(u.field(cfg::kUnpacker[1].add_dest_addr_cntr), 1U);
  const unsigned kPacks[] = {71, 99, 119, 147};  // THCON_SEC0_REG1, SEC0_REG8, SEC1_REG1, SEC1_REG8
  for (unsigned packer = 0; packer < 4; ++packer) {
    u.write(kPacks[packer], 0x5A18'0000);
    EXPECT_EQ(u.field(cfg::kPacker[packer].l1_accumulate), 1U);
    EXPECT_EQ(u.field(cfg::kPacker[packer].exp_threshold), 0x5AU);
    EXPECT_EQ(u.field(cfg::kPacker[packer].exp_threshold_en), 1U);
    EXPECT_EQ(u.field(cfg::kPacker[packer].disable_zero_flags), 0U);
    EXPECT_EQ(u.field(cfg::kPacker[packer].read_mode), 0U);
    u.write(kPacks[packer] - 1, 0x45);
    EXPECT_EQ(u.field(cfg::kPacker[packer].disable_zero_flags), 1U);
    EXPECT_EQ(u.field(cfg::kPacker[packer].addr_cnt_context), 0U);
    EXPECT_EQ(u.field(cfg::kPacker[packer].out_data_format), 4U);
    EXPECT_EQ(u.field(cfg::kPacker[packer].l1_accumulate), 1U) << "is in the other word";
  }
  EXPECT_EQ(u.fault(), "");
}

TEST(BlackholeConfig, ReadsReturnWhatWasWritten) {
  Unit u;
  u.write(12, 0x0123'0456);
  u.write(210, 0xCAFE);  // SCRATCH_SEC1, in both banks
  u.unit.issue(op::encode_rmwcib1(0xFF, 0x77, 12), 0, 5);
  EXPECT_EQ(u.read(12), 0x0123'7756U);
  EXPECT_EQ(u.read(224 + 210), 0xCAFEU);
  EXPECT_EQ(u.read(2 * 224 + 210), 0xCAFEU) << "ConfigDualWrite";
  ASSERT_TRUE(u.unit.write_window(2 * 224 + 64, 0x12, 0));
  EXPECT_EQ(u.read(64), 0x12U);
  EXPECT_EQ(u.read(224 + 64), 0x12U);
  EXPECT_EQ(u.field(cfg::kUnpacker[0].tile.in_data_format), 2U);
  u.unit.issue(op::encode_setc16(12, 0x1234), 1, 0);
  EXPECT_EQ(u.read(3 * 224 + 68 + 12), 0x1234U) << "each word of a thread has four bytes";
  EXPECT_EQ(cfg::thread::addr_mod_ab(0).src_a_incr.get(u.config.thread[1]), 0x34U);
  std::uint32_t value = 0;
  EXPECT_FALSE(u.unit.read_window(3 * 224 + 3 * 68, value));
  EXPECT_FALSE(u.unit.write_window(3 * 224 + 3 * 68, 0, 0));
  EXPECT_TRUE(u.unit.write_window(3 * 224, 0, 0));
  EXPECT_NE(u.fault().find("which only SETC16 can write"), std::string::npos);
  // STATE_RESET_EN
  u.write(4, 0);
  EXPECT_EQ(u.read(64), 0U);
  EXPECT_EQ(u.field(cfg::kUnpacker[0].tile.in_data_format), 0U);
  EXPECT_EQ(u.read(210), 0xCAFEU);
}

TEST(BlackholeConfig, WritesThatActAtOnce) {
  Unit u;
  u.write(186, 0xACE1);
  u.write(185, 0xFFFFFFFF);
  u.unit.issue(op::encode_setc16(41, 0x10), 2, 0);
  EXPECT_EQ(u.listener.seed, 0xACE1U);
  EXPECT_EQ(u.listener.invalidated, 0x1FU);
  EXPECT_EQ(u.listener.reset, 2U);
}

TEST(BlackholeConfig, WhatIsNotModelledIsRefused) {
  Unit u;
  const auto refused = [&](unsigned word, std::uint32_t value, std::uint32_t bits) {
    u.write(word, value);
    EXPECT_EQ(u.fault(), "config: configuration word " + std::to_string(word) +
                             ": the effect of bits " + foundation::hex(bits) + " is not modelled");
  };
  refused(12, 0xF123'1456, 0xF000'1000);  // strides beyond Wormhole's
  refused(48, 0x3FFFF, 0x30000);
  refused(220, 2, 2);                     // DEST_ACCESS_CFG_remap_addrs
  refused(28, 0x0100'0000, 0x0100'0000);  // auto_ctxt_inc_xys_cnt
  refused(70, 1U << 13, 1U << 13);        // Auto_set_last_pacr_intf_sel
  refused(3, 1U << 16, 1U << 16);         // RISC_DEST_ACCESS_CTRL
  for (const auto& [word, value] : {std::pair{2U, 0U}, {3U, 0U}, {56U, 1U}, {20U, 1U}}) {
    u.unit.issue(op::encode_setc16(word, value), 0, 0);
    EXPECT_NE(
        u.fault().find("SETC16 of " + foundation::hex(value) + " to word " + std::to_string(word)),
        std::string::npos)
        << word;
  }
  u.unit.issue(op::encode_setc16(2, 1), 0, 0);
  u.unit.issue(op::encode_setc16(56, 0), 0, 0);
  EXPECT_EQ(u.fault(), "");
  u.unit.issue(op::encode_setc16(68, 0), 0, 0);
  EXPECT_NE(u.fault().find("SETC16 names configuration word 68, which does not exist"),
            std::string::npos);
}

}  // namespace
}  // namespace tvp::tensix::coprocessor::test
