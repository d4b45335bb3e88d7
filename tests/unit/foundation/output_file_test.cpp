#include "foundation/output_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <iterator>

#include "foundation/fault.h"
#include "foundation/host_error.h"
#include "foundation/read_file.h"
#include "foundation/same_file.h"
#include "foundation/scratch/scratch_file.h"
#include "foundation/scratch/scratch_folder.h"
#include "foundation/utf8.h"
#include "tests/support/test_folder.h"

namespace tvp::foundation {
namespace {

namespace fs = std::filesystem;

std::ptrdiff_t files_in(const std::string& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

TEST(OutputFile, WritesWhatItIsGiven) {
  const tvp::test::TestFolder folder("output");
  const std::string path = folder.file("a");
  OutputFile file(path);
  std::string all;
  for (int i = 0; i < 50000; ++i) {
    const std::string line = std::to_string(i) + "\n";
    file.write(line);
    all += line;
  }
  file.close();
  EXPECT_EQ(read_file(path), all);
  write_file(path, "short");
  EXPECT_EQ(read_file(path), "short");
  replace_file(path, "other");
  EXPECT_EQ(read_file(path), "other");
  EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(OutputFile, ReplacesWithoutFollowingASymbolicLink) {
  const tvp::test::TestFolder folder("links");
  const std::string victim = folder.file("victim"), path = folder.file("a");
  write_file(victim, "keep");
  for (const char* guess : {"", ".new", ".XXXXXX", ".tmp"})
    fs::create_symlink(victim, path + guess);
  replace_file(path, "mine");
  EXPECT_EQ(read_file(victim), "keep");
  EXPECT_EQ(read_file(path), "mine");
  EXPECT_FALSE(fs::is_symlink(path));
}

TEST(OutputFile, ReplacedFilesHaveTheRightsOfNewOnes) {
  const tvp::test::TestFolder folder("rights");
  const mode_t before = umask(027);
  replace_file(folder.file("a"), "x");
  write_file(folder.file("b"), "x");
  umask(before);
  EXPECT_EQ(fs::status(folder.file("a")).permissions(), fs::status(folder.file("b")).permissions());
}

TEST(ScratchFile, IsGoneUnlessItIsPublished) {
  const tvp::test::TestFolder folder("scratch");
  {
    ScratchFile file(folder.file("a"));
    file.write("half");
    EXPECT_EQ(files_in(folder.path()), 1);
    EXPECT_FALSE(fs::exists(folder.file("a")));
  }
  EXPECT_EQ(files_in(folder.path()), 0);
}

TEST(ScratchFolder, IsForItsOwnerOnly) {
  std::string path;
  {
    const ScratchFolder folder;
    path = folder.path();
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    EXPECT_NE(ScratchFolder().path(), path);
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(OutputFile, HasWhatWasWrittenOutsideOnceItIsSynced) {
  const tvp::test::TestFolder folder("output");
  const std::string path = folder.file("a");
  OutputFile file(path);
  file.write("short");
  file.sync();
  EXPECT_EQ(read_file(path), "short");
  // A device is no regular file and must not be replaced.
  OutputFile device("/dev/null");
  device.write("short");
  EXPECT_NO_THROW(device.sync());
}

TEST(OutputFile, TellsWhoseFaultANameIs) {
  EXPECT_THROW(OutputFile("/nowhere/at/all"), Fault);
  EXPECT_THROW(OutputFile("/"), Fault);
}

TEST(OutputFile, LosesNoByteWithoutAWord) {
  EXPECT_THROW(write_file("/dev/full", "x"), HostError);
  OutputFile file("/dev/full");
  EXPECT_THROW(
      {
        for (int i = 0; i < 100000; ++i) file.write("0123456789");
      },
      HostError);
}

// A limit at the last bytes must be reported, too, and the old file must stay.
TEST(OutputFile, NoticesALimitAtEveryByte) {
  const tvp::test::TestFolder folder("output");
  const std::string path = folder.file("a");
  write_file(path, "old");
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    int wrong = 0;
    for (const std::size_t bytes : {999U, 1000U, 1001U, 100000U}) {
      bool threw = false;
      try {
        replace_file(path, std::string(bytes, 'x'));
      } catch (const HostError&) {
        threw = true;
      }
      wrong += threw != (bytes > 1000) || files_in(folder.path()) != 1;
      wrong += fs::file_size(path) != std::min<std::size_t>(bytes, 1000);
      if (bytes > 1000) break;
    }
    _exit(wrong);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(SameFile, IsOneHoweverItIsSpelled) {
  const tvp::test::TestFolder folder("same");
  const std::string path = folder.path();
  fs::create_directories(path + "/sub");
  fs::create_directory_symlink(path, path + "/self");
  fs::create_symlink("later", path + "/link");
  fs::create_symlink(path + "/link", path + "/sub/linked");
  for (const char* other : {"/./later", "/sub/../later", "/self/later", "//later", "/link",
                            "/sub/linked", "/self/self/link"}) {
    EXPECT_TRUE(same_file(path + "/later", path + other)) << other;
  }
  EXPECT_FALSE(same_file(path + "/later", path + "/sub/later"));
  EXPECT_FALSE(same_file(path + "/later", path + "/later2"));
  write_file(path + "/a", "");
  write_file(path + "/b", "");
  EXPECT_FALSE(same_file(path + "/a", path + "/b"));
  fs::create_hard_link(path + "/a", path + "/c");
  EXPECT_TRUE(same_file(path + "/a", path + "/c"));
  EXPECT_FALSE(same_file("/dev/null", "/dev/null"));
}

TEST(Utf8, ReplacesOnlyWhatIsNone) {
  for (const char* text : {"", "plain", "ünï €", "\U0001F600", "\xED\x9F\xBF"}) {
    EXPECT_EQ(valid_utf8(text), text);
  }
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(valid_utf8("a\xFFz"), "a" + bad + "z");
  EXPECT_EQ(valid_utf8("\xC3"), bad);
  EXPECT_EQ(valid_utf8("\xC0\x80"), bad + bad);                      // longer than it must be
  EXPECT_EQ(valid_utf8("\xED\xA0\x80"), bad + bad + bad);            // half of a pair
  EXPECT_EQ(valid_utf8("\xF4\x90\x80\x80"), bad + bad + bad + bad);  // beyond the last
  EXPECT_EQ(valid_utf8("\xE2\x82"), bad + bad);
  EXPECT_EQ(valid_utf8("\x80"), bad);
}

/// RFC 3629, 3: the bytes of a code point.
std::string bytes_of(std::uint32_t code) {
  const auto continuation = [&](unsigned shift) {
    return static_cast<char>(0x80 | (code >> shift & 0x3F));
  };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xC0 | code >> 6), continuation(0)};
  if (code < 0x10000)
    return {static_cast<char>(0xE0 | code >> 12), continuation(6), continuation(0)};
  return {static_cast<char>(0xF0 | code >> 18), continuation(12), continuation(6), continuation(0)};
}

// Every code point is kept. A byte too few, too many or changed is replaced.
TEST(Utf8, KnowsEveryCodePoint) {
  const std::string bad = "\xEF\xBF\xBD";
  const auto repeated = [&](std::size_t n) {
    std::string text;
    while (n-- > 0) text += bad;
    return text;
  };
  for (std::uint32_t code = 0; code < 0x11'0000; ++code) {
    const std::string text = bytes_of(code);
    const bool half_of_a_pair = code >= 0xD800 && code < 0xE000;
    ASSERT_EQ(valid_utf8(text), half_of_a_pair ? repeated(3) : text) << code;
    if (half_of_a_pair || code % 37 != 0) continue;
    ASSERT_EQ(valid_utf8(text + "\xBF"), text + bad) << code;
    for (std::size_t i = 1; i < text.size(); ++i) {
      ASSERT_EQ(valid_utf8(text.substr(0, i)), repeated(i)) << code;
      // The other file is unchanged. Later output has lost its beginning.
      std::string changed = text;
      changed[i] = '\x7F';
      ASSERT_EQ(valid_utf8(changed), repeated(i) + "\x7F" + repeated(text.size() - i - 1)) << code;
    }
  }
}

}  // namespace
}  // namespace tvp::foundation
