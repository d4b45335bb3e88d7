#include "platform/machine/held_fault_policy.h"

#include <gtest/gtest.h>

namespace {

using tvp::foundation::Fault;
using tvp::foundation::FaultKind;
using tvp::platform::HeldFaultPolicy;
using tvp::platform::RecordingFaultPolicy;
using Texts = std::vector<std::string>;

Fault firmware(const char* where, const char* text) { return {FaultKind::kFirmware, where, text}; }

TEST(HeldFaultPolicy, IsTheMachinesWhileNothingIsHeld) {
  RecordingFaultPolicy all;
  HeldFaultPolicy chip(all);
  EXPECT_THROW(chip.raise(firmware("a", "x")), Fault);
  EXPECT_EQ(all.count(), 0U);
  chip.warn(firmware("a", "x"));
  EXPECT_EQ(all.warnings(), (Texts{"a: x"}));
}

TEST(HeldFaultPolicy, ChipsAreNotedOneAfterTheOther) {
  RecordingFaultPolicy all;
  all.set_warn(true);
  HeldFaultPolicy first(all), second(all);
  first.hold();
  second.hold();
  second.raise(firmware("chip1", "late"));
  first.raise(firmware("chip0", "x"));
  second.warn(firmware("chip1", "late"));
  EXPECT_EQ(all.count(), 0U);
  first.release();
  second.release();
  EXPECT_EQ(all.warnings(), (Texts{"chip0: x", "chip1: late (2 times)"}));
  first.warn(firmware("chip0", "after"));
  EXPECT_EQ(all.count(), 4U);
}

TEST(HeldFaultPolicy, StopsTheRunFromInsideAWindow) {
  RecordingFaultPolicy all;
  all.set_warn(true);
  HeldFaultPolicy chip(all);
  chip.hold();
  EXPECT_THROW(chip.raise(Fault(FaultKind::kUnmodelled, "a", "x")), Fault);
  chip.release();
  EXPECT_EQ(all.count(), 0U);
}

/// A core's place changes until the window ends.
TEST(HeldFaultPolicy, LinesAreThoseOfTheMoment) {
  RecordingFaultPolicy all;
  unsigned line = 1;
  unsigned asked = 0;
  all.set_lines([&](const Fault&) {
    ++asked;
    return " line " + std::to_string(line);
  });
  HeldFaultPolicy chip(all);
  chip.hold();
  chip.warn(firmware("a", "x"));
  line = 2;
  chip.warn(firmware("a", "x"));
  line = 3;
  chip.release();
  EXPECT_EQ(all.warnings(), (Texts{"a: x line 1 (2 times)"}));
  chip.hold();
  chip.warn(firmware("a", "x"));
  chip.release();
  EXPECT_EQ(asked, 1U);
}

}  // namespace
