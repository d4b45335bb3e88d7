#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace tvp::cli {

/// Counts the runs of a sweep and estimates the time that the rest takes.
class SweepProgress {
 public:
  using Seconds = std::chrono::duration<double>;

  /// `runs` in all, of which `kept` were there at the start.
  explicit SweepProgress(std::size_t runs = 0, std::size_t kept = 0) : runs_(runs), kept_(kept) {}

  void add(bool passed) {
    ++ended_;
    if (!passed) ++failed_;
  }
  /// For example "120 of 200 runs, 2 failed, 3 min 20 s left"; `passed` is the time since the
  /// start.
  std::string text(Seconds passed) const;

 private:
  std::size_t runs_;
  std::size_t kept_;
  std::size_t ended_ = 0;
  std::size_t failed_ = 0;
};

}  // namespace tvp::cli
