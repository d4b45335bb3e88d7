#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <systemc>

#include "models/mesh/mesh_packet.h"
#include "models/mesh/mesh_topology.h"
#include "models/rtl/pin_waves.h"

namespace tvp::rtl {

/// A flit on the wires of mesh_pkg.sv: control_t and data_t as bits.
struct FlitWires {
  std::uint32_t control = 0;
  std::uint64_t data = 0;
};

/// Translates between the mesh's flits and the wires. The mesh numbers endpoints. The wires name
/// the router and port by which a packet leaves.
class FlitPins {
 public:
  explicit FlitPins(const mesh::MeshTopology& topology) : topology_(topology) {}

  FlitWires wires(const mesh::Flit& flit) const {
    const unsigned router = topology_.router_of(flit.destination);
    const std::uint32_t by = mesh::index(topology_.port_of(flit.destination));
    return {topology_.x_of(router) | topology_.y_of(router) << 8 | by << 16 |
                std::uint32_t{flit.vc} << 19 | (flit.head ? 1U << 22 : 0U) |
                (flit.tail ? 1U << 23 : 0U),
            std::uint64_t{flit.age} << 32 | flit.packet};
  }

  mesh::Flit flit(const FlitWires& wires) const {
    const unsigned router = topology_.node_at(wires.control & 0xFF, wires.control >> 8 & 0xFF);
    const auto by = static_cast<mesh::Port>(wires.control >> 16 & 7);
    const unsigned endpoint = by == mesh::Port::kLocal ? router : topology_.endpoint_at(router, by);
    return {.packet = static_cast<std::uint32_t>(wires.data),
            .destination = static_cast<std::uint16_t>(endpoint),
            .vc = static_cast<std::uint8_t>(wires.control >> 19 & 7),
            .head = (wires.control >> 22 & 1) != 0,
            .tail = (wires.control >> 23 & 1) != 0,
            .age = static_cast<std::uint32_t>(wires.data >> 32)};
  }

 private:
  const mesh::MeshTopology& topology_;
};

/// The signals of five ports in one direction.
struct FlitSignals {
  explicit FlitSignals(const char* valid_name) : valid(valid_name) {}
  sc_core::sc_signal<std::uint32_t> valid;
  std::array<sc_core::sc_signal<std::uint32_t>, mesh::kPorts> control;
  std::array<sc_core::sc_signal<std::uint64_t>, mesh::kPorts> data;
};

/// Adds the rows of five ports in one direction; `way` is "in" or "out".
inline void add_rows(PinWaves& waves, const std::string& way, const FlitSignals& signals) {
  constexpr unsigned kControlBits = 24, kDataBits = 64;
  waves.add_pin({way + "_valid", mesh::kPorts}, signals.valid);
  for (unsigned p = 0; p < mesh::kPorts; ++p) {
    const std::string port = mesh::name_of(static_cast<mesh::Port>(p));
    waves.add_pin({way + "_control_" + port, kControlBits}, signals.control[p]);
    waves.add_pin({way + "_data_" + port, kDataBits}, signals.data[p]);
  }
}

}  // namespace tvp::rtl
