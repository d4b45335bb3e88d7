#include "sw/collectives/execution/chip_topology.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "sw/runtime/errors.h"

namespace tvp::collectives {

namespace {

/// Counts the links between two devices.
class Edges {
 public:
  explicit Edges(const ChipTopology::Links& links) {
    for (const auto& [a, b] : links) ++links_[std::minmax(a, b)];
  }
  unsigned between(unsigned a, unsigned b) const {
    const auto found = links_.find(std::minmax(a, b));
    return found == links_.end() ? 0 : found->second;
  }

 private:
  std::map<std::pair<unsigned, unsigned>, unsigned> links_;
};

/// The fewest links of an edge of the mesh; 0 when one is missing.
unsigned links_of(const Edges& edges, runtime::MeshShape shape) {
  unsigned fewest = ~0U;
  const auto at = [&](unsigned row, unsigned column) { return row * shape.columns + column; };
  for (unsigned row = 0; row < shape.rows; ++row) {
    for (unsigned column = 0; column < shape.columns; ++column) {
      if (column + 1 < shape.columns)
        fewest = std::min(fewest, edges.between(at(row, column), at(row, column + 1)));
      if (row + 1 < shape.rows)
        fewest = std::min(fewest, edges.between(at(row, column), at(row + 1, column)));
    }
  }
  return fewest;
}

/// Links that close rows, or columns, to rings; 0 unless all have some.
unsigned closing_links(const Edges& edges, runtime::MeshShape shape, bool rows) {
  const unsigned length = rows ? shape.columns : shape.rows;
  const unsigned rings = rows ? shape.rows : shape.columns;
  if (length < 3) return 0;
  unsigned fewest = ~0U;
  for (unsigned i = 0; i < rings; ++i) {
    const unsigned first = rows ? i * shape.columns : i;
    const unsigned last = first + (length - 1) * (rows ? 1 : shape.columns);
    fewest = std::min(fewest, edges.between(first, last));
  }
  return fewest;
}

/// Numbers in a mesh by the numbers of the whole system.
using Numbers = std::map<unsigned, unsigned>;

void add_link(ChipTopology::Links& links, const Numbers& numbers, unsigned a, unsigned b) {
  if (numbers.contains(a) && numbers.contains(b)) links.emplace_back(numbers.at(a), numbers.at(b));
}

}  // namespace

ChipTopology ChipTopology::of(unsigned devices, const Links& links) {
  const Edges edges(links);
  for (unsigned rows = 1; rows * rows <= devices && devices > 1; ++rows) {
    if (devices % rows != 0) continue;
    ChipTopology topology{.shape = {rows, devices / rows}, .wraps = {}, .links = 1};
    topology.links = links_of(edges, topology.shape);
    if (topology.links == 0) continue;
    const unsigned east = closing_links(edges, topology.shape, true);
    const unsigned south = closing_links(edges, topology.shape, false);
    topology.wraps = {.rows = east != 0, .columns = south != 0};
    if (east != 0) topology.links = std::min(topology.links, east);
    if (south != 0) topology.links = std::min(topology.links, south);
    return topology;
  }
  runtime::bad_use("collective",
                   "needs 2 or more devices that are joined as a line, ring or mesh "
                   "in their order; the system has " +
                       std::to_string(devices));
}

/// Links have the numbers of the whole system, of which the mesh may be a part.
ChipTopology ChipTopology::of(const runtime::MeshDevice& mesh) {
  Numbers numbers;
  for (unsigned device = 0; device < mesh.num_devices(); ++device)
    numbers[mesh.device(device).index()] = device;
  Links links;
  for (const runtime::MeshLink& link : mesh.links())
    add_link(links, numbers, link.device_a, link.device_b);
  return of(mesh.num_devices(), links);
}

std::optional<ChipTopology> ChipTopology::described(const std::string& system) {
  const auto json = nlohmann::json::parse(system, nullptr, false);
  const auto chips =
      json.is_object() ? json.value("devices", std::vector<unsigned>{}) : std::vector<unsigned>{};
  if (chips.empty()) return {};
  Numbers numbers;
  for (unsigned device = 0; device < chips.size(); ++device) numbers[chips[device]] = device;
  Links links;
  for (const auto& link : json.value("links", nlohmann::json::array()))
    add_link(links, numbers, link.at("a").at("chip"), link.at("b").at("chip"));
  return of(static_cast<unsigned>(chips.size()), links);
}

std::string ChipTopology::text() const {
  const std::string rows = std::to_string(shape.rows);
  const std::string columns = std::to_string(shape.columns);
  if (shape.rows == 1) return (wraps.rows ? "ring of " : "line of ") + columns;
  return (wraps.rows || wraps.columns ? "torus of " : "mesh of ") + rows + " x " + columns;
}

std::string ChipTopology::links_like() const {
  if (shape.rows == 1) return wraps.rows ? "ring" : "line";
  // An axis of two is a ring without a link of its own that closes it.
  const bool closed = (wraps.rows || shape.columns == 2) && (wraps.columns || shape.rows == 2);
  return std::string(closed ? "torus:" : "mesh:") + std::to_string(shape.rows) + "x" +
         std::to_string(shape.columns);
}

RankShape ChipTopology::ranks() const {
  return {.ranks = shape.rows * shape.columns,
          .topology = text(),
          .links_like = links_like(),
          .ring = ring()};
}

std::vector<std::uint32_t> ChipTopology::ring() const {
  std::vector<std::uint32_t> order;
  if (shape.rows == 1) {
    if (wraps.rows || shape.columns < 3) return order;
    // Forward over the even ones, back over the odd ones: no hop is longer than two.
    for (std::uint32_t i = 0; i < shape.columns; i += 2) order.push_back(i);
    for (std::uint32_t i = (shape.columns / 2) * 2; i-- > 0;)
      if (i % 2 == 1) order.push_back(i);
    return order;
  }
  // Goes along the first row, then up and down through the columns of the others. Rows and columns
  // swap if there is an odd number of columns and an even number of rows.
  const bool swapped = shape.columns % 2 != 0 && shape.rows % 2 == 0;
  const std::uint32_t across = swapped ? shape.rows : shape.columns;
  const std::uint32_t down = swapped ? shape.columns : shape.rows;
  const auto at = [&](std::uint32_t d, std::uint32_t a) {
    return swapped ? a * shape.columns + d : d * shape.columns + a;
  };
  for (std::uint32_t a = 0; a < across; ++a) order.push_back(at(0, a));
  for (std::uint32_t a = across; a-- > 0;)
    for (std::uint32_t i = 1; i < down; ++i)
      order.push_back(at((across - 1 - a) % 2 == 0 ? i : down - i, a));
  return order;
}

}  // namespace tvp::collectives
