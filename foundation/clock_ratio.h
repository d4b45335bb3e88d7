#pragma once

#include <cstdint>
#include <numeric>

namespace tvp::foundation {

__extension__ using Wide = unsigned __int128;

/// A clock period as a fraction of picoseconds, since 1 / 1200 MHz is not a whole number of them.
/// Edge n lies at n * ps_num / ps_den, so rounding errors never add up.
struct Period {
  std::uint64_t ps_num = 1000;
  std::uint64_t ps_den = 1;

  static constexpr Period of_mhz(std::uint64_t mhz) { return {1'000'000, mhz}; }

  double ns() const { return static_cast<double>(ps_num) / static_cast<double>(ps_den) / 1000.0; }
  /// The period rounded up to whole picoseconds.
  constexpr std::uint64_t ps_up() const { return (ps_num + ps_den - 1) / ps_den; }
  /// Time of an edge, rounded down to whole picoseconds.
  constexpr std::uint64_t time_ps(std::uint64_t edge) const {
    return static_cast<std::uint64_t>(Wide{edge} * ps_num / ps_den);
  }
  /// First edge at `ps` or later.
  constexpr std::uint64_t edge_at_or_after(std::uint64_t ps) const {
    return static_cast<std::uint64_t>((Wide{ps} * ps_den + ps_num - 1) / ps_num);
  }
};

/// Converts edge numbers of one clock to those of another. Each result comes from the edge number,
/// not from a sum of rounded periods, so the clocks do not drift apart.
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
  std::uint64_t num_;
  std::uint64_t den_;
};

}  // namespace tvp::foundation
