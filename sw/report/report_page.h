#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tvp::report {

/// A report as one self-contained HTML file: tables and charts of report.json. Throws
/// foundation::Fault(kDescription) if a part of the page is missing.
std::string report_page(const nlohmann::ordered_json& report);

/// A sweep (SweepReport::to_json) as a page of the same kind: curves of the figures over a varied
/// key, and a table of the runs.
std::string sweep_page(const nlohmann::ordered_json& sweep);

/// A page of the result of `vp validate`, {families, rows, limits, deviations}. Each family has its
/// spread and a chart of simulated over published values; known deviations are listed.
std::string validation_page(const nlohmann::ordered_json& validation);

}  // namespace tvp::report
