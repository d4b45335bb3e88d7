#pragma once

namespace tvp::cli {

/// The release, and the commit at configuration if it is known.
extern const char* const kVersion;

}  // namespace tvp::cli
