#pragma once

#include <cstdint>
#include <string>

#include "foundation/settings.h"

namespace tvp::ethernet {

/// Tunables of links and queues. One instance serves a whole system.
struct EthernetConfig : foundation::SettingGroup {
  EthernetConfig() : SettingGroup("ethernet", SetBy::kDescription) {}

  foundation::Setting<double> line_bytes_per_ns{
      *this,
      {"line_bytes_per_ns", "B/ns", "Rate of a link in each direction.",
       "100 GbE; tt-metal tech_reports/EthernetMultichip/BasicEthernetGuide.md"},
      {.value = 12.5, .min = 0.01, .max = 1000.0}};
  foundation::Setting<std::uint32_t> packet_overhead_bytes{
      *this,
      {"packet_overhead_bytes", "bytes",
       "Line time of a packet beyond its payload: 14 L2 header, 16 TT-link header, 16 preamble, "
       "gap and FEC share, 4 CRC.",
       "tt-metal tech_reports/EthernetMultichip/BasicEthernetGuide.md"},
      {.value = 50, .min = 0, .max = 1000}};
  foundation::Setting<std::uint64_t> link_latency_ps{
      *this,
      {"link_latency_ps", "ps",
       "Last byte onto the wire to last byte out of the receiver's MAC: MAC, PCS and FEC of both "
       "ends, and the cable.",
       "assumed; fitted with receive_cycles to the 16 B round trip of tt-metal "
       "test_all_ethernet_links_latency, by cores that do what its kernels do"},
      {.value = 326000, .min = 1000, .max = 100000000}};
  foundation::Setting<std::uint32_t> receive_cycles{
      *this,
      {"receive_cycles", "cycles",
       "Receive queue: from the end of a packet to its commit (sequence check, write to L1); at "
       "least what a NIU and its router are apart.",
       "assumed; see link_latency_ps"},
      {.value = 50, .min = 1, .max = 100000}};
  foundation::Setting<std::uint32_t> command_cycles{
      *this,
      {"command_cycles", "cycles", "Store to CMD until the queue has latched the transfer.",
       "assumed"},
      {.value = 8, .min = 1, .max = 100000}};
  foundation::Setting<double> fill_bytes_per_ns{
      *this,
      {"fill_bytes_per_ns", "B/ns",
       "Rate at which the transmit buffer fills; a packet starts on the line when it is in the "
       "buffer whole, so that L1 can never let the line run dry.",
       "assumed; the sizes 128 to 8192 B of tt-metal test_all_ethernet_links_latency show one "
       "packet time of store and forward a direction"},
      {.value = 12.5, .min = 0.01, .max = 1000.0}};
  foundation::Setting<std::uint32_t> buffer_bytes{
      *this,
      {"buffer_bytes", "bytes",
       "Size of a queue's transmit buffer: what has been fetched and has not left yet.",
       "assumed: three of the largest packets; with less, messages of 4 KiB leave the line idle, "
       "and "
       "tt-metal test_all_ethernet_links_bandwidth has 12.04 GB/s of them"},
      {.value = 4608, .min = 1504, .max = 1U << 20}};
  foundation::Setting<std::uint32_t> window_packets{
      *this,
      {"window_packets", "packets", "Unacknowledged packets that a queue can remember.",
       "assumed; Blackhole's queue has 128 (ISA BlackholeA0/EthernetTile)"},
      {.value = 128, .min = 1, .max = 128}};
  foundation::Setting<std::uint32_t> remote_seq_timeout{
      *this,
      {"remote_seq_timeout", "cycles",
       "Value that base firmware leaves in REMOTE_SEQ_TIMEOUT: resend after so long without an "
       "acknowledgement.",
       "assumed"},
      {.value = 16384, .min = 1, .max = 0xFFFFFFFF}};
  foundation::Setting<std::uint32_t> local_seq_update_timeout{
      *this,
      {"local_seq_update_timeout", "cycles",
       "Value that base firmware leaves in LOCAL_SEQ_UPDATE_TIMEOUT: period of acknowledgements "
       "without data.",
       "assumed"},
      {.value = 512, .min = 1, .max = 0xFFFFFFFF}};
  foundation::Setting<double> drop_rate{
      *this,
      {"drop_rate", "", "Share of packets that a link loses (error injection).", "0 injects none"},
      {.value = 0.0, .min = 0.0, .max = 1.0}};
  foundation::Setting<double> corrupt_rate{
      *this,
      {"corrupt_rate", "", "Share of packets that arrive with a bad CRC (error injection).",
       "0 injects none"},
      {.value = 0.0, .min = 0.0, .max = 1.0}};
  foundation::Setting<std::uint64_t> error_seed{
      *this,
      {"error_seed", "", "Seed of the error injection.", "any"},
      {.value = 1, .min = 0, .max = 0xFFFFFFFFFFFFFFFF}};
  foundation::Text faults{
      *this,
      {"faults", foundation::kNoFile,
       "links that break in both directions, e.g. \"chip0.6@2000 chip1-chip3@5000+800 chip2@0\". "
       "An entry names a channel, two chips, or a chip. @ is the start, + the duration in ns; "
       "without it the link stays broken.",
       "choice of the platform"},
      ""};
};

}  // namespace tvp::ethernet
