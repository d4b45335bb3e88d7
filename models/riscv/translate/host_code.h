#pragma once

#include <cstddef>
#include <cstdint>

namespace tvp::riscv {

/// Memory for machine code of the host that is made at run time, one piece behind the other. None
/// of it may be written and executed at the same time.
class HostCode {
 public:
  HostCode() = default;
  ~HostCode();
  HostCode(const HostCode&) = delete;
  HostCode& operator=(const HostCode&) = delete;

  /// False when the host grants no such memory.
  bool reserve(std::size_t bytes);
  bool is_reserved() const { return memory_ != nullptr; }
  std::size_t left() const { return bytes_ - used_; }
  std::size_t used() const { return used_; }

  /// Where the next piece is to be written, so many bytes at most; null when the host refuses.
  std::uint8_t* open(std::size_t most);
  /// It has so many bytes, and may be executed from now on. False when the host refuses.
  bool close(std::size_t bytes);
  /// All but the first bytes may be written anew.
  void forget_behind(std::size_t bytes) { used_ = bytes; }

 private:
  bool protect(std::size_t from, std::size_t to, bool execute);

  std::uint8_t* memory_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t used_ = 0;
  std::size_t opened_ = 0;
};

}  // namespace tvp::riscv
