#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tvp::riscv {

/// Source location of an instruction.
struct SourceLocation {
  std::string function;  ///< the innermost function, inlined ones included; empty if unknown
  std::string file;
  unsigned line = 0;
  /// The calls through which the function is inlined, innermost first: the calling function, and
  /// the line of the call. The last function exists in the code.
  std::vector<SourceLocation> inlined_into;
  /// For example "add (math.h:7), inlined into reduce (kernels/sdpa/compute.cpp:41)". For a line in
  /// the kernel library, the text begins with the kernel's own line: "reduce
  /// (kernels/sdpa/compute.cpp:41): add (firmware/api/compute/math.h:7)".
  std::string text() const;
  /// For example "add (math.h:7)".
  std::string place_text() const;
};

/// Reads the DWARF of one ELF file; opened at the first lookup.
class SourceLines {
 public:
  explicit SourceLines(std::string path);
  ~SourceLines();
  SourceLines(const SourceLines&) = delete;
  SourceLines& operator=(const SourceLines&) = delete;

  /// Empty if the file has no line for that address. Results are kept, since most cores of a system
  /// are at the same few addresses.
  const std::optional<SourceLocation>& lookup(std::uint32_t address);

 private:
  struct Dwarf;
  std::optional<SourceLocation> find(std::uint32_t address);

  std::string path_;
  std::unique_ptr<Dwarf> dwarf_;
  bool opened_ = false;
  std::unordered_map<std::uint32_t, std::optional<SourceLocation>> found_;
};

}  // namespace tvp::riscv
