#include <gtest/gtest.h>

#include "tests/support/choose_file.h"

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  return tvp::test::choose_file(argc, argv) ? RUN_ALL_TESTS() : 2;
}
