#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <memory>

#include "foundation/regs/tensix_config.h"
#include "foundation/regs/tensix_opcodes.h"
#include "models/tensix/coprocessor/vector/vector_unit.h"
#include "tests/unit/tensix/matrix/math_reference.h"

/// A vector unit whose registers are set and read with its own instructions, through Dst.
class VectorBench : public ::testing::Test {
 protected:
  using Generation = tvp::Generation;
  explicit VectorBench(Generation generation = Generation::kWormhole)
      : unit("vector", *registers, config, faults, tvp::tensix::coprocessor::VectorUnit::best(),
             generation) {}

  using Cycle = tvp::support::Cycle;
  using Issue = tvp::tensix::coprocessor::Issue;
  using Field = tvp::regs::config::Field;
  using Lanes = tvp::tensix::coprocessor::VectorUnit::Lanes;
  using Word = std::uint32_t;

  static constexpr unsigned kFormatInt32 = 4;

  void set_config(Field field, std::uint32_t value) {
    auto& word = config.bank[0][field.addr32];
    word = field.insert(word, value);
  }
  void set_thread(Field field, std::uint32_t value) {
    auto& word = config.thread[0][field.addr32];
    word = field.insert(word, value);
  }

  /// Issues as soon as the unit accepts; returns the cycle.
  Cycle run(Word word) {
    Issue answer = unit.issue(word, 0, now);
    while (answer.kind == Issue::Kind::kRetryAt) {
      EXPECT_GT(answer.retry, now);
      now = answer.retry;
      answer = unit.issue(word, 0, now);
    }
    EXPECT_EQ(answer.kind, Issue::Kind::kStarted);
    const Cycle issued = now;
    now = answer.unit_free;
    return issued;
  }
  /// Issues and waits for the result.
  void run_through(Word word) {
    const Issue answer = unit.issue(word, 0, now);
    ASSERT_EQ(answer.kind, Issue::Kind::kStarted);
    now = answer.done;
  }

  /// Row and column of Dst for a lane of a load from `address`.
  static unsigned row_of(unsigned address, unsigned lane) { return (address & ~3u) + lane / 8; }
  static unsigned column_of(unsigned address, unsigned lane) {
    return lane % 8 * 2 + (address >> 1 & 1);
  }
  /// Sets all lanes, regardless of predication.
  void set(unsigned index, const std::function<std::uint32_t(unsigned)>& value) {
    auto& dst = registers->dst;
    for (unsigned lane = 0; lane < 32; ++lane) {
      const unsigned row = row_of(kScratch, lane);
      dst.define32(row);
      const std::uint32_t x = value(lane);
      // Sign, high mantissa, exponent, low mantissa.
      dst.write32(row, column_of(kScratch, lane),
                  (x & 0x8000FFFF) | (x >> 16 & 0x7F) << 24 | (x >> 23 & 0xFF) << 16);
    }
    set_thread(tvp::regs::config::thread::kMathDestOffset, kScratch - 4);
    run(tvp::regs::tensix::encode_sfpload(index, 10, 0, 4));
    set_thread(tvp::regs::config::thread::kMathDestOffset, 0);
  }
  void set_all(unsigned index, std::uint32_t value) {
    set(index, [value](unsigned) { return value; });
  }
  void expect(unsigned index, const std::function<std::uint32_t(unsigned)>& wanted) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      ASSERT_EQ(unit.lreg(index)[lane], wanted(lane)) << "LReg" << index << " lane " << lane;
    }
  }
  /// Enables exactly these lanes.
  void enable(std::uint32_t lanes) {
    run(tvp::regs::tensix::encode_sfpencc(3, 0, 10));
    set(7, [lanes](unsigned lane) { return (lanes >> lane & 1) != 0 ? 1u : 0u; });
    run(tvp::regs::tensix::encode_sfpsetcc(0, 7, 0, 2));
    ASSERT_EQ(unit.enabled_lanes(), lanes);
  }
  static std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
  static float value(std::uint32_t bits) { return std::bit_cast<float>(bits); }

  static constexpr unsigned kScratch = 508;
  std::unique_ptr<tvp::tensix::coprocessor::RegisterFiles> registers =
      std::make_unique<tvp::tensix::coprocessor::RegisterFiles>();
  tvp::tensix::coprocessor::BackendConfig config;
  tvp::foundation::StopOnFault faults;
  tvp::tensix::coprocessor::VectorUnit unit;
  math_reference::Random random{4711};
  Cycle now = 100;
};
