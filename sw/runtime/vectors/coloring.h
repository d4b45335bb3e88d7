#pragma once

#include <vector>

#include "sw/runtime/vectors/lifetimes.h"
#include "sw/runtime/vectors/vector_code.h"

namespace tvp::runtime::vectors {

/// Gives every web one of the eight registers, so that webs that are alive together differ, and
/// values that are copied share one where they can (Chaitin and Briggs).
class Coloring {
 public:
  /// `join`: whether the two sides of a copy become one web before anything is assigned. That saves
  /// copies and can make an assignment impossible that exists otherwise.
  Coloring(const VectorCode& code, const Lifetimes& lifetimes, bool join);

  bool complete() const { return complete_; }
  int reg(int web) const { return regs_[static_cast<std::size_t>(web)]; }

 private:
  int find(int web) const;
  void join_copies();
  bool needs_register(int web) const;
  /// Webs without a register, in the order in which ties between degrees are decided.
  std::vector<int> unassigned();
  /// Neighbors of a web that are not removed.
  int degree(int web, const std::vector<bool>& removed) const;
  /// Webs in the order in which each has the fewest neighbors among those that are left.
  std::vector<int> removal_order();
  void assign();
  int pick(int web) const;

  const VectorCode& code_;
  std::vector<std::vector<bool>> edges_;
  std::vector<bool> exists_;
  std::vector<int> parents_;
  std::vector<int> regs_;
  bool complete_ = true;
};

}  // namespace tvp::runtime::vectors
