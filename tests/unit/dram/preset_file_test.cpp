// Timing files of DRAMsim3, Ramulator and DRAMSys, good and bad ones.

#include "models/dram/timing/preset_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "models/dram/address_mapping.h"
#include "models/dram/dram_channel.h"
#include "models/dram/timing/ddr4_speed_bin.h"
#include "tests/support/fault_of.h"

namespace tvp::dram::preset_file_test {
namespace {

constexpr const char* kDramsim3 = R"([dram_structure]
protocol = DDR4
bankgroups = 4
banks_per_group = 4
rows = 65536
columns = 1024
device_width = 8
BL = 8

[timing]
tCK = 0.83
AL = 0
CL = 17
CWL = 12
tRCD = 17 ; comment
tRP = 17
tRAS = 39
tRFC = 420
tREFI = 9360
tRRD_S = 4
tRRD_L = 6
tWTR_S = 3
tWTR_L = 9
tFAW = 26
tWR = 18
tRTP = 9
tCCD_S = 4
tCCD_L = 6
tRTRS = 1

[system]
channel_size = 16384
channels = 1
bus_width = 64
)";

constexpr const char* kDramsys = R"({
    "memspec": {
        "memarchitecturespec": {
            "burstLength": 8, "dataRate": 2, "nbrOfBankGroups": 4, "nbrOfBanks": 16,
            "nbrOfColumns": 1024,
            "nbrOfRanks": 2,
            "nbrOfRows": 32768,
            "width": 8,
            "nbrOfDevices": 8,
            "nbrOfChannels": 1
        },
        "memoryId": "a part",
        "memoryType": "DDR4",
        "memtimingspec": {
            "CCD_L": 6, "CCD_S": 4, "FAW": 26, "RAS": 39, "RC": 55, "RCD": 16,
            "REFI": 9360, "RFC1": 312, "RL": 16, "RP": 16, "RRD_L": 6, "RRD_S": 4,
            "RTP": 12, "WL": 16, "WR": 18, "WTR_L": 9, "WTR_S": 3, "RTRS": 1,
            "tCK": 833e-12
        }
    }
}
)";

constexpr const char* kRamulator1 = R"(# comment
 standard = DDR4
 channels = 2
 ranks = 1
 speed = DDR4_2400R
 org = DDR4_4Gb_x8
 record_cmd_trace = off
)";

constexpr const char* kRamulator2 = R"(frontend:
  impl: SimpleO3
memory_system:
  impl: GenericDRAM
  controllers:
    - impl: GenericDDR
      dram:
        impl: DDR4
        org:
          dq: 8
          count: [1, 2, 4, 4, 65536, 1024]
        timing: [2400, 4, 16, 16, 16, 39, 55, 18, 9, 12, 4, 6, 4, 6, 3, 9, 26, 433, 9364, 2, 833]
        channel_width: 64
        timing_constraints:
          - [0, [3, 5], [3, 5], 4]
)";

constexpr const char* kRamulator2Names = R"(MemorySystem:
  impl: GenericDRAM
  DRAM:
    impl: DDR4
    org:
      preset: DDR4_8Gb_x8
      channel: 1
      rank: 2
    timing:
      preset: DDR4_2400R
)";

