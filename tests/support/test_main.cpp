#include <gtest/gtest.h>

#include <systemc>

#include "tests/support/choose_file.h"

int sc_main(int argc, char** argv) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_PS);
  ::testing::InitGoogleTest(&argc, argv);
  return tvp::test::choose_file(argc, argv) ? RUN_ALL_TESTS() : 2;
}
