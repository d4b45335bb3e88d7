#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "models/ddr/ca_bus.h"
#include "models/ddr/external_ca_bus.h"
#include "models/dram/timing/dram_time.h"
#include "models/mesh/faults/fault_plan.h"
#include "models/mesh/mesh_config.h"
#include "models/mesh/mesh_topology.h"
#include "models/rtl/barrier_controller.h"
#include "models/rtl/channel_block.h"
#include "models/rtl/router_array.h"
#include "models/rtl/router_selection.h"
#include "models/switch/external_crossbar.h"

namespace tvp::rtl {

/// The interface of libtensix_vp_rtl.so. It is a separate file that is loaded if a setting asks for
/// RTL, so that everything else builds and runs without verilated code.
struct RtlModule {
  /// Sizes of the structures that both sides exchange. Both sides must agree.
  std::uint64_t layout;

  /// `meshes`: number of meshes with the same settings, this one included. Throws
  /// Fault(kDescription) for features that the RTL lacks.
  std::unique_ptr<RouterArray> (*make_routers)(const char* name, const mesh::MeshConfig& config,
                                               const mesh::MeshTopology& topology,
                                               RouterSelection selection, unsigned meshes);

  struct Barrier {
    ddr::CaBus& bus;
    unsigned slots_of_word;
    unsigned request_cycles;  ///< from a rank's line to the controller
    ddr::BarrierScheme scheme;
    dram::ClockRatio to_wave;  ///< to the cycles of wave files
  };
  /// Throws Fault(kDescription) for features that the RTL lacks.
  std::unique_ptr<BarrierController> (*make_barrier)(const char* name, const Barrier& barrier);

  struct Crossbar {
    unsigned ports;
    ChannelClock clock;
  };
  /// `where` names the crossbar in faults. Throws Fault(kDescription) for features that the RTL
  /// lacks.
  std::unique_ptr<ChannelBlock<switching::ExternalCrossbar>> (*make_crossbar)(
      const std::string& where, const Crossbar& crossbar);

  struct CaController {
    const dram::Timing& timing;
    unsigned ranks;
    unsigned request_cycles;  ///< from a rank's line to the controller
    ChannelClock clock;
  };
  std::unique_ptr<ChannelBlock<ddr::ExternalCaBus>> (*make_ca_controller)(
      const std::string& where, const CaController& controller);
};

/// The layout that was compiled into the caller.
std::uint64_t rtl_layout();

/// Loads the library at the first call. If there is none, throws Fault(kDescription) in the name of
/// `key`, which selects RTL, with the command that builds it.
const RtlModule& rtl_module(const std::string& key);

/// Makes the routers that `config.router` selects; null for none.
std::unique_ptr<RouterArray> make_rtl_routers(const char* name, const mesh::MeshConfig& config,
                                              const mesh::MeshTopology& topology,
                                              const mesh::MeshPlace& place = {});

}  // namespace tvp::rtl
