#pragma once

#include <array>
#include <cstdint>

#include "foundation/regs/tensix_config.h"

namespace tvp::tensix::coprocessor {

/// Backend configuration (ISA TensixCoprocessor/BackendConfiguration.md): two banks of 32-bit words
/// of which each thread selects one, and thread-private 16-bit words. Fields are named in
/// foundation/regs/tensix_config.h. Only ConfigurationUnit writes it, since it handles the special
/// cases; units read the arrays directly.
struct BackendConfig {
  static constexpr unsigned kBankWords = regs::config::kBankWords;      ///< CFG_STATE_SIZE * 4
  static constexpr unsigned kThreadWords = regs::config::kThreadWords;  ///< THD_STATE_SIZE

  std::array<std::array<std::uint32_t, kBankWords>, 2> bank{};
  std::array<std::array<std::uint32_t, kThreadWords>, 3> thread{};

  /// ThreadConfig[thread].CFG_STATE_ID_StateID: the bank that the thread's instructions use.
  unsigned state_id(unsigned t) const { return regs::config::thread::kStateId.get(thread[t]); }
  /// Config[StateID] of a thread.
  const std::array<std::uint32_t, kBankWords>& of(unsigned t) const { return bank[state_id(t)]; }
};

}  // namespace tvp::tensix::coprocessor
