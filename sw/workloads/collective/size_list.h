#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tvp::workloads::collective {

/// Reads sizes in bytes: `1024`, `64K,1M` (K and M are 2^10 and 2^20), `1K:1M:*4` for factors,
/// `1K:4K:1K` for steps. Throws Fault(kDescription) that names `where` and what was expected.
std::vector<std::uint64_t> parse_sizes(const std::string& where, const std::string& text);

}  // namespace tvp::workloads::collective
