// Keys that have an effect only with some values of other keys.

#include "foundation/setting_needs.h"

#include <gtest/gtest.h>

#include "tests/support/fault_of.h"

namespace tvp::foundation::setting_needs_test {
namespace {

struct Noc : SettingGroup {
  Noc() : SettingGroup("noc", SetBy::kDescription) {}
  Setting<bool> check{*this, {"check", "", "", ""}, false};
};
struct Mesh : SettingGroup {
  Mesh() : SettingGroup("mesh", SetBy::kDescription) {}
  Choice flow{*this,
              {"flow", "", "", ""},
              {.value = "buffered", .choices = {"buffered", "hold", "static"}}};
  Setting<unsigned> breaks{*this, {"breaks", "", "", ""}, {.value = 0, .min = 0, .max = 9}};
  Text faults{*this, {"faults", kNoFile, "", ""}, ""};
  Setting<unsigned> vcs{*this,
                        {"vcs", "", "a number (only with flow=buffered)", ""},
                        {.value = 2, .min = 1, .max = 9}};
  Setting<unsigned> turns{*this,
                          {"turns", "", "a number (only with flow!=static)", ""},
                          {.value = 2, .min = 1, .max = 9}};
  Setting<unsigned> retries{*this,
                            {"retries", "", "a number (only with faults!= or breaks!=0)", ""},
                            {.value = 2, .min = 1, .max = 9}};
  Setting<unsigned> far{*this,
                        {"far", "", "a number (only with noc.check=true)", ""},
                        {.value = 2, .min = 1, .max = 9}};
};

struct Needs : testing::Test {
  Needs() {
    registry.add(noc);
    registry.add(mesh);
  }
  std::string reason(const std::string& key) const {
    const auto found = without_effect(registry, key);
    return found ? found->text : "";
  }
  Noc noc;
  Mesh mesh;
  SettingsRegistry registry;
};

TEST_F(Needs, AKeyOfAnotherFlowControlHasNoEffect) {
  EXPECT_EQ(reason("mesh.vcs"), "");
  mesh.flow.set("hold");
  EXPECT_EQ(reason("mesh.vcs"),
            "'mesh.vcs' has no effect with mesh.flow=hold: expected mesh.flow=buffered");
  EXPECT_EQ(without_effect(registry, "mesh.vcs")->needs, std::vector<std::string>{"mesh.flow"});
  EXPECT_EQ(reason("mesh.turns"), "");
  mesh.flow.set("static");
  EXPECT_EQ(reason("mesh.turns"),
            "'mesh.turns' has no effect with mesh.flow=static: expected mesh.flow!=static");
}

TEST_F(Needs, OneAlternativeIsEnough) {
  EXPECT_EQ(reason("mesh.retries"),
            "'mesh.retries' has no effect with mesh.faults= and mesh.breaks=0: expected "
            "mesh.faults!= or mesh.breaks!=0");
  mesh.breaks.set("3");
  EXPECT_EQ(reason("mesh.retries"), "");
  mesh.breaks.set("0");
  mesh.faults.set("link");
  EXPECT_EQ(reason("mesh.retries"), "");
}

TEST_F(Needs, MayNameAKeyOfAnotherGroup) {
  EXPECT_EQ(reason("mesh.far"),
            "'mesh.far' has no effect with noc.check=false: expected noc.check=true");
  noc.check.set("1");
  EXPECT_EQ(reason("mesh.far"), "");
}

TEST_F(Needs, KeysWithoutConditionsAndUnknownOnesAreLeftAlone) {
  EXPECT_EQ(reason("mesh.breaks"), "");
  EXPECT_EQ(reason("mesh.nothing"), "");
}

struct Wrong : SettingGroup {
  Wrong() : SettingGroup("wrong", SetBy::kDescription) {}
  Setting<unsigned> stray{
      *this, {"stray", "", "a number (only with nothing=1)", ""}, {.value = 2, .min = 1, .max = 9}};
  Setting<unsigned> odd{
      *this, {"odd", "", "a number (only with stray)", ""}, {.value = 2, .min = 1, .max = 9}};
};

TEST(NeedsOfKeys, MustNameAKeyAndAValue) {
  Wrong wrong;
  SettingsRegistry registry;
  registry.add(wrong);
  EXPECT_EQ(test::fault_of([&] { without_effect(registry, "wrong.stray"); }),
            "settings: wrong.stray needs wrong.nothing, expected a key that exists");
  EXPECT_EQ(test::fault_of([&] { without_effect(registry, "wrong.odd"); }),
            "settings: doc of wrong.odd: 'stray', expected key=value");
}

}  // namespace
}  // namespace tvp::foundation::setting_needs_test
