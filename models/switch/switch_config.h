#pragma once

#include <cstdint>

#include "foundation/settings.h"

namespace tvp::switching {

/// Settings of a switched system: participants at the ports of one switch, or of a tree of
/// switches.
///
/// In the literature an operation in the network takes 2 alpha_switch + M/BW, with alpha_switch for
/// each of the two hops, up and down. Here a hop takes `cut_through_ns`, and a stream passes the
/// ALU of a switch once in `alu_ns`. So alpha_switch is cut_through_ns + alu_ns / 2 for a reduction
/// and cut_through_ns for a multicast, for each level of switches.
struct SwitchConfig : foundation::SettingGroup {
  SwitchConfig() : SettingGroup("switch", SetBy::kDescription) {}

  using Count = foundation::Setting<std::uint32_t>;
  using Real = foundation::Setting<double>;

  foundation::Text tree{
      *this,
      {"tree", foundation::kNoFile,
       "tree of switches: the downward ports of a switch at each level, from the leaves up. "
       "\"4 2\" is two switches of 4 participants and one above them, \"16+16+8 3\" has three "
       "switches of different sizes; empty: one switch for all",
       foundation::kOwnChoice},
      ""};
  Real port_gb_s{*this,
                 {"port_gb_s", "GB/s", "rate of the link of a participant, each way",
                  "assumed: what bank and core of a PIM unit keep up with"},
                 {.value = 0.5, .min = 0.001, .max = 10000.0}};
  Real uplink_gb_s{
      *this,
      {"uplink_gb_s", "GB/s", "rate of a link between two switches, each way; 0: as port_gb_s",
       foundation::kOwnChoice},
      {.value = 0, .min = 0, .max = 10000.0}};
  Real cut_through_ns{
      *this,
      {"cut_through_ns", "ns",
       "time of a hop: the first byte leaves a participant or switch until it can leave the next "
       "switch or is at the participant",
       "assumed: 100 to 200 ns is said of NVSwitch"},
      {.value = 100, .min = 0, .max = 1000000}};
  Real alu_ns{
      *this,
      {"alu_ns", "ns", "extra latency of a stream that a switch combines (only with alu=true)",
       "assumed: a tree of adders, pipelined"},
      {.value = 20, .min = 0, .max = 1000000}};
  foundation::Setting<bool> alu{
      *this,
      {"alu", "",
       "true: switches combine data; false: they only multicast, as PCI Express switches do",
       foundation::kOwnChoice},
      true};
  Count header_bytes{
      *this,
      {"header_bytes", "bytes", "header of a packet on a link", "assumed: as that of PIM packets"},
      {.value = 8, .min = 0, .max = 256}};
  Count buffer_packets{*this,
                       {"buffer_packets", "packets",
                        "slots of a switch's input port for packets and multicasts", "assumed"},
                       {.value = 64, .min = 1, .max = 65535}};
  Count reduction_packets{
      *this,
      {"reduction_packets", "packets",
       "slots of a port of a switch, for each group of participants, for operands that wait for "
       "those of the others (only with alu=true)",
       "assumed"},
      {.value = 32, .min = 1, .max = 65535}};
  foundation::Text faults{
      *this,
      {"faults", foundation::kNoFile,
       "links that break permanently in both directions, e.g. \"unit3@2000 switch1@0\": the one "
       "above participant 3 after 2000 ns, the one above switch 1 at once",
       foundation::kOwnChoice},
      ""};
};

}  // namespace tvp::switching
