#pragma once

#include <cstdint>
#include <vector>

#include "foundation/settings.h"
#include "sw/workloads/microbenchmarks/measurement.h"

namespace tvp::workloads::microbenchmarks {

/// The key that selects how a workload's kernels start.
class FastDispatch : public foundation::Setting<bool> {
 public:
  explicit FastDispatch(foundation::SettingGroup& group);
};

/// Lets the other tiles of a measurement wait in their firmware, like all tiles of a device that
/// tt-metal has opened. Their cores poll L1, which delays packets.
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

  /// Appends arguments after those of the measuring kernel (go_signal.h).
  void append_to(std::vector<std::uint32_t>& compile_args) const;

 private:
  static constexpr std::uint32_t kArguments = 5;
  std::vector<std::uint32_t> arguments_ = std::vector<std::uint32_t>(kArguments);
  std::shared_ptr<runtime::MeshBuffer> records_;
};

}  // namespace tvp::workloads::microbenchmarks
