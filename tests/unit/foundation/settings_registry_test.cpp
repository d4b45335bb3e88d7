#include "foundation/settings_registry.h"

#include <gtest/gtest.h>

#include "foundation/nearest_name.h"

namespace tvp::foundation {
namespace {

struct Noc : foundation::SettingGroup {
  Noc() : SettingGroup("noc") {}
  foundation::Setting<unsigned> hop_cycles{
      *this, {"hop_cycles", "cycles", "", ""}, {.value = 9, .min = 1, .max = 64}};
  foundation::Setting<bool> check{*this, {"check", "", "", ""}, false};
};
struct Dram : foundation::SettingGroup {
  Dram() : SettingGroup("dram") {}
  foundation::Setting<double> rate{
      *this, {"rate", "GB/s", "", ""}, {.value = 24.0, .min = 1.0, .max = 100.0}};
};

std::string error_of(SettingsRegistry& registry, const std::string& key, const std::string& value) {
  try {
    registry.set(key, value, "ring.toml:7");
  } catch (const foundation::Fault& fault) {
    return fault.what();
  }
  return "no error";
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
            "ring.toml:7: unknown key 'noc.hopcycles'; did you mean 'noc.hop_cycles'? ('vp list' "
            "shows all keys)");
  EXPECT_EQ(error_of(registry, "noc.hop_cycles", "0"),
            "ring.toml:7: noc.hop_cycles = '0': expected an integer 1..64");
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
