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
  /// Rows `path`.ca_valid and so on, a value a cycle of the wave file's: of pins that are high for
  /// a CK only, whether they were in any of its CKs.
  virtual void watch(support::WaveRecorder& recorder, const std::string& path) = 0;
};

}  // namespace tvp::rtl
