// In builds with TVP_RTL_COVERAGE, writes the test's coverage to a file.

#include <gtest/gtest.h>
#include <verilated.h>
#include <verilated_cov.h>

namespace tvp::rtl {
namespace {

class WriteCoverage : public ::testing::Environment {
  void TearDown() override { Verilated::threadContextp()->coveragep()->write(TVP_COVERAGE_FILE); }
};

const auto* const kRegistered = ::testing::AddGlobalTestEnvironment(new WriteCoverage);

}  // namespace
}  // namespace tvp::rtl
