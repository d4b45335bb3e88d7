#include "sw/collectives/pim/host_path.h"

#include <algorithm>
#include <cmath>

#include "sw/runtime/devices/device_library.h"
#include "sw/runtime/pim_system.h"

namespace tvp::collectives {

HostPathConfig::HostPathConfig(foundation::SettingGroup& group)
    : read_gb_s(
          group,
          {"host_read_gb_s", "GB/s",
           "rate from banks to host over the bus of a channel, with transposition (only with "
           "algorithm=host)",
           "assumed: about what PrIM (arXiv 2105.03814) reports for a rank of 64 UPMEM units"},
          {.value = 4.7, .min = 0.001, .max = 1000}),
      write_gb_s(group,
                 {"host_write_gb_s", "GB/s",
                  "rate from host to banks, different bytes for each, with transposition (only "
                  "with algorithm=host)",
                  "assumed: as host_read_gb_s"},
                 {.value = 6.7, .min = 0.001, .max = 1000}),
      broadcast_gb_s(group,
                     {"host_broadcast_gb_s", "GB/s",
                      "rate from host to banks, the same bytes for all, counted for every bank "
                      "(only with algorithm=host)",
                      "assumed: as host_read_gb_s"},
                     {.value = 16.9, .min = 0.001, .max = 1000}),
      reduce_gb_s(group,
                  {"host_reduce_gb_s", "GB/s",
                   "rate at which the host reduces operands (only with algorithm=host)", "assumed"},
                  {.value = 10, .min = 0.001, .max = 10000}),
      lanes(group,
            {"host_lanes", "chips",
             "chips that share the data pins of a rank, one byte each (only with algorithm=host)",
             "DDR4 DIMM: 64 data pins, chips of 8"},
            {.value = 8, .min = 1, .max = 64}) {}

std::vector<std::uint8_t> interleave(const std::vector<std::vector<std::uint8_t>>& banks,
                                     unsigned lanes) {
  std::size_t longest = 0;
  for (const auto& bank : banks) longest = std::max(longest, bank.size());
  std::vector<std::uint8_t> beats(longest * lanes);
  for (std::size_t lane = 0; lane < banks.size(); ++lane)
    for (std::size_t i = 0; i < banks[lane].size(); ++i) beats[i * lanes + lane] = banks[lane][i];
  return beats;
}

std::vector<std::vector<std::uint8_t>> deinterleave(const std::vector<std::uint8_t>& beats,
                                                    unsigned lanes, unsigned banks) {
  std::vector<std::vector<std::uint8_t>> out(banks);
  for (unsigned lane = 0; lane < banks; ++lane)
    for (std::size_t at = lane; at < beats.size(); at += lanes) out[lane].push_back(beats[at]);
  return out;
}

/// Ranks whose banks have the same number in the chips of one rank of the module.
std::vector<std::vector<unsigned>> HostPath::beats_together(unsigned ranks) const {
  const unsigned banks = system_.levels().front().count;
  const unsigned in_module_rank = banks * config_.lanes;
  std::vector<std::vector<unsigned>> groups;
  for (unsigned first = 0; first < ranks; first += in_module_rank) {
    for (unsigned bank = 0; bank < banks; ++bank) {
      std::vector<unsigned> group;
      for (unsigned chip = 0; chip < config_.lanes; ++chip) {
        const unsigned rank = first + chip * banks + bank;
        if (rank < ranks) group.push_back(rank);
      }
      if (!group.empty()) groups.push_back(group);
    }
  }
  return groups;
}

double HostPath::bus_bytes(const std::vector<std::uint64_t>& bytes) const {
  double sum = 0;
  for (const auto& group : beats_together(static_cast<unsigned>(bytes.size()))) {
    std::uint64_t beats = 0;
    for (const unsigned rank : group) beats = std::max(beats, bytes[rank]);
    sum += static_cast<double>(beats) * config_.lanes;
  }
  return sum;
}

HostPath::Times HostPath::run(const PimRequest& request, const PimRun& run) {
  const unsigned ranks = run.plan().ranks;
  std::vector<std::vector<std::uint8_t>> operands(ranks);
  std::vector<std::uint64_t> read(ranks, 0);
  double operand_bytes = 0;
  for (unsigned rank = 0; rank < ranks; ++rank) {
    if (!run.contents().has_operand(rank)) continue;
    read[rank] = run.contents().operand(rank).size();
    operand_bytes += static_cast<double>(read[rank]);
  }
  const auto now_ns = [&] { return static_cast<double>(library_.time_ps()) / 1000.0; };
  const double begin = now_ns();
  for (const auto& group : beats_together(ranks)) {
    std::vector<std::vector<std::uint8_t>> banks;
    for (const unsigned rank : group) {
      system_.own_by_host(rank);
      banks.push_back(system_.read_bank(rank, run.input_address(), read[rank]));
    }
    const auto ordered = deinterleave(interleave(banks, config_.lanes), config_.lanes,
                                      static_cast<unsigned>(banks.size()));
    for (std::size_t i = 0; i < group.size(); ++i) {
      operands[group[i]] = ordered[i];
      operands[group[i]].resize(read[group[i]]);
    }
  }
  const double taken = now_ns();
  const auto results = run.contents().evaluate(operands);
  std::vector<std::uint64_t> written(ranks);
  for (unsigned rank = 0; rank < ranks; ++rank) {
    written[rank] = results[rank].size();
    system_.write_bank(rank, run.output_address(), results[rank]);
  }
  const bool same = request.collective->same_everywhere();
  const double given = now_ns();
  Times times;
  if (reduces(request.collective->primitive)) times.reduce_ns = operand_bytes / config_.reduce_gb_s;
  const auto pass = [&](double ns) {
    library_.clock(static_cast<std::uint32_t>(
        std::ceil(ns * static_cast<double>(system_.clock_mhz()) / 1000.0)));
  };
  // With `host.timed` the accesses have taken simulated time.
  if (given > begin) {
    times.read_ns = taken - begin;
    times.write_ns = given - taken;
    pass(times.reduce_ns);
    return times;
  }
  times.read_ns = bus_bytes(read) / config_.read_gb_s;
  times.write_ns = bus_bytes(written) / (same ? config_.broadcast_gb_s : config_.write_gb_s);
  pass(times.whole_ns());
  return times;
}

}  // namespace tvp::collectives
