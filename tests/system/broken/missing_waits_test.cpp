// Tests that workloads pass with their waits, and fail with a report if a wait is missing.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/program.h"

namespace tvp {
namespace {

namespace fs = std::filesystem;
using Ended = test::ReportedRun;

Ended run(const std::string& arguments) {
  if (arguments.starts_with("run ")) return test::run_with_report(arguments + " --quiet");
  const test::Outcome outcome = test::vp(arguments);  // exec: the program makes no report
  return {outcome.exit_code, {}, outcome.output};
}

const std::string kDropped = "coprocessor.drop_opcode=STALLWAIT";
const std::string kSmall = "run matmul --set m=64,n=64,k=128,blocks=2,subblock_m=1,subblock_n=2";

bool names_it(const Ended& result) {
  return result.exit_code != 0 && result.errors.find("a wait is missing") != std::string::npos &&
         result.errors.find("pushed at pc 0x") != std::string::npos &&
         result.errors.find("firmware/llk/") != std::string::npos;
}

TEST(MissingWaitsRun, WithoutAnyStallwaitEachStopsWithAName) {
  const std::string eltwise = "-- " TVP_ELTWISE;
  EXPECT_EQ(run("exec " + eltwise).exit_code, 0);
  const Ended results[] = {run(kSmall + "," + kDropped), run("run sdpa --set " + kDropped),
                           run("exec --set " + kDropped + " " + eltwise)};
  for (const Ended& result : results) EXPECT_TRUE(names_it(result)) << result.errors;
  // The third program selects its own exit code.
  for (const Ended& result : {results[0], results[1]}) EXPECT_EQ(result.exit_code, 3);
}

/// Drops one STALLWAIT at a time. The report then names a use of Dst before the packers have read
/// it, or a use of L1 before packers or unpackers have finished.
TEST(MissingWaitsRun, EachKindOfWaitIsMissedByItself) {
  bool zeroacc = false;
  bool pushed = false;
  bool popped = false;
  for (unsigned nth = 1; nth <= 60 && !(zeroacc && popped); ++nth) {
    const Ended result =
        run(kSmall + "," + kDropped + ",coprocessor.drop_nth=" + std::to_string(nth));
    if (result.exit_code == 0) continue;
    ASSERT_TRUE(names_it(result)) << "without the " << nth << ".: " << result.errors;
    zeroacc = zeroacc || result.errors.find("ZEROACC") != std::string::npos;
    popped = popped || result.errors.find("cb_pop_front") != std::string::npos;
  }
  EXPECT_TRUE(zeroacc);
  EXPECT_TRUE(popped);
  for (unsigned nth = 1; nth <= 40 && !pushed; ++nth) {
    const Ended result =
        run("run sdpa --set " + kDropped + ",coprocessor.drop_nth=" + std::to_string(nth));
    pushed = result.errors.find("cb_push_back") != std::string::npos;
    EXPECT_TRUE(!pushed || names_it(result)) << result.errors;
  }
  EXPECT_TRUE(pushed);
}

TEST(MissingWaitsRun, CanBeAWarningOrNothing) {
  const std::string dropped = kSmall + "," + kDropped + ",coprocessor.missing_waits=";
  const Ended warned = run(dropped + "warn");
  EXPECT_EQ(warned.exit_code, 0) << warned.errors;
  ASSERT_TRUE(warned.report.is_object());
  EXPECT_NE(warned.report.dump().find("a wait is missing"), std::string::npos);
  const Ended off = run(dropped + "off");
  EXPECT_EQ(off.exit_code, 0) << off.errors;
  EXPECT_EQ(off.report.dump().find("a wait is missing"), std::string::npos);
  EXPECT_EQ(off.report.at("simulated_ps"), warned.report.at("simulated_ps"));
}

/// A copy of the tree's firmware in which one line of one file is replaced.
class Changed {
 public:
  Changed(const std::string& file, const std::string& line, const std::string& to = "")
      : root_(fs::temp_directory_path() / ("tvp_dropped_" + std::to_string(getpid()))) {
    fs::remove_all(root_);
    fs::create_directories(root_);
    for (const auto& entry : fs::directory_iterator(TVP_SOURCE_ROOT)) {
      if (entry.path().filename() == "firmware") {
        fs::copy(entry.path(), root_ / "firmware", fs::copy_options::recursive);
      } else {
        fs::create_symlink(entry.path(), root_ / entry.path().filename());
      }
    }
    std::ifstream whole(root_ / file);
    std::string text{std::istreambuf_iterator<char>(whole), {}};
    const std::size_t at = text.find(line);
    EXPECT_NE(at, std::string::npos) << file << " has no " << line;
    if (at != std::string::npos) text.replace(at, line.size(), to);
    std::ofstream(root_ / file) << text;
    setenv("TENSIX_VP_ROOT", root_.c_str(), 1);
  }
  Changed(const Changed&) = delete;
  Changed& operator=(const Changed&) = delete;
  ~Changed() {
    unsetenv("TENSIX_VP_ROOT");
    fs::remove_all(root_);
  }

