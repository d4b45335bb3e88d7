#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace tvp::platform {

/// The purpose for which a core spends a cycle.
enum class Spent : std::uint8_t {
  kBusy,         ///< executes, or waits for a result of its own pipeline or memory
  kBuffer,       ///< waits for pages of a circular buffer, or for room in it
  kNoc,          ///< waits for the NoC or, in a PIM unit, for the network: answers, a free command
  kSemaphore,    ///< waits for a word of memory, or for other cores at a barrier
  kCredit,       ///< waits for room at a router, mux or ethernet queue
  kCoprocessor,  ///< waits for the coprocessor: a full FIFO, or a register that does not respond
                 ///< yet
  kDma,          ///< waits for the DMA engine of a PIM unit
  kOther,        ///< waits for something else
  kIdle,         ///< in reset, or waits for a program or packet
};
inline constexpr std::size_t kSpentKinds = 9;
/// Names of columns and events, in the order of Spent.
inline constexpr std::array<const char*, kSpentKinds> kSpentNames = {
    "busy", "circular_buffer", "noc", "semaphore", "fabric_credit", "coprocessor",
    "dma",  "other",           "idle"};

/// Cycles by Spent.
struct Cycles : std::array<std::uint64_t, kSpentKinds> {
  std::uint64_t& of(Spent spent) { return (*this)[static_cast<std::size_t>(spent)]; }
  std::uint64_t of(Spent spent) const { return (*this)[static_cast<std::size_t>(spent)]; }
  std::uint64_t sum() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t each : *this) sum += each;
    return sum;
  }
  Cycles& operator+=(const Cycles& other) {
    for (std::size_t i = 0; i < size(); ++i) (*this)[i] += other[i];
    return *this;
  }
};

/// Cycles by pc; kNoCode for cycles without an instruction.
using CyclesByPc = std::unordered_map<std::uint32_t, Cycles>;
inline constexpr std::uint32_t kNoCode = ~0U;

}  // namespace tvp::platform
