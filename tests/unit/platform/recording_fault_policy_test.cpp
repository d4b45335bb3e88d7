#include "platform/machine/recording_fault_policy.h"

#include <gtest/gtest.h>

namespace {

using tvp::foundation::Fault;
using tvp::foundation::FaultKind;
using tvp::platform::RecordingFaultPolicy;
using Texts = std::vector<std::string>;

TEST(RecordingFaultPolicy, StopsUnlessItWarns) {
  RecordingFaultPolicy policy;
  EXPECT_THROW(policy.raise(Fault(FaultKind::kFirmware, "a", "x")), Fault);
  policy.set_warn(true);
  EXPECT_NO_THROW(policy.raise(Fault(FaultKind::kFirmware, "a", "x")));
  EXPECT_THROW(policy.raise(Fault(FaultKind::kUnmodelled, "a", "x")), Fault);
}

TEST(RecordingFaultPolicy, CountsWhatIsRepeated) {
  RecordingFaultPolicy policy;
  policy.set_warn(true);
  for (unsigned i = 0; i < 3; ++i) policy.raise(Fault(FaultKind::kFirmware, "a", "x"));
  policy.raise(Fault(FaultKind::kFirmware, "b", "x"));
  policy.raise(Fault(FaultKind::kFirmware, "a", "x"));
  EXPECT_EQ(policy.warnings(), (Texts{"a: x (4 times)", "b: x"}));
  EXPECT_EQ(policy.count(), 5u);
}

TEST(RecordingFaultPolicy, SaysWhatElseIsKnownOfTheFirst) {
  RecordingFaultPolicy policy;
  unsigned asked = 0;
  policy.set_lines([&](const Fault& fault) {
    ++asked;
    return "\n  in " + fault.where() + ".cpp";
  });
  for (unsigned i = 0; i < 2; ++i) policy.warn(Fault(FaultKind::kFirmware, "a", "x"));
  EXPECT_EQ(policy.warnings(), (Texts{"a: x\n  in a.cpp (2 times)"}));
  EXPECT_EQ(asked, 1U);
}

TEST(RecordingFaultPolicy, KeepsSoManyTextsAndCountsTheRest) {
  RecordingFaultPolicy policy;
  policy.set_warn(true);
  const auto different = static_cast<unsigned>(RecordingFaultPolicy::kKept) + 7;
  for (unsigned i = 0; i < different; ++i)
    policy.raise(Fault(FaultKind::kFirmware, "a", std::to_string(i)));
  const Texts texts = policy.warnings();
  EXPECT_EQ(texts.size(), RecordingFaultPolicy::kKept + 1);
  EXPECT_EQ(texts.back(), "and 7 others");
}

}  // namespace
