#include "platform/machine/coordinate_translation.h"

#include <gtest/gtest.h>

namespace tvp::platform {
namespace {

// The example of ISA NoC/Coordinates.md: rows 7 and 10 harvested.
TEST(CoordinateTranslation, TheDocumentedExample) {
  const CoordinateTranslation t(1U << 7 | 1U << 10);
  const unsigned y0[] = {0, 6, 1, 2, 3, 4, 5, 8, 9, 11, 7, 10};
  const unsigned y1[] = {11, 5, 10, 9, 8, 7, 6, 3, 2, 0, 4, 1};
  const unsigned x0[] = {0, 5, 1, 2, 3, 4, 6, 7, 8, 9};
  const unsigned x1[] = {9, 4, 8, 7, 6, 5, 3, 2, 1, 0};
  for (unsigned i = 0; i < 12; ++i) {
    EXPECT_EQ(t.y(0, 16 + i), y0[i]);
    EXPECT_EQ(t.y(1, 16 + i), y1[i]);
    EXPECT_EQ(t.translated_y(y0[i]), 16 + i);
  }
  for (unsigned i = 0; i < 10; ++i) {
    EXPECT_EQ(t.x(0, 16 + i), x0[i]);
    EXPECT_EQ(t.x(1, 16 + i), x1[i]);
    EXPECT_EQ(t.translated_x(x0[i]), 16 + i);
  }
  for (unsigned i = 0; i < 16; ++i) {
    EXPECT_EQ(t.x(1, i), i);
    EXPECT_EQ(t.y(1, i), i);
  }
}

TEST(CoordinateTranslation, TablesHoldFourBitsAnEntry) {
  const CoordinateTranslation t(0);
  for (unsigned noc = 0; noc < 2; ++noc) {
    for (unsigned i = 0; i < 32; ++i) {
      EXPECT_EQ((t.x_table_word(noc, i / 8) >> (4 * (i % 8))) & 0xF, t.x(noc, i));
      EXPECT_EQ((t.y_table_word(noc, i / 8) >> (4 * (i % 8))) & 0xF, t.y(noc, i));
    }
  }
}

}  // namespace
}  // namespace tvp::platform
