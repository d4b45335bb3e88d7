#pragma once

#include <array>
#include <cstdint>

#include "models/tensix/coprocessor/pack/l1_accumulation.h"
#include "models/tensix/l1_port.h"

namespace tvp::tensix::coprocessor {

/// Data or exponents of a packer on their way to L1, 16 bytes at a time. An incomplete beat waits
/// for the next instruction (ISA Packers/OutputAddressGenerator.md).
class PackStream {
 public:
  static constexpr unsigned kBeatBytes = 16;
  static constexpr unsigned kMaxValues = 16;

  explicit PackStream(L1Port& l1) : l1_(l1) {}

  /// Sets a new address (in bytes) if the previous tile has ended.
  void place(std::uint32_t byte_address) {
    if (!needs_new_address_) return;
    byte_address_ = byte_address;
    needs_new_address_ = false;
  }
  /// Begins an instruction: its beats count from zero and overwrite L1.
  void begin() {
    beats_ = 0;
    accumulates_ = false;
  }
  /// Adds the beats of this instruction to L1 instead.
  void accumulate(DataFormat format) {
    accumulates_ = true;
    format_ = format;
  }
  bool accumulates() const { return accumulates_; }
  /// Appends `count` values (up to 16 or a multiple of 16) of `bits` bits each, together whole
  /// bytes.
  void append(const std::uint32_t* values, unsigned count, unsigned bits);
  /// Fills an incomplete beat with zeros; the next instruction sets a new address.
  void end_tile();

  bool holds_data() const { return bytes_ != 0; }
  // For the current instruction:
  std::uint32_t first_byte() const { return first_byte_; }
  std::uint32_t beats() const { return beats_; }
  /// True once after a beat that was dropped because its address is beyond L1.
  bool take_overrun() {
    const bool overrun = overrun_;
    overrun_ = false;
    return overrun;
  }

 private:
  bool append_in_place(const std::uint32_t* values, unsigned count, unsigned bits) noexcept;
  void append_row(const std::uint32_t* values, unsigned count, unsigned bits) noexcept;
  void write_beat(const std::uint8_t* beat);

  L1Port& l1_;
  bool needs_new_address_ = true;
  bool overrun_ = false;
  bool accumulates_ = false;
  DataFormat format_ = DataFormat::kFp32;
  std::uint32_t byte_address_ = 0;
  std::array<std::uint8_t, kBeatBytes> buffer_{};
  unsigned bytes_ = 0;  ///< in the buffer
  std::uint32_t first_byte_ = 0;
  std::uint32_t beats_ = 0;
};

}  // namespace tvp::tensix::coprocessor
