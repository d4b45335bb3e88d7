#pragma once

#include <vector>

#include "sw/runtime/vectors/vector_code.h"

namespace tvp::runtime::vectors {

/// Finds where webs are alive, and so which webs cannot share a register.
class Lifetimes {
 public:
  using Set = std::vector<bool>;  ///< index: web

  /// Also removes instructions whose result is not used.
  explicit Lifetimes(VectorCode& code);

  const Set& neighbors(int web) const { return matrix_[static_cast<std::size_t>(web)]; }
  /// True if a web occurs at all.
  bool exists(int web) const { return exists_[static_cast<std::size_t>(web)]; }

  struct Crowd {
    std::size_t line = 0;
    int count = 0;
  };
  /// The place with the most live webs.
  Crowd crowd() const { return crowd_; }
  /// Line of a call of a function that uses vectors while a web is alive, or 0.
  std::size_t interrupted_line() const { return interrupted_line_; }

 private:
  bool allocated(int web) const;
  void find_live();
  /// Steps one instruction backwards.
  void step(const Instruction& instruction, Set& live) const;
  bool drop_dead();
  void build();
  void meet(int a, int b);

  VectorCode& code_;
  std::vector<Set> live_out_;
  std::vector<Set> matrix_;
  Set exists_;
  Crowd crowd_;
  std::size_t interrupted_line_ = 0;
};

}  // namespace tvp::runtime::vectors
