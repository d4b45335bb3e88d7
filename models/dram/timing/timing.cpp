#include "models/dram/timing/timing.h"

namespace tvp::dram {

namespace {

/// DDR4-2400U, 17-17-17, eight x8 chips of 8 Gb. Source: JESD79-4 speed bins; DRAMsim3
/// DDR4_8Gb_x8_2400.ini has the same distances at CL 16.
constexpr Preset ddr4_2400() {
  Preset p;
  p.name = "ddr4_2400";
  Organization& o = p.organization;
  o.channels = 1;
  o.bank_groups = 4;
  o.banks_per_group = 4;
  o.rows = 65536;
  o.columns = 1024;
  o.bus_bits = 64;
  o.burst_length = 8;
  o.device_bits = 8;
  Timing& t = p.timing;
  t.tck = Period::of_mhz(1200);
  t.cl = 17;
  t.cwl = 12;
  t.bl = 4;
  t.trcd_rd = t.trcd_wr = 17;
  t.trp = 17;
  t.tras = 39;  // 32 ns
  t.trc = 56;
  t.tccd_s = 4;
  t.tccd_l = t.tccd_l_wr = 6;  // 5 ns
  t.trrd_s = 4;
  t.trrd_l = 6;
  t.tfaw = 26;   // 21 ns, page of 1 KB
  t.twr = 18;    // 15 ns
  t.trtp = 9;    // 7.5 ns
  t.twtr_s = 3;  // 2.5 ns
  t.twtr_l = 9;  // 7.5 ns
  t.trtw_gap = 2;
  t.trtrs = 1;  // JESD79-4 leaves it to the system; rank to rank is BL/2 + 1 = 5
  t.tppd = 1;
  t.trefi = 9360;  // 7.8 us
  t.trfc = 420;    // 350 ns for 8 Gb
  t.max_postponed_refreshes = 8;
  return p;
}

/// DDR5-4800B, eight x8 chips of 16 Gb: two sub-channels of 32 bits with four chips each. Source:
/// JESD79-5; Ramulator 2.1 ddr5.py where it agrees with the standard.
constexpr Preset ddr5_4800() {
  Preset p;
  p.name = "ddr5_4800";
  Organization& o = p.organization;
  o.channels = 2;
  o.bank_groups = 8;
  o.banks_per_group = 4;
  o.rows = 65536;
  o.columns = 1024;
  o.bus_bits = 32;
  o.burst_length = 16;
  o.device_bits = 8;
  o.bank_refresh = BankRefresh::kSameBankOfEveryGroup;
  Timing& t = p.timing;
  t.tck = Period::of_mhz(2400);
  t.cl = 36;
  t.cwl = 34;  // CL - 2
  t.bl = 8;
  t.trcd_rd = t.trcd_wr = 36;  // 15 ns
  t.trp = 36;
  t.tras = 77;  // 32 ns
  t.trc = 113;
  t.tccd_s = 8;
  t.tccd_l = 12;     // 5 ns
  t.tccd_l_wr = 48;  // 20 ns: a masked or ECC write reads and writes inside the chip
  t.trrd_s = 8;
  t.trrd_l = 12;
  t.tfaw = 32;  // max(32 nCK, 13.33 ns), page of 1 KB
  t.twr = 72;   // 30 ns
  t.trtp = 18;  // 7.5 ns
  // The standard gives the write to read distance: CWL + WBL/2 + max(16 nCK, 10 ns) within
  // a group and CWL + WBL/2 + max(4 nCK, 2.5 ns) across groups.
  t.twtr_s = 6;
  t.twtr_l = 24;
  t.trtw_gap = 2;
  t.trtrs = 2;
  t.tppd = 2;
  t.trefi = 9360;  // 3.9 us
  t.trfc = 708;    // 295 ns, tRFC1 of 16 Gb
  // REFsb exists only in fine granularity: tREFI2 = 1.95 us for the four banks of a group.
  t.trefi_bank = 1170;
  t.trfc_bank = 312;  // 130 ns for 16 Gb
  t.trrefd = 72;      // tREFSBRD, 30 ns
  t.max_postponed_refreshes = 4;
  t.column_slots = 2;
  t.activate_slots = 2;
  return p;
}

/// GDDR6 with 14 Gb/s a pin at 1.35 V (Ramulator 2.1 gddr6.py): CK 1.75 GHz, eight transfers a
/// cycle.
constexpr Preset gddr6_14() {
  Preset p;
  p.name = "gddr6_14";
  Organization& o = p.organization;
  o.channels = 2;
  o.bank_groups = 4;
  o.banks_per_group = 4;
  o.rows = 32768;  // 1 GiB a channel: 16 banks of 32768 rows of 2 KB
  o.columns = 1024;
  o.bus_bits = 16;
  o.burst_length = 16;
  o.device_bits = 16;
  o.bank_refresh = BankRefresh::kOneBank;
  Timing& t = p.timing;
  t.tck = Period::of_mhz(1750);
  t.cl = 24;
  t.cwl = 6;
  t.bl = 2;
  t.trcd_rd = 27;
  t.trcd_wr = 16;
  t.trp = 27;
  t.tras = 53;
  t.trc = 79;
  t.tccd_s = 2;
  t.tccd_l = t.tccd_l_wr = 4;
  t.trrd_s = 8;
  t.trrd_l = 8;
  t.tfaw = 29;
  t.twr = 27;
  t.trtp = 4;
  t.twtr_s = 9;
  t.twtr_l = 11;
  t.trtw_gap = 2;  // assumed: same as DDR4
  t.trtrs = 0;     // has only one rank
  t.tppd = 1;
  t.trefi = 3325;      // 1.9 us
  t.trfc = 211;        // 120 ns
  t.trefi_bank = 207;  // tREFI / 16 banks
  t.trfc_bank = 106;
  t.trrefd = 8;  // assumed: same as tRRD
  t.max_postponed_refreshes = 8;
  return p;
}

/// Converts a time that is fixed in nanoseconds to cycles of another clock, rounded up.
constexpr unsigned rescaled(unsigned cycles, unsigned from_mhz, unsigned to_mhz) {
  return (cycles * to_mhz + from_mhz - 1) / from_mhz;
}

/// Another clock than the 1750 MHz of gddr6_14. Distances in nanoseconds keep their time, rounded
/// up to cycles; distances in cycles stay.
constexpr void clock_gddr6(Timing& t, unsigned mhz) {
  t.tck = Period::of_mhz(mhz);
  for (unsigned* d :
       {&t.cl, &t.trcd_rd, &t.trcd_wr, &t.trp, &t.tras, &t.trc, &t.trrd_s, &t.trrd_l, &t.tfaw,
        &t.twr, &t.trtp, &t.twtr_s, &t.twtr_l, &t.trfc, &t.trfc_bank, &t.trrefd}) {
    *d = rescaled(*d, 1750, mhz);
  }
}

/// The GDDR6 part at 12 Gb/s a pin, the rate of Wormhole's channels (ISA DRAMTile/README.md): CK
/// 1.5 GHz.
constexpr Preset gddr6_12() {
  Preset p = gddr6_14();
  p.name = "gddr6_12";
  Timing& t = p.timing;
  clock_gddr6(t, 1500);
  t.trefi = 2850;      // 1.9 us
  t.trefi_bank = 178;  // rounded down: on average, refresh must not be late
  return p;
}

/// A GDDR6 device at 16 Gb/s a pin, both halves behind one controller. Blackhole's banks have 4 GiB
/// and 64 GB/s (tt-metal soc_descriptors/blackhole_140_arch.yaml). Assumed: an access of 64 bytes
/// takes 32 of each half.
constexpr Preset gddr6_16() {
  Preset p = gddr6_14();
  p.name = "gddr6_16";
  p.organization.channels = 1;
  p.organization.rows = 65536;
  p.organization.bus_bits = 32;
  Timing& t = p.timing;
  clock_gddr6(t, 2000);
  t.trefi = 3800;  // 1.9 us
  t.trefi_bank = 237;
  return p;
}

constexpr std::array<Preset, 5> kPresets = {ddr4_2400(), ddr5_4800(), gddr6_12(), gddr6_14(),
                                            gddr6_16()};

}  // namespace

std::span<const Preset> presets() { return kPresets; }

const Preset* find_preset(std::string_view name) {
  for (const Preset& preset : kPresets) {
    if (preset.name == name) return &preset;
  }
  return nullptr;
}

}  // namespace tvp::dram
