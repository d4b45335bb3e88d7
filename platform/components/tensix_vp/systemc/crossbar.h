#pragma once

#include <cstdint>
#include <memory>
#include <systemc>
#include <tlm>

namespace tensix_vp {

/// Ignorable extension of a write on Crossbar::in(): outputs that receive it in the same cycles,
/// one bit each, besides the one of its address. The offset in the window is the same.
struct Multicast : tlm::tlm_extension<Multicast> {
  std::uint64_t outputs = 0;

  tlm::tlm_extension_base* clone() const override { return new Multicast(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    outputs = static_cast<const Multicast&>(other).outputs;
  }
};

/// A crossbar without buffers between initiators and targets. An input sends to one output at a
/// time (a multicast to several), and an output receives from one input at a time. Data of reads
/// return over a second matrix.
class Crossbar : public sc_core::sc_module {
 public:
  struct Parameters {
    unsigned ports = 4;  ///< inputs, and as many outputs; 1 to 64
    /// Size of the address range of each output; that of output 0 begins at 0.
    std::uint64_t window_bytes = std::uint64_t{1} << 32;
    unsigned link_bits = 16;      ///< that a link moves in a cycle
    unsigned clock_mhz = 1200;    ///< cycles of the links
    unsigned latency_cycles = 4;  ///< from an input to an output, and back
  };

  /// Throws std::runtime_error that names the parameter and what was expected.
  Crossbar(const sc_core::sc_module_name& name, const Parameters& parameters);
  explicit Crossbar(const sc_core::sc_module_name& name) : Crossbar(name, Parameters()) {}
  ~Crossbar() override;

  // Sockets of the base protocol; each may stay unbound.
  // Both throw std::runtime_error for an unknown port.
  /// Requests of an initiator, loosely or approximately timed. The call lasts until the crossbar
  /// has moved the data and the target has answered. An address in no window, or in that of an
  /// unbound output: TLM_ADDRESS_ERROR_RESPONSE. Debug and DMI pass through.
  tlm::tlm_target_socket<32, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND>& in(
      unsigned port);
  /// Requests to a target, by b_transport; the address is the offset in the window.
  tlm::tlm_initiator_socket<32, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND>&
  out(unsigned port);
  /// First address of the window of an output.
  std::uint64_t window(unsigned port) const;

  struct Statistics {
    std::uint64_t connections = 0;
    std::uint64_t blocked = 0;         ///< connections that waited for a busy input or output
    std::uint64_t blocked_cycles = 0;  ///< sum of these waits
  };
  Statistics statistics() const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tensix_vp