 private:
  fs::path root_;
};

/// The checks see for how many pages a core waits, also if there is room for more.
TEST(MissingWaitsRun, AReserveOfOtherPagesThanArePushed) {
  const struct {
    const char *file, *line, *to, *run, *what, *where;
  } cases[] = {
      {"firmware/kernels/loopback/reader.cpp", "cb_reserve_back(kCb, 1)", "cb_reserve_back(kCb, 2)",
       "run dram_loopback", "reserves 1 page of circular buffer 0 more than it pushes",
       "loopback/reader.cpp:14"},
      {"firmware/kernels/matmul/reader_writer.cpp", "cb_reserve_back(kIn1, kInner * kColumns)",
       "cb_reserve_back(kIn1, kInner * kColumns - 1)", kSmall.c_str(),
       "pushes 1 page of circular buffer 1 more than its cb_reserve_back asks for",
       "matmul/reader_writer.cpp:22"}};
  for (const auto& each : cases) {
    const Changed changed(each.file, each.line, each.to);
    const Ended result = run(each.run);
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    const std::string warnings = result.report.dump();
    for (const char* part : {each.what, each.where})
      EXPECT_NE(warnings.find(part), std::string::npos) << part << "\n" << warnings;
  }
}

TEST(MissingWaitsRun, AReaderThatNeverPopsWaitsForTheSamePageAgain) {
  const Changed changed("firmware/kernels/loopback/writer.cpp", "cb_pop_front(kCb, 1);");
  const Ended result = run("run dram_loopback --set pages=4");
  for (const char* part : {"waits for 1 page of circular buffer 0 and pops none, but 4 are pushed",
                           "loopback/writer.cpp:15", "loopback/reader.cpp:17"})
    EXPECT_NE(result.report.dump().find(part), std::string::npos) << part;
}

/// Without the barrier, the writer sends a page whose data has not arrived.
TEST(MissingWaitsRun, AReadBarrierThatIsNotThere) {
  EXPECT_EQ(run("run dram_loopback").exit_code, 0);
  const Changed dropped("firmware/kernels/loopback/reader.cpp", "noc_async_read_barrier();");
  const Ended result = run("run dram_loopback");
  EXPECT_EQ(result.exit_code, 3);
  for (const char* part :
       {"a wait is missing", "(a write that BRISC started at pc 0x",
        "(a read that NCRISC started at pc 0x", "loopback/writer.cpp", "loopback/reader.cpp"}) {
    EXPECT_NE(result.errors.find(part), std::string::npos) << part << "\n" << result.errors;
  }
}

/// A core reads the destination of a NoC read before the data has arrived, or changes the source of
/// a NoC write before the data has left.
TEST(MissingWaitsRun, ACoreThatDoesNotWaitForANiu) {
  struct Case {
    const char* file;
    std::string before;  ///< code before the wait
    std::string wait;
    std::string prepare, use;
    const char* texts[4];
  };
  const Case kCases[] = {
      {"firmware/kernels/loopback/reader.cpp",
       "noc_async_read_page(page, accessor, get_write_ptr(kCb));\n    ",
       "noc_async_read_barrier();",
       "auto* const data = reinterpret_cast<volatile uint32_t*>(get_write_ptr(kCb));\n",
       "[[maybe_unused]] const uint32_t first = *data;",
       {".NCRISC: load from 0x", "NCRISC reads L1 0x",
        "while NIU 0 (a read that NCRISC started at pc 0x", "loopback/reader.cpp"}},
      {"firmware/kernels/loopback/writer.cpp",
       "noc_async_write_page(page, accessor, get_read_ptr(kCb));\n    ",
       "noc_async_writes_flushed();",
       "auto* const data = reinterpret_cast<volatile uint32_t*>(get_read_ptr(kCb));\n",
       "*data = 1;",
       {".BRISC: store to 0x", "BRISC writes L1 0x",
        "while NIU 1 (a write that BRISC started at pc 0x", "loopback/writer.cpp"}},
  };
  for (const Case& each : kCases) {
    {
      const Changed changed(each.file, each.before + each.wait,
                            each.prepare + each.before + each.use);
      const Ended result = run("run dram_loopback");
      EXPECT_EQ(result.exit_code, 3) << each.file;
      for (const char* text : each.texts) {
        EXPECT_NE(result.errors.find(text), std::string::npos) << text << "\n" << result.errors;
      }
    }
    const Changed changed(each.file, each.before + each.wait,
                          each.prepare + each.before + each.wait + each.use);
    const Ended result = run("run dram_loopback");
    EXPECT_EQ(result.exit_code, 0) << each.file << "\n" << result.errors;
  }
}

/// Without the wait, the format changes while UNPACK still unpacks tiles of the old format.
TEST(MissingWaitsRun, AConfigurationThatChangesTooEarly) {
  const std::string run_of = "run matmul --set fp32_dst=true,subblock_m=2";
  EXPECT_EQ(run(run_of).exit_code, 0);
  const Changed dropped("firmware/llk/llk_unpack.h",
                        "stall<kBlockConfig, kUntilUnpacker0 | kUntilUnpacker1>();");
  const Ended warned = run(run_of);
  EXPECT_NE(warned.report.dump().find("changes configuration word"), std::string::npos)
      << warned.errors;
  const Ended result = run(run_of + ",coprocessor.missing_config_waits=fault");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_TRUE(names_it(result)) << result.errors;
  for (const char* part : {"changes configuration word", "(UNPACR", "describe_unpack"}) {
    EXPECT_NE(result.errors.find(part), std::string::npos) << part << "\n" << result.errors;
  }
}

}  // namespace
}  // namespace tvp
