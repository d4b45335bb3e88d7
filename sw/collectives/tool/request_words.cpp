#include "sw/collectives/tool/request_words.h"

#include <algorithm>
#include <charconv>

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/ideal/ideal_topology.h"
#include "sw/runtime/errors.h"

namespace tvp::collectives {

namespace {

std::vector<std::string> parts(const std::string& text, char separator) {
  std::vector<std::string> made;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    made.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return made;
}

std::uint32_t number_of(const std::string& where, const std::string& text) {
  std::uint32_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || text.empty())
    runtime::bad_use(where, "'" + text + "': expected a number");
  return number;
}

}  // namespace

std::vector<std::uint32_t> order_of(const std::string& where, const std::string& text,
                                    std::uint32_t ranks) {
  constexpr std::string_view kWay = "hamiltonian:";
  if (text.starts_with(kWay)) {
    const std::string shape = text.substr(kWay.size());
    topology_named("mesh:" + shape, ranks);
    const std::vector<std::uint32_t> sides = sides_of("mesh:" + shape);
    if (sides.size() != 2)
      runtime::bad_use(where, text + ": expected rows and columns, such as 4x8");
    return hamiltonian_order(sides[0], sides[1]);
  }
  std::vector<std::uint32_t> order;
  for (const std::string& each : parts(text, ',')) order.push_back(number_of(where, each));
  return order;
}

std::vector<Tier> tiers_of(const std::string& where, const std::string& sizes,
                           const std::string& inner_where, const std::string& inner) {
  std::vector<Tier> made;
  for (const std::string& each : parts(sizes, 'x'))
    made.push_back({number_of(where, each), "ring"});
  if (inner.empty()) return made;
  const std::vector<std::string> algorithms = parts(inner, ',');
  if (algorithms.size() != made.size())
    runtime::bad_use(inner_where, inner + ": expected an algorithm for each of " +
                                      std::to_string(made.size()) + " tiers");
  for (std::size_t tier = 0; tier < made.size(); ++tier) made[tier].algorithm = algorithms[tier];
  return made;
}

}  // namespace tvp::collectives
