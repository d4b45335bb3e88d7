#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "platform/cli/run/workload_registry.h"

namespace tvp::cli {

/// Workloads, systems and keys of `vp list`: all, or those that a pattern picks.
class Catalogue {
 public:
  /// `pattern`: part of a name or of what is said of it; a shell pattern of whole names when it has
  /// * or ?; everything when empty. Small and capital letters are the same.
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
