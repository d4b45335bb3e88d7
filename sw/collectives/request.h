#pragma once

#include <cstdint>
#include <string>

namespace tvp::collectives {

class Collective;

/// What is asked for, as names of settings.
struct Request {
  explicit Request(const Collective& what);

  const Collective* collective;
  std::string name;    ///< of who asks, for messages
  unsigned nodes = 0;  ///< 0 for all units
  std::uint32_t bytes = 65536;
  std::string type = "fp32";
  std::string op = "sum";
  std::string order = "row_major";
  std::string algorithm;  ///< one of the collective's
  bool hierarchical = false;
  bool as_written = false;
  std::string sync = "auto";  ///< credits, barriers; auto: barriers where links are scheduled
  bool pipelined = true;
  unsigned root = 0;
  std::uint64_t seed = 1;
};

}  // namespace tvp::collectives
