#pragma once

#include <set>

#include "sw/runtime/vectors/lifetimes.h"
#include "sw/runtime/vectors/vector_code.h"

namespace tvp::runtime::vectors {

/// Frees registers by loading constants again where they are used.
class Rematerialization {
 public:
  explicit Rematerialization(VectorCode& code) : code_(code) {}

  /// Splits the constant that is alive with the most others. Returns false if there is none left.
  bool split_one(const Lifetimes& lifetimes);

 private:
  bool possible(int web) const;
  void split(int web);

  VectorCode& code_;
  std::set<int> done_;
};

}  // namespace tvp::runtime::vectors
