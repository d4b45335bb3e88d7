#pragma once

#include <cstdint>

#include "foundation/regs/pim.h"
#include "foundation/settings.h"
#include "models/support/calendar.h"

namespace tvp::pim {

/// Settings of PIM systems: number of units, clock, and costs of their engines.
struct PimConfig : foundation::SettingGroup {
  PimConfig() : SettingGroup("pim", SetBy::kDescription) {}

  using Count = foundation::Setting<std::uint32_t>;

  foundation::Text hierarchy{
      *this,
      {"hierarchy", foundation::kNoFile,
       "levels from the inside out, each with its number within the next one; units are banks",
       "PIM interconnect document: 32 units in a rank"},
      "bank=8 chip=4"};
  Count clock_mhz{
      *this,
      {"clock_mhz", "MHz", "clock of the units and of their network", "UPMEM DPU: 350 MHz"},
      {.value = 350, .min = 1, .max = 4000}};
  foundation::Text dram{
      *this,
      {"dram", foundation::kNoFile, "speed bin of the banks", "UPMEM DIMM: DDR4-2400"},
      "ddr4_2400"};
  foundation::Choice network{
      *this,
      {"network", "",
       "mesh: one mesh joins all units. tiers: a mesh in each chip (first level of the hierarchy), "
       "a switch between the chips of a rank (second), the DDR bus between ranks (third). star: a "
       "switch or a tree of them joins chips of one unit each (switch.*).",
       "PIM interconnect document; PIMnet (HPCA 2025)"},
      {.value = "mesh", .choices = {"mesh", "tiers", "star"}}};
  foundation::Choice node_map{
      *this,
      {"node_map", "",
       "place of unit i at the routers of its mesh. rows: x = i mod mesh.width, y = i / "
       "mesh.width. "
       "columns: x = i / mesh.height, y = i mod mesh.height (only with network=mesh|tiers)",
       "choice of the platform (rows); PIM interconnect document: node i is at (i / 8, i mod 8) of "
       "4 x 8 routers (columns)"},
      {.value = "rows", .choices = {"rows", "columns"}}};
  Count dq_pins{*this,
                {"dq_pins", "pins",
                 "data pins of a rank, shared out among its chips (only with network=tiers or "
                 "host.timed=true or host_traffic.pattern!=off)",
                 "DDR4: 64 bits"},
                {.value = 64, .min = 1, .max = 1024}};
  foundation::Setting<bool> dq_halves{
      *this,
      {"dq_halves", "",
       "the pins of a chip are split into transmit and receive halves (only with network=tiers)",
       "PIMnet (HPCA 2025)"},
      false};
  Count switch_cycles{
      *this,
      {"switch_cycles", "tCK",
       "pins of one chip to pins of another through the buffer (only with network=tiers)",
       "assumed"},
      {.value = 4, .min = 0, .max = 1000}};
  Count switch_reduce_cycles{
      *this,
      {"switch_reduce_cycles", "tCK",
       "extra latency of a reduction in the switch between chips (only with network=tiers)",
       "assumed: a tree of adders, pipelined"},
      {.value = 8, .min = 0, .max = 1000}};
  Count gateway_packets{
      *this,
      {"gateway_packets", "packets",
       "slots of a chip's gateway for packets on their way out, and as many for those on their way "
       "in (only with network=tiers)",
       "assumed: 4.6 KB each of packets of 72 bytes"},
      {.value = 64, .min = 1, .max = 65535}};
  Count gateway_reductions{
      *this,
      {"gateway_reductions", "packets",
       "slots that each unit has at the gateway of its chip for packets that wait to be combined "
       "in the switch (only with network=tiers)",
       "assumed: a message of 2 KiB"},
      {.value = 32, .min = 1, .max = 65535}};
  Count buffer_packets{*this,
                       {"buffer_packets", "packets",
                        "slots of the buffer of a rank for packets on their way to the bus (only "
                        "with network=tiers)",
                        "assumed"},
                       {.value = 64, .min = 1, .max = 65535}};
  Count bus_request_cycles{*this,
                           {"bus_request_cycles", "tCK",
                            "request line of a rank until the controller may send its word on the "
                            "bus (only with network=tiers or barrier=ca_bus)",
                            "assumed"},
                           {.value = 8, .min = 0, .max = 1000}};
  Count packet_bytes{
      *this,
      {"packet_bytes", "bytes", "maximum payload of a packet; a multiple of 4", "assumed"},
      {.value = 64, .min = 4, .max = 4096}};
  Count flit_bytes{*this,
                   {"flit_bytes", "bytes",
                    "width of a link of the network inside a rank (only with network=mesh|tiers)",
                    "assumed: one 64-bit value of the PIM interconnect document"},
                   {.value = 8, .min = 1, .max = 256}};
  Count send_cycles{
      *this,
      {"send_cycles", "cycles",
       "store of the go register until the first packet is at the injection queue", "assumed"},
      {.value = 4, .min = 1, .max = 1000}};
  Count receive_cycles{
      *this,
      {"receive_cycles", "cycles",
       "last flit of a packet at the stop until its bytes and the arrival are seen in WRAM",
       "assumed"},
      {.value = 4, .min = 1, .max = 1000}};
  Count dma_setup_cycles{
      *this,
      {"dma_setup_cycles", "cycles",
       "store of the go register, or the end of the descriptor before, until the "
       "first command to the bank",
       "assumed"},
      {.value = 2, .min = 1, .max = 1000}};
  Count dma_response_cycles{
      *this,
      {"dma_response_cycles", "cycles",
       "last data at the border of the two clocks until the descriptor counts "
       "as done",
       "assumed: a synchronizer of two flip-flops"},
      {.value = 2, .min = 1, .max = 1000}};
  Count dma_read_more_cycles{
      *this,
      {"dma_read_more_cycles", "cycles", "time by which dma_setup_cycles is longer for a read",
       "UPMEM DPU: PrIM (arXiv 2105.03814, section 3.2.1) has 77 cycles for reads, 61 for writes"},
      {.value = 0, .min = 0, .max = 1000}};
  Count tasklets{
      *this,
      {"tasklets", "",
       "hardware threads of a unit, each with its registers; 0: one thread with the pipeline that "
       "riscv.* describes",
       "UPMEM DPU: 24 (UPMEM SDK documentation; PrIM, arXiv 2105.03814, section 2.2)"},
      {.value = 0, .min = 0, .max = regs::pim::kMaxTasklets}};
  Count dispatch_cycles{*this,
                        {"dispatch_cycles", "cycles",
                         "from one instruction of a tasklet to its next. A unit dispatches one "
                         "instruction a cycle (only with tasklets!=0)",
                         "UPMEM DPU: 11 of its 14 stages (PrIM, arXiv 2105.03814, section 2.2)"},
                        {.value = 11, .min = 1, .max = 64}};
  foundation::Setting<bool> multiply_steps{
      *this,
      {"multiply_steps", "",
       "true: a multiplication takes an instruction for each significant bit of its smaller "
       "unsigned operand, and 7 for the call. A division takes 32. false: one instruction each "
       "(only with tasklets!=0)",
       "UPMEM DPU: up to 32 mul_step or div_step (PrIM, arXiv 2105.03814, section 3.1.1); the "
       "SDK's routine __mulsi3 ends at the last set bit (VIA-Research/uPIMulator, sdk/syslib)"},
      true};
  foundation::Choice wram_port{
      *this,
      {"wram_port", "",
       "shared: a load or store waits in a cycle in which the DMA engine moves 8 bytes. separate: "
       "both access WRAM in one cycle (only with tasklets!=0)",
       "assumed"},
      {.value = "shared", .choices = {"shared", "separate"}}};
  Count dma_bytes_per_cycle{
      *this,
      {"dma_bytes_per_cycle", "bytes/cycle", "width of the path between bank and WRAM",
       "UPMEM DPU: 2 bytes a cycle (PrIM, arXiv 2105.03814, section 3.1.2)"},
      {.value = 2, .min = 1, .max = 64}};
  foundation::Choice barrier{
      *this,
      {"barrier", "",
       "ca_bus: wires join the units of a rank (barrier_cycles). The ranks of a channel raise "
       "request lines, and a PIM word on the command/address bus releases them, which costs "
       "bus_request_cycles and a slot that normal commands compete for. Channels meet at the host. "
       "fixed: barrier_cycles for any distance of the units.",
       "PIM interconnect document (CA bus)"},
      {.value = "ca_bus", .choices = {"ca_bus", "fixed"}}};
  foundation::Choice barrier_scheme{
      *this,
      {"barrier_scheme", "",
       "controller: it collects the requests of the ranks and sends one word; broadcasts: one word "
       "to all ranks for the arrival of each rank (only with barrier=ca_bus)",
       "PIM interconnect document (broadcasts)"},
      {.value = "controller", .choices = {"controller", "broadcasts"}}};
  foundation::Choice ca_barrier{*this,
                                {"ca_barrier", "",
                                 "the controller's part of barriers of ranks: tlm, or rtl "
                                 "(SystemVerilog) (only with barrier=ca_bus)",
                                 foundation::kOwnChoice},
                                {.value = "tlm", .choices = {"tlm", "rtl"}}};
  foundation::Choice ca_bus{
      *this,
      {"ca_bus", "",
       "the controller of the command/address bus of each channel: its slots, pins and barriers of "
       "ranks: tlm, or rtl (SystemVerilog)",
       foundation::kOwnChoice},
      {.value = "tlm", .choices = {"tlm", "rtl"}}};
  foundation::Choice crossbar{*this,
                              {"crossbar", "",
                               "the crossbar between the chips of each rank: tlm, or rtl "
                               "(SystemVerilog) (only with network=tiers)",
                               foundation::kOwnChoice},
                              {.value = "tlm", .choices = {"tlm", "rtl"}}};
  Count host_sync_cycles{
      *this,
      {"host_sync_cycles", "tCK",
       "time between the controllers of two channels for a barrier or a packet, and again for each "
       "further level of the hierarchy (only with network=tiers or barrier=ca_bus)",
       "assumed: 100 ns, about a line of memory between two cores of a host"},
      {.value = 120, .min = 0, .max = 1000000}};
  foundation::Setting<double> forward_gb_s{
      *this,
      {"forward_gb_s", "GB/s",
       "rate at which a memory channel's host thread copies packets to other channels (only with "
       "network=tiers)",
       "assumed: one thread of the host copying between modules, PrIM (arXiv 2105.03814) reports "
       "4.7 to 6.7 for a rank"},
      {.value = 6.5, .min = 0.001, .max = 1000.0}};
  foundation::Choice rank_messages{
      *this,
      {"rank_messages", "",
       "packets between ranks. data: two PIM words and the data bus. command: PIM words only, one "
       "and another for every two bytes, if the packet fits a mailbox (only with network=tiers)",
       "PIMnet, HPCA 2025 (data); PIM interconnect document (command)"},
      {.value = "data", .choices = {"data", "command"}}};
  Count mailbox_bytes{*this,
                      {"mailbox_bytes", "bytes",
                       "longest packet, header included, that travels on the command/address bus "
                       "(only with rank_messages=command)",
                       "assumed: a packet of 64 bytes and its header"},
                      {.value = 72, .min = 0, .max = 4096}};
  Count barrier_cycles{*this,
                       {"barrier_cycles", "cycles",
                        "last arrival of the units of a rank until all of them may read it",
                        "assumed: wires to a counter in the rank and back"},
                       {.value = 16, .min = 2, .max = 100000}};
  Count print_bytes{
      *this,
      {"print_bytes", "bytes", "limit of the kept output of a unit", foundation::kOwnChoice},
      {.value = 65536, .min = 0, .max = 1U << 30}};
};

/// Limits how far units may run ahead of each other if the network delivers no packet in the cycle
/// of its injection.
support::Calendar::Lookahead lookahead(const PimConfig& config);

/// Throws Fault(kDescription) if settings contradict each other.
void check(const PimConfig& config);

}  // namespace tvp::pim
