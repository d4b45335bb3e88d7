#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/runtime/devices/chip_layout.h"

namespace tvp::workloads::prefetcher {

/// A core that reads one bank, and the cores that it feeds.
struct Sender {
  std::uint32_t bank = 0;
  runtime::CoreCoord core;
  std::uint32_t channel = 0;  ///< virtual channel of its reads, different from others of its row
  std::vector<runtime::CoreCoord> receivers;
};

/// Returns a sender for each of the first `banks` banks of DRAM with its receivers to the right of
/// it. A sender is behind the bank's endpoint in the direction in which data of NoC 0 leaves it, in
/// its row or further south. The paths of no two banks share a link as long as there is room.
/// `rows_off` moves all senders by that many rows. Throws Fault(kDescription) with the name
/// `workload` if they do not fit.
std::vector<Sender> place(const std::string& workload, const runtime::ChipLayout& layout,
                          std::uint32_t banks, std::uint32_t receivers, std::uint32_t rows_off);

/// A core of the ring of multiplications: receiver number `place_in_row` of a sender.
struct RingCore {
  runtime::CoreCoord core;
  std::uint32_t sender = 0;
  std::uint32_t place_in_row = 0;
};

/// Returns all receivers in the order of the ring. Shards of the activation travel backwards in it:
/// north in each column, then west to the next, in the direction of NoC 1. Hops are short and share
/// no link.
std::vector<RingCore> ring_of(const std::vector<Sender>& senders);

}  // namespace tvp::workloads::prefetcher
