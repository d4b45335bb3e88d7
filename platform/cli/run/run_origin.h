#pragma once

#include "sw/report/run_report.h"

namespace tvp::cli {

/// Sets command line, version and date of a report: those of this process and of now.
void set_origin(report::RunReport& report);

}  // namespace tvp::cli
