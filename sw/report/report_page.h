#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tvp::report {

/// A report as one HTML file that needs nothing else: tables and charts of what report.json holds.
/// Throws support::Fault(kDescription) when a part that the page is made from is missing.
std::string report_page(const nlohmann::ordered_json& report);

}  // namespace tvp::report
