#pragma once

#include <array>
#include <cstdint>

namespace tvp::riscv {

/// A core's pipeline as it looks from the cycle at which its next instruction can enter: whatever
/// can still delay an instruction, in cycles from there, and 0 for what cannot. Two pipelines in
/// one state go on alike. The addresses of queued stores are not part of it, nor is the bus.
struct PipelineState {
  using Ahead = std::uint16_t;
  std::array<Ahead, 32> ready{};
  std::array<Ahead, 8> retire{};
  std::array<Ahead, 8> slots{};   ///< and one more, since an access at that very cycle counts
  std::array<Ahead, 8> stores{};  ///< the oldest first
  Ahead leave = 0;
  Ahead last_emitted = 0;
  Ahead next_l1_store = 0;
  Ahead forward_at = 0;  ///< and one more, likewise
  Ahead forward_reg = 0;
  Ahead loads_waiting = 0;
  Ahead stores_waiting = 0;
  bool operator==(const PipelineState&) const = default;
};

}  // namespace tvp::riscv
