#pragma once

#include <cstdint>

#include "models/support/calendar.h"
#include "models/support/settings.h"

namespace tvp::pim {

/// Settings of PIM systems: how many units there are, their clock, and what their engines cost.
struct PimConfig : support::SettingGroup {
  PimConfig() : SettingGroup("pim") {}

  using Count = support::Setting<std::uint32_t>;

  support::Text hierarchy{
      *this,
      {"hierarchy", "",
       "levels from the inside out with how many of them the next one has; units are banks",
       "PIM interconnect document: 32 units in a rank"},
      "bank=8 chip=4"};
  Count clock_mhz{
      *this,
      {"clock_mhz", "MHz", "clock of the units and of their network", "UPMEM DPU: 350 MHz"},
      350,
      1,
      4000};
  support::Text dram{
      *this, {"dram", "", "speed bin of the banks", "UPMEM DIMM: DDR4-2400"}, "ddr4_2400"};
  support::Choice network{
      *this,
      {"network", "",
       "mesh: one joins all units; tiers: one in each chip (first level of the hierarchy), a "
       "switch "
       "between the chips of a rank (second), the DDR bus between ranks (third)",
       "PIM interconnect document; PIMnet (HPCA 2025)"},
      "mesh",
      {"mesh", "tiers"}};
  Count dq_pins{*this,
                {"dq_pins", "pins", "data pins of a rank, shared out among its chips (tiers)",
                 "DDR4: 64 bits"},
                64,
                1,
                1024};
  support::Setting<bool> dq_halves{
      *this,
      {"dq_halves", "", "the pins of a chip are split into transmit and receive halves (tiers)",
       "PIMnet (HPCA 2025)"},
      false};
  Count switch_cycles{*this,
                      {"switch_cycles", "tCK",
                       "pins of one chip to pins of another through the buffer (tiers)", "assumed"},
                      4,
                      0,
                      1000};
  Count bus_request_cycles{
      *this,
      {"bus_request_cycles", "tCK",
       "request of a rank until the controller may grant it the bus (tiers)", "assumed"},
      8,
      0,
      1000};
  Count packet_bytes{
      *this,
      {"packet_bytes", "bytes", "most bytes of a message that one packet carries; a multiple of 4",
       "assumed"},
      64,
      4,
      4096};
  Count flit_bytes{*this,
                   {"flit_bytes", "bytes", "width of a link of the network inside a rank",
                    "assumed: one 64-bit value of the PIM interconnect document"},
                   8,
                   1,
                   256};
  Count send_cycles{
      *this,
      {"send_cycles", "cycles",
       "store of the go register until the first packet is at the injection queue", "assumed"},
      4,
      1,
      1000};
  Count receive_cycles{
      *this,
      {"receive_cycles", "cycles",
       "last flit of a packet at the stop until its bytes and the arrival are seen in WRAM",
       "assumed"},
      4,
      1,
      1000};
  Count dma_setup_cycles{
      *this,
      {"dma_setup_cycles", "cycles",
       "store of the go register, or the end of the descriptor before, until the "
       "first command to the bank",
       "assumed"},
      2,
      1,
      1000};
  Count dma_response_cycles{
      *this,
      {"dma_response_cycles", "cycles",
       "last data at the border of the two clocks until the descriptor counts "
       "as done",
       "assumed: a synchronizer of two flip-flops"},
      2,
      1,
      1000};
  Count dma_bytes_per_cycle{
      *this,
      {"dma_bytes_per_cycle", "bytes/cycle", "width of the way between bank and WRAM",
       "UPMEM DPU: 2 bytes a cycle (PrIM, arXiv 2105.03814, section 3.1.2)"},
      2,
      1,
      64};
  Count barrier_cycles{
      *this,
      {"barrier_cycles", "cycles", "last arrival until every unit of the barrier may read it",
       "assumed: wires to a counter in the rank and back"},
      16,
      2,
      100000};
  Count print_bytes{
      *this,
      {"print_bytes", "bytes", "what is kept of the output of a unit", "choice of the platform"},
      65536,
      0,
      1U << 30};
};

/// How far units may run ahead of each other when a network joins them that delivers no packet in
/// the cycle of its injection.
support::Calendar::Lookahead lookahead(const PimConfig& config);

/// Throws Fault(kDescription) when settings contradict each other.
void check(const PimConfig& config);

}  // namespace tvp::pim
