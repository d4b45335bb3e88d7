// Compares sw/collectives/FINDINGS.md with runs of all its rows.

#include <gtest/gtest.h>

#include "tests/support/program.h"

namespace tvp {
namespace {

/// Fails with the list of changed decisions and stale rows.
TEST(Findings, OnMachinesAreOfToday) {
  test::expect("collectives findings against=" TVP_SOURCE_FOLDER "/sw/collectives/FINDINGS.md", 0,
               {"has the claims of today"});
}

}  // namespace
}  // namespace tvp
