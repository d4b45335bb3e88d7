#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "tensix_vp/systemc/ethernet.h"

namespace tensix_vp {

/// A full-duplex ethernet link between two ports: latency and random errors. It forwards calls at
/// once, with the latency added to their delays.
class EthernetLink : public sc_core::sc_module {
 public:
  struct Parameters {
    /// Keys of the group `ethernet` without the group: link_latency_ps, drop_rate, corrupt_rate,
    /// error_seed.
    std::vector<std::pair<std::string, std::string>> settings;
    /// Links with other numbers have other errors. A link of a system description has the number of
    /// its place there, from 0 on.
    std::uint16_t number = 0;
  };
  struct Statistics {
    std::uint64_t packets = 0;  ///< all that the end sent, also the next two
    std::uint64_t dropped = 0;
    std::uint64_t corrupted = 0;
  };

  /// Throws std::runtime_error that names the key and what was expected.
  EthernetLink(const sc_core::sc_module_name& name, const Parameters& parameters);
  explicit EthernetLink(const sc_core::sc_module_name& name) : EthernetLink(name, Parameters()) {}
  ~EthernetLink() override;

  /// The sockets at end 0 or 1 (EthernetTypes).
  EthernetPort end(unsigned index);
  /// Packets from this end to the other one.
  Statistics statistics(unsigned index) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tensix_vp
