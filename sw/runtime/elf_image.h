#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tvp::runtime {

/// A 32-bit little-endian ELF executable as the host loads it: what goes where, and its symbols.
class ElfImage {
 public:
  struct Segment {
    std::uint32_t physical = 0;  ///< where the host puts it in L1
    std::uint32_t virtual_address = 0;
    std::vector<std::uint8_t> bytes;
  };

  /// Throws Fault(kDescription) when the file is not one.
  static ElfImage load(const std::string& path);

  const std::string& path() const { return path_; }
  std::uint32_t entry() const { return entry_; }
  const std::vector<Segment>& segments() const { return segments_; }
  /// Throws Fault(kDescription) when there is none.
  std::uint32_t symbol(const std::string& name) const;
  bool has_symbol(const std::string& name) const { return symbols_.count(name) != 0; }
  /// NUL-separated strings of the section of profiler zones: "name,file,line".
  const std::vector<std::string>& zones() const { return zones_; }

 private:
  std::string path_;
  std::uint32_t entry_ = 0;
  std::vector<Segment> segments_;
  std::map<std::string, std::uint32_t> symbols_;
  std::vector<std::string> zones_;
};

}  // namespace tvp::runtime
