#pragma once

#include <systemc>
#include <tlm>

namespace tensix_vp {

/// Ignorable extension of a write that a chip sends to a memory of the user: the data streamed in
/// from `first_byte` on, and the last byte came with BEGIN_REQ. A memory that begins with the first
/// bytes needs it for its time.
struct Arrival : tlm::tlm_extension<Arrival> {
  sc_core::sc_time first_byte;

  tlm::tlm_extension_base* clone() const override { return new Arrival(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    first_byte = static_cast<const Arrival&>(other).first_byte;
  }
};

}  // namespace tensix_vp
