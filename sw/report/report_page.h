#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tvp::report {

/// A report as one HTML file that needs nothing else: tables and charts of what report.json holds.
/// Throws foundation::Fault(kDescription) when a part that the page is made from is missing.
std::string report_page(const nlohmann::ordered_json& report);

/// A sweep (SweepReport::to_json) as a page of the same kind: curves of the figures over a varied
/// key, and a table of the runs.
std::string sweep_page(const nlohmann::ordered_json& sweep);

/// Makes a page of the same kind of the result of `vp validate`, {families, rows, limits,
/// deviations}. Each family has its spread and a chart of simulated over published values; known
/// deviations are listed.
std::string validation_page(const nlohmann::ordered_json& validation);

}  // namespace tvp::report
