#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sw/runtime/host_api.h"

namespace tvp::test {

/// A vector operation of a kernel and its golden function, lane by lane.
struct SfpiCase {
  std::string name;
  /// Statements that make `r` of `a` and `b`.
  std::string body;
  std::function<std::uint32_t(std::uint32_t, std::uint32_t)> golden;
  /// The type of a, b and r: vFloat, or vInt and vUInt, whose bits are taken as they are.
  std::string type = "vFloat";
  /// Greatest difference from golden in units of the last place.
  std::uint32_t ulps = 0;
};

/// Runs cases on one core of a chip: each makes a tile from two tiles.
class SfpiBench {
 public:
  explicit SfpiBench(std::string folder);
  ~SfpiBench();

  using Words = std::vector<std::uint32_t>;
  static constexpr std::size_t kTileWords = 1024;

  /// A tile for each case. `before` stands in front of the functions that hold the bodies, `start`
  /// runs once on the thread of the vector unit.
  std::vector<Words> run(const std::string& name, const std::vector<SfpiCase>& cases,
                         const Words& a, const Words& b, const std::string& before = "",
                         const std::string& start = "");
  /// Runs them and holds every datum to its golden value.
  void check(const std::string& name, const std::vector<SfpiCase>& cases, const Words& a,
             const Words& b, const std::string& before = "", const std::string& start = "");
  /// Cycles from go to done of the last run.
  std::uint64_t cycles() const { return cycles_; }

 private:
  std::string write(const std::string& name, const std::string& text) const;

  std::string folder_;
  std::unique_ptr<runtime::DeviceLibrary> library_;
  std::unique_ptr<runtime::MeshDevice> mesh_;
  std::uint64_t cycles_ = 0;
};

}  // namespace tvp::test
