// A PIM rank with RTL routers against the same rank in TLM, as a user runs them.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace tvp {
namespace {

using Json = nlohmann::json;

Json run(const std::string& settings) {
  const auto file =
      std::filesystem::temp_directory_path() / ("tvp_rtl_" + std::to_string(getpid()) + ".json");
  const std::string command = std::string(TVP_PROGRAM) + " run pim_allreduce --quiet --report " +
                              file.string() + " --set bytes=2048 --set " + settings;
  const int status = std::system(command.c_str());
  Json report;
  std::ifstream(file) >> report;
  std::filesystem::remove(file);
  EXPECT_EQ(status, 0) << command;
  return report;
}

/// The same results in the same picosecond: the protocols of the routers fix every cycle.
class RtlRank : public ::testing::TestWithParam<const char*> {};

TEST_P(RtlRank, EqualsTheTlmRank) {
  const std::string mesh = GetParam();
  const Json tlm = run(mesh);
  for (const char* router : {"rtl", "rtl:3:2"}) {
    const Json rtl = run(mesh + " --set router=" + router);
    EXPECT_EQ(rtl.at("passed"), true);
    EXPECT_EQ(rtl.at("simulated_ps"), tlm.at("simulated_ps")) << router;
    EXPECT_EQ(rtl.at("state_digest"), tlm.at("state_digest")) << router;
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, RtlRank,
                         ::testing::Values("mesh.flow_control=buffered,mesh.routing=xy",
                                           "mesh.flow_control=buffered,mesh.routing=west_first",
                                           "mesh.flow_control=hold,mesh.routing=yx"));

}  // namespace
}  // namespace tvp
