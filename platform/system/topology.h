#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tvp::platform {

/// Two neighbours of a topology, as positions.
struct TopologyEdge {
  unsigned a = 0;
  unsigned b = 0;     ///< next to `a` along `axis`, or `a`'s first place if it wraps
  unsigned axis = 0;  ///< index into the shape
  bool wraps = false;
};

/// A regular graph of chips. Positions count from 0; the last axis of the shape varies fastest. A
/// mesh of shape [rows, columns] is numbered row by row. An axis of 2 of a torus has one edge,
/// since a second one would double it.
class Topology {
 public:
  enum class Kind { kLine, kRing, kMesh, kTorus, kStar };
  static constexpr unsigned kMostAxes = 3;

  static std::optional<Kind> kind_of(const std::string& name);
  static std::string kind_names();
  /// The expected shape, if there is no such graph.
  static std::optional<std::string> complaint(Kind kind, const std::vector<unsigned>& shape);

  /// `shape` must have no complaint().
  Topology(Kind kind, std::vector<unsigned> shape);

  Kind kind() const { return kind_; }
  std::string kind_name() const;
  const std::vector<unsigned>& shape() const { return shape_; }
  unsigned size() const { return size_; }
  /// Coordinates of a position, one per axis.
  std::vector<unsigned> place(unsigned position) const;
  /// Row and column, as if the shape had two axes; a single axis is one row.
  unsigned row(unsigned position) const;
  unsigned column(unsigned position) const;
  unsigned rows() const;
  unsigned columns() const { return shape_.back(); }

  const std::vector<TopologyEdge>& edges() const { return edges_; }

 private:
  void join_neighbours();
  void join_to_center();

  Kind kind_;
  std::vector<unsigned> shape_;
  unsigned size_ = 1;
  std::vector<TopologyEdge> edges_;
};

}  // namespace tvp::platform
