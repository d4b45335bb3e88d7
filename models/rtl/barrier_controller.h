#pragma once

#include <cstdint>
#include <string>

#include "models/ddr/external_barrier.h"
#include "models/support/wave_files/wave_recorder.h"

namespace tvp::rtl {

/// The barrier controller of a channel as RTL.
class BarrierController : public ddr::ExternalBarrier {
 public:
  virtual std::uint64_t words() const = 0;
  virtual std::uint64_t releases() const = 0;
  /// Adds rows `path`.ca_valid and so on to the wave file, with one value for each of its cycles.
  /// For pins that are high for one CK, the value is 1 if they were high in any CK of the cycle.
  virtual void watch(support::WaveRecorder& recorder, const std::string& path) = 0;
};

}  // namespace tvp::rtl
