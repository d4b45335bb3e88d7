#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tvp::collectives {

/// The wiring of ranks: directed links between neighbors, and the route of each message.
class IdealTopology {
 public:
  virtual ~IdealTopology() = default;
  virtual std::string name() const = 0;
  virtual std::uint32_t ranks() const = 0;
  /// Links that a message takes, in order.
  virtual std::vector<std::uint32_t> route(std::uint32_t from, std::uint32_t to) const = 0;
  virtual std::uint32_t links() const = 0;
  virtual std::string link_name(std::uint32_t link) const = 0;  ///< e.g. "3 -> 4"
};

/// `crossbar`, `line`, `ring` (the shorter way, up if equal), `mesh:4x8`, `torus:4x8` (rows x
/// columns, along the row first), or with any number of axes, such as `torus:2x3x4`. Throws
/// Fault(kDescription) for other names, or when the shape does not have as many ranks.
std::unique_ptr<IdealTopology> topology_named(const std::string& name, std::uint32_t ranks);
/// The sides of a mesh or torus; throws Fault(kDescription) unless `name` has a shape.
std::vector<std::uint32_t> sides_of(const std::string& name);

/// Ranks of a mesh in the order of a closed path along its links, for a side of even length.
/// Otherwise row by row, every second row backwards, which is closed only over the wrap links of a
/// torus.
std::vector<std::uint32_t> hamiltonian_order(std::uint32_t rows, std::uint32_t columns);

}  // namespace tvp::collectives
