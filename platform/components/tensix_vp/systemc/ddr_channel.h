#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "tensix_vp/systemc/ddr_protocol.h"

namespace tensix_vp {

/// A DDR channel for a user's memory controller: command/address bus, DQ lanes and the banks of its
/// ranks. Commands have the JEDEC timing of a preset.
class DdrChannel : public sc_core::sc_module {
 public:
  struct Parameters {
    /// Name of a preset: a value of the key `dram.preset` in `tensix-vp list`.
    std::string preset = "ddr4_2400";
    unsigned ranks = 1;
    /// True: a command before its first legal time is refused with DdrStatus::kTooEarly. False: it
    /// waits for this time.
    bool strict = true;
    /// Ranks whose chips the user binds to rank().
    std::vector<unsigned> foreign_ranks;
  };

  /// Throws std::runtime_error that names the parameter and what was expected.
  DdrChannel(const sc_core::sc_module_name& name, const Parameters& parameters);
  explicit DdrChannel(const sc_core::sc_module_name& name) : DdrChannel(name, Parameters()) {}
  ~DdrChannel() override;

  /// The controller's commands. Rules of the phases: DdrProtocol. A phase out of order ends the
  /// simulation with an SC_REPORT_ERROR that names socket and time. transport_dbg reads and writes
  /// bytes of a row from a column on. There is no DMI.
  tlm::tlm_target_socket<32, DdrProtocol> commands;
  /// The chips of a rank of `foreign_ranks`. They get each command of theirs as BEGIN_REQ, with the
  /// time until its slot as delay, and answer TLM_COMPLETED at once. A read returns its data then.
  tlm::tlm_initiator_socket<32, DdrProtocol>& rank(unsigned number);

  unsigned banks() const;  ///< in a rank
  std::uint64_t rows() const;
  unsigned columns() const;
  unsigned burst_columns() const;
  unsigned burst_bytes() const;
  /// First edge of CK at or after `time`.
  sc_core::sc_time edge_at_or_after(const sc_core::sc_time& time) const;

  struct Statistics {
    std::uint64_t normal_slots = 0;
    std::uint64_t pim_slots = 0;
    std::uint64_t refused = 0;  ///< commands
    std::uint64_t bursts = 0;
    std::uint64_t turnarounds = 0;  ///< changes of direction of the DQ lanes
  };
  Statistics statistics() const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tensix_vp
