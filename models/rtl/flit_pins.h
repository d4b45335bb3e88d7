#pragma once

#include <cstdint>
#include <string>

#include "models/mesh/mesh_packet.h"
#include "models/mesh/mesh_topology.h"
#include "models/rtl/pin_waves.h"
#include "models/sockets/tensix_vp/rtl/mesh_router.h"

namespace tvp::rtl {

using Pins = tensix_vp::rtl::MeshRouterPins;
using DataWords = Pins::Data::value_type;

/// Translates between the mesh's flits and the wires of mesh_pkg.sv. The mesh numbers endpoints.
/// The wires name the router and port by which a packet leaves.
class FlitPins {
 public:
  explicit FlitPins(const mesh::MeshTopology& topology) : topology_(topology) {}

  std::uint32_t control(const mesh::Flit& flit) const {
    const unsigned router = topology_.router_of(flit.destination);
    const std::uint32_t by = mesh::index(topology_.port_of(flit.destination));
    return topology_.x_of(router) | topology_.y_of(router) << 8 | by << 16 |
           std::uint32_t{flit.vc} << 19 | (flit.head ? 1U << 22 : 0U) | (flit.tail ? 1U << 23 : 0U);
  }
  static DataWords data(const mesh::Flit& flit, std::uint64_t payload) {
    return {flit.packet, flit.age, static_cast<std::uint32_t>(payload),
            static_cast<std::uint32_t>(payload >> 32)};
  }

  /// Wires that name no endpoint give the destination kNowhere.
  static constexpr std::uint16_t kNowhere = 0xFFFF;
  mesh::Flit flit(std::uint32_t control, const DataWords& data) const {
    return {.packet = data[0],
            .destination = destination(control),
            .vc = static_cast<std::uint8_t>(control >> 19 & 7),
            .head = (control >> 22 & 1) != 0,
            .tail = (control >> 23 & 1) != 0,
            .age = data[1]};
  }
  static std::uint64_t payload(const DataWords& data) {
    return std::uint64_t{data[3]} << 32 | data[2];
  }

 private:
  std::uint16_t destination(std::uint32_t control) const {
    const std::uint32_t x = control & 0xFF, y = control >> 8 & 0xFF, by = control >> 16 & 7;
    if (x >= topology_.width() || y >= topology_.height() || by >= mesh::kPorts) return kNowhere;
    const unsigned router = topology_.node_at(x, y);
    const auto port = static_cast<mesh::Port>(by);
    return static_cast<std::uint16_t>(
        port == mesh::Port::kLocal ? router : topology_.endpoint_at(router, port));
  }

  const mesh::MeshTopology& topology_;
};

/// Adds the rows of five ports in one direction; `way` is "in" or "out".
inline void add_rows(PinWaves& waves, const std::string& way, const std::uint8_t& valid,
                     const Pins::Control& control, const Pins::Data& data) {
  constexpr unsigned kControlBits = 24, kWordBits = 64;
  waves.add({way + "_valid", mesh::kPorts}, [&valid] { return std::uint64_t{valid}; });
  for (unsigned p = 0; p < mesh::kPorts; ++p) {
    const std::string port = mesh::name_of(static_cast<mesh::Port>(p));
    const DataWords& words = data[p];
    waves.add({way + "_control_" + port, kControlBits},
              [&bits = control[p]] { return std::uint64_t{bits}; });
    waves.add({way + "_data_" + port, kWordBits},
              [&words] { return std::uint64_t{words[1]} << 32 | words[0]; });
    waves.add({way + "_payload_" + port, kWordBits}, [&words] { return FlitPins::payload(words); });
  }
}

}  // namespace tvp::rtl
