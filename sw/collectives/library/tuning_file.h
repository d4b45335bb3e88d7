#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sw/collectives/library/cost_profile.h"

namespace tvp::collectives {

/// What was measured of one operation of a number of ranks: times of all algorithms over sizes.
struct TimeTable {
  struct Time {
    double ns = 0;
    std::uint32_t segments = 1;
  };
  struct Crossover {
    std::uint64_t from_bytes = 0;
    std::string algorithm;
  };
  /// By bytes of the vector, then algorithm.
  std::map<std::uint64_t, std::map<std::string, Time>> points;

  /// Between two sizes a straight line of the logarithms; below the smallest its own time, above
  /// the largest in proportion to it. Nothing for an algorithm that was not measured there.
  std::optional<Time> time(const std::string& algorithm, std::uint64_t bytes) const;
  /// Algorithms by their time, the fastest first.
  std::vector<std::pair<std::string, Time>> ranking(std::uint64_t bytes) const;
  /// Which one is the fastest from where on, the first from 0.
  std::vector<Crossover> crossovers() const;
};

/// What a system's collectives cost, as a file: measured on it, and of use on it only.
class TuningFile {
 public:
  /// Reads it when it is there. Throws Fault(kDescription) for a file that is none of these, or is
  /// of another system than `key` names.
  TuningFile(std::string path, std::string key, std::string system);

  const std::string& path() const { return path_; }
  std::optional<CostProfile> profile(const std::string& name) const;
  void set_profile(const std::string& name, const CostProfile& profile);
  /// "all_reduce of 8 ranks, fp32".
  const TimeTable* table(const std::string& name) const;
  const std::map<std::string, TimeTable>& tables() const { return tables_; }
  void set_table(const std::string& name, const TimeTable& table);
  /// In one step: whoever reads it finds the old one or the new one.
  void write() const;

 private:
  void read(const std::string& text);

  std::string path_;
  std::string key_;
  std::string system_;
  std::map<std::string, CostProfile> profiles_;
  std::map<std::string, TimeTable> tables_;
};

}  // namespace tvp::collectives
