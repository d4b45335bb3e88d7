#pragma once

#include <string>
#include <vector>

#include "sw/report/sweep_table.h"

namespace tvp::report {

/// Writes the tables to a new SQLite database in place of the file. A table `units` has name and
/// unit of each column. Throws foundation::HostError if the machine refuses.
void write_sqlite(const std::string& path, const std::vector<SweepTable>& tables);

}  // namespace tvp::report
