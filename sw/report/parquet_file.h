#pragma once

#include <string>

#include "sw/report/sweep_table.h"

namespace tvp::report {

/// The table as an Apache Parquet file: one row group, encoding PLAIN, no compression. Debian has
/// no library that writes this format. Units of columns are pairs of the file's metadata.
std::string to_parquet(const SweepTable& table);

}  // namespace tvp::report
