#include "sw/collectives/ideal/ideal_topology.h"

#include <algorithm>
#include <charconv>

#include "sw/runtime/errors.h"

namespace tvp::collectives {

namespace {

constexpr const char* kTopologies = "crossbar, line, ring, mesh:ROWSxCOLUMNS, torus:ROWSxCOLUMNS";
constexpr std::uint64_t kMostPlaces = 1U << 30;

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

/// A grid of any number of axes, each closed to a ring or not; a line or ring is one row. Each rank
/// has two links for each axis, up and down, those of the last axis first.
class GridTopology : public IdealTopology {
 public:
  GridTopology(std::string name, std::vector<std::uint32_t> sides, bool closed)
      : name_(std::move(name)), sides_(std::move(sides)), closed_(closed) {
    std::uint32_t stride = 1;
    for (std::size_t axis = sides_.size(); axis-- > 0;) {
      axes_.push_back({sides_[axis], stride});
      stride *= sides_[axis];
    }
    ranks_ = stride;
  }
  std::string name() const override { return name_; }
  std::uint32_t ranks() const override { return ranks_; }
  std::uint32_t links() const override { return ranks_ * links_of_rank(); }
  std::vector<std::uint32_t> route(std::uint32_t from, std::uint32_t to) const override;
  std::string link_name(std::uint32_t link) const override;

 private:
  struct Axis {
    std::uint32_t size;
    std::uint32_t stride;  ///< between neighbors
    std::uint32_t place(std::uint32_t rank) const { return rank / stride % size; }
  };
  /// The direction and length of a way along one axis.
  struct Leg {
    bool up;
    std::uint32_t steps;
  };
  std::uint32_t links_of_rank() const { return static_cast<std::uint32_t>(2 * axes_.size()); }
  Leg leg(const Axis& axis, std::uint32_t from, std::uint32_t to) const;
  static std::uint32_t neighbor(const Axis& axis, std::uint32_t rank, bool up);

  const std::string name_;
  const std::vector<std::uint32_t> sides_;
  const bool closed_;
  std::vector<Axis> axes_;  ///< the last axis of the shape first
  std::uint32_t ranks_ = 1;
};

GridTopology::Leg GridTopology::leg(const Axis& axis, std::uint32_t from, std::uint32_t to) const {
  const std::uint32_t here = axis.place(from);
  const std::uint32_t there = axis.place(to);
  if (!closed_) return {there > here, there > here ? there - here : here - there};
  const std::uint32_t up = (there + axis.size - here) % axis.size;
  return {2 * up <= axis.size, 2 * up <= axis.size ? up : axis.size - up};
}

std::uint32_t GridTopology::neighbor(const Axis& axis, std::uint32_t rank, bool up) {
  const std::uint32_t here = axis.place(rank);
  const std::uint32_t next = (here + (up ? 1 : axis.size - 1)) % axis.size;
  return rank + (next - here) * axis.stride;
}

std::vector<std::uint32_t> GridTopology::route(std::uint32_t from, std::uint32_t to) const {
  std::vector<std::uint32_t> links;
  std::uint32_t at = from;
  for (std::uint32_t axis = 0; axis < axes_.size(); ++axis) {
    const Leg way = leg(axes_[axis], from, to);
    for (std::uint32_t step = 0; step < way.steps; ++step) {
      links.push_back(at * links_of_rank() + 2 * axis + (way.up ? 0 : 1));
      at = neighbor(axes_[axis], at, way.up);
    }
  }
  return links;
}

std::string GridTopology::link_name(std::uint32_t link) const {
  const std::uint32_t rank = link / links_of_rank();
  const std::uint32_t direction = link % links_of_rank();
  return std::to_string(rank) + " -> " +
         std::to_string(neighbor(axes_[direction / 2], rank, direction % 2 == 0));
}

}  // namespace

std::vector<std::uint32_t> sides_of(const std::string& name) {
  const std::size_t colon = name.find(':');
  const auto bad = [&] {
    runtime::bad_use("topology " + name,
                     "expected a shape such as " + name.substr(0, colon) + ":4x8");
  };
  if (colon == std::string::npos) bad();
  std::vector<std::uint32_t> sides;
  std::uint64_t product = 1;
  for (std::size_t at = colon + 1; at <= name.size();) {
    const std::size_t end = std::min(name.find('x', at), name.size());
    std::uint32_t side = 0;
    const auto [rest, error] = std::from_chars(name.data() + at, name.data() + end, side);
    if (error != std::errc() || rest != name.data() + end || side == 0) bad();
    product *= side;
    if (product > kMostPlaces) bad();
    sides.push_back(side);
    at = end + 1;
  }
  if (sides.size() < 2) bad();
  return sides;
}

std::unique_ptr<IdealTopology> topology_named(const std::string& name, std::uint32_t ranks) {
  if (name == "crossbar") return std::make_unique<CrossbarTopology>(ranks);
  if (name == "line" || name == "ring")
    return std::make_unique<GridTopology>(name, std::vector<std::uint32_t>{1, ranks},
                                          name == "ring");
  const std::size_t colon = name.find(':');
  const std::string kind = name.substr(0, colon);
  if (colon == std::string::npos || (kind != "mesh" && kind != "torus"))
    runtime::bad_use("topology " + name, std::string("expected one of ") + kTopologies);
  std::vector<std::uint32_t> sides = sides_of(name);
  std::uint64_t places = 1;
  for (const std::uint32_t side : sides) places *= side;
  if (places != ranks)
    runtime::bad_use("topology " + name, std::to_string(places) + " places: expected a shape for " +
                                             std::to_string(ranks) + " ranks");
  return std::make_unique<GridTopology>(name, std::move(sides), kind == "torus");
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
