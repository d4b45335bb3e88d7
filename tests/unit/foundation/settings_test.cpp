#include "foundation/settings.h"

#include <gtest/gtest.h>

#include "tests/support/fault_of.h"

namespace tvp::foundation {
namespace {

struct Config : SettingGroup {
  Config() : SettingGroup("noc", SetBy::kDescription) {}
  Setting<unsigned> hop_cycles{*this,
                               {"hop_cycles", "cycles", "router to router", "ISA NoC/README.md"},
                               {.value = 9, .min = 1, .max = 64}};
  Setting<double> derate{
      *this, {"derate", "", "share of peak", "assumed"}, {.value = 0.93, .min = 0.0, .max = 1.0}};
  Setting<bool> timed{*this, {"timed", "", "host accesses take time", "assumed"}, false};
  Choice router{*this,
                {"router", "", "which model", "assumed"},
                {.value = "fast", .choices = {"fast", "detailed"}}};
};

std::string error_of(SettingBase& s, const std::string& text) {
  return tvp::test::fault_of([&] { s.set(text); }, FaultKind::kDescription, "");
}

TEST(Settings, DefaultsAreKnownAsDefaults) {
  Config c;
  EXPECT_EQ(c.settings().size(), 4u);
  EXPECT_EQ(c.hop_cycles, 9u);
  EXPECT_TRUE(c.hop_cycles.is_default());
  EXPECT_FALSE(c.hop_cycles.assumed());
  EXPECT_TRUE(c.derate.assumed());
}

TEST(Settings, SetParsesAndRemembers) {
  Config c;
  c.hop_cycles.set("0x10");
  EXPECT_EQ(c.hop_cycles, 16u);
  EXPECT_FALSE(c.hop_cycles.is_default());
  EXPECT_EQ(c.hop_cycles.default_text(), "9");
  c.timed.set("true");
  EXPECT_TRUE(c.timed);
  c.router.set("detailed");
  EXPECT_TRUE(c.router == "detailed");
  c.derate.set("0.5");
  EXPECT_DOUBLE_EQ(c.derate, 0.5);
}

// Reports, and chips with their own settings, get a value from its text.
TEST(Settings, TextOfANumberIsReadBackAsTheSameNumber) {
  Config c;
  for (const char* text :
       {"0.5", "0.123456789", "0.1", "1e-09", "0.3333333333333333", "0.30000000000000004"}) {
    c.derate.set(text);
    EXPECT_EQ(c.derate.text(), text);
    Config again;
    again.derate.set(c.derate.text());
    EXPECT_EQ(again.derate.value(), c.derate.value());
  }
  EXPECT_EQ(c.derate.expected(), "number 0..1");
}

TEST(Settings, ErrorsNameValueAndExpectation) {
  Config c;
  EXPECT_EQ(error_of(c.hop_cycles, "nine"), "hop_cycles = 'nine': expected an integer 1..64");
  EXPECT_EQ(error_of(c.hop_cycles, "65"), "hop_cycles = '65': expected an integer 1..64");
  EXPECT_EQ(error_of(c.hop_cycles, ""), "hop_cycles = '': expected an integer 1..64");
  EXPECT_EQ(error_of(c.hop_cycles, "-3"), "hop_cycles = '-3': expected an integer 1..64");
  EXPECT_EQ(error_of(c.derate, "1.5"), "derate = '1.5': expected a number 0..1");
  for (const char* text : {"", "half", "0.5x", "0.5 ", " 0.5", "1e999", "nan"})
    EXPECT_EQ(error_of(c.derate, text),
              "derate = '" + std::string(text) + "': expected a number 0..1");
  EXPECT_EQ(error_of(c.hop_cycles, "9x"), "hop_cycles = '9x': expected an integer 1..64");
  EXPECT_EQ(error_of(c.timed, "yes"), "timed = 'yes': expected true or false");
  EXPECT_EQ(error_of(c.router, "rtl"), "router = 'rtl': expected one of fast, detailed");
  EXPECT_EQ(c.hop_cycles, 9u);
}

}  // namespace
}  // namespace tvp::foundation
