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

/// What `vp validate` found, {families, rows, limits, deviations}, as a page of the same kind: each
/// family with its spread and a picture of simulated over published, and what is known to be
/// missed.
std::string validation_page(const nlohmann::ordered_json& validation);

}  // namespace tvp::report
