#pragma once

#include <string>
#include <vector>

namespace tvp::runtime {

// GCC 12 rejects `#pragma GCC unroll` with a value from a template's parameters, which published
// kernels use. The pragma is only a hint. If a kernel fails to compile for this reason alone, the
// runtime preprocesses it, removes such hints and compiles the result.

/// True if the compiler complains about nothing but unroll hints.
bool only_unroll_hints(const std::string& messages);

/// A preprocessed text without the hints that have no plain number; its lines stay where they are.
std::string without_unroll_hints(const std::string& preprocessed);

/// Commands that preprocess the source of `command`, and that compile the preprocessed file.
std::vector<std::string> preprocessing(const std::vector<std::string>& command);
std::vector<std::string> compiling_preprocessed(const std::vector<std::string>& command,
                                                const std::string& preprocessed);

}  // namespace tvp::runtime
