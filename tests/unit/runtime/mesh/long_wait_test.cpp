// The warning about a long wait. The test provides the library's report.

#include "sw/runtime/mesh/long_wait.h"

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "sw/runtime/printing/waiting_cores.h"
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

TEST_F(LongWaitTest, IdleCoresShareALine) {
  const std::string waits =
      "c.NCRISC polling in look_at (/a/firmware/boot/firmware_common.h:22), inlined into "
      "serve_launches (/a/firmware/boot/ncrisc.cpp:50): waits for L1 0x18\", "
      "\"c.TRISC1 blocked in wait_for_coprocessor (/a/firmware/boot/trisc.cpp:61), inlined into "
      "firmware_main (/a/firmware/boot/trisc.cpp:101): waits for coprocessor";
  at(5, waits);
  const std::string one = at(10, waits);
  EXPECT_NE(one.find("\n  c.TRISC1 blocked in wait_for_coprocessor ("), std::string::npos) << one;
  EXPECT_NE(one.find("\n  1 core waits for a launch: c.NCRISC\n"), std::string::npos) << one;
  EXPECT_EQ(one.find("look_at"), std::string::npos) << one;
}

TEST(WaitingLines, NameTheFirstIdleCores) {
  nlohmann::json report{{"waiting", nlohmann::json::array()}};
  const auto add = [&](const std::string& core, const std::string& place) {
    report["waiting"].push_back(core + " polling in " + place + "): waits for L1 0x18");
  };
  for (unsigned i = 0; i < 3; ++i) {
    const std::string tile = "t" + std::to_string(i) + ".";
    add(tile + "BRISC",
        "look_at (/a/x.h:22), inlined into wait_for_go (/a/firmware/boot/brisc.cpp:49");
    add(tile + "TRISC0", "firmware_main (/a/firmware/boot/trisc.cpp:94");
    add(tile + "ERISC", "firmware_main (/a/firmware/boot/erisc.cpp:21");
  }
  add("t3.BRISC", "wait_for_subordinates (/a/firmware/boot/brisc.cpp:40");
  add("t4.NCRISC", "look_at (/a/kernel.cpp:7");
  EXPECT_EQ(waiting_lines(report),
            "\n  t3.BRISC polling in wait_for_subordinates (/a/firmware/boot/brisc.cpp:40): waits "
            "for L1 0x18\n  t4.NCRISC polling in look_at (/a/kernel.cpp:7): waits for L1 0x18\n  9 "
            "cores wait for a launch: t0.BRISC, t0.TRISC0, t0.ERISC, t1.BRISC, t1.TRISC0, "
            "t1.ERISC, t2.BRISC, t2.TRISC0 and 1 more");
}

TEST_F(LongWaitTest, WhereOthersGoOnNothingIsTold) {
  EXPECT_EQ(at(5, "NCRISC waits for L1"), "");
  EXPECT_EQ(at(10, "NCRISC waits for a circular buffer"), "");
  EXPECT_EQ(at(20, "NCRISC waits for L1"), "");
}

TEST(WaitingCores, GiveTheBytesOfCredits) {
  const std::string wait =
      "\n  NCRISC waits for the pages sent (16) of remote circular buffer 31 minus the pages "
      "acknowledged (16) of remote circular buffer 31 to be at least 128; it is 0; BRISC has ended "
      "after signalling it 16 times by ";
  const std::string text = with_bytes_of_credits(wait + "64 each, the last in s.cpp:4\n  other");
  EXPECT_NE(
      text.find("s.cpp:4; it waits for 2048 bytes, and each push of the sender has 1024. Both "
                "ends need the same page size\n  other"),
      std::string::npos)
      << text;
  const std::string equal = wait + "128 each";
  EXPECT_EQ(with_bytes_of_credits(equal), equal);
  EXPECT_EQ(with_bytes_of_credits("x\n"), "x\n");
}

}  // namespace
}  // namespace tvp::runtime
