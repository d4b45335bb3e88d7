#include "platform/machine/report/noc_load.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace tvp::platform {

using Json = nlohmann::ordered_json;

namespace {

constexpr double kPercent = 100;

/// Flits of the busier one of a router's two outgoing links.
std::uint64_t flits_at(const noc::Torus& torus, unsigned x, unsigned y) {
  return std::max(torus.link(x, y, noc::Port::kX).flits, torus.link(x, y, noc::Port::kY).flits);
}

}  // namespace

void add_noc_load(Json& heatmaps, Chip& chip, support::Cycle cycles) {
  for (unsigned noc = 0; noc < 2; ++noc) {
    const noc::Torus& torus = chip.torus(noc);
    Json columns = Json::array();
    Json rows = Json::array();
    Json values = Json::array();
    std::uint64_t all = 0;
    for (unsigned x = 0; x < chip.spec().columns; ++x) columns.push_back(std::to_string(x));
    for (unsigned y = 0; y < chip.spec().rows; ++y) {
      rows.push_back(std::to_string(y));
      Json line = Json::array();
      for (unsigned x = 0; x < chip.spec().columns; ++x) {
        const std::uint64_t flits = flits_at(torus, x, y);
        all += flits;
        line.push_back(kPercent * static_cast<double>(flits) / static_cast<double>(cycles));
      }
      values.push_back(line);
    }
    if (all == 0) continue;
    heatmaps.push_back({{"name", "chip " + std::to_string(chip.id()) + ", NoC " +
                                     std::to_string(noc) + ": busier link of each router"},
                        {"unit", "% of simulated time"},
                        {"rows", rows},
                        {"columns", columns},
                        {"values", values}});
  }
}

}  // namespace tvp::platform
