#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sw/collectives/library/cost_profile.h"

namespace tvp::collectives {

/// Measured times of one operation on a number of ranks: all algorithms over sizes.
struct TimeTable {
  struct Time {
    double ns = 0;
    std::uint32_t segments = 1;
  };
  struct Crossover {
    std::uint64_t from_bytes = 0;
    std::string algorithm;
  };
  /// Times by bytes of the vector, then by algorithm.
  std::map<std::uint64_t, std::map<std::string, Time>> points;

  /// The line alpha + beta * bytes through the two measured sizes around `bytes`, or through the
  /// two nearest ones if it is outside the measured range. None for an algorithm with fewer sizes,
  /// unless it was measured with this size.
  std::optional<Time> time(const std::string& algorithm, std::uint64_t bytes) const;
  /// True if sizes were measured around `bytes` that are near enough for the line between them.
  bool covers(std::uint64_t bytes) const;
  /// The largest factor between a measured time and the line through the sizes around it. It is at
  /// least the factor by which a time varies with what ran before it.
  double error() const;
  /// Algorithms by their time, the fastest first.
  std::vector<std::pair<std::string, Time>> ranking(std::uint64_t bytes) const;
  /// The fastest algorithm of each range of sizes; the first range begins at 0.
  std::vector<Crossover> crossovers() const;
};

/// A file of measured costs of a system's collectives. It is valid for that system only.
class TuningFile {
 public:
  static constexpr int kSchema = 2;
  /// Reads the file if it exists. Throws Fault(kDescription) for a file of another format or of
  /// another system than `key`.
  TuningFile(std::string path, std::string key, std::string system);

  const std::string& path() const { return path_; }
  std::optional<CostProfile> profile(const std::string& name) const;
  void set_profile(const std::string& name, const CostProfile& profile);
  /// `name` is for example "all_reduce of 8 ranks, fp32".
  const TimeTable* table(const std::string& name) const;
  const std::map<std::string, TimeTable>& tables() const { return tables_; }
  void set_table(const std::string& name, const TimeTable& table);
  /// Replaces the file in one step: a reader finds the old or the new contents.
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
