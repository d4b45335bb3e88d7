#include "models/dram/timing/ddr4_speed_bin.h"

#include <charconv>
#include <string>

namespace tvp::dram {

namespace {

/// Distances of a data rate, JESD79-4 tables of speed bins and of timing parameters by speed. FAW
/// and RRD depend on the page: 0.5 KB (x4), 1 KB (x8), 2 KB (x16).
struct Rate {
  unsigned mtps;
  unsigned mhz;
  unsigned cwl;
  unsigned tras;
  unsigned twr;
  unsigned trtp;
  unsigned tccd_l;
  unsigned twtr_s;
  unsigned twtr_l;
  unsigned trrd_l[2];  ///< 1 KB or less, 2 KB
  unsigned trrd_s_2k;  ///< 2 KB; 4 below
  unsigned tfaw[3];
};
constexpr Rate kRates[] = {
    {1600, 800, 9, 28, 12, 6, 5, 2, 6, {5, 6}, 5, {16, 20, 28}},
    {1866, 933, 10, 32, 14, 7, 5, 3, 7, {5, 6}, 5, {16, 22, 28}},
    {2133, 1067, 11, 36, 16, 8, 6, 3, 8, {6, 7}, 6, {16, 23, 32}},
    {2400, 1200, 12, 39, 18, 9, 6, 3, 9, {6, 8}, 7, {16, 26, 36}},
    {2666, 1333, 14, 43, 20, 10, 7, 4, 10, {7, 9}, 8, {16, 28, 40}},
    {2933, 1467, 16, 47, 22, 11, 8, 4, 11, {8, 10}, 8, {16, 31, 44}},
    {3200, 1600, 16, 52, 24, 12, 8, 4, 12, {8, 11}, 9, {16, 34, 48}},
};

/// CL = tRCD = tRP of a speed bin.
struct Bin {
  std::string_view name;
  unsigned cl;
};
constexpr Bin kBins[] = {
    {"1600J", 10}, {"1600K", 11}, {"1600L", 12},  {"1866L", 12}, {"1866M", 13},  {"1866N", 14},
    {"2133N", 14}, {"2133P", 15}, {"2133R", 16},  {"2400P", 15}, {"2400R", 16},  {"2400U", 17},
    {"2400T", 18}, {"2666T", 17}, {"2666U", 18},  {"2666V", 19}, {"2666W", 20},  {"2933V", 19},
    {"2933W", 20}, {"2933Y", 21}, {"2933AA", 22}, {"3200W", 20}, {"3200AA", 22}, {"3200AC", 24},
};

constexpr std::string_view kPrefix = "DDR4_";

/// Rows of a bank: the density over columns, width and banks.
constexpr std::uint64_t rows_of(unsigned gbit, unsigned width, unsigned banks) {
  return (std::uint64_t{gbit} << 30) / (std::uint64_t{1024} * width * banks);
}

unsigned up(double ns, const Period& tck) { return static_cast<unsigned>(ns / tck.ns() + 0.999); }

}  // namespace

bool set_ddr4_organization(std::string_view name, Organization& organization) {
  if (!name.starts_with(kPrefix)) return false;
  name.remove_prefix(kPrefix.size());
  const std::size_t middle = name.find("Gb_x");
  if (middle == std::string_view::npos) return false;
  unsigned gbit = 0, width = 0;
  const char* const end = name.data() + name.size();
  if (std::from_chars(name.data(), end, gbit).ptr != name.data() + middle) return false;
  if (std::from_chars(name.data() + middle + 4, end, width).ptr != end) return false;
  if (gbit != 2 && gbit != 4 && gbit != 8 && gbit != 16) return false;
  if (width != 4 && width != 8 && width != 16) return false;
  organization.bank_groups = width == 16 ? 2 : 4;
  organization.banks_per_group = 4;
  organization.columns = 1024;
  organization.bus_bits = 64;
  organization.burst_length = 8;
  organization.device_bits = width;
  organization.rows = rows_of(gbit, width, organization.banks_per_rank());
  return true;
}

bool set_ddr4_speed_bin(std::string_view name, const Organization& organization, Timing& timing) {
  if (!name.starts_with(kPrefix)) return false;
  name.remove_prefix(kPrefix.size());
  for (const Bin& bin : kBins) {
    if (bin.name != name) continue;
    for (const Rate& rate : kRates) {
      if (!name.starts_with(std::to_string(rate.mtps))) continue;
      const unsigned width = organization.device_bits;
      const unsigned page = width <= 4 ? 0 : width <= 8 ? 1 : 2;
      Timing& t = timing;
      t.tck = Period::of_mhz(rate.mhz);
      t.cl = t.trcd_rd = t.trcd_wr = t.trp = bin.cl;
      t.cwl = rate.cwl;
      t.bl = 4;
      t.tras = rate.tras;
      t.trc = rate.tras + bin.cl;
      t.tccd_s = 4;
      t.tccd_l = t.tccd_l_wr = rate.tccd_l;
      t.trrd_s = page == 2 ? rate.trrd_s_2k : 4;
      t.trrd_l = rate.trrd_l[page == 2 ? 1 : 0];
      t.tfaw = rate.tfaw[page];
      t.twr = rate.twr;
      t.trtp = rate.trtp;
      t.twtr_s = rate.twtr_s;
      t.twtr_l = rate.twtr_l;
      t.trefi = static_cast<unsigned>(7800 / t.tck.ns() + 0.001);
      const std::uint64_t bits = organization.rows * organization.banks_per_rank() * 1024 * width;
      const std::uint64_t gbit = bits >> 30;
      t.trfc = up(gbit <= 2 ? 160 : gbit <= 4 ? 260 : gbit <= 8 ? 350 : 550, t.tck);
      return true;
    }
  }
  return false;
}

}  // namespace tvp::dram
