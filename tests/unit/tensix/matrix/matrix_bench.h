#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "foundation/regs/tensix_config.h"
#include "foundation/regs/tensix_opcodes.h"
#include "models/tensix/coprocessor/matrix/matrix_unit.h"
#include "tests/unit/tensix/matrix/math_reference.h"

/// A matrix unit with its registers and a clock.
class MatrixBench : public ::testing::Test {
 protected:
  using Cycle = tvp::support::Cycle;
  using Issue = tvp::tensix::coprocessor::Issue;
  using Format = tvp::regs::config::DataFormat;
  using Field = tvp::regs::config::Field;
  using SrcClient = tvp::tensix::coprocessor::SrcClient;

  explicit MatrixBench(const tvp::tensix::coprocessor::FloatSums& sums =
                           tvp::tensix::coprocessor::FloatSums::aligned())
      : unit("matrix", *registers, config, faults, sums) {
    for (auto* file : {&registers->srca, &registers->srcb}) {
      for (auto& bank : file->bank) bank.give(SrcClient::kMatrixUnit, 0);
    }
  }

  void set_config(Field field, std::uint32_t value, unsigned bank = 0) {
    auto& word = config.bank[bank][field.addr32];
    word = field.insert(word, value);
  }
  void set_thread(Field field, std::uint32_t value, unsigned thread = 0) {
    auto& word = config.thread[thread][field.addr32];
    word = field.insert(word, value);
  }
  void set_formats(Format srca, bool dst32) { set_formats(srca, srca, dst32); }
  void set_formats(Format srca, Format srcb, bool dst32) {
    set_config(tvp::regs::config::alu::kSrcAFormat, static_cast<std::uint32_t>(srca));
    set_config(tvp::regs::config::alu::kSrcBFormat, static_cast<std::uint32_t>(srcb));
    set_config(tvp::regs::config::alu::kFp32Enabled, dst32);
  }
  void set_int8() { set_config(tvp::regs::config::alu::kInt8MathEnabled, 1); }

  Issue issue(std::uint32_t word, unsigned thread = 0) { return unit.issue(word, thread, now); }
  /// Issues, with the required waits; returns the cycle of issue.
  Cycle run(std::uint32_t word, unsigned thread = 0) {
    Issue answer = issue(word, thread);
    while (answer.kind == Issue::Kind::kRetryAt) {
      EXPECT_GT(answer.retry, now);
      now = answer.retry;
      answer = issue(word, thread);
    }
    EXPECT_EQ(answer.kind, Issue::Kind::kStarted);
    const Cycle issued = now;
    now = answer.unit_free;
    return issued;
  }
  tvp::tensix::coprocessor::SrcBank& srca(unsigned bank = 0) { return registers->srca.bank[bank]; }
  tvp::tensix::coprocessor::SrcBank& srcb(unsigned bank = 0) { return registers->srcb.bank[bank]; }

  std::unique_ptr<tvp::tensix::coprocessor::RegisterFiles> registers =
      std::make_unique<tvp::tensix::coprocessor::RegisterFiles>();
  tvp::tensix::coprocessor::BackendConfig config;
  tvp::foundation::StopOnFault faults;
  tvp::tensix::coprocessor::MatrixUnit unit;
  Cycle now = 100;
};
