#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "sw/collectives/schedule/schedule.h"

namespace tvp::collectives {

/// Executes a schedule on random numbers, with lanes in a random order, and compares the results
/// with the definition of the primitive. It does not use the checker, so it judges a mutant by its
/// results. It has no switch.
class NumericOracle {
 public:
  NumericOracle(const Schedule& schedule, std::uint32_t slots, std::uint64_t seed);
  bool right();

 private:
  using Number = std::uint64_t;  ///< sums modulo 2^64; an average multiplies by a constant
  struct Message {
    std::uint32_t count;
    std::deque<Number> chunks;  ///< chunks in flight
    std::uint32_t sent = 0;
  };
  struct LaneState {
    std::uint32_t step = 0;
    std::uint32_t chunk = 0;
  };
  using Connection = std::tuple<std::uint32_t, std::uint32_t, std::uint16_t>;

  bool sound() const;
  bool advance(std::uint32_t rank, std::uint32_t lane);
  bool put(const Connection& connection, std::uint32_t count, std::uint32_t chunk, Number number);
  bool has_room(const Connection& connection) const;
  Number* at(std::uint32_t rank, const Place& place, std::uint32_t chunk);
  Number expected(std::uint32_t rank, std::uint32_t index, bool& said) const;

  const Schedule& schedule_;
  const std::uint32_t slots_;
  std::mt19937_64 random_;
  std::vector<std::vector<std::vector<Number>>> memories_;  ///< rank, memory, chunk
  std::vector<std::vector<Number>> inputs_;
  std::vector<std::vector<LaneState>> lanes_;
  std::map<Connection, std::deque<Message>> connections_;
  bool broken_ = false;
};

}  // namespace tvp::collectives
