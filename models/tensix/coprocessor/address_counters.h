#pragma once

#include <array>
#include <cstdint>

#include "models/tensix/coprocessor/register_files.h"

namespace tvp::tensix::coprocessor {

/// One set of X/Y/Z/W counters with their carriage-return values (ISA TensixCoprocessor/ADCs.md).
/// Widths are X 18 bits, Y 13, Z and W 8.
struct AddressCounter {
  static constexpr std::uint32_t kXMask = (1U << 18) - 1;
  static constexpr std::uint32_t kYMask = (1U << 13) - 1;
  static constexpr std::uint32_t kZMask = 0xFF;
  static constexpr std::uint32_t kWMask = 0xFF;

  std::uint32_t x = 0, x_cr = 0;
  std::uint32_t y = 0, y_cr = 0;
  std::uint32_t z = 0, z_cr = 0;
  std::uint32_t w = 0, w_cr = 0;

  void set_x(std::uint32_t value) { x = x_cr = value & kXMask; }
  void set_y(std::uint32_t value) { y = y_cr = value & kYMask; }
  void set_z(std::uint32_t value) { z = z_cr = value & kZMask; }
  void set_w(std::uint32_t value) { w = w_cr = value & kWMask; }
  void add_x(std::uint32_t value) { x = (x + value) & kXMask; }
  void add_y(std::uint32_t value) { y = (y + value) & kYMask; }
  void add_z(std::uint32_t value) { z = (z + value) & kZMask; }
  void add_w(std::uint32_t value) { w = (w + value) & kWMask; }
  void return_x(std::uint32_t value) { x = x_cr = (x_cr + value) & kXMask; }
  void return_y(std::uint32_t value) { y = y_cr = (y_cr + value) & kYMask; }
  void return_z(std::uint32_t value) { z = z_cr = (z_cr + value) & kZMask; }
  void return_w(std::uint32_t value) { w = w_cr = (w_cr + value) & kWMask; }
  void clear_y() { y = y_cr = 0; }
  void clear_z() { z = z_cr = 0; }
};

/// Channel 0 and channel 1 of one user.
struct AddressChannels {
  std::array<AddressCounter, 2> channel;
};

/// ADCs[3]: the address counters of unpackers and packers, and the instructions of the
/// Miscellaneous Unit that change them.
class AddressCounters {
 public:
  struct Thread {
    std::array<AddressChannels, 2> unpacker;
    AddressChannels packers;
  };

  Thread& of(unsigned thread) { return threads_[thread]; }
  const Thread& of(unsigned thread) const { return threads_[thread]; }

  /// Executes SETADC, SETADCXX, SETADCXY, SETADCZW, INCADCXY, INCADCZW, ADDRCRXY or ADDRCRZW; false
  /// for other instructions.
  bool execute(std::uint32_t instruction, unsigned thread);

  /// REG2FLOP to an ADC (ISA REG2FLOP_ADC.md): `user` is 0 or 1 for the unpackers, 2 for the
  /// packers, `xyzw` 0..3.
  void set_one(unsigned thread, unsigned user, unsigned channel, unsigned xyzw, bool cr,
               std::uint32_t value);

 private:
  template <typename Change>
  void for_users(std::uint32_t instruction, unsigned thread, Change change);

  std::array<Thread, kThreads> threads_;
};

}  // namespace tvp::tensix::coprocessor
