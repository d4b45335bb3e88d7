#pragma once

#include <systemc>

namespace tensix_vp {

/// Clock of RTL behind a socket: RtlDevice and RtlNode.
struct RtlParameters {
  /// The clock has its edges at multiples of the period.
  sc_core::sc_time period = sc_core::sc_time(1, sc_core::SC_NS);
  /// If not 0, the clock has this frequency instead: edge n is at n / clock_mhz us, rounded down to
  /// whole picoseconds.
  unsigned clock_mhz = 0;
  /// RTL that does not take or answer a word for this number of edges is stuck. The response is
  /// then TLM_GENERIC_ERROR_RESPONSE, and a warning of type /tensix_vp names the socket, the
  /// address and the time.
  unsigned patience_cycles = 10'000;
};

}  // namespace tensix_vp
