#include "sw/collectives/algorithms/algorithm.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "sw/runtime/errors.h"

namespace tvp::collectives {

namespace {

std::string list(const std::vector<std::string>& names) {
  std::string made;
  for (const std::string& each : names) made += (made.empty() ? "" : ", ") + each;
  return made;
}

std::vector<std::string> names_of_those_with(Primitive primitive) {
  std::vector<std::string> names;
  for (const auto& each : all_algorithms()) {
    const std::vector<Primitive> able = each->primitives();
    if (std::ranges::find(able, primitive) != able.end()) names.push_back(each->name());
  }
  return names;
}

std::string fault_of_order(const ScheduleRequest& request) {
  if (request.order.empty()) return {};
  std::vector<std::uint32_t> sorted = request.order;
  std::ranges::sort(sorted);
  bool permutation = sorted.size() == request.ranks;
  for (std::uint32_t rank = 0; rank < sorted.size(); ++rank)
    permutation = permutation && sorted[rank] == rank;
  return permutation
             ? ""
             : "an order of " + std::to_string(request.order.size()) +
                   " ranks: expected each of 0 to " + std::to_string(request.ranks - 1) + " once";
}

}  // namespace

std::string Algorithm::reason_against(const ScheduleRequest& request) const {
  const std::vector<Primitive> able = primitives();
  if (std::ranges::find(able, request.primitive) == able.end()) {
    std::vector<std::string> names;
    for (const Primitive each : able) names.push_back(name_of(each));
    return "does not support " + name_of(request.primitive) + ": expected one of " + list(names) +
           ", or one of the algorithms that support it, " +
           list(names_of_those_with(request.primitive));
  }
  if (request.ranks < 2) return std::to_string(request.ranks) + " ranks: expected 2 or more";
  if (request.root >= request.ranks)
    return "root " + std::to_string(request.root) + ": expected a rank below " +
           std::to_string(request.ranks);
  if (request.primitive == Primitive::kSendRecv &&
      (request.peer >= request.ranks || request.peer == request.root))
    return "peer " + std::to_string(request.peer) +
           ": expected another rank than the root, below " + std::to_string(request.ranks);
  if (request.segments < 1) return "0 segments: expected 1 or more";
  if (request.channels < 1 || request.channels > request.segments)
    return std::to_string(request.channels) + " channels: expected 1 to the number of segments, " +
           std::to_string(request.segments);
  if (request.average && !reduces(request.primitive))
    return "an average of " + name_of(request.primitive) + ": expected a primitive that reduces";
  if (std::string fault = fault_of_order(request); !fault.empty()) return fault;
  const std::vector<std::string> forms = variants();
  if (!request.variant.empty() && std::ranges::find(forms, request.variant) == forms.end())
    return "variant " + request.variant +
           (forms.empty() ? ": the algorithm has no variants" : ": expected one of " + list(forms));
  return refusal(request);
}

Schedule Algorithm::schedule(const ScheduleRequest& request) const {
  if (const std::string reason = reason_against(request); !reason.empty())
    runtime::bad_use("algorithm " + name(), reason);
  return build(request);
}

std::string Algorithm::title(const ScheduleRequest& request) const {
  std::string made = name_of(request.primitive) + " " + name();
  if (!request.variant.empty()) made += " " + request.variant;
  made += " N=" + std::to_string(request.ranks);
  if (request.segments > 1) made += " P=" + std::to_string(request.segments);
  if (request.channels > 1) made += " channels=" + std::to_string(request.channels);
  if (request.buffer > 0) made += " buffer=" + std::to_string(request.buffer);
  if (request.average) made += " average";
  return made;
}

const std::vector<std::unique_ptr<Algorithm>>& all_algorithms() {
  static const std::vector<std::unique_ptr<Algorithm>> all = make_algorithms();
  return all;
}

const Algorithm& algorithm_named(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& each : all_algorithms()) {
    if (each->name() == name) return *each;
    names.push_back(each->name());
  }
  runtime::bad_use("algorithm " + name, "expected one of " + list(names));
}

std::uint32_t best_segments(std::uint32_t depth, double alpha, double whole_time,
                            std::uint32_t most) {
  if (depth < 2 || most < 2) return 1;
  if (alpha <= 0) return most;
  const auto time = [&](double segments) {
    return (depth + segments - 1) * (alpha + whole_time / segments);
  };
  const double ideal = std::sqrt((depth - 1) * whole_time / alpha);
  const double below = std::clamp(std::floor(ideal), 1.0, static_cast<double>(most));
  const double above = std::min(below + 1, static_cast<double>(most));
  return static_cast<std::uint32_t>(time(below) <= time(above) ? below : above);
}

std::uint32_t ceil_log2(std::uint32_t value) {
  return value < 2 ? 0 : static_cast<std::uint32_t>(std::bit_width(value - 1));
}

}  // namespace tvp::collectives
