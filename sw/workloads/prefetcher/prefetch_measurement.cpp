#include "sw/workloads/prefetcher/prefetch_measurement.h"

#include <algorithm>
#include <map>

#include "firmware/kernels/prefetcher/arguments.h"

namespace tvp::workloads::prefetcher {

namespace kernel = kernels::prefetcher;

namespace {

/// Cores' mean of part over whole.
template <typename Part, typename Whole>
double mean_share(const std::vector<std::vector<std::uint32_t>>& stats, Part part, Whole whole) {
  double sum = 0;
  for (const auto& s : stats) sum += static_cast<double>(part(s)) / static_cast<double>(whole(s));
  return stats.empty() ? 0 : sum / static_cast<double>(stats.size());
}

}  // namespace

PrefetchMeasurement::PrefetchMeasurement(const PrefetchPlan& plan,
                                         const std::vector<Sender>& senders,
                                         const RingPrograms& programs, const Options& options)
    : plan_(plan), senders_(senders), options_(options), ring_(programs.ring()) {
  for (const Sender& sender : senders)
    if (!options.direct) sender_stats_.push_back(programs.stats(sender.core));
  for (const RingCore& core : ring_) receiver_stats_.push_back(programs.stats(core.core));
}

PrefetchMeasurement::Reader PrefetchMeasurement::reading_of(std::size_t sender) const {
  if (!options_.direct)
    return {sender_stats_[sender][kernel::kReaderBegin], sender_stats_[sender][kernel::kReaderEnd]};
  Reader reading{~0U, 0};
  for (std::size_t place = 0; place < ring_.size(); ++place) {
    if (ring_[place].sender != sender) continue;
    const auto& stats = receiver_stats_[place];
    reading.begin = std::min(reading.begin, stats[kernel::kComputeBegin]);
    reading.end = std::max(reading.end, stats[kernel::kComputeEnd]);
  }
  return reading;
}

void PrefetchMeasurement::report_bandwidth(double channel_peak, Result& result) const {
  const auto bank_bytes = static_cast<double>(plan_.layer_bytes() * options_.layers) /
                          static_cast<double>(senders_.size());
  std::uint32_t begin = ~0U, end = 0;
  double slowest = channel_peak, fastest = 0;
  std::map<unsigned, double> rates;  // key: bank; senders have the order of the ring
  for (std::size_t s = 0; s < senders_.size(); ++s) {
    const Reader reading = reading_of(s);
    begin = std::min(begin, reading.begin);
    end = std::max(end, reading.end);
    const double rate = bank_bytes / (reading.end - reading.begin);
    slowest = std::min(slowest, rate);
    fastest = std::max(fastest, rate);
    rates.emplace(senders_[s].bank, rate);
  }
  HeatMap map{"DRAM reads of each bank", "bytes/cycle", {}, {"read"}, {}};
  for (const auto& [bank, rate] : rates) {
    map.rows.push_back("bank " + std::to_string(bank));
    map.values.push_back({rate});
  }
  result.heatmaps.push_back(map);
  const auto banks = static_cast<double>(senders_.size());
  const double all = bank_bytes * banks / (end - begin);
  result.phases.push_back({"read", static_cast<double>(begin), static_cast<double>(end)});
  result.metrics.push_back({"weights", bank_bytes * banks / 1e6, "MB"});
  result.metrics.push_back({"read", all, "bytes/cycle"});
  result.metrics.push_back({"read_share_of_peak", 100 * all / (channel_peak * banks), "%"});
  result.metrics.push_back({"read_slowest_bank", slowest, "bytes/cycle"});
  result.metrics.push_back({"read_fastest_bank", fastest, "bytes/cycle"});
}

void PrefetchMeasurement::report_senders(Result& result) const {
  const auto add = [&](const char* name, kernel::SenderStat stat, kernel::SenderStat begin,
                       kernel::SenderStat end) {
    const double share = mean_share(
        sender_stats_, [&](const auto& s) { return s[stat]; },
        [&](const auto& s) { return s[end] - s[begin]; });
    result.metrics.push_back({name, 100 * share, "%"});
  };
  add("reader_waits_for_room", kernel::kReaderNoRoom, kernel::kReaderBegin, kernel::kReaderEnd);
  add("reader_waits_for_dram", kernel::kReaderNoData, kernel::kReaderBegin, kernel::kReaderEnd);
  add("writer_waits_for_block", kernel::kWriterNoBlock, kernel::kWriterBegin, kernel::kWriterEnd);
  add("writer_waits_for_receiver", kernel::kWriterNoRoom, kernel::kWriterBegin, kernel::kWriterEnd);
  add("writer_waits_for_writes", kernel::kWriterNotSent, kernel::kWriterBegin, kernel::kWriterEnd);
  if (options_.pausable)
    add("reader_pauses", kernel::kReaderPaused, kernel::kReaderBegin, kernel::kReaderEnd);
  if (options_.pausable)
    add("writer_pauses", kernel::kWriterPaused, kernel::kWriterBegin, kernel::kWriterEnd);
}

void PrefetchMeasurement::report_receivers(Result& result) const {
  const auto span = [](const auto& s) { return s[kernel::kComputeEnd] - s[kernel::kComputeBegin]; };
  std::uint32_t begin = ~0U, end = 0;
  for (const auto& s : receiver_stats_) {
    begin = std::min(begin, s[kernel::kComputeBegin]);
    end = std::max(end, s[kernel::kComputeEnd]);
  }
  result.phases.push_back({"multiply", static_cast<double>(begin), static_cast<double>(end)});
  result.metrics.push_back({"kernel_cycles", static_cast<double>(end - begin), "cycles"});
  const double first = mean_share(
      receiver_stats_, [](const auto& s) { return s[kernel::kNoWeightsAtFirst]; },
      [](const auto&) { return 1U; });
  result.metrics.push_back({"matmul_first_weights_after", first, "cycles"});
  // Steady state: without the time until the first tensor arrived.
  const auto running = [&](const auto& s) { return span(s) - s[kernel::kNoWeightsAtFirst]; };
  const double weights = mean_share(
      receiver_stats_,
      [](const auto& s) { return s[kernel::kNoWeights] - s[kernel::kNoWeightsAtFirst]; }, running);
  const double activation = mean_share(
      receiver_stats_, [](const auto& s) { return s[kernel::kNoActivation]; }, running);
  result.metrics.push_back({"matmul_waits_for_weights", 100 * weights, "%"});
  result.metrics.push_back({"matmul_waits_for_activation", 100 * activation, "%"});
  result.metrics.push_back({"overlap", 100 * overlap(), "%"});
}

void PrefetchMeasurement::report_consumers(double result_bytes, Result& result) const {
  std::uint32_t begin = ~0U, end = 0;
  for (const auto& s : receiver_stats_) {
    begin = std::min(begin, s[kernel::kTensorStats]);
    for (std::size_t i = kernel::kTensorStats; i + 1 < s.size() && s[i] != 0; i += 2)
      end = std::max(end, s[i + 1]);
  }
  const double cycles = end - begin;
  result.phases.push_back({"consume", static_cast<double>(begin), static_cast<double>(end)});
  result.metrics.push_back({"results", result_bytes / 1e6, "MB"});
  result.metrics.push_back({"written", result_bytes / cycles, "bytes/cycle"});
  result.metrics.push_back({"kernel_cycles", cycles, "cycles"});
  const auto span = [](const auto& s) { return s[kernel::kComputeEnd] - s[kernel::kComputeBegin]; };
  const double first = mean_share(
      receiver_stats_, [](const auto& s) { return s[kernel::kNoWeightsAtFirst]; },
      [](const auto&) { return 1U; });
  result.metrics.push_back({"consumer_first_block_after", first, "cycles"});
  const auto running = [&](const auto& s) { return span(s) - s[kernel::kNoWeightsAtFirst]; };
  const double blocks = mean_share(
      receiver_stats_,
      [](const auto& s) { return s[kernel::kNoWeights] - s[kernel::kNoWeightsAtFirst]; }, running);
  const double room = mean_share(
      receiver_stats_, [](const auto& s) { return s[kernel::kNoRoomForResults]; }, running);
  result.metrics.push_back({"consumer_waits_for_blocks", 100 * blocks, "%"});
  result.metrics.push_back({"consumer_waits_for_room", 100 * room, "%"});
}

double PrefetchMeasurement::overlap() const {
  double together = 0, all = 0;
  for (std::size_t place = 0; place < receiver_stats_.size(); ++place) {
    const Reader reading = reading_of(ring_[place].sender);
    const auto& s = receiver_stats_[place];
    for (std::size_t i = kernel::kTensorStats; i + 1 < s.size() && s[i] != 0; i += 2) {
      all += s[i + 1] - s[i];
      const std::uint32_t from = std::max(s[i], reading.begin);
      const std::uint32_t to = std::min(s[i + 1], reading.end);
      if (from < to) together += to - from;
    }
  }
  return all == 0 ? 0 : together / all;
}

void PrefetchMeasurement::report_timeline(Result& result) const {
  for (std::size_t s = 0; s < sender_stats_.size(); ++s) {
    const Reader reading = reading_of(s);
    result.timeline.push_back({"device0.sender" + std::to_string(s), "read",
                               static_cast<double>(reading.begin),
                               static_cast<double>(reading.end)});
  }
  for (std::size_t place = 0; place < receiver_stats_.size(); ++place) {
    const auto& s = receiver_stats_[place];
    std::size_t i = kernel::kTensorStats;
    for (std::uint32_t layer = 0; layer < options_.layers; ++layer) {
      for (const Part& part : plan_.parts()) {
        result.timeline.push_back({"device0.receiver" + std::to_string(place), part.name,
                                   static_cast<double>(s[i]), static_cast<double>(s[i + 1])});
        i += 2;
      }
    }
  }
}

void PrefetchMeasurement::report(double channel_peak, Result& result) const {
  report_bandwidth(channel_peak, result);
  if (!options_.direct) report_senders(result);
  report_receivers(result);
  report_timeline(result);
}

void PrefetchMeasurement::report_elementwise(double channel_peak, double result_bytes,
                                             Result& result) const {
  report_bandwidth(channel_peak, result);
  report_senders(result);
  report_consumers(result_bytes, result);
  report_timeline(result);
}

}  // namespace tvp::workloads::prefetcher
