#pragma once

#include <cstdint>
#include <limits>
#include <numeric>

namespace tvp::dram {

/// Number of an edge of the DRAM's command clock CK since power-on. Everything inside a channel or
/// a bank is counted in these; AICLK and core clocks are converted at the border by ClockRatio.
using MemCycle = std::uint64_t;

inline constexpr MemCycle kNeverMem = std::numeric_limits<MemCycle>::max();

/// A clock period as a fraction: 1 / 1200 MHz is no whole number of picoseconds.
struct Period {
  std::uint64_t ps_num = 1;
  std::uint64_t ps_den = 1;

  double ns() const { return static_cast<double>(ps_num) / static_cast<double>(ps_den) / 1000.0; }
  static constexpr Period of_mhz(std::uint64_t mhz) { return {1'000'000, mhz}; }
};

/// Converts counts of edges of one clock to another, each from its number: no sum of rounded
/// periods, so that clocks do not drift apart.
class ClockRatio {
 public:
  constexpr ClockRatio(Period from, Period to)
      : num_(from.ps_num * to.ps_den), den_(from.ps_den * to.ps_num) {
    const std::uint64_t common = std::gcd(num_, den_);
    num_ /= common;
    den_ /= common;
  }

  /// First edge of the other clock at or after this edge.
  constexpr std::uint64_t up(std::uint64_t edge) const {
    return static_cast<std::uint64_t>((Wide{edge} * num_ + den_ - 1) / den_);
  }
  /// Last edge of the other clock at or before this edge.
  constexpr std::uint64_t down(std::uint64_t edge) const {
    return static_cast<std::uint64_t>(Wide{edge} * num_ / den_);
  }

 private:
  __extension__ using Wide = unsigned __int128;
  std::uint64_t num_;
  std::uint64_t den_;
};

}  // namespace tvp::dram
