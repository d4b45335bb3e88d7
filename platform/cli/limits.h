#pragma once

#include <string>
#include <vector>

namespace tvp::cli {

/// Features that one model ignores or lacks.
struct ModelLimits {
  std::string model;  ///< its folder, "noc" or "tensix/coprocessor"
  std::vector<std::string> limits;
};

/// The lists under the heading "Limits" of each README.md below `folder`, by folder; empty for a
/// model without such a list.
std::vector<ModelLimits> read_limits(const std::string& folder);

/// The limits of all models and of the systems.
std::vector<ModelLimits> all_limits();

/// `vp list --limits`.
int list_limits();

}  // namespace tvp::cli
