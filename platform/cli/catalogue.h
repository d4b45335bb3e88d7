#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "platform/cli/run/workload_registry.h"

namespace tvp::cli {

/// Workloads, systems and keys of `vp list`: all, or those that match a pattern.
class Catalogue {
 public:
  /// `pattern` is part of a name or of its description, or a shell pattern of whole names if it has
  /// * or ?. Empty: everything. Case does not matter.
  Catalogue(const WorkloadRegistry& workloads, std::string pattern);

  bool empty() const;
  std::string text() const;
  /// `{workloads: […], systems: […], workload_keys: […], keys: […]}`.
  const nlohmann::ordered_json& json() const { return json_; }

 private:
  bool picks(const std::string& name, const std::string& said) const;
  void add_keys(const char* list, const std::string& settings);

  std::string pattern_;
  nlohmann::ordered_json json_;
};

}  // namespace tvp::cli
