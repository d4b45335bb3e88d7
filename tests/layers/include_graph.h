#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace tvp::layers {

/// The includes of a source tree.
class IncludeGraph {
 public:
  struct Include {
    std::string spelled;       ///< "models/noc/niu/niu.h", "systemc"
    std::string resolved;      ///< path from the root; "" if the file is not in the tree
    bool is_external = false;  ///< in <brackets> and not in the tree
    unsigned line = 0;
  };

  /// Reads every .h, .hpp, .c and .cpp file below `folders` of `root`. Searches names from `root`,
  /// from the folder of the file, and from each of `search` (paths from the root).
  IncludeGraph(const std::filesystem::path& root, const std::vector<std::string>& folders,
               const std::vector<std::string>& search);

  /// Files by path from the root.
  const std::map<std::string, std::vector<Include>>& files() const { return files_; }
  /// Files of an include cycle, with the first one repeated at the end; empty if there is no cycle.
  std::vector<std::string> circle() const;

 private:
  void read(const std::filesystem::path& root, const std::string& file);
  void resolve(const std::vector<std::string>& search);
  bool find_circle(const std::string& file, std::vector<std::string>& path,
                   std::map<std::string, bool>& done) const;

  std::map<std::string, std::vector<Include>> files_;
};

}  // namespace tvp::layers