std::string file_with(const std::string& text) {
  std::string file = ::testing::TempDir() + "timing_file";
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

Preset read(const std::string& text) { return read_preset(file_with(text)); }

/// The error of a file in which `from` is replaced by `to`, without the name of the file.
std::string error_of(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  const std::string file = file_with(text);
  const std::string what =
      tvp::test::fault_of([&] { read_preset(file); }, foundation::FaultKind::kDescription, "");
  if (what.empty()) return "";
  EXPECT_EQ(what.rfind(file, 0), 0U) << what;
  return what.substr(file.size());
}

TEST(PresetFile, OfDramsim3IsThePresetThatComesFromIt) {
  const Preset read_one = read(kDramsim3);
  const Preset& own = *find_preset("ddr4_2400");
  EXPECT_EQ(read_one.organization.ranks, 2U);  // 16 GB of 8 GB ranks
  EXPECT_EQ(read_one.organization.rows, own.organization.rows);
  EXPECT_EQ(read_one.organization.banks_per_rank(), own.organization.banks_per_rank());
  EXPECT_EQ(read_one.organization.burst_bytes(), own.organization.burst_bytes());
  const Timing &a = read_one.timing, &b = own.timing;
  EXPECT_NEAR(a.tck.ns(), 0.83, 0.001);
  EXPECT_EQ(std::tie(a.cl, a.cwl, a.bl, a.trcd_rd, a.trcd_wr, a.trp, a.tras, a.trc, a.tccd_s,
                     a.tccd_l, a.tccd_l_wr, a.trrd_s, a.trrd_l, a.tfaw, a.twr, a.trtp, a.twtr_s,
                     a.twtr_l, a.trtw_gap, a.trtrs, a.tppd, a.trefi, a.trfc),
            std::tie(b.cl, b.cwl, b.bl, b.trcd_rd, b.trcd_wr, b.trp, b.tras, b.trc, b.tccd_s,
                     b.tccd_l, b.tccd_l_wr, b.trrd_s, b.trrd_l, b.tfaw, b.twr, b.trtp, b.twtr_s,
                     b.twtr_l, b.trtw_gap, b.trtrs, b.tppd, b.trefi, b.trfc));
}

TEST(PresetFile, OfDramsysHasItsDistances) {
  const Preset p = read(kDramsys);
  EXPECT_EQ(p.organization.ranks, 2U);
  EXPECT_EQ(p.organization.channel_bytes(), std::uint64_t{8} << 30);
  EXPECT_EQ(p.timing.tck.ps_den, 1200U);
  EXPECT_EQ(p.timing.cl, 16U);
  EXPECT_EQ(p.timing.cwl, 16U);
  EXPECT_EQ(p.timing.trtp, 12U);
  EXPECT_EQ(p.timing.trfc, 312U);
}

TEST(PresetFile, OfRamulatorHasNamesOrNumbers) {
  const Preset names = read(kRamulator2Names);
  const Preset numbers = read(kRamulator2);
  EXPECT_EQ(names.organization.channel_bytes(), numbers.organization.channel_bytes());
  const Timing &a = names.timing, &b = numbers.timing;
  EXPECT_EQ(std::tie(a.cl, a.cwl, a.bl, a.trcd_rd, a.trp, a.tras, a.trc, a.tccd_s, a.tccd_l,
                     a.trrd_s, a.trrd_l, a.tfaw, a.twr, a.trtp, a.twtr_s, a.twtr_l, a.trtrs),
            std::tie(b.cl, b.cwl, b.bl, b.trcd_rd, b.trp, b.tras, b.trc, b.tccd_s, b.tccd_l,
                     b.trrd_s, b.trrd_l, b.tfaw, b.twr, b.trtp, b.twtr_s, b.twtr_l, b.trtrs));
  EXPECT_EQ(b.trefi, 9364U);
  EXPECT_EQ(a.trfc, 420U);  // 350 ns of JESD79-4; the file has 360 ns
  const Preset first = read(kRamulator1);
  EXPECT_EQ(first.organization.channels, 2U);
  EXPECT_EQ(first.organization.rows, 32768U);
  EXPECT_EQ(first.timing.cl, 16U);
  EXPECT_EQ(first.timing.trfc, 312U);  // 260 ns
}

TEST(PresetFile, NamesTheLineAndWhatWasExpected) {
  EXPECT_EQ(error_of(kDramsim3, "CL = 17", "CL = x"),
            ":13: CL 'x': expected an integer from 1 to 1000000");
  EXPECT_EQ(error_of(kDramsim3, "CL = 17", "CL = -1"),
            ":13: CL '-1': expected an integer from 1 to 1000000");
  EXPECT_EQ(error_of(kDramsim3, "DDR4", "HMC"), ":2: protocol 'HMC': expected DDR3 or DDR4");
  EXPECT_EQ(error_of(kDramsim3, "tFAW = 26\n", ""), ": the value tFAW is missing");
  EXPECT_EQ(error_of(kDramsim3, "tFAW = 26", "tFAW 26"), ":24: 'tFAW 26': expected NAME = VALUE");
  EXPECT_EQ(error_of(kDramsim3, "tCK = 0.83", "tCK = 0"),
            ":11: tCK '0': expected a number from 0.1 to 100");
  EXPECT_EQ(error_of(kDramsim3, "tCK = 0.83", "tCK = nan"),
            ":11: tCK 'nan': expected a number from 0.1 to 100");
  EXPECT_EQ(error_of(kDramsim3, "16384", "5000"),
            ":32: channel_size '5000': expected 1 to 16 ranks of 8192 MB");
  EXPECT_EQ(error_of(kDramsim3, "rows = 65536", "rows = 3"),
            ":32: channel_size '16384': expected 1 to 16 ranks of 0 MB");
  EXPECT_EQ(error_of(kDramsys, "\"nbrOfRows\": 32768", "\"nbrOfRows\": 32767"),
            ": 32767 rows: expected a power of two");
  EXPECT_EQ(error_of(kDramsys, "\"nbrOfRows\": 32768", "\"nbrOfRows\": \"many\""),
            ":7: nbrOfRows 'many': expected an integer from 1 to 16777216");
  EXPECT_EQ(error_of(kDramsys, "\"WL\": 16", "\"WL\": 99"),
            ": a write latency of 99 cycles: expected at most that of a read and its burst, 22");
  EXPECT_EQ(error_of(kRamulator1, "DDR4_2400R", "DDR4_9999Z"),
            ":5: speed 'DDR4_9999Z': expected a speed bin of JESD79-4, as DDR4_2400R");
  EXPECT_EQ(error_of(kRamulator1, "DDR4_4Gb_x8", "DDR4_4Gb_x9"),
            ":6: org 'DDR4_4Gb_x9': expected a part of JESD79-4, as DDR4_8Gb_x8");
  EXPECT_EQ(error_of(kRamulator1, "= DDR4\n", "= HBM\n"), ":2: standard 'HBM': expected DDR4");
  EXPECT_EQ(error_of(kRamulator2, "impl: DDR4", "impl: LPDDR5"),
            ":8: impl 'LPDDR5': expected DDR4");
  EXPECT_EQ(error_of(kRamulator2, ", 2, 833]", "]"),
            ":12: timing '[2400, 4, 16, 16, 16, 39, 55, 18, 9, 12, 4, 6, 4, 6, 3, 9, 26, 433, "
            "9364]': expected 21 integers in brackets");
  EXPECT_EQ(error_of(kRamulator2, "[2400, 4,", "[2400, 0,"),
            ":12: timing 0: expected 1 to 1000000");
  EXPECT_EQ(error_of("\nnothing", "nothing", "just text"),
            ":2: 'just text': expected a timing file of DRAMsim3 (*.ini), Ramulator (*.cfg, "
            "*.yaml) or DRAMSys (*.json)");
  EXPECT_EQ(error_of("x", "x", ""), ": the value protocol is missing");
  EXPECT_EQ(error_of("x", "x", std::string(2'000'000, '\n')),
            ": more than 1048576 bytes: expected a timing file");
  for (const char* file : {"/nowhere/file", "/dev/zero", "/"}) {
    EXPECT_TRUE(
        tvp::test::faults([&] { read_preset(file); }, foundation::FaultKind::kDescription, {file}));
  }
}

/// Changed files are read or refused, and a memory that is read can be built.
TEST(PresetFile, SurvivesAnyChange) {
  std::mt19937 engine(11);
  unsigned good = 0;
  for (unsigned i = 0; i < 3000; ++i) {
    const char* const files[] = {kDramsim3, kDramsys, kRamulator1, kRamulator2, kRamulator2Names};
    std::string text = files[i % 5];
    for (auto changes = 1 + engine() % 3; changes > 0; --changes) {
      const char sign = "0189[]{}\":=,;#\n x\xFF"[engine() % 19];
      text[engine() % text.size()] = sign;
    }
    const std::string file = file_with(text);
    const std::string error = tvp::test::fault_of(
        [&] {
          const Preset preset = read_preset(file);
          const AddressMapping mapping("row:rank:bank:bankgroup:column:channel",
                                       preset.organization, false);
          DramChannel channel(preset, {});
          ++good;
        },
        foundation::FaultKind::kDescription, "");
    if (error.empty()) continue;
    ASSERT_EQ(error.rfind(file, 0), 0U) << error;
  }
  EXPECT_GT(good, 300U);
}

/// JESD79-4: the speed bins at sizes that no test above has.
TEST(SpeedBin, FollowsWidthAndDensity) {
  struct Row {
    const char *organization, *speed;
    unsigned cl, trc, trrd_s, trrd_l, tfaw, trfc, trefi;
    std::uint64_t rows;
  };
  for (const Row& row : {Row{"DDR4_8Gb_x16", "DDR4_3200AA", 22, 74, 9, 11, 48, 560, 12480, 65536},
                         Row{"DDR4_16Gb_x4", "DDR4_1600K", 11, 39, 4, 5, 16, 440, 6240, 262144},
                         Row{"DDR4_2Gb_x8", "DDR4_2133P", 15, 51, 4, 6, 23, 171, 8322, 16384}}) {
    Organization o;
    Timing t;
    ASSERT_TRUE(set_ddr4_organization(row.organization, o)) << row.organization;
    ASSERT_TRUE(set_ddr4_speed_bin(row.speed, o, t)) << row.speed;
    EXPECT_EQ(
        std::tie(t.cl, t.trc, t.trrd_s, t.trrd_l, t.tfaw, t.trfc, t.trefi, o.rows),
        std::tie(row.cl, row.trc, row.trrd_s, row.trrd_l, row.tfaw, row.trfc, row.trefi, row.rows))
        << row.speed << ": trfc " << t.trfc << ", trefi " << t.trefi;
  }
}

}  // namespace
}  // namespace tvp::dram::preset_file_test
