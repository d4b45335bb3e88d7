#include "sw/collectives/ideal/ideal_topology.h"

#include <charconv>
#include <optional>

#include "sw/runtime/errors.h"

namespace tvp::collectives {

namespace {

constexpr const char* kTopologies = "crossbar, line, ring, mesh:ROWSxCOLUMNS, torus:ROWSxCOLUMNS";

/// A switch, where ranks share only ports.
class CrossbarTopology : public IdealTopology {
 public:
  explicit CrossbarTopology(std::uint32_t ranks) : ranks_(ranks) {}
  std::string name() const override { return "crossbar"; }
  std::uint32_t ranks() const override { return ranks_; }
  std::vector<std::uint32_t> route(std::uint32_t, std::uint32_t) const override { return {}; }
  std::uint32_t links() const override { return 0; }
  std::string link_name(std::uint32_t) const override { return {}; }

 private:
  const std::uint32_t ranks_;
};

/// Rows and columns, each closed to a ring or not; a line or ring is one row.
class GridTopology : public IdealTopology {
 public:
  GridTopology(std::string name, std::uint32_t rows, std::uint32_t columns, bool closed)
      : name_(std::move(name)), rows_(rows), columns_(columns), closed_(closed) {}
  std::string name() const override { return name_; }
  std::uint32_t ranks() const override { return rows_ * columns_; }
  std::uint32_t links() const override { return ranks() * 4; }
  std::vector<std::uint32_t> route(std::uint32_t from, std::uint32_t to) const override;
  std::string link_name(std::uint32_t link) const override;

 private:
  enum Direction : std::uint32_t { kEast, kWest, kSouth, kNorth };
  /// The direction and length of a way along one dimension.
  struct Leg {
    bool up;
    std::uint32_t steps;
  };
  Leg leg(std::uint32_t from, std::uint32_t to, std::uint32_t size) const;
  std::uint32_t neighbor(std::uint32_t rank, Direction direction) const;

  const std::string name_;
  const std::uint32_t rows_;
  const std::uint32_t columns_;
  const bool closed_;
};

GridTopology::Leg GridTopology::leg(std::uint32_t from, std::uint32_t to,
                                    std::uint32_t size) const {
  if (!closed_) return {to > from, to > from ? to - from : from - to};
  const std::uint32_t up = (to + size - from) % size;
  return {2 * up <= size, 2 * up <= size ? up : size - up};
}

std::uint32_t GridTopology::neighbor(std::uint32_t rank, Direction direction) const {
  const std::uint32_t row = rank / columns_;
  const std::uint32_t column = rank % columns_;
  switch (direction) {
    case kEast:
      return row * columns_ + (column + 1) % columns_;
    case kWest:
      return row * columns_ + (column + columns_ - 1) % columns_;
    case kSouth:
      return (row + 1) % rows_ * columns_ + column;
    case kNorth:
      break;
  }
  return (row + rows_ - 1) % rows_ * columns_ + column;
}

std::vector<std::uint32_t> GridTopology::route(std::uint32_t from, std::uint32_t to) const {
  std::vector<std::uint32_t> links;
  std::uint32_t at = from;
  const auto walk = [&](const Leg& leg, Direction up, Direction down) {
    const Direction direction = leg.up ? up : down;
    for (std::uint32_t step = 0; step < leg.steps; ++step) {
      links.push_back(at * 4 + direction);
      at = neighbor(at, direction);
    }
  };
  walk(leg(from % columns_, to % columns_, columns_), kEast, kWest);
  walk(leg(from / columns_, to / columns_, rows_), kSouth, kNorth);
  return links;
}

std::string GridTopology::link_name(std::uint32_t link) const {
  return std::to_string(link / 4) + " -> " +
         std::to_string(neighbor(link / 4, static_cast<Direction>(link % 4)));
}

struct Sides {
  std::uint32_t rows;
  std::uint32_t columns;
};

std::optional<Sides> sides(const std::string& text) {
  const std::size_t cross = text.find('x');
  if (cross == std::string::npos) return {};
  const auto parse = [](const std::string& part) -> std::uint32_t {
    std::uint32_t value = 0;
    const char* end = part.data() + part.size();
    const auto [rest, error] = std::from_chars(part.data(), end, value);
    return error == std::errc() && rest == end ? value : 0;
  };
  const Sides made{parse(text.substr(0, cross)), parse(text.substr(cross + 1))};
  if (made.rows == 0 || made.columns == 0) return {};
  return made;
}

}  // namespace

std::unique_ptr<IdealTopology> topology_named(const std::string& name, std::uint32_t ranks) {
  if (name == "crossbar") return std::make_unique<CrossbarTopology>(ranks);
  if (name == "line" || name == "ring")
    return std::make_unique<GridTopology>(name, 1, ranks, name == "ring");
  const std::size_t colon = name.find(':');
  const std::string kind = name.substr(0, colon);
  if (colon == std::string::npos || (kind != "mesh" && kind != "torus"))
    runtime::bad_use("topology " + name, std::string("expected one of ") + kTopologies);
  const std::optional<Sides> shape = sides(name.substr(colon + 1));
  if (!shape) runtime::bad_use("topology " + name, "expected a shape such as " + kind + ":4x8");
  if (std::uint64_t{shape->rows} * shape->columns != ranks)
    runtime::bad_use("topology " + name,
                     std::to_string(std::uint64_t{shape->rows} * shape->columns) +
                         " places: expected a shape for " + std::to_string(ranks) + " ranks");
  return std::make_unique<GridTopology>(name, shape->rows, shape->columns, kind == "torus");
}

std::vector<std::uint32_t> hamiltonian_order(std::uint32_t rows, std::uint32_t columns) {
  // The path follows the first row, then goes back and forth over the rest of each column to its
  // start. With an odd number of columns, rows and columns are exchanged.
  const bool turned = columns % 2 != 0 && rows % 2 == 0;
  const std::uint32_t height = turned ? columns : rows;
  const std::uint32_t width = turned ? rows : columns;
  std::vector<std::uint32_t> order;
  const auto visit = [&](std::uint32_t row, std::uint32_t column) {
    order.push_back(turned ? column * columns + row : row * columns + column);
  };
  if (height < 2 || width % 2 != 0) {
    for (std::uint32_t row = 0; row < height; ++row)
      for (std::uint32_t column = 0; column < width; ++column)
        visit(row, row % 2 ? width - 1 - column : column);
    return order;
  }
  for (std::uint32_t column = 0; column < width; ++column) visit(0, column);
  for (std::uint32_t column = width; column-- > 0;)
    for (std::uint32_t step = 1; step < height; ++step)
      visit((width - 1 - column) % 2 ? height - step : step, column);
  return order;
}

}  // namespace tvp::collectives
