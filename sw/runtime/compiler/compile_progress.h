#pragma once

#include <chrono>
#include <cstddef>
#include <iosfwd>

namespace tvp::runtime {

/// Prints the progress of a long compilation every few seconds.
class CompileProgress {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::seconds kBetweenLines{5};

  /// `out` may be null, for no output.
  CompileProgress(std::size_t images, Time begin, std::ostream* out)
      : images_(images), reported_(begin), out_(out) {}
  /// Standard error if it is a terminal, otherwise null.
  static std::ostream* terminal();

  /// Counts one more image.
  void made_one(Time now);

 private:
  std::size_t images_;
  std::size_t made_ = 0;
  Time reported_;
  std::ostream* out_;
};

}  // namespace tvp::runtime
