#pragma once

#include <gtest/gtest.h>

#include <string>

#include "foundation/regs/tensix_disassembler.h"
#include "foundation/regs/tensix_opcodes.h"
#include "platform/checks/coprocessor/dst_handover.h"
#include "tests/unit/checks/check_bench.h"

namespace tvp::checks {

namespace op = regs::tensix;

constexpr std::uint32_t kMask = 1U << DstHandover::kSemaphore;
const std::uint32_t kPost = op::encode_sempost(kMask);
const std::uint32_t kGet = op::encode_semget(kMask);
const std::uint32_t kWaitForRoom = op::encode_semwait(1, kMask, 2);
const std::uint32_t kWaitForResult = op::encode_semwait(1, kMask, 1);
const std::uint32_t kResult = op::encode_mvmul(0, 0, 0, 0, 0);

/// Events of T1 and T2 that hand over parts of Dst, for a check of it.
template <typename Tested>
struct DstBench : testing::Test, RecordTest<Tested> {
  using Kind = ProbeEvent::Kind;

  void synchronize(std::uint32_t instruction, unsigned thread,
                   unsigned semaphore = DstHandover::kSemaphore) {
    if (semaphore == DstHandover::kSemaphore) {
      const op::Opcode opcode = op::opcode_of(instruction);
      if (opcode == op::Opcode::kSeminit) value = 0;
      if (opcode == op::Opcode::kSempost) ++value;
      if (opcode == op::Opcode::kSemget && value > 0) --value;
    }
    this->feed({.kind = Kind::kSemaphore,
                .index = semaphore,
                .instruction = instruction,
                .thread = static_cast<std::uint8_t>(thread),
                .value = value,
                .cycle = ++now,
                .offered = {.instruction = instruction, .pc = 0x10, .thread = thread}});
  }
  void init(unsigned parts) { synchronize(op::encode_seminit(parts, 0, kMask), 1); }
  /// T1 or another thread makes a result in Dst. False if no check asks for such events.
  bool result(std::uint32_t instruction = kResult, unsigned thread = 1) {
    if (!this->checks->probe().wants_math()) return false;
    this->feed({.kind = Kind::kMath,
                .instruction = instruction,
                .thread = static_cast<std::uint8_t>(thread),
                .offered = {.instruction = instruction, .pc = 0x30, .thread = thread}});
    return true;
  }
  /// Findings of the check since the last call.
  std::string found() {
    std::string all;
    for (const auto* each : {&this->faults, &this->warnings})
      for (const std::string& text : *each) all += text + "\n";
    this->faults.clear();
    this->warnings.clear();
    return all;
  }

  std::uint32_t value = 0;
  Cycle now = 0;
};

}  // namespace tvp::checks
