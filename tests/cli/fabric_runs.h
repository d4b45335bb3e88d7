#pragma once
// The reports of the fabric's workloads.

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/support/program.h"

namespace tvp {

class FabricRuns : public test::FolderTest {
 protected:
  nlohmann::json metrics(const std::string& workload, const std::string& settings) const {
    const std::string report = path("fabric.json");
    test::expect("run " + workload + " --set " + settings + " --report " + report, 0, {"passed"});
    return test::read_json(report)["metrics"];
  }
  /// GB/s of packets of 2 and 4 KiB.
  std::pair<double, double> rates(const std::string& workload, const std::string& settings) const {
    const auto all = metrics(workload, settings);
    return {all["rate_2048"]["value"], all["rate_4096"]["value"]};
  }
};

}  // namespace tvp
