#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tvp::report {

/// Reads a report.json. Throws foundation::Fault(kDescription) with the file, the key and the
/// expected value if it is invalid.
nlohmann::ordered_json read_report(const std::string& file);

/// Two reports side by side for the terminal: figures, phases, metrics with their difference in
/// percent of A, and different settings.
std::string compare(const nlohmann::ordered_json& a, const nlohmann::ordered_json& b);
std::string compare_files(const std::string& a, const std::string& b);

}  // namespace tvp::report
