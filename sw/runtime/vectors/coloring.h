#pragma once

#include <vector>

#include "sw/runtime/vectors/lifetimes.h"
#include "sw/runtime/vectors/vector_code.h"

namespace tvp::runtime::vectors {

/// Gives every web one of the eight registers. Webs that are alive at the same time differ. Copied
/// values share a register if possible (Chaitin and Briggs).
class Coloring {
 public:
  /// With `join` the two sides of a copy become one web first. This saves copies and can make an
  /// existing assignment impossible.
  Coloring(const VectorCode& code, const Lifetimes& lifetimes, bool join);

  bool complete() const { return complete_; }
  int reg(int web) const { return regs_[static_cast<std::size_t>(web)]; }

 private:
  int find(int web) const;
  void join_copies();
  bool needs_register(int web) const;
  /// Webs without a register, in the order that decides ties between degrees.
  std::vector<int> unassigned();
  /// Number of neighbors of a web that are not removed.
  int degree(int web, const std::vector<bool>& removed) const;
  /// Webs in an order in which each has the fewest neighbors among the rest.
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
