#include "models/dram/timing/preset_file.h"

#include <bit>
#include <cmath>

#include "models/dram/timing/ddr4_speed_bin.h"
#include "models/dram/timing/spec_file.h"

namespace tvp::dram {

namespace {

constexpr unsigned kMostCycles = 1'000'000;  ///< limit of any distance
constexpr unsigned kMost = 1U << 24;         ///< limit of rows and columns
constexpr double kPsInNs = 1000;

/// A distance in cycles.
unsigned cycles(const SpecFile& file, const std::string& name) {
  return file.number(name, 1, kMostCycles);
}
unsigned cycles(const SpecFile& file, const std::string& name, const std::string& otherwise) {
  return cycles(file, file.has(name) ? name : otherwise);
}

Period clock_of(double ps) {
  return Period::of_mhz(static_cast<std::uint64_t>(std::lround(1'000'000 / ps)));
}

/// The name of a supported standard, as text that lives as long as the program.
std::string_view standard_of(const SpecFile& file, const std::string& name) {
  for (const std::string_view known : {"DDR3", "DDR4"}) {
    if (file.text(name) == known) return known;
  }
  file.fail(name, "'" + file.text(name) + "': expected DDR3 or DDR4");
}

/// Distances that DDR3 and DDR4 have in common, and that files do not have.
void add_common(Timing& t) {
  t.tccd_l_wr = t.tccd_l;
  t.trtw_gap = 2;  // JESD79-4: RD to WR is CL - CWL + BL/2 + 2
  t.tppd = 1;
  t.max_postponed_refreshes = 8;
}

void check(const SpecFile& file, const Preset& preset) {
  const Organization& o = preset.organization;
  const struct {
    const char* name;
    std::uint64_t count;
  } counts[] = {{"channels", o.channels},
                {"ranks", o.ranks},
                {"bank groups", o.bank_groups},
                {"banks of a group", o.banks_per_group},
                {"rows", o.rows},
                {"columns", o.columns},
                {"data pins of a channel", o.bus_bits},
                {"transfers of a burst", o.burst_length}};
  for (const auto& [name, count] : counts) {
    if (!std::has_single_bit(count)) {
      file.fail(std::to_string(count) + " " + name + ": expected a power of two");
    }
  }
  if (o.banks() > 256) file.fail(std::to_string(o.banks()) + " banks: expected at most 256");
  if (o.bus_bits < 8 || o.columns < o.burst_length) {
    file.fail("a row of " + std::to_string(o.columns) + " columns of " +
              std::to_string(o.bus_bits) + " bits: expected at least a burst of bytes");
  }
  constexpr std::uint64_t kLargestMemory = std::uint64_t{1} << 48;
  if (o.channel_bytes() > kLargestMemory / o.channels) {
    file.fail("a memory of more than " + std::to_string(kLargestMemory) + " bytes");
  }
  const Timing& t = preset.timing;
  if (t.cwl > t.cl + t.bl + t.trtw_gap) {
    file.fail("a write latency of " + std::to_string(t.cwl) +
              " cycles: expected at most that of a read and its burst, " +
              std::to_string(t.cl + t.bl + t.trtw_gap));
  }
}

/// DRAMsim3: configs/*.ini.
Preset of_dramsim3(const SpecFile& file) {
  Preset p;
  p.name = standard_of(file, "protocol");
  Organization& o = p.organization;
  o.bank_groups = file.number("bankgroups", 1, 16);
  o.banks_per_group = file.number("banks_per_group", 1, 64);
  o.rows = file.number("rows", 1, kMost);
  o.columns = file.number("columns", 1, kMost);
  o.device_bits = file.number("device_width", 1, 64);
  o.burst_length = file.number("BL", 2, 32);
  o.bus_bits = file.number("bus_width", 8, 512);
  o.channels = file.number("channels", 1, 64, 1);
  constexpr unsigned kMiB = 20;
  const std::uint64_t rank_bytes = o.channel_bytes();  // one rank so far
  const std::uint64_t wanted = std::uint64_t{file.number("channel_size", 1, kMost)} << kMiB;
  if (rank_bytes == 0 || wanted % rank_bytes != 0 || wanted / rank_bytes > 16) {
    file.fail("channel_size", "'" + file.text("channel_size") + "': expected 1 to 16 ranks of " +
                                  std::to_string(rank_bytes >> kMiB) + " MB");
  }
  o.ranks = static_cast<unsigned>(wanted / rank_bytes);
  Timing& t = p.timing;
  t.tck = clock_of(kPsInNs * file.real("tCK", 0.1, 100));
  const unsigned al = file.number("AL", 0, 64, 0);
  t.cl = cycles(file, "CL") + al;
  t.cwl = cycles(file, "CWL") + al;
  t.bl = o.burst_length / 2;
  t.trcd_rd = cycles(file, "tRCDRD", "tRCD");
  t.trcd_wr = cycles(file, "tRCDWR", "tRCD");
  t.trp = cycles(file, "tRP");
  t.tras = cycles(file, "tRAS");
  t.trc = t.tras + t.trp;
  t.tccd_s = cycles(file, "tCCD_S", "tCCD");
  t.tccd_l = cycles(file, "tCCD_L", "tCCD");
  t.trrd_s = cycles(file, "tRRD_S", "tRRD");
  t.trrd_l = cycles(file, "tRRD_L", "tRRD");
  t.tfaw = cycles(file, "tFAW");
  t.twr = cycles(file, "tWR");
  t.trtp = cycles(file, "tRTP");
  t.twtr_s = cycles(file, "tWTR_S", "tWTR");
  t.twtr_l = cycles(file, "tWTR_L", "tWTR");
  t.trtrs = file.number("tRTRS", 0, 64, 1);
  // Some files of DDR3 spell the name without t.
  t.trefi = cycles(file, "tREFI", "REFI");
  t.trfc = cycles(file, "tRFC");
  return p;
}

/// DRAMSys: configs/memspec/*.json.
Preset of_dramsys(const SpecFile& file) {
  Preset p;
  p.name = standard_of(file, "memoryType");
  Organization& o = p.organization;
  o.bank_groups = file.number("nbrOfBankGroups", 1, 16, 1);
  const unsigned banks = file.number("nbrOfBanks", 1, 64);
  o.banks_per_group = banks / o.bank_groups;
  o.rows = file.number("nbrOfRows", 1, kMost);
  o.columns = file.number("nbrOfColumns", 1, kMost);
  o.device_bits = file.number("width", 1, 64);
  o.bus_bits = o.device_bits * file.number("nbrOfDevices", 1, 64, 1);
  o.burst_length = file.number("burstLength", 2, 32);
  o.channels = file.number("nbrOfChannels", 1, 64, 1);
  o.ranks = file.number("nbrOfRanks", 1, 16, 1);
  Timing& t = p.timing;
  constexpr double kSecondInPs = 1e12;
  if (file.has("tCK")) {
    t.tck = clock_of(kSecondInPs * file.real("tCK", 1e-10, 1e-7));
  } else {
    t.tck = Period::of_mhz(file.number("clkMhz", 10, 10000));
  }
  t.cl = cycles(file, "RL");
  t.cwl = cycles(file, "WL");
  t.bl = o.burst_length / file.number("dataRate", 1, 8);
  t.trcd_rd = t.trcd_wr = cycles(file, "RCD");
  t.trp = cycles(file, "RP");
  t.tras = cycles(file, "RAS");
  t.trc = cycles(file, "RC");
  t.tccd_s = cycles(file, "CCD_S", "CCD");
  t.tccd_l = cycles(file, "CCD_L", "CCD");
  t.trrd_s = cycles(file, "RRD_S", "RRD");
  t.trrd_l = cycles(file, "RRD_L", "RRD");
  t.tfaw = cycles(file, "FAW");
  t.twr = cycles(file, "WR");
  t.trtp = cycles(file, "RTP");
  t.twtr_s = cycles(file, "WTR_S", "WTR");
  t.twtr_l = cycles(file, "WTR_L", "WTR");
  t.trtrs = file.number("RTRS", 0, 64, 1);
  t.trefi = cycles(file, "REFI");
  t.trfc = cycles(file, "RFC1", "RFC");
  return p;
}

void add_ddr4_names(const SpecFile& file, const std::string& organization, const std::string& speed,
                    Preset& p) {
  if (!set_ddr4_organization(file.text(organization), p.organization)) {
    file.fail(organization,
              "'" + file.text(organization) + "': expected a part of JESD79-4, as DDR4_8Gb_x8");
  }
  if (!set_ddr4_speed_bin(file.text(speed), p.organization, p.timing)) {
    file.fail(speed, "'" + file.text(speed) + "': expected a speed bin of JESD79-4, as DDR4_2400R");
  }
  p.timing.trtrs = 2;  // Ramulator's nCS
}

void require_ddr4(const SpecFile& file, const std::string& name) {
  if (file.text(name) != "DDR4") file.fail(name, "'" + file.text(name) + "': expected DDR4");
}

/// Ramulator 1: configs/*.cfg.
Preset of_ramulator1(const SpecFile& file) {
  require_ddr4(file, "standard");
  Preset p;
  p.name = "DDR4";
  add_ddr4_names(file, "org", "speed", p);
  p.organization.channels = file.number("channels", 1, 64, 1);
  p.organization.ranks = file.number("ranks", 1, 16, 1);
  return p;
}

/// Ramulator 2: `python -m ramulator export`, in the order of python/ramulator/dram/ddr4.py.
Preset of_ramulator2(const SpecFile& file) {
  require_ddr4(file, "impl");
  Preset p;
  p.name = "DDR4";
  Organization& o = p.organization;
  if (!file.has("count")) {
    add_ddr4_names(file, "org.preset", "timing.preset", p);
    o.channels = file.number("org.channel", 1, 64, 1);
    o.ranks = file.number("org.rank", 1, 16, 1);
    return p;
  }
  const std::vector<unsigned> counts = file.list("count", 6);
  o.channels = counts[0];
  o.ranks = counts[1];
  o.bank_groups = counts[2];
  o.banks_per_group = counts[3];
  o.rows = counts[4];
  o.columns = counts[5];
  o.device_bits = file.number("dq", 1, 64);
  o.bus_bits = file.number("channel_width", 8, 512);
  o.burst_length = 8;
  const std::vector<unsigned> v = file.list("timing", 21);
  for (const unsigned value : v) {
    if (value < 1 || value > kMostCycles) {
      file.fail("timing", std::to_string(value) + ": expected 1 to " + std::to_string(kMostCycles));
    }
  }
  Timing& t = p.timing;
  t.bl = v[1];
  t.cl = v[2];
  t.trcd_rd = t.trcd_wr = v[3];
  t.trp = v[4];
  t.tras = v[5];
  t.trc = v[6];
  t.twr = v[7];
  t.trtp = v[8];
  t.cwl = v[9];
  t.tccd_s = v[10];
  t.tccd_l = v[11];
  t.trrd_s = v[12];
  t.trrd_l = v[13];
  t.twtr_s = v[14];
  t.twtr_l = v[15];
  t.tfaw = v[16];
  t.trfc = v[17];
  t.trefi = v[18];
  t.trtrs = v[19];
  t.tck = clock_of(v[20]);
  return p;
}

}  // namespace

Preset read_preset(const std::string& name) {
  const SpecFile file(name);
  Preset preset;
  if (file.format() == SpecFile::Format::kJson) {
    preset = of_dramsys(file);
  } else if (file.format() == SpecFile::Format::kYaml) {
    preset = of_ramulator2(file);
  } else if (file.has("standard")) {
    preset = of_ramulator1(file);
  } else {
    preset = of_dramsim3(file);
  }
  add_common(preset.timing);
  check(file, preset);
  return preset;
}

}  // namespace tvp::dram
