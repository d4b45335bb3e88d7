// Trace files: our own format and those of DRAMsim3, Ramulator and DRAMSys, good and bad ones.

#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "models/dram/traffic/trace_source.h"
#include "models/dram/traffic/traffic_player.h"
#include "tests/support/fault_of.h"

namespace tvp::dram::trace_test {
namespace {

using foundation::Fault;
using From = TrafficRequest::From;

constexpr const char* kMapping = "row:rank:bank:bankgroup:column:channel";

/// DDR4 with two rows in each of 16 banks, 256 KiB.
const MemorySystem& memory() {
  static const MemorySystem small = [] {
    Preset preset = *find_preset("ddr4_2400");
    preset.organization.rows = 2;
    return MemorySystem(preset, {}, kMapping, false);
  }();
  return small;
}

std::string file_with(const std::string& text, const std::string& ending = ".txt") {
  std::string file = ::testing::TempDir() + "dram_trace" + ending;
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

struct Read {
  bool write;
  std::uint64_t address;
  MemCycle not_before;
  From from;
  bool operator==(const Read&) const = default;
};
void PrintTo(const Read& read, std::ostream* out) {
  *out << (read.write ? "W " : "R ") << read.address << " at " << read.not_before << " from "
       << static_cast<int>(read.from);
}

std::vector<Read> requests_of(const std::string& text, const TraceSource::Options& options = {},
                              const std::string& ending = ".txt",
                              const MemorySystem& of = memory()) {
  TraceSource source(file_with(text, ending), options, of);
  std::vector<Read> all;
  for (TrafficRequest r; source.next(r);) all.push_back({r.write, r.address, r.not_before, r.from});
  return all;
}

/// The error without the name of the file.
std::string error_of(const std::string& text, const TraceSource::Options& options = {}) {
  const std::string file = file_with(text);
  const std::string what = tvp::test::fault_of([&] { TraceSource(file, options, memory()); },
                                               foundation::FaultKind::kDescription, "");
  if (what.empty()) return "";
  EXPECT_EQ(what.rfind(file, 0), 0U) << what;
  return what.substr(file.size());
}

TEST(NativeTrace, HasTimesAndGaps) {
  EXPECT_EQ(requests_of("# cycle direction address\n\n10 R 0x40\n+5 W 128  # later\r\n15 R 0\n"),
            (std::vector<Read>{{false, 64, 10, From::kStart},
                               {true, 128, 15, From::kStart},
                               {false, 0, 15, From::kStart}}));
}

TEST(NativeTrace, NamesTheLineAndWhatWasExpected) {
  const std::string form = " (TIME R|W ADDRESS)";
  EXPECT_EQ(error_of("0 R 0\n5 R\n"), ":2: a line of 2 words" + form);
  EXPECT_EQ(error_of("x R 0\n"), ":1: time 'x': expected a number" + form);
  EXPECT_EQ(error_of("+ R 0\n"), ":1: time '': expected a number" + form);
  EXPECT_EQ(error_of("\n9 R 0\n8 R 0\n"), ":3: time 8 is before that of the line before, 9" + form);
  EXPECT_EQ(error_of("0 R 0\n0 read 0\n"), ":2: 'read': expected R or W" + form);
  EXPECT_EQ(error_of("0 R 0xzz\n"),
            ":1: address '0xzz': expected 0x and up to 16 hexadecimal digits" + form);
  EXPECT_EQ(error_of("0 R 262144\n"),
            ":1: address 262144 is outside the 262144 bytes; dram_traffic.trace_wraps=true lets "
            "addresses wrap around" +
                form);
  EXPECT_EQ(error_of("0 R 0 64\n"), ":1: '64' behind the end of the form" + form);
}

TEST(TraceSource, RefusesWhatIsNoFile) {
  EXPECT_THROW(TraceSource("/nowhere/trace.txt", {}, memory()), Fault);
  EXPECT_THROW(TraceSource("/dev/zero", {}, memory()), Fault);
  EXPECT_THROW(TraceSource("/proc/self/mem", {}, memory()), Fault)
      << "which opens, and cannot be read";
  EXPECT_EQ(error_of("0 R 0\n" + std::string(100000, ' ')),
            ":2: a line of more than 4096 characters (TIME R|W ADDRESS)");
}

TEST(TraceSource, RefusesTimesThatDoNotFit) {
  EXPECT_EQ(error_of("281474976710656 R 0\n"), "");
  const std::string beyond = " is beyond the last cycle, 281474976710656 (TIME R|W ADDRESS)";
  EXPECT_EQ(error_of("281474976710657 R 0\n"), ":1: time 281474976710657" + beyond);
  EXPECT_EQ(error_of("1 R 0\n+281474976710656 R 0\n"), ":2: time +281474976710656" + beyond);
  EXPECT_EQ(error_of("5 R 0\n+18446744073709551615 R 0\n"),
            ":2: time +18446744073709551615" + beyond);
  EXPECT_EQ(error_of("18446744073709551616 R 0\n"),
            ":1: time '18446744073709551616': expected a number (TIME R|W ADDRESS)");
  // A slower clock reaches the last cycle earlier.
  EXPECT_EQ(error_of("281474976710656 R 0\n", {.clock_mhz = 600}),
            ":1: time 281474976710656" + beyond);
}

TEST(TraceSource, SaysWhichFormsItKnows) {
  const std::string error = error_of("hello world\n");
  for (const char* form : {":1: expected TIME R|W ADDRESS", "DRAMsim3: 0xADDRESS READ|WRITE CYCLE",
                           "Ramulator: 0xADDRESS R|W", "Ramulator 2: LD|ST ADDRESS",
                           "R|W channel,rank,bankgroup,bank,row,column",
                           "DRAMSys: CYCLE: [(BYTES)] read|write 0xADDRESS [0xDATA]"}) {
    EXPECT_NE(error.find(form), std::string::npos) << form << " in " << error;
  }
  // A named format reads only its own lines.
  EXPECT_EQ(error_of("0x40 R\n", {.format = "dramsim3"}),
            ":1: a line of 2 words (DRAMsim3: 0xADDRESS READ|WRITE CYCLE)");
}

TEST(TraceSource, ConvertsTheClockOfTheTrace) {
  // Cycles of 200 MHz are six of CK.
  EXPECT_EQ(requests_of("0x0 READ 7\n", {.clock_mhz = 200}),
            (std::vector<Read>{{false, 0, 42, From::kStart}}));
  // 3 cycles of 1600 MHz are 2.25 of CK: the first edge from then on.
  EXPECT_EQ(requests_of("0x0 READ 3\n", {.clock_mhz = 1600}),
            (std::vector<Read>{{false, 0, 3, From::kStart}}));
}

TEST(TraceSource, LetsAddressesWrapAround) {
  EXPECT_EQ(requests_of("0x7ffffffff040 READ 0\n", {.wraps = true}),
            (std::vector<Read>{{false, 0x3F040, 0, From::kStart}}));
}

TEST(Dramsim3Trace, HasAddressOperationAndCycle) {
  EXPECT_EQ(requests_of("0x40 READ 0\r\n0x3A1C0 WRITE   160\n0x80 read 160\n0x81 P_MEM_WR 161\n"
                        "0x0 P_FETCH 162\n"),
            (std::vector<Read>{{false, 0x40, 0, From::kStart},
                               {true, 0x3A1C0, 160, From::kStart},
                               {false, 0x80, 160, From::kStart},
                               {true, 0x81, 161, From::kStart},
                               {false, 0, 162, From::kStart}}));
  const std::string form = " (DRAMsim3: 0xADDRESS READ|WRITE CYCLE)";
  EXPECT_EQ(error_of("0 read 0\n"),
            ":1: address '0': expected 0x and up to 16 hexadecimal digits" + form);
  EXPECT_EQ(error_of("0x40 READ 5\n0x40 REED 6\n"), ":2: 'REED': expected READ or WRITE" + form);
  EXPECT_EQ(error_of("0x40 READ 0x5\n"), ":1: cycle '0x5': expected a number" + form);
  EXPECT_EQ(error_of("0x40 READ -5\n"), ":1: cycle '-5': expected a number" + form);
  // DRAMsim3 sends a request whose cycle has passed at once.
  EXPECT_EQ(requests_of("0x40 READ 10\n0x80 READ 5\n"),
            (std::vector<Read>{{false, 0x40, 10, From::kStart}, {false, 0x80, 10, From::kStart}}));
}

TEST(RamulatorTrace, HasAddressAndDirection) {
  EXPECT_EQ(
      requests_of("0x12340 R\n0x12380 W\n"),
      (std::vector<Read>{{false, 0x12340, 0, From::kStart}, {true, 0x12380, 0, From::kStart}}));
  EXPECT_EQ(error_of("0x40 R\n0x40 X\n"), ":2: 'X': expected R or W (Ramulator: 0xADDRESS R|W)");
  EXPECT_EQ(error_of("12340 R\n"),
            ":1: address '12340': expected 0x and up to 16 hexadecimal digits (Ramulator: "
            "0xADDRESS R|W)");
}

TEST(LoadStoreTrace, HasLoadsAndStores) {
  EXPECT_EQ(requests_of("LD 0x12340\nST 0x12380\nLD 131072\n"),
            (std::vector<Read>{{false, 0x12340, 0, From::kStart},
                               {true, 0x12380, 0, From::kStart},
                               {false, 131072, 0, From::kStart}}));
  EXPECT_EQ(error_of("LD 0\nLOAD 0\n"),
            ":2: 'LOAD': expected LD or ST (Ramulator 2: LD|ST ADDRESS)");
}

TEST(AddressVectorTrace, NamesAColumnByItsLevels) {
  const AddressMapping& mapping = memory().mapping();
  // Group 2, bank 3 of it, row 1, column 33: burst 4.
  const std::uint64_t address = mapping.encode({0, 2 * 4 + 3, 1, 4});
  EXPECT_EQ(requests_of("R 0,0,2,3,1,33\n"),
            (std::vector<Read>{{false, address, 0, From::kStart}}));
  // Without the group, the bank counts over all groups.
  EXPECT_EQ(requests_of("W 0,0,11,1,32\n"), (std::vector<Read>{{true, address, 0, From::kStart}}));
  const MemorySystem gddr6(*find_preset("gddr6_14"), {}, kMapping, false);
  EXPECT_EQ(requests_of("R 1,2,3,9,40\n", {}, ".txt", gddr6),
            (std::vector<Read>{{false, gddr6.mapping().encode({1, 11, 9, 2}), 0, From::kStart}}));
  const std::string form = " (Ramulator 2: R|W channel,rank,bankgroup,bank,row,column)";
  EXPECT_EQ(error_of("R 0,0,0,4,0,0\n"), ":1: bank 4: expected 0 to 3" + form);
  EXPECT_EQ(error_of("R 0,1,0,0,0,0\n"), ":1: rank 1: expected 0 to 0" + form);
  EXPECT_EQ(error_of("R 0,0,0,0,0,1024\n"), ":1: column 1024: expected 0 to 1023" + form);
  EXPECT_EQ(error_of("R 0,0,0\n"), ":1: a vector of 3 numbers" + form);
  EXPECT_EQ(error_of("R 0,0,,0,0,0\n"), ":1: bankgroup '': expected a number" + form);
  EXPECT_EQ(error_of("R 0,0,0,0,0,-1\n"), ":1: column '-1': expected a number" + form);
  EXPECT_EQ(error_of("R " + std::string(2000, ',') + "\n"), ":1: a vector of 2001 numbers" + form);
}

TEST(InstructionTrace, HasGapsAndWritebacks) {
  EXPECT_EQ(requests_of("3 2048\n1 0x40\n8 64 128\n", {.instructions_per_ck = 2}),
            (std::vector<Read>{{false, 2048, 1, From::kIssue},  // after 1.5 cycles
                               {false, 0x40, 1, From::kIssue},  // after 2
                               {false, 64, 4, From::kIssue},    // after 6
                               {true, 128, 0, From::kIssue}}));
  const std::string form = " (Ramulator: INSTRUCTIONS READ_ADDRESS [WRITEBACK_ADDRESS])";
  EXPECT_EQ(error_of("3 2048\n3\n"), ":2: a line of 1 words" + form);
  EXPECT_EQ(error_of("3 2048 1 1\n"), ":1: '1' behind the end of the form" + form);
  EXPECT_EQ(error_of("3 2048\n3 R\n"), ":2: address 'R': expected a number" + form);
}

TEST(DramsysTrace, HasCyclesLengthsAndData) {
  EXPECT_EQ(requests_of("# comment\n31:\tread\t0x140\n56: write 0x7f8 0x123456789abcdef0\n"
                        "81: (128) read 0x1A0\n"),
            (std::vector<Read>{{false, 0x140, 31, From::kStart},
                               {true, 0x7F8, 56, From::kStart},
                               {false, 0x1A0, 81, From::kStart},  // 0x180,
                               {false, 0x1C0, 81, From::kStart},
                               {false, 0x200, 81, From::kStart}}));  // and to 0x21F
  const std::string form = " (DRAMSys: CYCLE: [(BYTES)] read|write 0xADDRESS [0xDATA])";
  EXPECT_EQ(error_of("0: read 0x0\n1 read 0x0\n"), ":2: '1': expected a cycle and ':'" + form);
  EXPECT_EQ(error_of(": read 0x0\n"), ":1: cycle '': expected a number" + form);
  EXPECT_EQ(error_of("(8): read 0x40\n"), ":1: cycle '(8)': expected a number" + form);
  EXPECT_EQ(error_of("0: reed 0x0\n"), ":1: 'reed': expected read or write" + form);
  EXPECT_EQ(error_of("0: read 0x0 0x12\n"),
            ":1: '0x12': expected 0x and hexadecimal digits behind a write" + form);
  EXPECT_EQ(error_of("0: (0) read 0x0\n"), ":1: length 0: expected 1 to 65536 bytes" + form);
  EXPECT_EQ(error_of("0: (99999999) read 0x0\n"),
            ":1: length 99999999: expected 1 to 65536 bytes" + form);
  EXPECT_EQ(error_of("0: (16 read 0x0\n"),
            ":1: '(16': expected a number of bytes in brackets" + form);
  EXPECT_EQ(error_of("0: (16)\n"), ":1: a line of 2 words" + form);
  EXPECT_NE(error_of("0: (128) read 0x3ffc0\n"), "") << "which ends beyond the memory";
}

/// DRAMSys' example.stl is four traces behind each other.
TEST(DramsysTrace, GoesOnIfTheCyclesBeginAnew) {
  EXPECT_EQ(requests_of("7: read 0x0\n0: read 0x40\n9: read 0x80\n"),
            (std::vector<Read>{{false, 0, 7, From::kStart},
                               {false, 0x40, 7, From::kStart},
                               {false, 0x80, 9, From::kStart}}));
}

TEST(DramsysTrace, CountsFromTheEntryBeforeIfItIsRelative) {
  EXPECT_EQ(requests_of("31: read 0x140\n2: (128) read 0x180\n", {}, ".rstl"),
            (std::vector<Read>{{false, 0x140, 31, From::kAnswer},
                               {false, 0x180, 2, From::kAnswer},
                               {false, 0x1C0, 0, From::kIssue}}));
  // Each request comes 100 cycles after the answer before.
  const std::string file = file_with("100: read 0x0\n100: write 0x0\n100: read 0x40\n", ".rstl");
  MemorySystem played(memory().preset(), {.refresh = "off"}, kMapping, false);
  TraceSource source(file, {}, played);
  TrafficPlayer player(played, source, 16);
  player.run(kNeverMem);
  EXPECT_EQ(player.error(), "");
  const TrafficPlayer::Totals& totals = player.totals();
  EXPECT_EQ(totals.answered, 3U);
  const double latencies = totals.read_latency.mean() * 2 + totals.write_latency.mean();
  EXPECT_EQ(static_cast<double>(totals.last_done), 300 + latencies);
}

/// Lines of parts of all formats, in any order: each trace is read or refused with file and line.
TEST(TraceSource, SurvivesAnyText) {
  const std::string parts[] = {"0x40",
                               "R",
                               "W",
                               "READ",
                               "LD",
                               "0:",
                               "(16)",
                               "read",
                               "-1",
                               "0x",
                               ",",
                               "0,0,0",
                               "+",
                               "+1",
                               "(",
                               ":",
                               "#",
                               "\r",
                               "\t",
                               "1e9",
                               "0x1F",
                               "write",
                               "ST",
                               "\xFF",
                               "()",
                               "0,0,0,0,0,0",
                               "18446744073709551615",
                               "0xFFFFFFFFFFFFFFFF",
                               std::string("\0", 1)};
  std::vector<std::string> formats = trace_format_names();
  formats.insert(formats.begin(), "auto");
  std::mt19937 engine(7);
  unsigned read = 0;
  for (unsigned i = 0; i < 4000; ++i) {
    std::string text;
    for (unsigned words = engine() % 8; words > 0; --words) {
      text += parts[engine() % std::size(parts)];
      text += engine() % 4 == 0 ? "\n" : " ";
    }
    const TraceSource::Options options{.format = formats[engine() % formats.size()],
                                       .clock_mhz = engine() % 2 == 0 ? 0U : 1U,
                                       .wraps = engine() % 2 == 0};
    const std::string error = error_of(text, options);
    read += error.empty() ? 1 : 0;
    if (error.empty()) continue;
    ASSERT_EQ(error.rfind(':', 0), 0U) << error;
  }
  EXPECT_GT(read, 100U);
}

}  // namespace
}  // namespace tvp::dram::trace_test
