#pragma once

#include <array>
#include <cstdint>

namespace tvp::tensix::coprocessor {

/// Backend configuration (ISA TensixCoprocessor/BackendConfiguration.md): two banks of 32-bit words
/// of which each thread selects one, and thread-private 16-bit words. Fields are named in
/// models/regs/tensix_config.h.
struct BackendConfig {
  static constexpr unsigned kBankWords = 512;          ///< storage, at least the documented 354
  static constexpr unsigned kThreadWords = 64;         ///< storage, at least the documented count

  std::array<std::array<std::uint32_t, kBankWords>, 2> bank{};
  std::array<std::array<std::uint32_t, kThreadWords>, 3> thread{};
};

}  // namespace tvp::tensix::coprocessor
