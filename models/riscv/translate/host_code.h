#pragma once

#include <cstddef>
#include <cstdint>

namespace tvp::riscv {

/// Memory for machine code of the host that is made at run time, in contiguous pieces. It is never
/// writable and executable at the same time.
class HostCode {
 public:
  HostCode() = default;
  ~HostCode();
  HostCode(const HostCode&) = delete;
  HostCode& operator=(const HostCode&) = delete;

  /// False if the host refuses such memory.
  bool reserve(std::size_t bytes);
  bool is_reserved() const { return memory_ != nullptr; }
  std::size_t left() const { return bytes_ - used_; }
  std::size_t used() const { return used_; }

  /// Address for the next piece of at most `most` bytes; null if the host refuses.
  std::uint8_t* open(std::size_t most);
  /// Ends the piece after `bytes` bytes and makes it executable. False if the host refuses.
  bool close(std::size_t bytes);
  /// Frees all but the first `bytes` bytes.
  void forget_behind(std::size_t bytes) { used_ = bytes; }

 private:
  bool protect(std::size_t from, std::size_t to, bool execute);

  std::uint8_t* memory_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t used_ = 0;
  std::size_t opened_ = 0;
};

}  // namespace tvp::riscv
