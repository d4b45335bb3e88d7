#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tensix_vp::rtl {

// A mesh router in RTL, as a library provides it. tensix_vp_add_rtl(KIND mesh_router) makes such a
// library from SystemVerilog. models/mesh/protocol.md describes the signals.

inline constexpr unsigned kPorts = 5;      ///< local, north, east, south, west
inline constexpr unsigned kDataWords = 4;  ///< words of 32 bits: number of the packet, age, payload

/// The pins of a router. Masks have a bit for each port.
struct MeshRouterPins {
  using Control = std::array<std::uint32_t, kPorts>;
  using Data = std::array<std::array<std::uint32_t, kDataWords>, kPorts>;
  using Channels = std::array<std::uint8_t, kPorts>;

  // Inputs. Straps are constant after reset.
  std::uint8_t clk = 0;
  std::uint8_t rst = 0;
  std::uint8_t x = 0;          ///< strap
  std::uint8_t y = 0;          ///< strap
  std::uint8_t routing = 0;    ///< strap: 0 XY, 1 YX, 2 West-First, 3 table
  std::uint8_t endpoints = 0;  ///< strap: outputs that always accept a flit
  std::uint8_t row_write = 0;  ///< under reset: writes a row of the routing table
  std::uint8_t row_index = 0;  ///< the target router, y * 16 + x
  std::uint32_t row = 0;       ///< for each input, five bits: the outputs towards that router
  std::uint8_t in_valid = 0;
  Control in_control{};  ///< {tail, head, channel[3], target port[3], target y[8], target x[8]}
  Data in_data{};
  std::uint8_t out_ready = 0;  ///< valid/ready only
  std::uint8_t credit_in = 0;  ///< credits only, by output
  Channels credit_in_vc{};

  // Outputs.
  std::uint8_t out_valid = 0;
  Control out_control{};
  Data out_data{};
  std::uint8_t in_ready = 0;    ///< valid/ready only
  std::uint8_t credit_out = 0;  ///< credits only, by input
  Channels credit_out_vc{};
};

/// A register inside of a router, for wave files.
struct Register {
  const char* name;
  unsigned width;
  unsigned bytes;    ///< 1, 2, 4 or 8
  const void* data;  ///< constant address
};

/// One router.
class MeshRouter {
 public:
  MeshRouter() = default;
  MeshRouter(const MeshRouter&) = delete;
  MeshRouter& operator=(const MeshRouter&) = delete;
  virtual ~MeshRouter() = default;
  /// Reads the inputs and sets the outputs.
  virtual void eval(MeshRouterPins& pins) = 0;
  virtual std::size_t registers() const { return 0; }
  virtual Register register_at(std::size_t index) const {
    static_cast<void>(index);
    return {};
  }
};

/// A kind of router: what the function `tensix_vp_mesh_router` of a library returns.
struct MeshRouterModule {
  static constexpr std::uint32_t kVersion = 1;
  static constexpr const char* kEntry = "tensix_vp_mesh_router";
  using Entry = const MeshRouterModule* (*)();

  std::uint32_t version = kVersion;  ///< version of this header
  const char* name = nullptr;
  bool has_credits = false;  ///< credits (mesh.flow_control = buffered) or valid/ready (hold)
  bool has_table = false;    ///< pins row_write, row_index, row
  bool has_routing = false;  ///< pin routing; without it, the router has one routing
  MeshRouter* (*make)(const char* instance) = nullptr;
};

}  // namespace tensix_vp::rtl
