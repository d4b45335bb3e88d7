#include "sw/runtime/compiler/compile_progress.h"

#include <gtest/gtest.h>

#include <sstream>

namespace tvp::runtime {
namespace {

class Progress : public testing::Test {
 protected:
  const CompileProgress::Time begin_{};
  std::ostringstream out_;
};

TEST_F(Progress, SaysNothingOfWhatIsOverSoon) {
  CompileProgress progress(20, begin_, &out_);
  for (unsigned i = 0; i < 20; ++i) progress.made_one(begin_ + std::chrono::seconds(4));
  EXPECT_EQ(out_.str(), "");
}

TEST_F(Progress, TellsEveryFiveSecondsWhatIsMade) {
  CompileProgress progress(200, begin_, &out_);
  for (unsigned i = 1; i <= 12; ++i) progress.made_one(begin_ + std::chrono::seconds(i));
  EXPECT_EQ(out_.str(),
            "./vp: compiling kernels for cores, 5 of 200 (kept for the next time)\n"
            "./vp: compiling kernels for cores, 10 of 200 (kept for the next time)\n");
}

TEST_F(Progress, HasNoLineForTheLastOne) {
  CompileProgress progress(2, begin_, &out_);
  progress.made_one(begin_ + std::chrono::seconds(1));
  progress.made_one(begin_ + std::chrono::seconds(9));
  EXPECT_EQ(out_.str(), "");
}

TEST_F(Progress, IsForPersonsOnly) {
  // Tests compare the output, so progress must not appear in it.
  testing::internal::CaptureStderr();
  EXPECT_EQ(CompileProgress::terminal(), nullptr);
  CompileProgress(5, begin_, CompileProgress::terminal())
      .made_one(begin_ + std::chrono::seconds(9));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace tvp::runtime
