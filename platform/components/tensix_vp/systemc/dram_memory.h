#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

namespace tensix_vp {

/// The channels of a DRAM module (DDR4, DDR5) or device (GDDR6) behind one address mapping, with
/// banks, rows, refresh and a controller. Commands keep the JEDEC timing of the preset.
class DramMemory : public sc_core::sc_module {
 public:
  struct Parameters {
    /// Name of a preset: a value of the key `dram.preset` in `tensix-vp list`.
    std::string preset = "ddr4_2400";
    /// Other keys of the group `dram` without the group, e.g. {"page", "closed"}.
    std::vector<std::pair<std::string, std::string>> settings;
    /// Grants DMI. Accesses by DMI take no time in the model; the granted latencies are those of an
    /// idle channel and a closed row.
    bool dmi = false;
  };

  /// Throws std::runtime_error that names the key and what was expected.
  DramMemory(const sc_core::sc_module_name& name, const Parameters& parameters);
  explicit DramMemory(const sc_core::sc_module_name& name) : DramMemory(name, Parameters()) {}
  ~DramMemory() override;

  /// Base protocol, loosely and approximately timed, any length and alignment below bytes(); byte
  /// enables, debug, DMI on request.
  ///
  /// b_transport: while no nb_transport transaction is open, the annotated delay grows by
  /// the time of the access and the caller does not wait; otherwise the call waits for its turn. A
  /// call whose time lies before that of an earlier one is served after it. nb_transport: END_REQ
  /// when the controller's queues have taken all bursts, BEGIN_RESP when the last byte has been
  /// moved.
  tlm::tlm_target_socket<> socket;

  /// Capacity.
  std::uint64_t bytes() const;
  /// Grants or withdraws DMI; a withdrawal invalidates what was granted.
  void allow_dmi(bool allowed);

  struct Statistics {
    std::uint64_t reads = 0;   ///< bursts
    std::uint64_t writes = 0;  ///< bursts
    std::uint64_t activates = 0;
    std::uint64_t refreshes = 0;
  };
  Statistics statistics() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tensix_vp
