#pragma once

#include <string>
#include <vector>

namespace tvp::runtime {

// GCC 12 rejects `#pragma GCC unroll` with a value from a template's parameters, which published
// kernels use. The pragma is only a hint. If a kernel fails to compile for this reason alone, the
// runtime preprocesses it, removes such hints and compiles the result.

/// True if all of the compiler's errors are about unroll hints.
bool only_unroll_hints(const std::string& messages);

/// Removes hints without a plain number from a preprocessed text. Line numbers do not change.
std::string without_unroll_hints(const std::string& preprocessed);

/// Commands that preprocess the source of `command`, and that compile the preprocessed file.
std::vector<std::string> preprocessing(const std::vector<std::string>& command);
std::vector<std::string> compiling_preprocessed(const std::vector<std::string>& command,
                                                const std::string& preprocessed);

}  // namespace tvp::runtime
