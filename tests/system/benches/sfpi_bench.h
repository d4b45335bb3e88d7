#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sw/runtime/host_api.h"

namespace tvp::test {

/// A vector operation of a kernel and its golden function per lane.
struct SfpiCase {
  std::string name;
  /// Statements that compute r from a and b.
  std::string body;
  std::function<std::uint32_t(std::uint32_t, std::uint32_t)> golden;
  /// The type of a, b and r: vFloat, or vInt and vUInt, which take the bits unchanged.
  std::string type = "vFloat";
  /// Largest difference from golden in ulp.
  std::uint32_t ulps = 0;
};

/// Runs cases on one core of a chip: each computes a tile from two tiles.
class SfpiBench {
 public:
  explicit SfpiBench(std::string folder);
  ~SfpiBench();

  using Words = std::vector<std::uint32_t>;
  static constexpr std::size_t kTileWords = 1024;

  /// Returns a tile for each case. `before` precedes the functions with the bodies. `start` runs
  /// once on the thread of the vector unit.
  std::vector<Words> run(const std::string& name, const std::vector<SfpiCase>& cases,
                         const Words& a, const Words& b, const std::string& before = "",
                         const std::string& start = "");
  /// Runs the cases and compares every datum with its golden value.
  void check(const std::string& name, const std::vector<SfpiCase>& cases, const Words& a,
             const Words& b, const std::string& before = "", const std::string& start = "");
  /// Cycles of the last run from go to done.
  std::uint64_t cycles() const { return cycles_; }

 private:
  std::string write(const std::string& name, const std::string& text) const;

  std::string folder_;
  std::unique_ptr<runtime::DeviceLibrary> library_;
  std::unique_ptr<runtime::MeshDevice> mesh_;
  std::uint64_t cycles_ = 0;
};

}  // namespace tvp::test
