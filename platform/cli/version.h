#pragma once

namespace tvp::cli {

/// Number of the release, and the commit that it was configured at when that is known.
extern const char* const kVersion;

}  // namespace tvp::cli
