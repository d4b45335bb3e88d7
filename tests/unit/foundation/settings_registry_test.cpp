#include "foundation/settings_registry.h"

#include <gtest/gtest.h>

#include "foundation/nearest_name.h"
#include "tests/support/fault_of.h"

namespace tvp::foundation {
namespace {

struct Noc : foundation::SettingGroup {
  Noc() : SettingGroup("noc", SetBy::kDescription) {}
  foundation::Setting<unsigned> hop_cycles{
      *this, {"hop_cycles", "cycles", "", ""}, {.value = 9, .min = 1, .max = 64}};
  foundation::Setting<bool> check{*this, {"check", "", "", ""}, false};
};
struct Dram : foundation::SettingGroup {
  Dram() : SettingGroup("dram", SetBy::kDescription) {}
  foundation::Setting<double> rate{
      *this, {"rate", "GB/s", "", ""}, {.value = 24.0, .min = 1.0, .max = 100.0}};
};

std::string error_of(SettingsRegistry& registry, const std::string& key, const std::string& value) {
  return tvp::test::fault_of([&] { registry.set(key, value, "ring.toml:7"); });
}

TEST(SettingsRegistry, SetsByGroupAndKey) {
  Noc noc;
  Dram dram;
  SettingsRegistry registry;
  registry.add(noc);
  registry.add(dram);
  registry.set("noc.hop_cycles", "11", "--set");
  registry.set("dram.rate", "28", "--set");
  EXPECT_EQ(noc.hop_cycles, 11u);
  EXPECT_DOUBLE_EQ(dram.rate, 28.0);
  const auto all = registry.all();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].key, "dram.rate");
  EXPECT_EQ(all[1].key, "noc.check");
}

TEST(SettingsRegistry, ErrorsSayWhereAndWhatWasMeant) {
  Noc noc;
  SettingsRegistry registry;
  registry.add(noc);
  EXPECT_EQ(error_of(registry, "noc.hopcycles", "1"),
            "ring.toml:7: unknown key 'noc.hopcycles'; did you mean 'noc.hop_cycles'? "
            "('./vp list' shows all keys)");
  EXPECT_EQ(error_of(registry, "noc.hop_cycles", "0"),
            "ring.toml:7: noc.hop_cycles = '0': expected an integer 1..64");
}

struct Watch : foundation::SettingGroup {
  Watch() : SettingGroup("watch", SetBy::kRun) {}
  foundation::Setting<unsigned> port{
      *this, {"port", "", "", "", "--port N"}, {.value = 0, .min = 0, .max = 9}};
  foundation::Setting<unsigned> seed{*this, {"seed", "", "", ""}, {.value = 0, .min = 0, .max = 9}};
};
struct Core : foundation::SettingGroup {
  Core() : SettingGroup("core", SetBy::kDescription) {}
  foundation::Text log{*this, {"log", foundation::kOutputFile, "", ""}, ""};
};

TEST(SettingsRegistry, DescriptionsSetHardwareOnly) {
  Noc noc;
  Watch watch;
  Core core;
  SettingsRegistry registry;
  for (foundation::SettingGroup* group :
       std::initializer_list<foundation::SettingGroup*>{&noc, &watch, &core})
    registry.add(*group);
  registry.set_described("noc.hop_cycles", "11", "a.toml:1");
  EXPECT_EQ(noc.hop_cycles, 11u);
  constexpr const char* kRefused[][2] = {{"watch.port", "--port N"},
                                         {"watch.seed", "--set watch.seed=…"},
                                         {"core.log", "--set core.log=…"}};
  for (const auto& [key, instead] : kRefused) {
    EXPECT_EQ(tvp::test::fault_of([&, key = key] { registry.set_described(key, "1", "a.toml:2"); }),
              std::string("a.toml:2: ") + key +
                  ": a system description may set only hardware keys; give " + instead +
                  " on the command line instead");
    registry.set(key, "1", "--set");
  }
  EXPECT_EQ(watch.port, 1u);
}

TEST(SettingsRegistry, EditDistanceCountsChanges) {
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("same", "same"), 0u);
}

TEST(NearestName, IsOneThatMayHaveBeenMeant) {
  const std::vector<std::string> names = {"run", "record", "replay", "single_chip"};
  EXPECT_EQ(nearest_name("rnu", names), "run");
  EXPECT_EQ(nearest_name("sngle_chp", names), "single_chip");
  EXPECT_EQ(nearest_name("replay", names), "replay");
  for (const char* far : {"", "x", "sdpa", "elephants", "single"})
    EXPECT_EQ(nearest_name(far, names), "");
  EXPECT_EQ(did_you_mean("recrod", names), "; did you mean 'record'?");
  EXPECT_EQ(did_you_mean("dance", names), "");
}

}  // namespace
}  // namespace tvp::foundation
