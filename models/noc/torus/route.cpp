#include "models/noc/torus/route.h"

namespace tvp::noc {

namespace {

bool in_span(unsigned value, unsigned start, unsigned end) {
  return start <= end ? start <= value && value <= end : value <= end || start <= value;
}

/// Builds a route link by link from the source.
class Walk {
 public:
  Walk(const Grid& grid, std::vector<RouteLeg>& legs, Node from)
      : grid_(grid), legs_(legs), at_(from) {
    legs_.clear();
    legs_.push_back({static_cast<std::uint16_t>(link_index(from.index(), Port::kInjection)), 0, 0});
  }
  Node at() const { return at_; }

  /// One hop. The link that closes a ring sets the dateline bit; a turn clears it, since the two
  /// axes are separate rings.
  [[gnu::always_inline]] void hop(Port port) {
    if (port != axis_) dateline_ = 0;
    axis_ = port;
    const bool x = port == Port::kX;
    const bool closes = x ? at_.x + 1U == grid_.columns() : at_.y + 1U == grid_.rows();
    if (closes) dateline_ = 1;
    add(port);
    if (x) {
      at_.x = static_cast<std::uint8_t>(closes ? 0 : at_.x + 1);
    } else {
      at_.y = static_cast<std::uint8_t>(closes ? 0 : at_.y + 1);
    }
  }
  void move_to_x(unsigned x) {
    while (at_.x != x) hop(Port::kX);
  }
  void move_to_y(unsigned y) {
    while (at_.y != y) hop(Port::kY);
  }
  /// Adds a copy for the NIU here; the walk continues from the router.
  void deliver() {
    const std::uint16_t feeder = last_;
    add(Port::kNiu);
    last_ = feeder;
  }
  /// Start of a branch.
  struct Mark {
    Node at;
    std::uint16_t last;
    std::uint8_t dateline;
    Port axis;
  };
  Mark mark() const { return {at_, last_, dateline_, axis_}; }
  void back_to(const Mark& m) {
    at_ = m.at;
    last_ = m.last;
    dateline_ = m.dateline;
    axis_ = m.axis;
  }

 private:
  [[gnu::always_inline]] void add(Port port) {
    legs_.push_back({static_cast<std::uint16_t>(link_index(at_.index(), port)), last_, dateline_});
    last_ = static_cast<std::uint16_t>(legs_.size() - 1);
  }

  const Grid& grid_;
  std::vector<RouteLeg>& legs_;
  Node at_;
  std::uint16_t last_ = 0;
  std::uint8_t dateline_ = 0;
  Port axis_ = Port::kInjection;
};

struct Span {
  unsigned start, end, size;
  unsigned count() const { return (end + size - start) % size + 1; }
  bool has(unsigned value) const { return in_span(value, start, end); }
};

/// Passes `span`, anywhere on a ring, by hops to `port`. Calls `there` at each place of it.
template <typename Coordinate, typename There>
void pass(Walk& walk, Port port, const Span& span, Coordinate coordinate, There there) {
  for (unsigned left = span.count();;) {
    if (span.has(coordinate(walk.at()))) {
      there();
      if (--left == 0) return;
    }
    walk.hop(port);
  }
}

/// A broadcast goes along the minor line that crosses every wanted major line. On each of those it
/// goes along the major axis until it has passed the whole span (ISA NoC/RoutingPaths.md).
void broadcast(const Grid& grid, Walk& walk, const NocExtension& header) {
  const Port major = header.y_major ? Port::kY : Port::kX;
  const Port minor = header.y_major ? Port::kX : Port::kY;
  const Span x{header.start.x, header.target.x, grid.columns()};
  const Span y{header.start.y, header.target.y, grid.rows()};
  const Span& along = header.y_major ? y : x;
  const Span& across = header.y_major ? x : y;
  auto major_of = [&](Node n) { return header.y_major ? n.y : n.x; };
  auto minor_of = [&](Node n) { return header.y_major ? n.x : n.y; };

  if (!along.has(major_of(walk.at()))) {
    while (major_of(walk.at()) != along.start) walk.hop(major);
  }
  pass(walk, minor, across, minor_of, [&] {
    const Walk::Mark branch = walk.mark();
    pass(walk, major, along, major_of, [&] {
      if (header.source_included || walk.at() != header.source) walk.deliver();
    });
    walk.back_to(branch);
  });
}

}  // namespace

bool in_rectangle(const NocExtension& header, Node node) {
  return in_span(node.x, header.start.x, header.target.x) &&
         in_span(node.y, header.start.y, header.target.y);
}

void find_route(const Grid& grid, const NocExtension& header, unsigned noc,
                std::vector<RouteLeg>& legs) {
  Walk walk(grid, legs, header.source);
  if (header.broadcast) return broadcast(grid, walk, header);
  if (noc == 0) {
    walk.move_to_x(header.target.x);
    walk.move_to_y(header.target.y);
  } else {
    walk.move_to_y(header.target.y);
    walk.move_to_x(header.target.x);
  }
  walk.deliver();
}

}  // namespace tvp::noc
