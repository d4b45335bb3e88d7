// Entries that the kernel cache removes if it is too large, and those it never removes.

#include "sw/runtime/compiler/cache_limit.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>

#include "foundation/fault.h"
#include "foundation/read_file.h"
#include "sw/runtime/compiler/compile_cache.h"
#include "tests/support/test_folder.h"

namespace tvp::runtime {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kKiB = 1024;
constexpr std::size_t kImageBytes = 64 * kKiB;

/// A tool that creates an image with the letters of `name`.
CompileCache::Job job_of(const std::string& name) {
  CompileCache::Job job;
  job.name = name;
  job.command = {"/bin/sh", "-c",
                 "yes " + name + " | head -c " + std::to_string(kImageBytes) + " > \"$0\""};
  job.tool = CompileCache::Job::Tool::kObjcopy;
  return job;
}

void set_age(const fs::path& entry, std::int64_t seconds) {
  const std::int64_t then = time(nullptr) - seconds;
  const timespec times[2] = {{then, 0}, {then, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, entry.c_str(), times, 0), 0) << entry;
}

class CacheLimitTest : public testing::Test {
 protected:
  ~CacheLimitTest() override { unsetenv("TENSIX_VP_CACHE_LIMIT"); }
  static void limit(const std::string& text) { setenv("TENSIX_VP_CACHE_LIMIT", text.c_str(), 1); }
  std::string cache() const { return scratch_.file("cache"); }
  /// The folders of images with these names, created if missing.
  std::vector<fs::path> entries(const std::vector<std::string>& names) const {
    CompileCache cache(this->cache());
    std::vector<CompileCache::Job> jobs;
    for (const std::string& name : names) jobs.push_back(job_of(name));
    std::vector<fs::path> made;
    for (const auto& image : cache.build(jobs)) made.push_back(fs::path(image.path).parent_path());
    return made;
  }
  /// The same for `count` images: the first one was last used a day ago, each other one a second
  /// later.
  std::vector<fs::path> aged(std::size_t count) const {
    constexpr std::int64_t kDay = 86400;
    limit("none");
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) names.push_back("k" + std::to_string(i));
    std::vector<fs::path> made = entries(names);
    for (std::size_t i = 0; i < count; ++i) set_age(made[i], kDay - static_cast<std::int64_t>(i));
    return made;
  }
  /// An entry that is an empty folder, last used a day ago.
  std::vector<fs::path> empty_entries(std::size_t count) const {
    std::vector<fs::path> all;
    for (std::size_t i = 0; i < count; ++i) {
      std::string name = std::to_string(i);
      name.insert(0, 32 - name.size(), '0');
      all.push_back(fs::path(cache()) / name);
      fs::create_directories(all.back());
      set_age(all.back(), 86400);
    }
    return all;
  }
  static std::size_t there(const std::vector<fs::path>& paths) {
    return static_cast<std::size_t>(
        std::ranges::count_if(paths, [](const fs::path& path) { return fs::exists(path); }));
  }

  tvp::test::TestFolder scratch_{"cache_limit"};
};

