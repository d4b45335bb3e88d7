#include "sw/workloads/collective/contention.h"

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sw/runtime/devices/device_library.h"

namespace tvp::workloads::collective {

using collectives::kNobody;
using collectives::kSwitch;
using collectives::Schedule;
using collectives::Step;
using Executor = collectives::CollectiveExecutor;

namespace {

/// Messages of a connection by their order. A rank that contributes to a result of the switch has
/// both ends. A multicast is a message to each of its members.
class Messages {
 public:
  Messages(const Schedule& schedule, const Executor::Outcome& outcome) {
    for (std::uint32_t rank = 0; rank < schedule.size(); ++rank)
      for (const collectives::Lane& lane : schedule.ranks[rank].lanes)
        for (const Step& step : lane.steps)
          if (step.to == kSwitch && step.contributors.empty())
            for (const std::uint32_t member : step.members.ranks())
              senders_[{member, step.channel}] = rank;
    chunk_ = static_cast<double>(outcome.bytes) / schedule.vector_chunks();
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>,
             const Executor::Span*>
        spans;
    for (const Executor::Span& span : outcome.spans)
      spans[{span.worker, span.rank, span.lane, span.step}] = &span;
    for (const auto& [where, span] : spans) {
      const Step& step = schedule.ranks[span->rank].lanes[span->lane].steps[span->step];
      for (const std::uint32_t to : receivers(span->rank, step))
        connections_[{span->worker, span->rank, to, step.channel}].sent.push_back({span, &step});
      if (step.from != kNobody)
        connections_[{span->worker, sender(span->rank, step), span->rank, step.channel}]
            .received.push_back({span, &step});
    }
    for (auto& [key, connection] : connections_) {
      std::ranges::sort(connection.sent, {}, [](const End& end) { return end.span->begin_ns; });
      std::ranges::sort(connection.received, {}, [](const End& end) { return end.span->end_ns; });
    }
  }

  /// The shortest time from the begin of a message to its end, less its bytes at a rate.
  double least_alpha(double bytes_per_ns, unsigned stripes) const {
    double least = std::numeric_limits<double>::max();
    for (const auto& [key, connection] : connections_)
      for (std::size_t i = 0; i < std::min(connection.sent.size(), connection.received.size());
           ++i) {
        const double time = connection.received[i].span->end_ns - connection.sent[i].span->begin_ns;
        const double bytes = connection.sent[i].step->count * chunk_ / stripes;
        least = std::min(least, time - bytes / (bytes_per_ns / stripes));
      }
    return least;
  }

 private:
  struct End {
    const Executor::Span* span;
    const Step* step;
  };
  struct Connection {
    std::vector<End> sent;
    std::vector<End> received;
  };
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint16_t>;

  static std::vector<std::uint32_t> receivers(std::uint32_t rank, const Step& step) {
    if (step.to == kNobody) return {};
    if (step.to != kSwitch) return {step.to};
    return step.contributors.empty() ? step.members.ranks() : std::vector{rank};
  }
  std::uint32_t sender(std::uint32_t rank, const Step& step) const {
    if (step.from != kSwitch) return step.from;
    const auto found = senders_.find({rank, step.channel});
    return found == senders_.end() ? rank : found->second;
  }

  /// Senders of multicasts by receiver and channel.
  std::map<std::pair<std::uint32_t, std::uint16_t>, std::uint32_t> senders_;
  double chunk_ = 0;
  std::map<Key, Connection> connections_;
};

}  // namespace

Contention contention(const Schedule& schedule, const Executor::Outcome& outcome, double n_alpha,
                      double n_beta, double bytes_per_ns) {
  Contention made;
  made.bytes_per_ns = bytes_per_ns;
  made.alpha_ns =
      std::max(0.0, Messages(schedule, outcome).least_alpha(bytes_per_ns, outcome.stripes));
  const double on_links = n_beta * static_cast<double>(outcome.bytes) / bytes_per_ns;
  const double latency = n_alpha * made.alpha_ns;
  if (latency > 0) made.eta_alpha = (outcome.time_ns() - on_links) / latency;
  if (outcome.time_ns() > latency) made.eta_beta = on_links / (outcome.time_ns() - latency);
  return made;
}

double port_rate(const runtime::DeviceLibrary& library, unsigned workers) {
  if (!library.has_settings()) return 0;
  std::map<std::string, std::string> values;
  for (const auto& setting : nlohmann::json::parse(library.settings()))
    if (setting.at("value").is_string())
      values[setting.at("key")] = setting.at("value").get<std::string>();
  const auto number = [&](const char* key) {
    return values.contains(key) ? std::stod(values.at(key)) : 0.0;
  };
  const auto system = nlohmann::json::parse(library.system(), nullptr, false);
  if (!system.is_object() || !system.contains("units"))
    return workers * number("ethernet.line_bytes_per_ns");
  if (values["pim.network"] == "star") return number("switch.port_gb_s");
  return number("pim.flit_bytes") * number("pim.clock_mhz") / 1000;
}

}  // namespace tvp::workloads::collective
