#pragma once

#include <array>
#include <cstdint>

#include "foundation/chip/chip_spec.h"
#include "foundation/chip/coordinates.h"
#include "foundation/regs/noc.h"
#include "models/noc/endpoint_type.h"

namespace tvp::noc {

/// The nodes of a chip's NoCs, with their types.
class Grid {
 public:
  explicit Grid(const foundation::ChipSpec& spec, foundation::Harvested harvested = {});

  /// A module of the user takes requests at this NoC 0 node, in place of what the chip has there.
  void occupy(Node noc0) {
    types_[noc0.index()] = EndpointType::kPcieOrEmpty;
    takes_requests_[noc0.index()] = true;
  }

  const foundation::ChipSpec& spec() const { return spec_; }
  /// The registers and packets of the chip's generation.
  const regs::noc::Map& map() const { return map_; }
  /// Flits of a packet with `bytes` of data, header included.
  std::uint32_t flits_of(std::uint32_t bytes) const {
    return 1 + (bytes + map_.flit_bytes - 1) / map_.flit_bytes;
  }
  unsigned columns() const { return columns_; }
  unsigned rows() const { return rows_; }
  unsigned nodes() const { return columns_ * rows_; }
  /// Number of entries of a table that is indexed by Node::index().
  unsigned table_size() const { return Node{0, static_cast<std::uint8_t>(rows_)}.index(); }
  bool has(Node node) const { return node.x < columns_ && node.y < rows_; }
  /// Number of the node in row-major order: 0 to nodes() - 1.
  unsigned number(Node node) const { return node.y * columns_ + node.x; }

  /// The block at a node of the grid, in NoC 0 coordinates.
  EndpointType type(Node noc0) const { return types_[noc0.index()]; }
  /// True if the node has a NIU that accepts requests.
  bool takes_requests(Node noc0) const { return takes_requests_[noc0.index()]; }
  /// True if a coordinate written by software names a column (or row), raw or translated.
  bool names_column(unsigned written) const { return coordinates_.names_column(written); }
  bool names_row(unsigned written) const { return coordinates_.names_row(written); }
  const foundation::Coordinates& coordinates() const { return coordinates_; }
  foundation::Harvested harvested() const { return harvested_; }

  /// The same tile in the coordinates of the other NoC: NoC 1 numbers from the opposite corner. The
  /// function is its own inverse.
  Node mirrored(Node n) const {
    return {static_cast<std::uint8_t>(columns_ - 1 - n.x),
            static_cast<std::uint8_t>(rows_ - 1 - n.y)};
  }
  /// NoC 0 coordinates to those of `noc`, and back.
  Node to_noc(unsigned noc, Node noc0) const { return noc == 0 ? noc0 : mirrored(noc0); }

  // The neighbors in the direction of the data, and in the opposite direction.
  Node right_of(Node n) const { return {next(n.x, columns_), n.y}; }
  Node below(Node n) const { return {n.x, next(n.y, rows_)}; }
  Node left_of(Node n) const { return {previous(n.x, columns_), n.y}; }
  Node above(Node n) const { return {n.x, previous(n.y, rows_)}; }
  /// Number of links on the shortest route.
  unsigned hops(Node from, Node to) const {
    return (to.x >= from.x ? 0 : columns_) + to.x - from.x + (to.y >= from.y ? 0 : rows_) + to.y -
           from.y;
  }

 private:
  static std::uint8_t next(unsigned i, unsigned size) {
    return static_cast<std::uint8_t>(i + 1 == size ? 0 : i + 1);
  }
  static std::uint8_t previous(unsigned i, unsigned size) {
    return static_cast<std::uint8_t>(i == 0 ? size - 1 : i - 1);
  }

  const foundation::ChipSpec& spec_;
  const regs::noc::Map& map_;
  foundation::Harvested harvested_;
  foundation::Coordinates coordinates_;
  unsigned columns_;
  unsigned rows_;
  std::array<EndpointType, kNodes> types_{};   ///< index: NoC 0 node
  std::array<bool, kNodes> takes_requests_{};  ///< index: NoC 0 node
};

/// Location of a NIU. `x`, `y` are NoC 0 coordinates on both NoCs.
struct Place {
  const Grid& grid;
  unsigned noc = 0;
  unsigned x = 0;
  unsigned y = 0;
  EndpointType type = EndpointType::kTensix;
  unsigned index = 0;      ///< tile index of NOC_ENDPOINT_ID
  unsigned group = 0;      ///< group index of NOC_ENDPOINT_ID (DRAM)
  unsigned tile = 0;       ///< tile number in the Calendar
  std::string where = {};  ///< "chip0.tensix(1,2).niu0", for faults and reports
  Node noc0() const { return {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)}; }
  /// Coordinates on the NIU's own NoC.
  Node node() const { return grid.to_noc(noc, noc0()); }
};

}  // namespace tvp::noc
