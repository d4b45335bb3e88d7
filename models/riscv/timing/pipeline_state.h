#pragma once

#include <array>
#include <cstdint>

namespace tvp::riscv {

/// A core's pipeline relative to the cycle at which its next instruction can enter: the remaining
/// cycles of everything that can delay an instruction, else 0. Two pipelines with equal states
/// continue alike. The addresses of queued stores and the bus are not included.
struct PipelineState {
  using Ahead = std::uint16_t;
  std::array<Ahead, 32> ready{};
  std::array<Ahead, 8> retire{};
  std::array<Ahead, 8> slots{};   ///< plus one, since an access at that cycle counts
  std::array<Ahead, 8> stores{};  ///< oldest first
  Ahead leave = 0;
  Ahead last_emitted = 0;
  Ahead next_l1_store = 0;
  Ahead forward_at = 0;  ///< plus one, since an access at that cycle counts
  Ahead forward_reg = 0;
  Ahead loads_waiting = 0;
  Ahead stores_waiting = 0;
  bool operator==(const PipelineState&) const = default;
};

}  // namespace tvp::riscv
