#include "models/noc/grid.h"

namespace tvp::noc {

namespace {

EndpointType type_of(foundation::TileKind kind) {
  switch (kind) {
    case foundation::TileKind::kTensix:
      return EndpointType::kTensix;
    case foundation::TileKind::kEthernet:
      return EndpointType::kEthernet;
    case foundation::TileKind::kDram:
      return EndpointType::kDram;
    case foundation::TileKind::kArc:
      return EndpointType::kArc;
    case foundation::TileKind::kPcie:
    case foundation::TileKind::kNone:
      break;
  }
  return EndpointType::kPcieOrEmpty;
}

}  // namespace

Grid::Grid(const foundation::ChipSpec& spec, foundation::Harvested harvested)
    : spec_(spec),
      map_(regs::noc::map(spec.generation)),
      harvested_(harvested),
      coordinates_(spec, harvested),
      columns_(spec.columns),
      rows_(spec.rows) {
  for (unsigned y = 0; y < rows_; ++y) {
    for (unsigned x = 0; x < columns_; ++x) {
      const Node node{static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)};
      const foundation::TileKind kind = spec.kind_at({x, y});
      const bool off = kind == foundation::TileKind::kTensix && harvested.has({x, y});
      types_[node.index()] = type_of(kind);
      takes_requests_[node.index()] =
          kind != foundation::TileKind::kNone && kind != foundation::TileKind::kArc && !off;
    }
  }
}

}  // namespace tvp::noc
