#include "models/support/huge_pages.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

namespace {

using tvp::support::HugePages;
using tvp::support::OnHugePages;

struct alignas(64) Thing : OnHugePages {
  std::uint8_t bytes[100000];
};

std::uintptr_t page_of(const void* object) {
  return reinterpret_cast<std::uintptr_t>(object) / HugePages::kPageBytes;
}

TEST(HugePages, ObjectsShareAPageAndKeepToThemselves) {
  const std::size_t before = HugePages::pages();
  std::vector<std::unique_ptr<Thing>> things;
  for (unsigned i = 0; i < 40; ++i) {
    things.push_back(std::make_unique<Thing>());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(things.back().get()) % 64, 0U);
    std::memset(things.back()->bytes, static_cast<int>(i), sizeof things.back()->bytes);
  }
  EXPECT_EQ(page_of(things[0].get()), page_of(things[1].get()));
  EXPECT_EQ(HugePages::pages(), before + 2);  // twenty on each
  for (unsigned i = 0; i < 40; ++i) {
    EXPECT_EQ(things[i]->bytes[0], i);
    EXPECT_EQ(things[i]->bytes[sizeof things[i]->bytes - 1], i);
  }
}

TEST(HugePages, GivesPagesBackWithTheirLastObject) {
  const std::size_t before = HugePages::pages();
  std::vector<std::unique_ptr<Thing>> things;
  for (unsigned i = 0; i < 40; ++i) things.push_back(std::make_unique<Thing>());
  things.erase(things.begin() + 1, things.begin() + 20);
  EXPECT_EQ(HugePages::pages(), before + 2);  // the first object keeps its page
  things.erase(things.begin());
  EXPECT_EQ(HugePages::pages(), before + 1);
  things.clear();
  EXPECT_EQ(HugePages::pages(), before);
}

/// Chips in parallel threads decode new code.
TEST(HugePages, ThreadsDoNotGetEachOthersObjects) {
  const std::size_t before = HugePages::pages();
  std::atomic<unsigned> wrong = 0;
  const auto use = [&](std::uint8_t own) {
    for (unsigned round = 0; round < 200; ++round) {
      std::vector<std::unique_ptr<Thing>> things;
      for (unsigned i = 0; i < 25; ++i) {
        things.push_back(std::make_unique<Thing>());
        std::memset(things.back()->bytes, own, sizeof things.back()->bytes);
      }
      for (const auto& each : things) {
        if (each->bytes[0] != own || each->bytes[sizeof each->bytes - 1] != own) ++wrong;
      }
    }
  };
  std::vector<std::thread> threads;
  for (std::uint8_t i = 0; i < 4; ++i) threads.emplace_back(use, i);
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(HugePages::pages(), before);
}

TEST(HugePages, LargeObjectsComeFromTheHeap) {
  const std::size_t before = HugePages::pages();
  void* large = HugePages::allocate(HugePages::kPageBytes);
  EXPECT_EQ(HugePages::pages(), before);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(large) % 64, 0U);
  HugePages::release(large, HugePages::kPageBytes);
  HugePages::release(nullptr, 1);
}

}  // namespace
