#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/compare/case.h"

namespace tvp::compare {

/// A library's result for each case, or the reason for its refusal.
struct Outcome {
  std::optional<Bytes> memory;
  std::string refusal;
};

/// Runs cases on one library in child processes, since a library may end its host.
class Runner {
 public:
  Runner(std::string library, std::string folder, std::uint64_t seed)
      : library_(std::move(library)), folder_(std::move(folder)), seed_(seed) {}

  std::vector<Outcome> run(const std::vector<Case>& cases) const;

 private:
  /// Runs cases from `first` until the child ends; returns their number.
  std::size_t run_child(const std::vector<Case>& cases, std::size_t first,
                        std::vector<Outcome>& outcomes) const;
  [[noreturn]] void be_child(const std::vector<Case>& cases, std::size_t first, int results,
                             int said) const;

  std::string library_;
  std::string folder_;
  std::uint64_t seed_;
};

}  // namespace tvp::compare
