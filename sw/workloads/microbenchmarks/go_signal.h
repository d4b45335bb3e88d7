#pragma once

#include <cstdint>
#include <vector>

#include "foundation/settings.h"
#include "sw/workloads/microbenchmarks/measurement.h"

namespace tvp::workloads::microbenchmarks {

/// The key of a workload that says who starts its kernels.
class FastDispatch : public foundation::Setting<bool> {
 public:
  explicit FastDispatch(foundation::SettingGroup& group);
};

/// Lets the other tiles of a measurement wait in their firmware, as all tiles of a device do that
/// tt-metal has opened: their cores poll L1 meanwhile, which packets meet.
void rest(runtime::Program& program, const std::vector<runtime::CoreCoord>& tiles,
          runtime::CoreCoord measuring);

/// Starts each measurement of one core by a signal to all tiles from the corner to `far`. The other
/// tiles wake up and have nothing to run (firmware/kernels/microbenchmarks/woken_tile.cpp), as
/// under tt-metal's fast dispatch.
class GoSignal {
 public:
  /// No signal.
  GoSignal() = default;
  /// A core of `measuring` measures several times. The seed selects where in their loops the other
  /// tiles are when a signal arrives.
  GoSignal(runtime::MeshDevice& mesh, runtime::Program& program, runtime::CoreCoord measuring,
           runtime::CoreCoord far, std::uint32_t rounds, std::uint64_t seed);

  /// Behind those of the kernel that measures (go_signal.h).
  void append_to(std::vector<std::uint32_t>& compile_args) const;

 private:
  static constexpr std::uint32_t kArguments = 5;
  std::vector<std::uint32_t> arguments_ = std::vector<std::uint32_t>(kArguments);
  std::shared_ptr<runtime::MeshBuffer> records_;
};

}  // namespace tvp::workloads::microbenchmarks
