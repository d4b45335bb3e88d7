#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/collectives/algorithms/schedule_request.h"

namespace tvp::collectives {

// Values of keys in words of their own. `where` names the key in Fault(kDescription).

/// The ranks in another order, "0,1,3,2", or along a path of single steps over a mesh,
/// "hamiltonian:4x8".
std::vector<std::uint32_t> order_of(const std::string& where, const std::string& text,
                                    std::uint32_t ranks);

/// Sizes of tiers, the innermost first, "4x8", and an algorithm for each, "ring,pairwise"; empty: a
/// ring on all of them.
std::vector<Tier> tiers_of(const std::string& where, const std::string& sizes,
                           const std::string& inner_where, const std::string& inner);

}  // namespace tvp::collectives
