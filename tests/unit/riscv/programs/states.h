#pragma once

#include <cstdint>

namespace tvp::programs {

namespace states_of {

constexpr unsigned kStates = 26;

struct Machine {
  std::uint32_t inputs, outputs, timer, fault, level[8];
  std::uint8_t state[kStates];
};

/// One of many slightly different functions, as in generated code.
template <unsigned kState>
[[gnu::always_inline]] inline void step(Machine& m) {
  constexpr unsigned kNext = (kState + 7) % kStates, kLevel = kState % 8;
  if (m.state[kState] == kState % 3) {
    if ((m.inputs >> kState % 32 & 1) != 0) {
      m.state[kState] = (kState + 1) % 3;
      m.level[kLevel] += kState;
      m.outputs ^= 1U << kState % 32;
    } else if (m.timer > kState * 3) {
      m.state[kNext] = kState % 3;
      m.fault = m.level[kLevel];
    }
  } else {
    m.state[kState] = kState % 3;
    m.timer += m.level[(kLevel + 3) % 8] & 3;
  }
  if constexpr (kState + 1 < kStates) step<kState + 1>(m);
}

}  // namespace states_of

/// A state machine of straight code that exceeds every instruction cache, with frequent branches
/// and stores.
inline std::uint32_t states(std::uint32_t rounds) {
  static states_of::Machine machine;
  machine = {};
  std::uint32_t sum = 0;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    machine.inputs = machine.inputs * 1664525U + 1013904223U;
    machine.timer = round & 127;
    states_of::step<0>(machine);
    sum = sum * 33 + machine.outputs + machine.fault;
  }
  return sum;
}

}  // namespace tvp::programs
