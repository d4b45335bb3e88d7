#include "platform/checks/record/written_places.h"

#include <gtest/gtest.h>

namespace tvp::checks {
namespace {

TEST(WrittenPlaces, KeepsGranulesOf16Bytes) {
  WrittenPlaces places;
  EXPECT_FALSE(places.any(0, 1U << 20));
  places.note(0x3F8, 16);  // two granules, of two words of bits
  EXPECT_FALSE(places.any(0x3E0, 16));
  EXPECT_TRUE(places.any(0x3F0, 1));
  EXPECT_TRUE(places.any(0x40F, 1));
  EXPECT_FALSE(places.any(0x410, 0x10000));
  places.note(0x800, 0x800);
  EXPECT_FALSE(places.any(0x410, 0x3F0));
  EXPECT_TRUE(places.any(0x410, 0x3F1));
  EXPECT_TRUE(places.any(0xFF0, 16));
  EXPECT_FALSE(places.any(0x1000, 16));
  places.note(0x2000, 0);
  EXPECT_FALSE(places.any(0x2000, 16));
}

}  // namespace
}  // namespace tvp::checks
