#pragma once

#include <cstdint>
#include <string>

#include "sw/collectives/pim/pim_collective.h"

namespace tvp::collectives {

/// The settings of a collective between the units of a PIM system, by the names of their values.
struct PimRequest {
  explicit PimRequest(const PimCollective& what)
      : collective(&what), name(what.name), form(what.forms.front()) {}

  const PimCollective* collective;
  std::string name;    ///< group of the settings, for error messages
  unsigned nodes = 0;  ///< 0 for all units
  std::uint32_t bytes = 65536;
  std::string type = "fp32";
  std::string op = "sum";
  std::string order = "row_major";
  std::string form;  ///< one of the collective's
  bool hierarchical = false;
  bool as_written = false;
  /// `auto` selects `barriers` on a mesh with a static schedule, and `credits` elsewhere.
  std::string sync = "auto";
  bool pipelined = true;
  unsigned root = 0;
  std::uint64_t seed = 1;
};

}  // namespace tvp::collectives
