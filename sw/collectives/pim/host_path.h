#pragma once

#include <cstdint>
#include <vector>

#include "foundation/settings.h"
#include "sw/collectives/pim/pim_run.h"

namespace tvp::runtime {
class DeviceLibrary;
}

namespace tvp::collectives {

/// The bandwidths of hardware without a network: programs stop, the host reads the banks over the
/// DDR bus, orders the bytes, reduces, and writes the results back. They are those of sustained
/// transfers that keep all 8 chips of a rank busy.
struct HostPathConfig {
  explicit HostPathConfig(foundation::SettingGroup& group);
  foundation::Setting<double> read_gb_s;
  foundation::Setting<double> write_gb_s;
  foundation::Setting<double> broadcast_gb_s;
  foundation::Setting<double> reduce_gb_s;
  foundation::Setting<unsigned> lanes;
};

/// A rank's data pins carry one byte of each chip in a beat: byte b of beat i belongs to the bank
/// of chip b. Bytes of one bank in order are every `lanes`-th byte on the bus.
std::vector<std::uint8_t> interleave(const std::vector<std::vector<std::uint8_t>>& banks,
                                     unsigned lanes);
std::vector<std::vector<std::uint8_t>> deinterleave(const std::vector<std::uint8_t>& beats,
                                                    unsigned lanes, unsigned banks);

class HostPath {
 public:
  HostPath(const HostPathConfig& config, runtime::PimSystem& system,
           runtime::DeviceLibrary& library)
      : config_(config), system_(system), library_(library) {}

  struct Times {
    double read_ns = 0;
    double reduce_ns = 0;
    double write_ns = 0;
    double whole_ns() const { return read_ns + reduce_ns + write_ns; }
  };
  /// Reads the operands, computes the results, writes them, and lets the time of that pass.
  Times run(const PimRequest& request, const PimRun& run);

 private:
  /// Bytes on the bus if bank r moves `bytes[r]`. The lane of a chip that takes no part stays
  /// empty.
  double bus_bytes(const std::vector<std::uint64_t>& bytes) const;
  std::vector<std::vector<unsigned>> beats_together(unsigned ranks) const;

  const HostPathConfig& config_;
  runtime::PimSystem& system_;
  runtime::DeviceLibrary& library_;
};

}  // namespace tvp::collectives