TEST_F(CacheLimitTest, TakesSizesWithTheirUnit) {
  const std::pair<const char*, std::uint64_t> rows[] = {
      {"4 GiB", std::uint64_t{4} << 30},
      {"500MiB", std::uint64_t{500} << 20},
      {"1.5 GB", 1'500'000'000},
      {"0 B", 0},
      {" 2 kib ", 2048},
      {"3 KB", 3000},
      {"1 TiB", std::uint64_t{1} << 40},
  };
  for (const auto& [text, bytes] : rows) EXPECT_EQ(CacheLimit::parse(text, "X"), bytes) << text;
  EXPECT_EQ(CacheLimit::parse("none", "X"), std::nullopt);
  unsetenv("TENSIX_VP_CACHE_LIMIT");
  EXPECT_EQ(CacheLimit::from_environment(), CacheLimit::kUsualBytes);
  limit("");
  EXPECT_EQ(CacheLimit::from_environment(), CacheLimit::kUsualBytes);
}

TEST_F(CacheLimitTest, RefusesWhatIsNoSizeBeforeAnythingIsCompiled) {
  for (const char* text :
       {"4",       "0",        "-1 GiB",          "+1 GiB",  "nan GiB",   "inf",
        "inf GiB", "GiB",      "4 GiBs",          "4 G",     "4 XiB",     "4 iB",
        "1e3 MiB", "0x10 MiB", "99999999999 TiB", "1,5 GiB", "1.5.5 GiB", ". GiB",
        "no",      "\xff",     "4 GiB 5",         " "}) {
    limit(text);
    try {
      const CompileCache cache(this->cache());
      ADD_FAILURE() << text;
    } catch (const foundation::Fault& fault) {
      EXPECT_EQ(fault.kind(), foundation::FaultKind::kDescription) << text;
      EXPECT_EQ(fault.where(), "TENSIX_VP_CACHE_LIMIT") << text;
      EXPECT_NE(fault.message().find("'" + std::string(text) + "'"), std::string::npos) << text;
      EXPECT_NE(fault.message().find("4 GiB, 500 MiB"), std::string::npos) << text;
    }
  }
}

TEST_F(CacheLimitTest, TakesAwayWhatWasNotUsedForLongest) {
  const auto old = aged(32);
  limit("1 MiB");
  // Use the oldest entry first, so that it is no longer the oldest.
  const auto used = entries({"k0", "new"});
  EXPECT_TRUE(fs::exists(used[0]));
  EXPECT_TRUE(fs::exists(used[1]));
  std::uint64_t bytes = 0;
  for (const auto& entry : fs::directory_iterator(cache())) {
    bytes += CacheLimit::bytes_of(entry.path());
  }
  EXPECT_LE(bytes, 768 * kKiB + 16 * kKiB) << "three quarters, and what the cache notes";
  EXPECT_GT(bytes, 600 * kKiB);
  const std::size_t left = there(old);
  EXPECT_GE(left, 8U);
  for (std::size_t i = 1; i < old.size(); ++i) {
    EXPECT_EQ(fs::exists(old[i]), i > old.size() - left) << i;
  }
}

TEST_F(CacheLimitTest, TakesNothingAwayBelowTheLimitOrWithoutOne) {
  const auto old = aged(16);
  for (const char* text : {"none", "2 MiB", "4 GiB"}) {
    limit(text);
    entries({"k3", "new"});
    EXPECT_EQ(there(old), old.size()) << text;
  }
}

TEST_F(CacheLimitTest, KeepsAllThatALivingProcessHasUsed) {
  const auto old = aged(8);
  int started[2];
  int end[2];
  ASSERT_EQ(pipe(started), 0);
  ASSERT_EQ(pipe(end), 0);
  const pid_t child = fork();
  if (child == 0) {
    close(end[1]);
    CompileCache cache(this->cache());
    cache.build({job_of("k0"), job_of("k1"), job_of("childs")});
    const bool told = write(started[1], "x", 1) == 1;
    char byte;
    [[maybe_unused]] const ssize_t ended = read(end[0], &byte, 1);
    _exit(told ? 0 : 1);
  }
  close(end[0]);
  char byte;
  ASSERT_EQ(read(started[0], &byte, 1), 1);
  limit("0 B");
  const auto mine = entries({"mine", "childs"});
  EXPECT_EQ(there(old), 2U);
  EXPECT_TRUE(fs::exists(old[0]) && fs::exists(old[1]));
  EXPECT_EQ(there(mine), 2U);
  close(end[1]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  for (const auto& entry : old) {
    if (fs::exists(entry)) set_age(entry, 7200);
  }
  entries({"another"});
  EXPECT_EQ(there(old), 0U) << "nobody lives who has used them";
}

TEST_F(CacheLimitTest, KeepsWhatIsUsedWhileItLooks) {
  const auto all = empty_entries(256);  // after so many it notifies waiting processes
  const CacheLimit limit(cache(), 0);
  unsigned thrown_away = 0;
  limit.hold([&] { return scratch_.file("trash" + std::to_string(thrown_away++)); },
             [&] { limit.mark(all[7].string(), std::numeric_limits<std::int64_t>::max()); });
  EXPECT_TRUE(fs::exists(all[7]));
  EXPECT_EQ(there(all), 1U);
  EXPECT_EQ(thrown_away, all.size() - 1);
  EXPECT_FALSE(fs::exists(scratch_.file("trash0")));
}

// One run must not spend its time on clearing a cache that has grown for months.
TEST_F(CacheLimitTest, TakesAwaySoManyAtOnceAndTheRestTheNextTime) {
  const auto all = empty_entries(4100);
  const CacheLimit limit(cache(), 0);
  unsigned thrown_away = 0;
  const auto hold = [&] {
    limit.hold([&] { return scratch_.file("trash" + std::to_string(thrown_away++)); }, [] {});
  };
  hold();
  EXPECT_EQ(there(all), 4U);
  hold();
  EXPECT_EQ(there(all), 0U);
}

TEST_F(CacheLimitTest, LeavesWhatIsNotTheCaches) {
  aged(4);
  const fs::path folder = cache();
  const std::string hash = "0123456789abcdef0123456789abcdef";
  const std::vector<fs::path> others = {
      folder / "collectives" / "table.json", folder / "waves" / "sdpa", folder / "notes.txt",
      folder / (hash + "0") / "file",        folder / "generated-x",    folder / hash.substr(1)};
  for (const fs::path& path : others) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << std::string(kImageBytes, 'x');
    set_age(path, 86400);
    set_age(path.parent_path() == folder ? path : path.parent_path(), 86400);
  }
  const fs::path elsewhere = scratch_.file("elsewhere");
  fs::create_directories(elsewhere);
  fs::create_directory_symlink(elsewhere, folder / hash);
  limit("0 B");
  entries({"new"});
  EXPECT_EQ(there(others), others.size());
  EXPECT_TRUE(fs::is_symlink(folder / hash));
  EXPECT_TRUE(fs::exists(elsewhere));
}

// Each look costs a scan of thousands of entries.
TEST_F(CacheLimitTest, LooksThroughTheCacheOnlyWhenItHasGrown) {
  const auto old = aged(8);
  limit("1 MiB");
  entries({"k0"});
  const fs::path stranger = fs::path(cache()) / std::string(32, 'a');
  fs::create_directories(stranger);
  std::ofstream(stranger / "image.elf") << std::string(2048 * kKiB, 'x');
  set_age(stranger, 100'000);
  entries({"k1", "another"});
  EXPECT_TRUE(fs::exists(stranger)) << "nobody has counted it";
  for (const char* damage : {"", "nonsense", "tensix-vp-cache-1 x", "tensix-vp-cache-2 0 0 0\n"}) {
    if (!fs::exists(stranger)) {
      fs::create_directories(stranger);
      std::ofstream(stranger / "image.elf") << std::string(2048 * kKiB, 'x');
      set_age(stranger, 100'000);
    }
    std::ofstream(cache() + "/size") << damage;
    entries({"k1"});
    EXPECT_FALSE(fs::exists(stranger)) << damage;
  }
  EXPECT_EQ(there(old), old.size());
}

TEST_F(CacheLimitTest, HoldsANewLimitAtOnce) {
  const auto old = aged(16);
  limit("4 GiB");
  entries({"k15"});
  EXPECT_EQ(there(old), old.size());
  limit("512 KiB");
  entries({"k15"});
  EXPECT_LT(there(old), 7U);
  EXPECT_TRUE(fs::exists(old[15]));
}

TEST_F(CacheLimitTest, WaitsForNobodyWhoWasStoppedAtTheCount) {
  aged(4);
  limit("0 B");
  const int file = open((cache() + "/size").c_str(), O_RDWR | O_CREAT, 0666);
  ASSERT_EQ(flock(file, LOCK_EX), 0);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(there(entries({"k0"})), 1U);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(8));
  close(file);
}

// Processes request images while others remove entries. A returned image must be readable.
TEST_F(CacheLimitTest, GivesEachOfManyProcessesWhatItAskedFor) {
  constexpr unsigned kProcesses = 4;
  constexpr unsigned kRounds = 8;
  constexpr std::size_t kImages = 96;
  aged(kImages);
  std::vector<pid_t> children;
  for (unsigned c = 0; c < kProcesses; ++c) {
    const pid_t child = fork();
    if (child != 0) {
      children.push_back(child);
      continue;
    }
    std::mt19937 random(c);
    int wrong = 0;
    for (unsigned round = 0; round < kRounds; ++round) {
      // The limit decreases, so that there is always something to remove.
      limit(std::to_string((kRounds - round) * kImages * kImageBytes / kRounds) + " B");
      CompileCache cache(this->cache());
      std::vector<CompileCache::Job> jobs;
      for (unsigned i = 0; i < 3; ++i) jobs.push_back(job_of("k" + std::to_string(random() % 96)));
      const auto images = cache.build(jobs);
      for (std::size_t i = 0; i < jobs.size(); ++i) {
        const auto text = foundation::try_read_file(images[i].path);
        wrong += !text || text->size() != kImageBytes || !text->starts_with(jobs[i].name + "\n");
      }
    }
    _exit(wrong);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  std::size_t left = 0;
  for (const auto& entry : fs::directory_iterator(cache())) {
    left += entry.path().filename().string().size() == 32 ? 1 : 0;
    EXPECT_EQ(entry.path().filename().string().find("scratch"), std::string::npos) << entry;
  }
  EXPECT_LT(left, kImages) << "none was taken away";
}

}  // namespace
}  // namespace tvp::runtime
