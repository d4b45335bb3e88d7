// The warning about a long wait. The test provides the library's report.

#include "sw/runtime/mesh/long_wait.h"

#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>

#include "tests/unit/runtime/devices/fake_library.h"

namespace tvp::runtime {
namespace {

class LongWaitTest : public testing::Test {
 protected:
  LongWaitTest() {
    library_ = std::make_unique<DeviceLibrary>(test::FakeLibrary::functions(), "fake");
    wait_ = std::make_unique<LongWait>(*library_, begin_, out_);
  }
  std::string at(int second, const std::string& waits) {
    fake_.report = R"j({"cores": [{"name": "BRISC", "state": "running", "source": "f (k.cpp:3)"},
        {"name": "NCRISC", "state": "polling", "source": "g"}], "waiting": [")j" +
                   waits + "\"]}";
    out_.str("");
    wait_->look(begin_ + std::chrono::seconds(second));
    return out_.str();
  }

  test::FakeLibrary fake_;
  LongWait::Time begin_ = std::chrono::steady_clock::now();
  std::ostringstream out_;
  std::unique_ptr<DeviceLibrary> library_;
  std::unique_ptr<LongWait> wait_;
};

TEST_F(LongWaitTest, WhoAloneRunsIsToldOnce) {
  EXPECT_EQ(at(4, "NCRISC waits for L1"), "");
  EXPECT_EQ(at(5, "NCRISC waits for L1"), "") << "the first look";
  EXPECT_EQ(at(9, "NCRISC waits for L1"), "");
  const std::string told = at(10, "NCRISC waits for L1");
  for (const char* part :
       {"no end after 10 s", "\n  BRISC running in f (k.cpp:3)\n", "\n  NCRISC waits for L1"})
    EXPECT_NE(told.find(part), std::string::npos) << told;
  EXPECT_EQ(at(40, "NCRISC waits for L1"), "");
}

TEST_F(LongWaitTest, WhereOthersGoOnNothingIsTold) {
  EXPECT_EQ(at(5, "NCRISC waits for L1"), "");
  EXPECT_EQ(at(10, "NCRISC waits for a circular buffer"), "");
  EXPECT_EQ(at(20, "NCRISC waits for L1"), "");
}

}  // namespace
}  // namespace tvp::runtime
