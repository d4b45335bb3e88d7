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

TEST(RecordingFaultPolicy, PassesEachTextOnAtOnceAndCountsAtTheEnd) {
  RecordingFaultPolicy policy;
  Texts heard;
  policy.set_lines([](const Fault& fault) { return "\n  in " + fault.where() + ".cpp"; });
  policy.set_listener([&](const std::string& text) { heard.push_back(text); });
  policy.warn(Fault(FaultKind::kFirmware, "a", "x"));
  EXPECT_EQ(heard, (Texts{"a: x\n  in a.cpp"}));
  EXPECT_EQ(policy.repetitions(), Texts{});
  for (unsigned i = 0; i < 2; ++i) policy.warn(Fault(FaultKind::kFirmware, "a", "x"));
  policy.warn(Fault(FaultKind::kFirmware, "b", "y"));
  EXPECT_EQ(heard, (Texts{"a: x\n  in a.cpp", "b: y\n  in b.cpp"}));
  EXPECT_EQ(policy.repetitions(), (Texts{"a: x (3 times)"}));
}

/// A text of a new kind; numbers would not make a difference.
std::string letters(unsigned i) {
  return {static_cast<char>('a' + i / 26 % 26), static_cast<char>('a' + i % 26)};
}

TEST(RecordingFaultPolicy, KeepsSoManyTextsAndCountsTheRest) {
  RecordingFaultPolicy policy;
  policy.set_warn(true);
  const auto different = static_cast<unsigned>(RecordingFaultPolicy::kKept) + 7;
  for (unsigned i = 0; i < different; ++i)
    policy.raise(Fault(FaultKind::kFirmware, "a", letters(i)));
  const Texts texts = policy.warnings();
  EXPECT_EQ(texts.size(), RecordingFaultPolicy::kKept + 1);
  EXPECT_EQ(texts.back(), "and 7 others");
}

TEST(RecordingFaultPolicy, KeepsEightThatDifferInNumbersAlone) {
  RecordingFaultPolicy policy;
  const auto row = [&policy](unsigned i, const std::string& columns) {
    policy.warn(Fault(FaultKind::kFirmware, "tensix(" + std::to_string(i % 3) + ",1)",
                      "row " + std::to_string(i) + ", columns " + columns + ": pc 0x2" +
                          (i % 2 == 0 ? "1a" : "f")));
  };
  for (unsigned i = 0; i < 300; ++i) row(i, i % 2 == 0 ? "1 3 5" : "7");
  policy.warn(Fault(FaultKind::kFirmware, "tensix(0,1)", "column 5"));
  row(0, "1 3 5");
  const Texts texts = policy.warnings();
  ASSERT_EQ(texts.size(), 9U);
  EXPECT_EQ(texts[0], "tensix(0,1): row 0, columns 1 3 5: pc 0x21a (2 times)");
  EXPECT_EQ(texts[7], "tensix(1,1): row 7, columns 7: pc 0x2f (and 292 more of this kind)");
  EXPECT_EQ(texts[8], "tensix(0,1): column 5");
  EXPECT_EQ(policy.count(), 302U);
}

}  // namespace
